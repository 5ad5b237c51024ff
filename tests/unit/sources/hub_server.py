"""A model hub on the loopback, as much of one as the hub's library asks for."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

REVISION = "0123456789abcdef0123456789abcdef01234567"


@dataclass
class Hub:
    """What it holds, by ``owner/name/path``, and how it behaves."""

    files: dict[str, bytes] = field(default_factory=dict)
    status: int = 200
    cuts: list[int] = field(default_factory=list)
    requests: list[tuple[str, str]] = field(default_factory=list)
    url: str = ""


class Handler(BaseHTTPRequestHandler):
    hub: Hub

    def do_HEAD(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        data = self._answer()
        if data is not None:
            start = int((self.headers.get("Range") or "bytes=0-")[6:].split("-")[0])
            self.wfile.write(data[start : self.hub.cuts.pop(0) if self.hub.cuts else None])
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        pass

    def _answer(self) -> bytes | None:
        self.hub.requests.append((self.command, self.path))
        repository, _, path = self.path.removeprefix("/").partition(f"/resolve/{REVISION}/")
        data = self.hub.files.get(f"{repository}/{path}")
        if self.hub.status != 200 or data is None:
            self.send_response(self.hub.status if self.hub.status != 200 else 404)
            if self.hub.status == 200:
                self.send_header("X-Error-Code", "EntryNotFound")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return None
        start = int((self.headers.get("Range") or "bytes=0-")[6:].split("-")[0])
        self.send_response(206 if start else 200)
        self.send_header("X-Repo-Commit", REVISION)
        self.send_header("ETag", f'"{hashlib.sha256(data).hexdigest()}"')
        self.send_header("Content-Length", str(len(data) - start))
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        self.end_headers()
        return data


class Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Stays silent when a client leaves early."""


@contextmanager
def serving(hub: Hub) -> Iterator[Hub]:
    server = Server(("127.0.0.1", 0), type("BoundHandler", (Handler,), {"hub": hub}))
    hub.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
