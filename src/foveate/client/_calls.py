"""Calls of the API: a token, forms with files, answers in JSON or as files, and waiting where it is asked for."""

from __future__ import annotations

import json
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.message import Message
from http.client import HTTPException
from typing import Any
from urllib.parse import urlencode, urlsplit

from foveate.errors import FoveateError, UnavailableError, UsageError

_LONGEST_CALL = 60.0
_LONGEST_REST = 10.0
# Passing by nature, and asked for again; a work's own failure (`stopped`) is asked anew by who asked.
_BUSY = frozenset({"busy", "too_many"})


class ServerError(FoveateError):
    """What the server refused, in its own words.

    Attributes:
        status: Of HTTP.
        code: A word for programs.
        told: What it says for programs beside that.
    """

    def __init__(self, where: str, status: int, error: Mapping[str, Any]) -> None:
        message = str(error.get("message") or f"it answered {status}").rstrip(".")
        super().__init__(where, message, str(error.get("remedy") or "Look at the address."))
        self.status, self.code = status, str(error.get("code", ""))
        self.told: Mapping[str, Any] = error.get("details") or {}


class _Stay(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: a token and a photo are for the server that was named, and for no other."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer of HTTP."""

    status: int
    headers: Message
    content: bytes

    def json(self) -> Any:
        """Returns its value."""
        return json.loads(self.content)


@dataclass
class Calls:
    """A server's API.

    Attributes:
        url: Its address.
        token: Of one's account; empty for nobody in particular.
        patience: For so many seconds at most an answer is waited for.
    """

    url: str
    token: str
    patience: float
    _opener: urllib.request.OpenerDirector = field(default_factory=lambda: urllib.request.build_opener(_Stay()))

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError("the server", f"{self.url!r} is no address of one", "Write it as https://HOST.")
        self.url = self.url.rstrip("/")

    def call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        form: tuple[Mapping[str, Any], tuple[str, bytes]] | None = None,
    ) -> Answered:
        """Returns the answer to a call, made again where the server is busy.

        Args:
            method: Of HTTP.
            path: With `/api/v1`.
            query: Its parameters; those that are None are left out.
            body: Sent as JSON.
            form: Fields and a file `photo` with its name, sent as a form.

        Raises:
            ServerError: The server refuses it.
            UnavailableError: Nothing answers.
        """
        kind, data = _encoded(body, form)
        given = {name: _text(value) for name, value in (query or {}).items() if value is not None}
        address = f"{self.url}{path}" + ("" if not given else f"{'&' if '?' in path else '?'}{urlencode(given)}")
        until = time.monotonic() + self.patience
        while True:
            try:
                return self._once(method, address, kind, data)
            except ServerError as error:
                rest = min(float(error.told.get("_retry_after", 1)), _LONGEST_REST)
                if error.code not in _BUSY or time.monotonic() + rest > until:
                    raise
                time.sleep(rest)

    def until_done(self, answered: Answered, told: Callable[[Mapping[str, Any]], None]) -> Answered:
        """Returns the answer after those that say that it is not done yet.

        Args:
            answered: What was answered to the first call.
            told: Told each time how far it is.

        Raises:
            ServerError: It came to nothing.
            UnavailableError: It takes longer than our patience.
        """
        until = time.monotonic() + self.patience
        while answered.status == 202:
            waiting = answered.json()
            told(waiting)
            if time.monotonic() > until:
                problem = f"there is no answer after {self.patience:g} seconds"
                raise UnavailableError(self.url, problem, "Ask again later, or be more patient.")
            # The server waits with us where few wait; where it does not, we must not ask without a pause.
            began = time.monotonic()
            answered = self.call("GET", str(waiting["next"]), query={"wait": 10})
            if answered.status == 202:
                time.sleep(max(0.0, 1.0 - (time.monotonic() - began)))
        return answered

    def _once(self, method: str, address: str, kind: str, data: bytes | None) -> Answered:
        headers = {"Accept": "application/json", **({"Content-Type": kind} if data is not None else {})}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(address, data, headers, method=method)
        try:
            with self._opener.open(request, timeout=_LONGEST_CALL) as answer:
                return Answered(answer.status, answer.headers, answer.read())
        except urllib.error.HTTPError as error:
            with error:
                raise self._refused(error.code, error.headers, error.read()) from error
        except (OSError, HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            raise UnavailableError(
                self.url, f"nothing answers ({reason})", "Look at the address and the line, then do it again."
            ) from error

    def _refused(self, status: int, headers: Message, content: bytes) -> FoveateError:
        if 300 <= status < 400:
            return UsageError(self.url, "it sends elsewhere", "Give its own address, https:// where it has that.")
        try:
            said = json.loads(content)["error"]
        except (ValueError, TypeError, LookupError):
            said = {"message": f"it answered {status}, and not as Foveate does", "remedy": "Look at the address."}
        wait = headers.get("Retry-After") or ""
        details = {**(said.get("details") or {}), **({"_retry_after": int(wait)} if wait.isdigit() else {})}
        return ServerError(self.url, status, {**said, "details": details})


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _encoded(body: Any, form: tuple[Mapping[str, Any], tuple[str, bytes]] | None) -> tuple[str, bytes | None]:
    if form is None:
        return "application/json", None if body is None else json.dumps(body).encode()
    fields, (name, content) = form
    # A name is text that could hold anything; what would end a header is not sent.
    shown = "".join(each for each in name if each.isprintable() and each not in '"\\')
    # Without a name it would be taken for text.
    shown = shown.strip() or "the photo"
    mark = secrets.token_hex(16)
    parts = [
        f'--{mark}\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{_text(value)}\r\n'.encode()
        for field, value in fields.items()
        if value is not None
    ]
    parts.append(f'--{mark}\r\nContent-Disposition: form-data; name="photo"; filename="{shown}"\r\n\r\n'.encode())
    return f"multipart/form-data; boundary={mark}", b"".join([*parts, content, f"\r\n--{mark}--\r\n".encode()])
