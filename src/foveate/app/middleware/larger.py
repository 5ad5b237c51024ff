"""Addresses that take files: what a request to them may bring."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest
from django.urls import Resolver404, resolve

from foveate.app.refused import RefusedError, usual

# Bytes by the name of an address, namespaces with it; apps put theirs in when Django starts.
LARGER: dict[str, int] = {}
# What is said of a request that brings too much, by the name of its address; told how many bytes it has.
TOO_LARGE: dict[str, Callable[[int], RefusedError]] = {}


def most_bytes(request: HttpRequest, otherwise: int) -> int:
    """Returns how many bytes a request may bring: as many as its address takes, `otherwise` where it takes no files."""
    try:
        match = resolve(request.path_info)
    except Resolver404:
        return otherwise
    return LARGER.get(match.view_name, otherwise)


def refusal(request: HttpRequest, size: int) -> RefusedError:
    """Returns what is said of a request of so many bytes, which are more than it may bring."""
    try:
        told = TOO_LARGE.get(resolve(request.path_info).view_name)
    except Resolver404:
        told = None
    return usual(413) if told is None else told(size)
