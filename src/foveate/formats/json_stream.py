"""Entries of a large JSON file one at a time, in memory that does not grow with the file.

The files of GQA, Visual Genome and COCO have up to gigabytes; `json.load` takes many times that. What is kept here is
one entry, and the keys seen so far where a file is an object of entries, so that none is lost to a second of its name.
`NaN` and numbers that 64 bits do not hold end the reading: neither is in any of these files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import ijson

from foveate.errors import InputError
from foveate.formats.tables import OnInvalid, Row, refuse, refuse_endless

AGAIN = "Take the official file again."
_MARK = b"\xef\xbb\xbf"
_OTHER_MARKS = (b"\xff\xfe", b"\xfe\xff")
_PAIR = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")
_HALF = re.compile(rb"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")


class _Members(dict[str, Any]):
    """An object of a JSON file that remembers a key which is there twice, and keeps its first value."""

    def __setitem__(self, key: str, value: Any) -> None:
        if key in self:
            self.twice = key
            _Members.any_twice = True
        else:
            super().__setitem__(key, value)

    # Set once for all, so that sound files need not be searched for objects with such a key.
    any_twice = False


def stream_members(
    path: Path, at: str = "", on_invalid: OnInvalid = refuse, seen: set[str] | None = None
) -> Iterator[tuple[str, Row]]:
    """Yields the entries of an object of objects, each with its key; the keys are kept.

    Args:
        path: The file: UTF-8, with or without a byte order mark.
        at: The key under which the entries stand, or an empty text where the file is their object itself.
        on_invalid: Called with the error of an entry that is no object, has a key twice, or whose own key was there
            before; it is then passed over.
        seen: The keys of files read before, which belong to the same object; those of this one are added.

    Raises:
        InputError: The file is missing, cut off, not valid JSON or has no such object, or `on_invalid` raises.
    """
    seen = set() if seen is None else seen
    count = 0
    with _opened(path) as file, _told(path, lambda: count):
        for key, value in ijson.kvitems(file, at, use_float=True, map_type=_Members):
            count += 1
            where = f"{path}, {key or 'an empty key'}"
            problem = "it is here a second time" if key in seen else _problem(value)
            seen.add(key)
            if problem:
                on_invalid(InputError(where, problem, "Keep one, or pass --skip-invalid to keep the first."))
                continue
            yield key, Row(value, where)
    if not count:
        _refuse_other(path, at, "start_map", "an object")


def stream_elements(
    path: Path, at: str = "", on_invalid: OnInvalid = refuse, name: str = "entry"
) -> Iterator[tuple[int, Row]]:
    """Yields the entries of a list of objects, each with its number from 1.

    Args:
        path: The file: UTF-8, with or without a byte order mark.
        at: The key under which the list stands, or an empty text where the file is the list itself.
        on_invalid: Called with the error of an entry that is no object or has a key twice; it is then passed over.
        name: What one entry is called in messages.

    Raises:
        InputError: The file is missing, cut off, not valid JSON or has no such list, or `on_invalid` raises.
    """
    number = 0
    with _opened(path) as file, _told(path, lambda: number):
        for value in ijson.items(file, f"{at}.item" if at else "item", use_float=True, map_type=_Members):
            number += 1
            where = f"{path}, {name} {number}"
            problem = _problem(value)
            if problem:
                on_invalid(InputError(where, problem, "Fix the entry, or pass --skip-invalid."))
                continue
            yield number, Row(value, where)
    if not number:
        _refuse_other(path, at, "start_array", "a list")


class _Read:
    """A binary file without its byte order mark, in which no half of a character pair passes unnoticed.

    The parser would put a question mark in its place.
    """

    def __init__(self, file: IO[bytes], path: Path) -> None:
        self._file = file
        self._path = path
        self._begun = False
        self._rest = b""

    def read(self, size: int = -1) -> bytes:
        """Returns the next bytes."""
        if size == 0:  # The parser asks so whether it gets bytes.
            return b""
        data = self._file.read(size) if self._begun else self._beginning(size)
        if self._rest or b"\\" in data:
            self._look_for_halves(data)
        return data

    def _beginning(self, size: int) -> bytes:
        self._begun = True
        data = self._file.read(max(size, 3) if size > 0 else size)
        if data.startswith(_OTHER_MARKS):
            raise InputError(str(self._path), "the file is not UTF-8 text but UTF-16", "Save it as UTF-8.")
        return data.removeprefix(_MARK) or self._file.read(size)

    def _look_for_halves(self, data: bytes) -> None:
        # No pair goes over a quotation mark; what follows the last one waits for the rest of its text.
        text = self._rest + data
        cut = text.rfind(b'"') + 1 if data else len(text)
        self._rest = text[cut:] if b"\\" in text[cut:] else b""
        if b"\\u" not in text[:cut]:
            return
        found = _HALF.search(_PAIR.sub(b"", text[:cut].replace(b"\\\\", b"  ")))
        if found:
            raise InputError(str(self._path), f"this is not valid JSON (half a character, {found[0].decode()})", AGAIN)


@contextmanager
def _opened(path: Path) -> Iterator[_Read]:
    refuse_endless(path)
    try:
        file = path.open("rb")
    except OSError as error:
        what = (
            "there is no such file" if isinstance(error, FileNotFoundError) else f"it cannot be read ({error.strerror})"
        )
        raise InputError(str(path), what, "Look at the name and the folder.") from error
    with file:
        yield _Read(file, path)


@contextmanager
def _told(path: Path, count: Callable[[], int]) -> Iterator[None]:
    """Turns the parser's complaint into a sentence that names how many entries came before."""
    try:
        yield
    except ijson.JSONError as error:
        cut = "EOF" in str(error) or "Incomplete" in str(error)
        why = "the file is empty or cut off" if cut else f"this is not valid JSON ({_reason(error)})"
        raise InputError(f"{path}, after {_entries(count())}", why, AGAIN) from error
    except OSError as error:
        raise InputError(str(path), f"it cannot be read ({error.strerror})", "Copy it again.") from error


def _entries(count: int) -> str:
    return f"{count:,} {'entry' if count == 1 else 'entries'}"


def _reason(error: Exception) -> str:
    said = error.args[0] if error.args else ""
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    first = text.partition("\n")[0].removeprefix("lexical error: ").removeprefix("parse error: ").strip()
    near = text.partition("\n")[2].partition("\n")[0].partition("(right here)")[0].strip()
    return f"{first.rstrip('.')} near {near[:60]!r}" if near else first


def _problem(value: Any) -> str | None:
    if not isinstance(value, dict):
        return f"this is a JSON {type(value).__name__}, not an object"
    twice = _twice(value) if _Members.any_twice else None
    return None if twice is None else f"the key {twice} appears twice"


def _twice(value: Any) -> str | None:
    """Returns the first key that is there twice, however deep."""
    if isinstance(value, _Members):
        own: str | None = getattr(value, "twice", None)
        return own if own is not None else next((found for v in value.values() if (found := _twice(v))), None)
    if isinstance(value, list):
        return next((found for v in value if (found := _twice(v))), None)
    return None


def _refuse_other(path: Path, at: str, wanted: str, what: str) -> None:
    """Refuses a file in which no entries stand where they should; an empty list or object passes."""
    with _opened(path) as file, _told(path, lambda: 0):
        found = next((event for prefix, event, _ in ijson.parse(file) if prefix == at and event != "map_key"), None)
    if found != wanted:
        place = f"its {at} is not {what}" if at and found else f"it has no {at}" if at else f"it is not {what}"
        raise InputError(str(path), place, "Take the official file.")
