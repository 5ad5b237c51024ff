"""What reviewers look at, and what they say: stored when it is given, changed until the round is closed."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from foveate.app.accounts.models import User
from foveate.app.accounts.roles import roles_of
from foveate.app.annotate.services.access import not_found
from foveate.app.annotate.services.transactions import at_once
from foveate.app.refused import RefusedError
from foveate.app.rounds.closing import close_if_through
from foveate.app.rounds.left import left_in
from foveate.app.rounds.models import Mark, Sample, Turn

REVIEWERS = frozenset({"annotator", "organiser"})
LONGEST_NOTE = 500


@dataclass(frozen=True)
class Way:
    """Where somebody is in a round.

    Attributes:
        done: How many samples they have answered.
        total: How many there are for them.
        before: The number of the sample before this one; None at the beginning.
        after: That of the next one; None at the end.
    """

    done: int
    total: int
    before: int | None
    after: int | None


def may_review(person: User, turn: Turn) -> bool:
    """Returns whether a person is a reviewer of a round: a named one, or whoever comes."""
    if not roles_of(person) & REVIEWERS:
        return False
    return person.pk in (turn.first_id, turn.second_id) if turn.screening.named else True


def open_turns(person: User) -> list[Turn]:
    """Returns the open rounds that are a person's to review."""
    turns = Turn.objects.filter(state="open").select_related("screening").order_by("screening__title", "pk")
    return [turn for turn in turns if may_review(person, turn)]


def has_rounds(person: User) -> bool:
    """Returns whether the page of screenings is of use to somebody: an organiser, or a reviewer of an open round."""
    if "organiser" in roles_of(person):
        return True
    named = Q(screening__named=True) & (Q(first=person) | Q(second=person))
    return Turn.objects.filter(named | Q(screening__named=False), state="open").exists()


def turn_of(person: User, slug: str, name: str) -> Turn:
    """Returns a round that a person reviews.

    Raises:
        RefusedError: There is none, or it is not theirs (404).
    """
    turn = Turn.objects.select_related("screening").filter(screening__slug=slug, name=name).first()
    if turn is None or turn.state == "waiting" or not may_review(person, turn):
        raise not_found()
    return turn


def samples_for(person: User, turn: Turn) -> QuerySet[Sample]:
    """Returns what a round has for a person: all of it for a named one, else what has a free place or their mark."""
    samples = left_in(turn)
    if turn.screening.named:
        return samples
    marks = Mark.objects.filter(turn=turn, sample=OuterRef("pk"))
    counted = Count("marks", filter=Q(marks__turn=turn))
    return samples.annotate(places=counted).filter(Q(places__lt=2) | Exists(marks.filter(reviewer=person)))


def to_do(person: User, turn: Turn) -> QuerySet[Sample]:
    """Returns what a person has still to answer in a round, in its order."""
    mine = Mark.objects.filter(_own(person, turn), turn=turn, sample=OuterRef("pk"))
    return samples_for(person, turn).filter(~Exists(mine))


def mark_of(person: User, turn: Turn, sample: Sample) -> Mark | None:
    """Returns what a person, or the list that they go on with, says of a sample."""
    return Mark.objects.filter(_own(person, turn), turn=turn, sample=sample).first()


def way(person: User, turn: Turn, sample: Sample) -> Way:
    """Returns where a person is in a round, on the page of a sample."""
    all_of_them = list(samples_for(person, turn).values_list("pk", flat=True))
    at = all_of_them.index(sample.pk)
    after = all_of_them[at + 1] if at + 1 < len(all_of_them) else None
    done = len(all_of_them) - to_do(person, turn).count()
    return Way(done, len(all_of_them), all_of_them[at - 1] if at else None, after)


def mark(person: User, turn: Turn, number: int, flag: bool, note: str = "") -> Mark:
    """Stores what a person says of a sample, also when they say something else than before; the same twice is once.

    Raises:
        RefusedError: The sample is not theirs (404); the round is closed, or two others were quicker (409).
    """
    said = at_once(lambda: _mark(person, turn, number, flag, " ".join(note.split())[:LONGEST_NOTE]))
    if isinstance(said, RefusedError):
        raise said
    if turn.screening.closes_itself:
        close_if_through(turn)
    return said


def take_back(person: User, turn: Turn, number: int) -> None:
    """Takes a person's answer back, as if it had not been given.

    Raises:
        RefusedError: The round is closed (409).
    """

    def act() -> RefusedError | None:
        if _open_and_locked(turn) is None:
            return _closed()
        # The number may be larger than any that a database has, which a foreign key does not look at.
        Mark.objects.filter(_own(person, turn), turn=turn, sample__in=Sample.objects.filter(pk=number)).delete()
        return None

    refused = at_once(act)
    if refused is not None:
        raise refused


def place_of(person: User, turn: Turn) -> int | None:
    """Returns whose list a named reviewer fills in, 1 or 2; None where whoever comes reviews."""
    if not turn.screening.named:
        return None
    return 1 if turn.first_id == person.pk else 2


def _own(person: User, turn: Turn) -> Q:
    """Returns which marks are a person's: of a named one all of their list, who ever began it."""
    place = place_of(person, turn)
    return Q(reviewer=person) if place is None else Q(place=place)


def _mark(person: User, turn: Turn, number: int, flag: bool, note: str) -> Mark | RefusedError:
    now_open = _open_and_locked(turn)
    if now_open is None:
        return _closed()
    if not may_review(person, now_open):
        return not_found()
    sample = left_in(now_open).filter(pk=number).first()
    if sample is None:
        return not_found()
    now = timezone.now()
    mine = mark_of(person, now_open, sample)
    if mine is not None:
        if (mine.flag, mine.note, mine.reviewer_id) != (flag, note, person.pk):
            mine.flag, mine.note, mine.reviewer, mine.changed_at = flag, note, person, now
            mine.save()
        return mine
    place = place_of(person, now_open) or _free_place(now_open, sample)
    if place is None:
        said = _("Two others have answered this one meanwhile; your answer is not needed.")
        return RefusedError(409, "two_answered", said, _("Go on with the next one."))
    made = Mark(turn=now_open, sample=sample, place=place, reviewer=person, flag=flag, note=note, made_at=now)
    made.changed_at = now
    made.save(force_insert=True)
    return made


def _free_place(turn: Turn, sample: Sample) -> int | None:
    taken = set(Mark.objects.filter(turn=turn, sample=sample).values_list("place", flat=True))
    return next((place for place in (1, 2) if place not in taken), None)


def _open_and_locked(turn: Turn) -> Turn | None:
    """Returns a round that is open, and stays so until the transaction is over; None where it is not.

    Who marks and who closes come one after the other, so that places are given out one by one.
    """
    found = Turn.objects.select_related("screening").filter(pk=turn.pk, state="open")
    return found.select_for_update(of=("self",), no_key=True).first()


def _closed() -> RefusedError:
    said = _("The round is closed; what was answered before stands.")
    return RefusedError(409, "round_closed", said, _("Ask the organiser to reopen it, if this answer matters."))
