"""Photos that are sent stay in memory: a file that is too large for it is refused, never laid on the disk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.core.files.uploadhandler import MemoryFileUploadHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase

_PLACES = ("/ask/", "/api/v1/ask")


class InMemory(MemoryFileUploadHandler):
    """Takes a file of any size; how large a request may be was looked at before (`middleware.refusals`)."""

    def handle_raw_input(self, *_: Any, **__: Any) -> None:
        """Takes all files."""
        self.activated = True


class PhotosInMemory:
    """Django's own way lays large files on the disk, where a process that dies leaves them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answers."""
        if request.path.startswith(_PLACES):
            # Before anything looks into the form; the check of CSRF tokens does.
            request.upload_handlers = [InMemory(request)]
        return self._get_response(request)
