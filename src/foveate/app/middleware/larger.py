"""Addresses that take files: what a request to them may bring."""

from __future__ import annotations

from django.http import HttpRequest
from django.urls import Resolver404, resolve

# Bytes by the name of an address, namespaces with it; apps put theirs in when Django starts.
LARGER: dict[str, int] = {}


def most_bytes(request: HttpRequest, usual: int) -> int:
    """Returns how many bytes a request may bring: as many as its address takes, `usual` for one that takes no files."""
    try:
        match = resolve(request.path_info)
    except Resolver404:
        return usual
    return LARGER.get(match.view_name, usual)
