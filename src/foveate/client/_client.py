"""The client: a server, and what can be asked of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote

from foveate.client._answers import API, Answer, Photo, Style, answer_to, given
from foveate.client._calls import Calls
from foveate.client._values import Kept, Method, Waiting
from foveate.errors import InputError

Source = Path | str | bytes | BinaryIO


class Client:
    """A Foveate server that is asked about photos.

    Args:
        url: Its address: `https://HOST`.
        token: A token of one's account; empty where the server lets everyone ask.
        patience: For so many seconds at most an answer is waited for, turns of others included.
        waiting: Told how far it is, each time that the server says it.

    Raises:
        UsageError: The address is none.
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:8321",
        token: str = "",
        *,
        patience: float = 300.0,
        waiting: Callable[[Waiting], None] = lambda _waiting: None,
    ) -> None:
        self._calls, self._told = Calls(url, token, patience), waiting

    def methods(self) -> tuple[Method, ...]:
        """Returns the server's methods, the usual one first.

        Raises:
            ServerError: One may not ask here.
            UnavailableError: Nothing answers.
        """
        fields = Method.__dataclass_fields__
        rows = self._calls.call("GET", f"{API}/methods").json()
        return tuple(Method(**{name: row[name] for name in fields}) for row in rows)

    def photo(self, source: Source, name: str | None = None, *, language: str | None = None) -> Photo:
        """Sends a photo, of which nothing is asked yet.

        Args:
            source: A file, its bytes, or a stream that is read to its end.
            name: What messages call it; the file's name where it is a file.
            language: Of the advice.

        Raises:
            InputError: The file cannot be read.
            ServerError: It is no photo, is too large, or one may not ask here.
            UnavailableError: Nothing answers.
        """
        form: tuple[dict[str, str], tuple[str, bytes]] = ({}, _file(source, name))
        value = self._calls.call("POST", f"{API}/photos", query={"language": language}, form=form).json()
        size_hw = (value["height"], value["width"])
        return Photo(value["key"], size_hw, tuple(value["notes"]), tuple(value["advice"]), self._calls, self._told)

    def ask(
        self,
        source: Source,
        question: str,
        *,
        name: str | None = None,
        grounder: str | None = None,
        style: Style = "plain",
        language: str | None = None,
        keep: bool = False,
    ) -> Answer:
        """Returns the reply to a question about a photo.

        Args:
            source: As for `photo`.
            question: What is asked.
            name: As for `photo`.
            grounder: The method; the server's usual one where none is named.
            style: How the place is told: `plain`, `metric` (per cent) or `clock`.
            language: Of the words, as browsers name it.
            keep: Whether photo, question and reply are kept for whose token it is; else all is forgotten.

        Raises:
            InputError: The file cannot be read.
            ServerError: The server refuses it, or the question came to nothing.
            UnavailableError: Nothing answers, or not in time.
        """
        fields = {"question": question, "style": style, "wait": 10, **given(grounder=grounder, language=language)}
        first = self._calls.call("POST", API, form=(fields, _file(source, name)))
        return answer_to(self._calls, self._told, first, keep=keep)

    def kept(self, offset: int = 0, limit: int = 50) -> tuple[Kept, ...]:
        """Returns what is kept for whose token it is, the newest first.

        Raises:
            ServerError: There is no token.
            UnavailableError: Nothing answers.
        """
        rows = self._calls.call("GET", f"{API}/kept", query={"offset": offset, "limit": limit}).json()
        return tuple(
            Kept(row["id"], row["question"], row["reply"], datetime.fromisoformat(row["kept_at"]), row["photo"])
            for row in rows
        )

    def kept_photo(self, kept: Kept) -> bytes:
        """Returns the file of a kept answer's photo.

        Raises:
            ServerError: It is not kept any more.
            UnavailableError: Nothing answers.
        """
        return self._calls.call("GET", kept.photo).content

    def remove(self, kept: Kept) -> None:
        """Removes a kept answer with its photo.

        Raises:
            ServerError: It is not kept any more.
            UnavailableError: Nothing answers.
        """
        self._calls.call("DELETE", f"{API}/kept/{quote(kept.id)}")


def _file(source: Source, name: str | None) -> tuple[str, bytes]:
    if isinstance(source, bytes):
        return name or "", source
    if not isinstance(source, Path | str):
        return name or "", source.read()
    path = Path(source)
    try:
        return name or path.name, path.read_bytes()
    except OSError as error:
        raise InputError(
            str(path), f"it cannot be read ({error.strerror})", "Look at the name and the folder."
        ) from error
