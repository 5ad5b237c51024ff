"""Whether a table holds boxes: all four sides or none; a damaged header is told from targets that are hidden."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from foveate.errors import InputError, some
from foveate.formats.fields import SIDES
from foveate.formats.tables import columns

# `lft`, `tp` and `botom` are as near as this; `topic` is not.
_NEAR = 0.8
_SEPARATORS = ";\t|"


def has_boxes(path: Path, required: Sequence[str], known: Collection[str]) -> bool:
    """Returns whether a table has the columns left, top, right and bottom; False where nothing in it looks like them.

    Args:
        path: A CSV or JSONL file.
        required: The columns that it must have beside.
        known: Every name that a column may have; these are no misspelling of another.

    Raises:
        InputError: The file is none, a required column is missing, or some of the sides are missing or misspelt.
    """
    found = columns(path)
    lacking = [name for name in (*required, *SIDES) if name not in found]
    sides = [name for name in SIDES if name in lacking]
    if not lacking:
        return True
    near = misspelt(lacking, [name for name in found if name not in known])
    # One such column (`light` beside no box) may be the user's own.
    if lacking == list(SIDES) and sum(meant in SIDES for meant in near.values()) < 2:
        return False
    if lacking == sides:
        problem = f"a box has four sides; {_are_missing(lacking)}; it has {some(list(found), 12)}"
    else:
        problem = f"{_are_missing(lacking)}; it has {some(list(found), 12)}"
    raise InputError(str(path), problem, _remedy(list(found), lacking, near))


def misspelt(lacking: Sequence[str], others: Sequence[str]) -> dict[str, str]:
    """Returns which columns look like missing ones that are misspelt.

    Example:
        >>> misspelt(["left", "top"], ["lft", "Top", "room"])
        {'lft': 'left', 'Top': 'top'}
    """
    found: dict[str, str] = {}
    for meant in lacking:
        plain = {name.strip().lower(): name for name in others if name not in found}
        for near in difflib.get_close_matches(meant, plain, n=1, cutoff=_NEAR):
            found[plain[near]] = meant
    return found


def _are_missing(names: Sequence[str]) -> str:
    return f"the column {names[0]} is missing" if len(names) == 1 else f"the columns {', '.join(names)} are missing"


def _remedy(found: Sequence[str], lacking: Sequence[str], near: Mapping[str, str]) -> str:
    # A name of several columns in one: the line was not cut where it should have been.
    if any(mark in name and any(one in name for one in lacking) for name in found for mark in _SEPARATORS):
        return "Save the table with commas as separators."
    if near:
        return f"Write {', '.join(f'{meant} for {name!r}' for name, meant in near.items())}."
    return "Add what is missing, or take the file again."
