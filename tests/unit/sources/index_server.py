"""A package index on the loopback that behaves as badly as a test wants, and archives to put on it."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
import threading
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from foveate.sources.pinned import Member, PinnedFile


@dataclass
class Behaviour:
    """What the index serves and how; a test changes it as it goes.

    Attributes:
        cuts: Where the answers to the next requests for a file end too soon, counted from the file's beginning.
        files_url: Where the pages say that the files are, instead of here.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    hashes: dict[str, str] = field(default_factory=dict)
    as_json: bool = False
    honours_range: bool = True
    wrong_range: bool = False
    declares_length: bool = True
    cuts: list[int] = field(default_factory=list)
    status: int = 200
    file_status: int = 200
    redirects: bool = False
    requests: list[tuple[str, str | None, str | None]] = field(default_factory=list)
    started: threading.Event = field(default_factory=threading.Event)
    go_on: threading.Event | None = None
    files_url: str | None = None
    url: str = ""

    def downloads(self) -> list[str | None]:
        """The Range header of each request for a file, in order."""
        return [wanted for path, wanted, _ in self.requests if path.startswith("/files/")]


class Handler(BaseHTTPRequestHandler):
    behaviour: Behaviour

    def do_GET(self) -> None:
        told = self.behaviour
        told.requests.append((self.path, self.headers.get("Range"), self.headers.get("Authorization")))
        if self.path.startswith("/moved/"):
            self._head(302, {"Location": self.path.replace("/moved/", "/files/"), "Content-Length": "0"})
        elif self.path.startswith("/files/"):
            self._file(told.files[self.path.removeprefix("/files/")])
        elif self.path.startswith("/simple/demo/"):
            self._page()
        else:
            self._head(404, {"Content-Length": "0"})

    def log_message(self, format: str, *args: object) -> None:
        pass

    def _page(self) -> None:
        told = self.behaviour
        base = told.files_url or f"{told.url}/{'moved' if told.redirects else 'files'}"
        if told.as_json:
            files = [
                {"filename": name, "url": f"{base}/{name}", "hashes": {"sha256": told.hashes.get(name, "")}}
                for name in told.files
            ]
            body = json.dumps({"meta": {"api-version": "1.0"}, "name": "demo", "files": files})
            self._body(told.status, body.encode(), "application/vnd.pypi.simple.v1+json")
        else:
            self._body(told.status, html_page(base, told.files, told.hashes), "text/html")

    def _file(self, data: bytes) -> None:
        told, start, status = self.behaviour, 0, self.behaviour.file_status
        headers: dict[str, str] = {}
        wanted = self.headers.get("Range")
        if wanted and told.honours_range:
            start = int(wanted.removeprefix("bytes=").removesuffix("-"))
            start = 0 if told.wrong_range else start
            status = 206
            headers["Content-Range"] = f"bytes {start}-{len(data) - 1}/{len(data)}"
        if told.declares_length:
            headers["Content-Length"] = str(len(data) - start)
        self._head(status, headers)
        told.started.set()
        end = told.cuts.pop(0) if told.cuts else len(data)
        half = (start + end) // 2
        self.wfile.write(data[start:half])
        if told.go_on is not None:
            self.wfile.flush()
            told.go_on.wait(30)
        self.wfile.write(data[half:end])
        self.close_connection = True

    def _body(self, status: int, body: bytes, kind: str) -> None:
        self._head(status, {"Content-Type": kind, "Content-Length": str(len(body))})
        self.wfile.write(body)

    def _head(self, status: int, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for key, value in headers.items():
            self.send_header(key, value)
        self.end_headers()


class Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Stays silent when a client leaves early, as one does that was sent too much."""


@contextmanager
def serving(behaviour: Behaviour) -> Iterator[Behaviour]:
    handler = type("BoundHandler", (Handler,), {"behaviour": behaviour})
    server = Server(("127.0.0.1", 0), handler)
    behaviour.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield behaviour
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def html_page(base: str, files: Mapping[str, bytes], hashes: Mapping[str, str]) -> bytes:
    """A PEP 503 page."""
    fragments = {name: f"#sha256={hashes[name]}" if name in hashes else "" for name in files}
    links = "".join(f'<a href="{base}/{name}{fragments[name]}">{name}</a><br>' for name in files)
    return f"<!DOCTYPE html><html><body>{links}</body></html>".encode()


def sdist(contents: Mapping[str, bytes], links: Mapping[str, str] | None = None) -> bytes:
    """A tar.gz; ``links`` are symbolic links ``{name: target}`` in it."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as opened:
        for name, target in (links or {}).items():
            link = tarfile.TarInfo(name)
            link.type, link.linkname = tarfile.SYMTYPE, target
            opened.addfile(link)
        for name, data in contents.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            opened.addfile(info, io.BytesIO(data))
    return out.getvalue()


def wheel(contents: Mapping[str, bytes]) -> bytes:
    """A zip."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, data in contents.items():
            opened.writestr(name, data)
    return out.getvalue()


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def pin(filename: str, data: bytes) -> PinnedFile:
    return PinnedFile("demo", "1.0", filename, sha256(data), len(data), "MIT")


def member(archive: PinnedFile, path: str, data: bytes) -> Member:
    return Member(archive, path, sha256(data), len(data))
