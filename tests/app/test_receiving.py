"""Requests that arrive a byte at a time, or only in part, at the HTTP server itself."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from waitress import wasyncore

from foveate.app import serving
from foveate.app.receiving import Channel, Pace
from foveate.app.serving import Place, Server

HEAD = b"POST %b HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n%b\r\n"


class Turning:
    """A server whose turns a test takes, so that it knows what was done between two."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        self.opened: list[socket.socket] = []
        self.server = Server(self._answer, Place("127.0.0.1", 0, threads=2))

    def _answer(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        self.bodies.append(environ["wsgi.input"].read())
        start_response("200 OK", [("Content-Length", "4")])
        return [b"done"]

    def open(self) -> socket.socket:
        """Returns a connection that the server has taken."""
        before = len(self.server._channels())
        made = socket.create_connection(("127.0.0.1", self.server.port))
        self.opened.append(made)
        made.settimeout(0)
        while len(self.server._channels()) == before:
            self.server._turn()
        return made

    def turn(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            wasyncore.loop(timeout=0.01, use_poll=True, map=self.server._map, count=1)
            self.server._turn()

    def told(self, connection: socket.socket, seconds: float = 5.0) -> bytes:
        """Returns what is answered until the server closes, or has answered one request."""
        found, end = b"", time.monotonic() + seconds
        while time.monotonic() < end:
            self.turn(0.02)
            try:
                came = connection.recv(9999)
            except BlockingIOError:
                continue
            found += came
            if not came or found.endswith(b"done"):
                return found
        return found


@pytest.fixture(name="turning")
def _turning(monkeypatch: pytest.MonkeyPatch) -> Iterator[Turning]:
    monkeypatch.setattr(serving, "_LOOKS", 0.0)
    monkeypatch.setattr(serving, "USUAL", Pace(headers=0.3, seconds=0.3, least=100))
    made = Turning()
    real = wasyncore.loop
    monkeypatch.setattr(wasyncore, "loop", lambda timeout, **more: real(timeout=0.02, **more))
    yield made
    made.server._server.task_dispatcher.shutdown()
    wasyncore.close_all(made.server._map)
    for connection in made.opened:
        connection.close()


@pytest.mark.parametrize(
    ("path", "more", "kind"),
    [
        (b"/api/v1/ask", b"", b"application/json"),
        (b"/ask/", b"Accept: application/json\r\n", b"application/json"),
        (b"/ask/", b"", b"text/plain; charset=utf-8"),
    ],
)
def test_a_body_that_comes_too_slowly_is_ended_in_words(
    turning: Turning, path: bytes, more: bytes, kind: bytes
) -> None:
    connection = turning.open()
    connection.sendall(HEAD % (path, more) + b"x" * 99)
    answer = turning.told(connection)
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 408 Request Timeout")
    assert b"Content-Type: " + kind in head
    said = "It arrives too slowly.", "Send it again over a better connection, or a smaller file."
    if kind == b"application/json":
        error = json.loads(body)["error"]
        assert (error["code"], error["message"], error["remedy"]) == ("request_timeout", *said)
    else:
        assert body.decode() == f"{' '.join(said)}\n"
    assert turning.bodies == [], "the application never saw it"
    assert turning.server._channels() == []


def test_a_head_that_never_ends_is_ended(turning: Turning) -> None:
    connection = turning.open()
    connection.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n")
    turning.turn(0.15)
    connection.sendall(b"X: ")  # What comes in between is no reason to wait for longer.
    turning.turn(0.05)
    assert turning.told(connection).startswith(b"HTTP/1.0 408 ")


def test_who_sends_enough_in_each_span_is_waited_for(turning: Turning) -> None:
    connection = turning.open()
    connection.sendall(HEAD % (b"/", b""))
    began = time.monotonic()
    for _ in range(5):
        connection.sendall(b"y" * 200)
        turning.turn(0.15)
    assert time.monotonic() - began > 0.6, "it took longer than a span"
    assert turning.told(connection).endswith(b"done")
    assert turning.bodies == [b"y" * 1000]


def test_of_much_that_came_before_nothing_is_saved_up(turning: Turning) -> None:
    connection = turning.open()
    connection.sendall(HEAD % (b"/", b"") + b"x" * 990)
    turning.turn(0.35)
    assert turning.server._channels()[0].connected
    assert b" 408 " in turning.told(connection)


def test_a_connection_without_a_request_is_left_alone(turning: Turning) -> None:
    connection = turning.open()
    connection.sendall(HEAD % (b"/", b"") + b"x" * 1000)
    assert turning.told(connection).endswith(b"done")
    turning.turn(0.7)
    connection.sendall(HEAD % (b"/", b"") + b"z" * 1000)
    assert turning.told(connection).endswith(b"done"), "its time begins with the request"


def test_who_is_cut_off_reaches_nothing(turning: Turning) -> None:
    connection = turning.open()
    connection.sendall(HEAD % (b"/", b"") + b"x" * 500)
    turning.turn(0.05)
    connection.close()
    turning.turn(0.1)
    assert (turning.bodies, turning.server._channels()) == ([], [])


def test_where_connections_are_few_less_is_waited_for(turning: Turning, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "USUAL", Pace())
    monkeypatch.setattr(serving, "CROWDED", Pace(headers=0.2, seconds=0.2, least=100))
    monkeypatch.setattr(serving, "_CONNECTIONS", 5)
    slow = [turning.open() for _ in range(2)]
    for connection in slow:
        connection.sendall(HEAD % (b"/", b""))
    turning.turn(0.5)
    assert len(turning.server._channels()) == 2
    third = turning.open()
    third.sendall(HEAD % (b"/", b""))
    assert b" 408 " in turning.told(slow[0])
    assert all(isinstance(channel, Channel) for channel in turning.server._channels())
