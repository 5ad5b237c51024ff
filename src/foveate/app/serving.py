"""Serves the application by waitress until it is told to stop, and then finishes what was begun."""

from __future__ import annotations

import errno
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from waitress import wasyncore
from waitress.proxy_headers import PROXY_HEADERS
from waitress.server import create_server

from foveate.app.receiving import CROWDED, USUAL, Channel
from foveate.errors import UnavailableError, UsageError, reason_of

# A body may be larger than what a view takes, so that its refusal is ours; beyond this nothing is even received.
MOST_RECEIVED = 64 * 1024 * 1024
_PATIENCE = 30.0
_CONNECTIONS = 500
# Every so many seconds it is looked for requests that arrive too slowly.
_LOOKS = 1.0


@dataclass(frozen=True)
class Place:
    """Where and how to serve.

    Attributes:
        host: The address to listen at; 0.0.0.0 for all of this machine's.
        port: The port; 0 for a free one.
        threads: How many requests are answered at once.
        proxy: The address of the reverse proxy whose word on the visitor's address and on HTTPS is believed.
    """

    host: str
    port: int
    threads: int = 8
    proxy: str | None = None


# By these a reverse proxy says for whom it asks.
_FORWARDED = (*(f"HTTP_{name}" for name in sorted(PROXY_HEADERS)), "HTTP_X_REAL_IP", "HTTP_VIA")
THROUGH_PROXY = "foveate.through_proxy"


def noting_proxies(application: Callable[..., Any]) -> Callable[..., Any]:
    """Returns an application that is told whether a request came through a proxy, and none of what proxies claim.

    What a believed proxy says has been taken by then: it is the address of the visitor.
    """

    def noted(environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        claimed = [environ.pop(name, None) is not None for name in _FORWARDED]
        environ[THROUGH_PROXY] = any(claimed)
        return application(environ, start_response)

    return noted


class Server:
    """A server that listens already, and answers once it runs."""

    def __init__(self, application: Callable[..., Any], place: Place) -> None:
        """Takes the port.

        Raises:
            UnavailableError: The port is taken, or the address is not this machine's.
            UsageError: The port may not be taken by this user.
        """
        self._map: dict[int, Any] = {}
        # What no proxy of ours said is taken out by `noting_proxies`, which has looked at it before.
        trusted = {"trusted_proxy": place.proxy, "trusted_proxy_headers": "x-forwarded-for x-forwarded-proto"}
        with _listening(place):
            self._server = create_server(
                noting_proxies(application),
                map=self._map,
                host=place.host,
                port=place.port,
                threads=place.threads,
                connection_limit=_CONNECTIONS,
                max_request_body_size=MOST_RECEIVED,
                ident=None,
                asyncore_use_poll=True,
                clear_untrusted_proxy_headers=False,
                **(trusted if place.proxy else {}),
            )
        self._stopping, self._looked = False, 0.0
        for listener in self._listeners():
            listener.channel_class = Channel

    @property
    def port(self) -> int:
        """The port that was taken."""
        return int(self._listeners()[0].effective_port)

    def run(self, began: Callable[[], None]) -> None:
        """Serves until SIGTERM or SIGINT, then finishes requests that have begun; a second signal ends it at once.

        Args:
            began: Is called once it is safe to ask it and to stop it.
        """
        before = {number: signal.signal(number, self._stop) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            began()
            while not self._stopping:
                self._turn()
            for listener in self._listeners():
                listener.accepting = False
                listener.socket.close()
                listener.del_channel()
            deadline = time.monotonic() + _PATIENCE
            while self._let_go() and time.monotonic() < deadline:
                self._turn()
        finally:
            self._server.task_dispatcher.shutdown()
            wasyncore.close_all(self._map)
            for number, handler in before.items():
                signal.signal(number, handler)

    def _let_go(self) -> bool:
        """Closes the connections that wait for nothing; returns whether some are left."""
        busy = [channel for channel in self._channels() if _busy(channel)]
        for channel in set(self._channels()) - set(busy):
            channel.handle_close()
        return bool(busy)

    def _turn(self) -> None:
        wasyncore.loop(timeout=0.5, use_poll=True, map=self._map, count=1)
        now = time.monotonic()
        if now - self._looked >= _LOOKS:
            self._looked, channels = now, self._channels()
            pace = CROWDED if len(channels) > _CONNECTIONS // 2 else USUAL
            for channel in channels:
                channel.hurry(now, pace)

    def _stop(self, number: int, frame: object) -> None:
        if self._stopping:
            raise KeyboardInterrupt
        self._stopping = True
        self._listeners()[0].pull_trigger()

    def _listeners(self) -> list[Any]:
        return [one for one in self._map.values() if hasattr(one, "effective_port")] or [self._server]

    def _channels(self) -> list[Channel]:
        return [one for one in self._map.values() if isinstance(one, Channel)]


def _busy(channel: Channel) -> bool:
    return bool(channel.requests or channel.request is not None or channel.total_outbufs_len)


@contextmanager
def _listening(place: Place) -> Iterator[None]:
    """Says what a socket's error means."""
    where = f"{place.host}:{place.port}"
    try:
        yield
    except PermissionError as error:
        raise UsageError(where, "this user may not take that port", "Choose a --port above 1023.") from error
    except (ValueError, socket.gaierror) as error:
        raise UsageError(where, "that is no address to listen at", "Give --host an address of this machine.") from error
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        problem = "something listens there already" if taken else f"it cannot be taken ({reason_of(error)})"
        remedy = "Stop that, or choose another --port; --port 0 takes a free one."
        raise UnavailableError(where, problem, remedy if taken else "Choose another --host or --port.") from error
