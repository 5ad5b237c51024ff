"""What people found of labels, and which samples are left out for it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from foveate.errors import InputError, some
from foveate.formats.tables import read_rows, refuse_endless
from foveate.sources.new_files import new_place

VERDICTS = ("wrong", "right", "unsure")
_WORDS = "The column verdict takes wrong, right or unsure, or is empty."


def read_verdicts(path: Path) -> dict[str, str]:
    """Returns the verdicts by id, of a CSV with the columns `id` and `verdict`; rows without one are passed over.

    Raises:
        InputError: The file is none of these, a verdict is another word, or an id has two.
    """
    found: dict[str, str] = {}
    for row in read_rows(path, ("id", "verdict")):
        name, verdict = str(row.values["id"]), str(row.values["verdict"] or "").strip().lower()
        if not verdict:
            continue
        if verdict not in VERDICTS:
            raise InputError(row.where, f'"{verdict}" is no verdict on {name}', _WORDS)
        if found.setdefault(name, verdict) != verdict:
            raise InputError(row.where, f"{name} is {verdict} here and {found[name]} before", "Keep one of them.")
    return found


def wrong_ids(path: Path, known: Collection[str], dataset: str) -> list[str]:
    """Returns the ids of labels that are wrong by a file of verdicts, in its order.

    Args:
        path: The file.
        known: The ids of the data set.
        dataset: Its name, for messages.

    Raises:
        InputError: The file is broken, holds no verdict, or an id that the data set has not.
    """
    found = read_verdicts(path)
    if not found:
        raise InputError(str(path), "it holds no verdict", _WORDS)
    unknown = [name for name in found if name not in set(known)]
    if unknown:
        raise InputError(str(path), f"{dataset} has no sample {some(unknown)}", "Apply it to the data it is about.")
    return [name for name, verdict in found.items() if verdict == "wrong"]


def write_ids(path: Path, ids: Sequence[str]) -> None:
    """Writes ids, one a line.

    Raises:
        OutputError: There is such a file already (it may be the verdicts themselves), or it cannot be written.
    """
    with new_place(path) as part:
        part.write_text("".join(f"{name}\n" for name in ids), encoding="utf-8")


def read_ids(path: Path) -> list[str]:
    """Returns the ids of a file that has one a line; empty lines are passed over.

    Raises:
        InputError: The file is missing, or no text.
    """
    refuse_endless(path)
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8"
        raise InputError(str(path), f"it cannot be read ({why})", "Give a file with one id a line.") from error
    return [line.strip() for line in lines if line.strip()]
