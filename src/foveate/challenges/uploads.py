"""Whether an uploaded file may be opened at all: sizes and shapes by which a small file could take a server's memory.

Nothing is unpacked or decoded to be judged, and files are read in parts. What this lets through is still read with care
by the readers of each form; what it stops would hurt them.
"""

from __future__ import annotations

import re
import stat
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from foveate.challenges.definition import Limits
from foveate.errors import InputError, shown
from foveate.formats._other_kinds import refuse_other_kind
from foveate.runs.forms import form_of_name

_PART = 2**20
# Letters that turn the writing around, and could so hide what a name ends with.
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Possessive, so that a text of megabytes is not remembered letter by letter.
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_BRACKETS = re.compile(rb"[\[\]{}]")


@dataclass(frozen=True)
class Bounds:
    """What no honest file of predictions reaches.

    Attributes:
        members: Files in a zip.
        directory: Bytes of a zip's list of its files.
        unpacked: Bytes that a zip unpacks to.
        ratio: How many times its own size a zip unpacks to, beyond `small`.
        small: So many bytes a zip may always unpack to.
        member: Bytes that one file of a zip unpacks to.
        pixels: Of a picture.
        beside: Bytes of a picture that are no pixels, unpacked.
        cells: Bytes of a line of a table.
        line: Bytes of a line of JSON.
        lines: Lines of a table, and of JSON lines.
        json: Bytes of a file of JSON, which is read as a whole.
        values: Values of a file of JSON.
        depth: Lists and objects inside one another.
        name: Letters of a file's name.
    """

    members: int = 20_000
    directory: int = 8 * 2**20
    unpacked: int = 16 * 2**30
    ratio: int = 200
    small: int = 64 * 2**20
    member: int = 64 * 2**20
    pixels: int = 100_000_000
    beside: int = 2**20
    cells: int = 2**20
    line: int = 4 * 2**20
    lines: int = 5_000_000
    json: int = 64 * 2**20
    values: int = 3_000_000
    depth: int = 32
    name: int = 255


BOUNDS = Bounds()


def scan(path: Path, limits: Limits, *, name: str | None = None, bounds: Bounds = BOUNDS) -> None:
    """Refuses a file that must not be opened.

    Args:
        path: The file.
        limits: Of the phase: how large a file may be.
        name: The file as its sender calls it, by which its form is known; its own name by default.
        bounds: Of what is in it.

    Raises:
        InputError: It must not; the sentence says why.
    """
    from foveate.challenges import uploads_zip

    called = path.name if name is None else name
    name_problem = problem_of_name(called, bounds)
    if name_problem:
        raise InputError(str(path), f"its name {name_problem}", "Give it a plain name.")
    _refuse_size(path, limits)
    form = form_of_name(called)
    if form == "vizwiz":
        uploads_zip.scan_zip(path, bounds)
    elif form == "coco":
        _scan_json(path, bounds)
    else:
        if form == "toloka":
            refuse_other_kind(path)
        _scan_lines(path, bounds.line if form == "jsonl" else bounds.cells, bounds.lines)


def problem_of_name(name: str, bounds: Bounds = BOUNDS) -> str | None:
    r"""Returns what is wrong with a file's name, to follow "its name"; or None.

    Example:
        >>> problem_of_name("masks.zip"), problem_of_name("a\u202egnp.exe")
        (None, 'holds letters that turn the writing around')
    """
    if not name.strip() or name in {".", ".."}:
        return "is no name"
    if len(name) > bounds.name:
        return f"has {len(name):,} letters; at most {bounds.name} are taken"
    if any(unicodedata.category(letter) in {"Cc", "Cs"} for letter in name):
        return "holds signs that are no letters"
    if any(letter in _TURNING for letter in name):
        return "holds letters that turn the writing around"
    return None


