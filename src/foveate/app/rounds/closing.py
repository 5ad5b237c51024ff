"""Rounds are closed and opened again, and their reviewers named: acts of organisers, each noted."""

from __future__ import annotations

from django.db.models import Count
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from foveate.app.accounts.audit import note
from foveate.app.accounts.models import User
from foveate.app.accounts.roles import has_role
from foveate.app.annotate.services.transactions import at_once
from foveate.app.refused import RefusedError
from foveate.app.rounds.left import left_in
from foveate.app.rounds.models import Mark, Sample, Screening, Turn
from foveate.app.rounds.results import outcomes_of, reviews_of
from foveate.curation._rounds import ROUNDS
from foveate.curation._screen import review


def answered(turn: Turn) -> tuple[int, int]:
    """Returns how many samples of a round the first and the second list have answered."""
    counts = dict(
        Mark.objects.filter(turn=turn, sample__in=left_in(turn).order_by().values("pk"))
        .values_list("place")
        .annotate(n=Count("pk"))
    )
    return counts.get(1, 0), counts.get(2, 0)


def close(
    turn: Turn, *, unfinished: bool = False, request: HttpRequest | None = None, actor: User | None = None
) -> None:
    """Closes a round: what either reviewer flagged is removed, and the next round begins with what is left.

    Args:
        turn: The round.
        unfinished: Close it though answers are missing; a sample without both stays, unless the one flags it.
        request: What was asked.
        actor: Who did it, where that is not the person of the request.

    Raises:
        RefusedError: It is not open, or answers are missing (409).
    """
    refused = at_once(lambda: _close(turn, unfinished, request, actor))
    if refused is not None:
        raise refused


def close_if_through(turn: Turn) -> None:
    """Closes a round if both reviewers are through, as its screening wants."""
    if min(answered(turn)) == left_in(turn).count():
        at_once(lambda: _close(turn, False, None, None))


def reopen(turn: Turn, *, request: HttpRequest | None = None, actor: User | None = None) -> None:
    """Opens the round again that was closed last; what it removed is looked at again, what was answered later waits.

    Raises:
        RefusedError: It is not the one that was closed last (409).
    """
    refused = at_once(lambda: _reopen(turn, request, actor))
    if refused is not None:
        raise refused


def assign(turn: Turn, first: User, second: User, *, request: HttpRequest | None = None) -> None:
    """Names the two reviewers of a round that is not closed; who takes a list over goes on with it.

    Raises:
        RefusedError: One person is to be both, has answered in the other's place, or may not review (409, 422).
    """
    refused = at_once(lambda: _assign(turn, (first, second), request))
    if refused is not None:
        raise refused


def _turns(screening: int) -> list[Turn]:
    """Returns a screening's rounds, which nobody else changes until the transaction is over."""
    turns = Turn.objects.select_related("screening").filter(screening=screening).order_by("number")
    return list(turns.select_for_update(of=("self",), no_key=True))


def _close(turn: Turn, unfinished: bool, request: HttpRequest | None, actor: User | None) -> RefusedError | None:
    turns = _turns(turn.screening_id)
    now = turns[turn.number]
    if now.state != "open":
        said = _("The round is not open.")
        return RefusedError(409, "round_not_open", said, _("Look at the screening's page."))
    counts, total = answered(now), left_in(now).count()
    if min(counts) < total and not unfinished:
        said = _("Answers are missing: %(first)d and %(second)d of %(total)d are there.")
        message = said % {"first": counts[0], "second": counts[1], "total": total}
        return RefusedError(409, "round_unfinished", message, _("Wait, or close it without them."))
    removed = _remove(now)
    now.state, now.closed_at = "closed", timezone.now()
    now.save(update_fields=["state", "closed_at"])
    if now.number + 1 < len(turns):
        Turn.objects.filter(pk=turns[now.number + 1].pk).update(state="open")
    details = {"round": now.name, "removed": removed, "missing": 2 * total - sum(counts)}
    note(request, "screening.round_closed", now.screening.slug, actor=actor, **details)
    return None


def _remove(turn: Turn) -> int:
    """Writes down which samples a round removed, and returns how many; what that means is decided by `curation`."""
    one = ROUNDS[turn.number]
    before = outcomes_of(turn.screening, until=turn.number)
    removed = [outcome for outcome in review(before, one, reviews_of(turn)) if outcome.step == one.step]
    for outcome in removed:
        Sample.objects.filter(screening=turn.screening_id, key=outcome.query.id).update(step=one.step, why=outcome.why)
    return len(removed)


def _reopen(turn: Turn, request: HttpRequest | None, actor: User | None) -> RefusedError | None:
    turns = _turns(turn.screening_id)
    now = turns[turn.number]
    last = max((one.number for one in turns if one.state == "closed"), default=None)
    if now.number != last:
        said = _("Only the round that was closed last can be opened again.")
        return RefusedError(409, "round_not_last", said, _("Open the later ones first."))
    for later in turns[now.number + 1 :]:
        Turn.objects.filter(pk=later.pk).update(state="waiting")
    now.state, now.closed_at = "open", None
    now.save(update_fields=["state", "closed_at"])
    Sample.objects.filter(screening=now.screening_id, step=ROUNDS[now.number].step).update(step="", why="")
    note(request, "screening.round_reopened", now.screening.slug, actor=actor, round=now.name)
    return None


def _assign(turn: Turn, people: tuple[User, User], request: HttpRequest | None) -> RefusedError | None:
    now = _turns(turn.screening_id)[turn.number]
    refused = _cannot_be(now, people)
    if refused is not None:
        return refused
    now.first, now.second = people
    now.save(update_fields=["first", "second"])
    names = [str(person.pseudonym) for person in people]
    note(request, "screening.reviewers_named", now.screening.slug, round=now.name, reviewers=names)
    return None


def _cannot_be(turn: Turn, people: tuple[User, User]) -> RefusedError | None:
    remedy = _("Name somebody else.")
    if turn.state == "closed" or not turn.screening.named:
        said = _("This round takes no reviewers any more.")
        return RefusedError(409, "round_closed", said, _("Reopen it first."))
    if people[0] == people[1]:
        return RefusedError(422, "not_valid", _("One person cannot be both reviewers."), remedy)
    for place, person in enumerate(people, start=1):
        if not (has_role(person, "annotator") or has_role(person, "organiser")):
            said = _("%(name)s is neither annotator nor organiser.") % {"name": person.username}
            return RefusedError(422, "not_valid", said, remedy)
        if Mark.objects.filter(turn=turn, reviewer=person).exclude(place=place).exists():
            said = _("%(name)s has answered in the other list already.") % {"name": person.username}
            return RefusedError(409, "other_list", said, remedy)
    return None


def current_turn(screening: Screening) -> Turn | None:
    """Returns the round that is open; None where all are closed."""
    return screening.turns.filter(state="open").select_related("screening").first()
