"""Lists that were filled in elsewhere, taken into a round as if their reviewers had answered here."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from foveate.app.accounts.audit import note
from foveate.app.accounts.models import User
from foveate.app.annotate.services.transactions import at_once
from foveate.app.refused import RefusedError
from foveate.app.rounds.left import left_in
from foveate.app.rounds.models import Mark, Sample, Turn
from foveate.curation._reviews import Review, read_review
from foveate.curation._rounds import REVIEWERS
from foveate.errors import InputError
from foveate.formats.tables import refuse


@dataclass(frozen=True)
class Taken:
    """What was taken in.

    Attributes:
        marks: How many answers are new or other than before.
        skipped: Rows that were passed over.
        gone: Rows of samples that had been removed before this round.
    """

    marks: int
    skipped: int
    gone: int


def take_upload(
    turn: Turn, place: int, file: IO[bytes], *, by: User | None = None, **how: bool
) -> tuple[Review, Taken]:
    """Takes in a list that a browser sends; `by` and `how` are as for `take_file`.

    Raises:
        InputError: A row cannot be taken; it is said by file and line.
        RefusedError: As for `take_file`.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{turn.name}.{REVIEWERS[place - 1]}.csv"
        path.write_bytes(file.read())
        try:
            return take_file(turn, place, path, by=by, **how)
        except InputError as error:
            # The folder is of no use to anybody.
            raise InputError(error.where.replace(f"{folder}/", ""), error.problem, error.remedy) from error


def take_file(
    turn: Turn,
    place: int,
    path: Path,
    *,
    skip_invalid: bool = False,
    overwrite: bool = False,
    by: User | None = None,
) -> tuple[Review, Taken]:
    """Takes in a list of a file that is called `ROUND.REVIEWER.csv`.

    Args:
        turn: The round, which is open.
        place: Whose list it becomes, 1 or 2.
        path: The file.
        skip_invalid: Pass over rows that cannot be taken.
        overwrite: Take answers that differ from what stands in the place.
        by: Who brings it.

    Raises:
        InputError: A row cannot be taken.
        RefusedError: The round is not open, the list says something else than is answered already, or who brings it
            is the other reviewer (409).
    """
    known = Sample.objects.filter(screening=turn.screening_id).values_list("key", flat=True)
    expected = list(left_in(turn).values_list("key", flat=True))
    review = read_review(path, known, expected, _pass_over if skip_invalid else refuse)
    taken = at_once(lambda: _take(turn, place, review, overwrite, by))
    if isinstance(taken, RefusedError):
        raise taken
    return review, Taken(taken, len(review.skipped), review.gone)


def noted(
    turn: Turn, place: int, taken: Taken, *, request: HttpRequest | None = None, actor: User | None = None
) -> None:
    """Writes into the log that a list was taken in."""
    details = {"round": turn.name, "list": REVIEWERS[place - 1], "marks": taken.marks, "skipped": taken.skipped}
    note(request, "screening.list_taken", turn.screening.slug, actor=actor, **details)


def _take(turn: Turn, place: int, review: Review, overwrite: bool, by: User | None) -> int | RefusedError:
    now_open = Turn.objects.filter(pk=turn.pk, state="open").select_for_update(no_key=True).first()
    if now_open is None:
        said = _("The round is not open.")
        return RefusedError(409, "round_not_open", said, _("Reopen it, or take the list in when it is."))
    other = now_open.second_id if place == 1 else now_open.first_id
    if by is not None and by.pk == other:
        said = _("This is the list of the other reviewer; you are one yourself.")
        return RefusedError(409, "other_list", said, _("Let another organiser take it in."))
    there = {mark.sample.key: mark for mark in Mark.objects.filter(turn=turn, place=place).select_related("sample")}
    differ = [key for key, said in review.marks.items() if key in there and there[key].flag != said.flag]
    if differ and not overwrite:
        message = _("%(n)d answers in the list differ from what is answered already, that of %(first)s among them.")
        remedy = _("Choose “Overwrite” if the list is right.")
        return RefusedError(409, "list_differs", message % {"n": len(differ), "first": differ[0]}, remedy)
    return _write(now_open, place, review, there)


def _write(turn: Turn, place: int, review: Review, there: dict[str, Mark]) -> int:
    now, reviewer = timezone.now(), turn.first_id if place == 1 else turn.second_id
    pks = dict(Sample.objects.filter(screening=turn.screening_id).values_list("key", "pk"))
    new, changed = [], []
    for key, said in review.marks.items():
        mark, told = there.get(key), said.note.replace("\0", "")  # PostgreSQL takes no text with it.
        if mark is None:
            made = Mark(turn=turn, sample_id=pks[key], place=place, reviewer_id=reviewer, made_at=now, changed_at=now)
            made.flag, made.note = said.flag, told
            new.append(made)
        elif (mark.flag, mark.note) != (said.flag, told):
            mark.flag, mark.note, mark.changed_at = said.flag, told, now
            changed.append(mark)
    Mark.objects.bulk_create(new, batch_size=500)
    Mark.objects.bulk_update(changed, ["flag", "note", "changed_at"], batch_size=500)
    return len(new) + len(changed)


def _pass_over(error: InputError) -> None:
    """Lets a faulty row be counted only."""