def megabytes(n: int) -> str:
    """Returns a number of bytes for people.

    Example:
        >>> megabytes(512), megabytes(3 * 2**20), megabytes(2**31)
        ('512 bytes', '3 MiB', '2 GiB')
    """
    for unit, one in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if n >= one:
            return f"{n / one:.4g} {unit}"
    return f"{n:,} bytes"


def _refuse_size(path: Path, limits: Limits) -> None:
    try:
        found = path.stat()
    except (OSError, ValueError) as error:
        raise InputError(str(path), "it cannot be read", "Send it again.") from error
    if not stat.S_ISREG(found.st_mode):
        raise InputError(str(path), "it is no ordinary file", "Send a file.")
    if not found.st_size:
        raise InputError(str(path), "the file is empty", "Send it again.", expected="a file", got="0 bytes")
    if found.st_size > limits.most_bytes:
        most = megabytes(limits.most_bytes)
        raise InputError(
            str(path),
            f"it has {megabytes(found.st_size)}, and at most {most} are taken",
            "Send fewer digits, or masks that are packed.",
            expected=f"at most {most}",
            got=megabytes(found.st_size),
        )


def _scan_lines(path: Path, most: int, most_lines: int) -> None:
    number, length, rows = 1, 0, 0
    # A line within a part is no longer than the part, so only those that go on from one to the next are measured.
    for part in _parts(path, min(_PART, most)):
        if b"\0" in part:
            raise InputError(f"{path}, line {number + part[: part.index(0)].count(10)}", *_NO_TEXT)
        ends = part.count(b"\n")
        length += part.find(b"\n") if ends else len(part)
        if length > most:
            raise InputError(
                f"{path}, line {number}",
                f"the line has more than {megabytes(most)}",
                "Look for quotes that are not closed, or for line ends that are lost.",
            )
        number += ends
        # Readers take a carriage return for the end of a line too; where both stand they are one.
        rows += max(ends, part.count(b"\r"))
        # An empty line costs its sender a byte, and its reader a microsecond: gigabytes of them would stop a queue.
        if rows > most_lines:
            said = f"it has more than {most_lines:,} lines"
            raise InputError(str(path), said, "Send one line a sample, and no empty ones.")
        if ends:
            length = len(part) - part.rfind(b"\n") - 1


_NO_TEXT = ("there is a byte of 0 in it, which no text has", "Save it as UTF-8 text.")


def _scan_json(path: Path, bounds: Bounds) -> None:
    if path.stat().st_size > bounds.json:
        most = megabytes(bounds.json)
        raise InputError(str(path), f"a file of JSON has at most {most}", "Send JSON lines (.jsonl), of any size.")
    values, depth = 1, 0
    for text in _without_strings(path, bounds):
        if b"\0" in text:
            raise InputError(str(path), *_NO_TEXT)
        values += text.count(b",") + text.count(b"[") + text.count(b"{")
        if values > bounds.values:
            raise InputError(str(path), f"it has more than {bounds.values:,} values", "Send JSON lines (.jsonl).")
        for bracket in _BRACKETS.findall(text):
            depth += 1 if bracket in b"[{" else -1
            if depth > bounds.depth:
                problem = f"its lists and objects lie more than {bounds.depth} deep in one another"
                raise InputError(str(path), problem, "Send a list of {image_id, category_id, score, bbox}.")


def _without_strings(path: Path, bounds: Bounds) -> Iterator[bytes]:
    """Yields a JSON text without its strings; one that is never closed is left out to the end."""
    rest = b""
    for part in _parts(path):
        text = _STRING.sub(b"", rest + part)
        cut = text.find(b'"')
        text, rest = (text, b"") if cut < 0 else (text[:cut], text[cut:])
        if len(rest) > bounds.line + _PART:
            raise InputError(str(path), f"a text in it has more than {megabytes(bounds.line)}", "Send RLEs of COCO.")
        yield text


def _parts(path: Path, size: int = _PART) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            while part := file.read(size):
                yield part
    except OSError as error:
        raise InputError(str(path), f"it cannot be read ({shown(error.strerror or '')})", "Send it again.") from error
