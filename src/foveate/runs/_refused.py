"""What a form cannot hold, told once for all predictions and before anything is written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from foveate.errors import InputError

OnRemark = Callable[[str], None]
_SHOWN = 3


def unheard(_: str) -> None:
    """Takes a remark that nobody asked for."""


def refuse_unheld(out: Path, problems: Sequence[tuple[str, Sequence[str], str]], form: str) -> None:
    """Refuses what a form cannot hold, all of it in one sentence.

    Args:
        out: The file that would have been written.
        problems: What predictions have, to follow "have"; their ids; and what to do about it.
        form: Why the form cannot take it.

    Raises:
        InputError: Any prediction has any of the problems.
    """
    found = [(counted(ids, f"have {what}", f"has {what}"), remedy) for what, ids, remedy in problems if ids]
    if found:
        raise InputError(
            str(out),
            f"{', '.join(sentence for sentence, _ in found)}, and {form}",
            " ".join(remedy for _, remedy in found),
        )


def counted(ids: Sequence[str], many: str, one: str) -> str:
    """Returns how many predictions do something, and the first ones' ids.

    Example:
        >>> counted(["a", "b", "c", "d"], "have no region", "has no region")
        '4 predictions have no region (first a, b, c)'
        >>> counted(["a"], "have no region", "has no region")
        '1 prediction has no region (a)'
    """
    first = "first " if len(ids) > _SHOWN else ""
    subject = f"1 prediction {one}" if len(ids) == 1 else f"{len(ids):,} predictions {many}"
    return f"{subject} ({first}{', '.join(ids[:_SHOWN])})"
