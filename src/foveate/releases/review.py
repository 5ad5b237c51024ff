"""`private_review.csv`: what looks private, photo by photo, and what the maker decided: keep it, or leave it out."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from foveate.errors import InputError, some
from foveate.evaluation.wording import counted
from foveate.formats.tables import read_rows, refuse
from foveate.releases.private import Flag, PrivateLook
from foveate.sources.new_files import new_file

Decision = Literal["keep", "leave_out"]
DECISIONS: tuple[Decision, ...] = get_args(Decision)
COLUMNS = ("image", "reasons", "decision", "note")


@dataclass(frozen=True)
class Reviewed:
    """What a look and a review come to.

    Attributes:
        left_out: Photos that the maker leaves out.
        kept: Flagged photos that the maker keeps.
        open: Flagged photos that nobody has decided on.
        look: What was found; None where nobody looked.
    """

    left_out: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    look: PrivateLook | None = field(default=None, repr=False)

    def as_dict(self) -> dict[str, Any]:
        """Returns what release.json says of it, without names of photos: these would point at what is private."""
        if self.look is None:
            return {"looked": False}
        flags = Counter(kind for some_of in self.look.flags.values() for kind in {flag.kind: 0 for flag in some_of})
        return {
            "looked": True,
            "photos_looked_at": self.look.photos,
            "photos_unread": len(self.look.unread),
            "flagged": len(self.look.flagged),
            "flagged_by": dict(sorted(flags.items())),
            "kept_after_review": len(self.kept),
            "left_out": len(self.left_out),
            "not_reviewed": len(self.open),
        }


def write_review(look: PrivateLook, out: Path, decided: Mapping[str, tuple[Decision, str]] | None = None) -> int:
    """Writes a new table of the flagged photos for somebody to decide on; returns how many.

    Args:
        look: What was found.
        out: Where nothing is yet.
        decided: What was decided before, by the photo's name: decision and note.

    Raises:
        OutputError: Something is there, or it cannot be written.
    """
    known = decided or {}
    with new_file(out) as file:
        text = _Utf8(file)
        table = csv.writer(text, lineterminator="\n")
        table.writerow(COLUMNS)
        for name in look.flagged:
            decision, note = known.get(name, ("", ""))
            table.writerow([name, _reasons(look.flags[name], look.unread.get(name)), decision, note])
    return len(look.flagged)


def read_review(path: Path) -> dict[str, tuple[Decision, str]]:
    """Returns the decisions of a table by the photo's name; rows without a decision are left out.

    Raises:
        InputError: It cannot be read, or a decision is none that there is.
    """
    found: dict[str, tuple[Decision, str]] = {}
    for row in read_rows(path, ("image", "decision"), refuse, COLUMNS):
        said = str(row.values.get("decision") or "").strip()
        decision = next((one for one in DECISIONS if one == said), None)
        if said and decision is None:
            raise InputError(row.where, f"{said} is no decision", f"Write {' or '.join(DECISIONS)}, or leave it empty.")
        image = str(row.values["image"] or "")
        if decision and not image.strip():
            raise InputError(row.where, "it names no photo", "Fill in the column image.")
        if decision and found.get(image, (decision,))[0] != decision:
            raise InputError(row.where, f"{image} was decided otherwise in a row before", "Decide on it once.")
        if decision:
            found[image] = decision, str(row.values.get("note") or "")
    return found


def reviewed(look: PrivateLook | None, decided: Mapping[str, tuple[Decision, str]]) -> Reviewed:
    """Returns what a look and decisions come to; a photo may be left out though nothing was found in it."""
    left_out = tuple(sorted(name for name, (decision, _) in decided.items() if decision == "leave_out"))
    flagged = look.flagged if look else []
    kept = tuple(name for name in flagged if name in decided and name not in left_out)
    return Reviewed(left_out, kept, tuple(name for name in flagged if name not in decided), look)


def refuse_open(found: Reviewed, where: str) -> None:
    """Refuses a release with flagged photos that nobody has looked at.

    Raises:
        InputError: There are such.
    """
    if found.open:
        many = counted(len(found.open), "photo")
        problem = f"nobody has decided on {many} with what looks private: {some(list(found.open))}"
        remedy = (
            "List them with foveate release private, decide on each, and give the table with --private-review FILE; or "
            "pass --unreviewed-private ok, which the datasheet will say."
        )
        raise InputError(where, problem, remedy)


def _reasons(flags: Iterable[Flag], unread: str | None) -> str:
    told = [str(flag) for flag in flags]
    return "; ".join([*told, f"it could not be looked at: {unread}"] if unread else told)


class _Utf8:
    """Writes text into a file of bytes."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def write(self, text: str) -> int:
        return int(self._file.write(text.encode()))
