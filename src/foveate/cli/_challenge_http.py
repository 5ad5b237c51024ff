"""A Foveate server as programs reach it: its API by a token, tried again where a line breaks."""

from __future__ import annotations

import json
import os
import random
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any
from urllib.parse import urlsplit

from foveate.errors import FoveateError, InputError, UnavailableError, UsageError

_PATIENCE_S = 120.0
_LONGEST_WAIT_S = 60.0
_PASSING = frozenset({429, 502, 503, 504})


class RefusedError(FoveateError):
    """What the server refuses, in its own words; `code`, `status` and `told` are for programs."""

    exit_code = InputError.exit_code

    def __init__(self, where: str, status: int, error: Mapping[str, Any]) -> None:
        message = str(error.get("message") or f"it answered {status}").rstrip(".")
        super().__init__(where, message, str(error.get("remedy") or "Look at the challenge's pages."))
        self.status, self.code = status, str(error.get("code", ""))
        self.told: Mapping[str, Any] = error.get("details") or {}


class _Stay(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: a token is for the server that was named, and for no other."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


@dataclass
class Server:
    """A server.

    Attributes:
        url: Its address, without a slash at the end.
        token: A token of one's account.
        tries: How often a call is made before it counts as lost.
        rest: How one waits for so many seconds.
        remark: Says something beside the result.
    """

    url: str
    token: str
    tries: int = 8
    rest: Callable[[float], None] = time.sleep
    remark: Callable[[str], None] = lambda _sentence: None
    _opener: urllib.request.OpenerDirector = field(default_factory=lambda: urllib.request.build_opener(_Stay()))

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Returns the answer to a call, tried again while nothing or a passing error answers.

        Raises:
            RefusedError: The server refuses it.
            UnavailableError: Nothing answers, again and again.
        """
        for turn in range(self.tries):
            try:
                return self.ask_once(method, path, body)
            except RefusedError as error:
                # Limits of a team are refused as 429 too, and no waiting of ours mends them.
                if error.status not in _PASSING or error.code.startswith("limit_") or turn == self.tries - 1:
                    raise
                self.wait(turn, error.fault)
            except UnavailableError as error:
                if turn == self.tries - 1:
                    raise
                self.wait(turn, error.fault)
        raise AssertionError("unreachable")

    def wait(self, turn: int, why: str) -> None:
        """Waits before another try: longer each time, and never as long as others do."""
        seconds = min(2.0**turn, _LONGEST_WAIT_S) * random.uniform(0.5, 1.0)
        self.remark(f"{why} Trying again in {seconds:.0f} s.")
        self.rest(seconds)

    def ask_once(self, method: str, path: str, body: Any = None) -> Any:
        """Returns the answer to a call that is made once.

        Args:
            method: Of HTTP.
            path: Below `/api/v1`.
            body: Bytes as they are, anything else as JSON; None for none.

        Raises:
            RefusedError: The server refuses it.
            UnavailableError: Nothing answers.
        """
        data, kind = (body, "application/octet-stream") if isinstance(body, bytes) else (None, "application/json")
        if body is not None and data is None:
            data = json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.token}", "Accept": "application/json", "Content-Type": kind}
        request = urllib.request.Request(f"{self.url}/api/v1{path}", data, headers, method=method)
        try:
            with self._opener.open(request, timeout=_PATIENCE_S) as answer:
                return _json(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                raise self._refused(error.code, _json(error.read())) from error
        except (OSError, HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            problem = f"nothing answers ({reason})"
            raise UnavailableError(self.url, problem, "Look at the address and the line, then do it again.") from error

    def _refused(self, status: int, said: Any) -> FoveateError:
        if 300 <= status < 400:
            return UsageError(self.url, "it sends elsewhere", "Give its own address, https:// where it has that.")
        error = said.get("error") if isinstance(said, dict) else None
        if not isinstance(error, dict):
            error = {"message": f"it answered {status}, and not as Foveate does", "remedy": "Look at the address."}
        if error.get("code") == "not_found":
            remedy = "Is it published, and are challenge, phase and entry named as in the address of their page?"
            error = {**error, "remedy": f"{remedy} …/challenges/NAME/PHASE/"}
        if status == 401:
            error = {**error, "remedy": "Make a token on your page API tokens, and set FOVEATE_TOKEN to it."}
        return RefusedError(self.url, status, error)


def server(url: str, remark: Callable[[str], None]) -> Server:
    """Returns the server at an address, for the token of `FOVEATE_TOKEN`.

    Raises:
        UsageError: The address is none, or there is no token.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(
            "--server", f"{url!r} is no address of a server", "Write it as https://HOST, or set FOVEATE_SERVER."
        )
    token = os.environ.get("FOVEATE_TOKEN", "").strip()
    if not token:
        remedy = (
            "Make one on your page API tokens, and set FOVEATE_TOKEN to it; no option takes it, since others see these."
        )
        raise UsageError("FOVEATE_TOKEN", "there is no token", remedy)
    if parts.scheme == "http" and parts.hostname not in ("localhost", "127.0.0.1", "::1"):
        remark(f"{url}: without HTTPS, whoever listens on the way can take your token.")
    return Server(url.rstrip("/"), token, remark=remark)


def _json(data: bytes) -> Any:
    try:
        return json.loads(data) if data else None
    except ValueError:
        return None
