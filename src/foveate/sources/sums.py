"""`SHA256SUMS`: the sha256 of every file of a folder, as `sha256sum` writes and checks them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from foveate.errors import InputError, reason_of
from foveate.sources._files import sha256_of
from foveate.sources.places import is_file

SUMS = "SHA256SUMS"
_LINE = re.compile(r"(\\?)([0-9a-f]{64}) [ *](.+)")
_REMEDY = "Take the folder again from where it came from."


def sha256_of_file(path: Path) -> str:
    """Returns the sha256 of a file as hex digits.

    Raises:
        InputError: It cannot be read.
    """
    try:
        return sha256_of(path)
    except OSError as error:
        raise InputError(str(path), f"it cannot be read ({reason_of(error)})", _REMEDY) from error


def files_of(folder: Path) -> list[str]:
    """Returns the paths of all files below a folder but its `SHA256SUMS`, with slashes, sorted; links are followed."""
    return sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file() and path != folder / SUMS
    )


def write_sums(folder: Path, names: Iterable[str] | None = None) -> dict[str, str]:
    """Writes the sums of a folder's files, of all where none are named, and returns them by path."""
    sums = {name: sha256_of_file(folder / name) for name in sorted(files_of(folder) if names is None else names)}
    text = "".join(_line(name, digest) for name, digest in sums.items())
    (folder / SUMS).write_text(text, encoding="utf-8", newline="\n")
    return sums


def read_sums(folder: Path) -> dict[str, str]:
    """Returns the sums that a folder states, by path.

    Raises:
        InputError: There is no such file, a line of it is none, names a place outside the folder, or a file twice.
    """
    file = folder / SUMS
    if not is_file(file):
        raise InputError(str(file), "there is no such file", _REMEDY)
    try:
        # Not splitlines(): a photo's name may have a line end of Unicode in it, which sha256sum leaves as it is.
        text = file.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(str(file), "it cannot be read as text", _REMEDY) from error
    sums: dict[str, str] = {}
    lines = re.split(r"\r?\n", text.removesuffix("\n").removesuffix("\r")) if text else []
    for number, line in enumerate(lines, 1):
        match = _LINE.fullmatch(line)
        if match is None:
            raise InputError(f"{file}, line {number}", "it is no sum and name as sha256sum writes them", _REMEDY)
        name = _unescaped(match[3]) if match[1] else match[3]
        if name.startswith("/") or ".." in Path(name).parts:
            raise InputError(f"{file}, line {number}", f"{name} is no file below the folder", _REMEDY)
        if name in sums:
            raise InputError(f"{file}, line {number}", f"{name} is named a second time", _REMEDY)
        sums[name] = match[2]
    return sums


def differences(folder: Path, sums: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yields each file of the sums that is not as they say: its path, and `missing`, `changed` or why it is unread."""
    for name, digest in sums.items():
        if not is_file(folder / name):
            yield name, "missing"
            continue
        try:
            found = sha256_of_file(folder / name)
        except InputError as error:
            yield name, error.problem
            continue
        if found != digest:
            yield name, "changed"


def _line(name: str, digest: str) -> str:
    escaped = name.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
    return f"{'' if escaped == name else chr(92)}{digest}  {escaped}\n"


def _unescaped(name: str) -> str:
    return re.sub(r"\\([\\nr])", lambda match: {"n": "\n", "r": "\r"}.get(match[1], "\\"), name)
