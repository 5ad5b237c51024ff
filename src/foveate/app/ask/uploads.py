"""What is sent is not laid on the disk by the server, and what is answered not by the browser."""

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
    """Django's own way lays large files on the disk, where a process that dies leaves them; browsers keep answers."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answers."""
        if not request.path.startswith(_PLACES):
            return self._get_response(request)
        # Before anything looks into the form; the check of CSRF tokens does.
        request.upload_handlers = [InMemory(request)]
        response = self._get_response(request)
        response.headers.setdefault("Cache-Control", "private, no-store")
        return response
