"""Rounds are closed and opened again, and their reviewers named: acts of organisers, each noted."""

from __future__ import annotations

from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from foveate.app.accounts.audit import note
from foveate.app.accounts.models import AuditEvent, User
from foveate.app.accounts.roles import has_role
from foveate.app.annotate.services.transactions import at_once
from foveate.app.refused import RefusedError
from foveate.app.rounds.left import left_in
from foveate.app.rounds.models import Mark, Sample, Screening, Turn
from foveate.app.rounds.results import outcomes_of, reviews_of
from foveate.curation._rounds import ROUNDS
from foveate.curation._screen import review

NAMED = "screening.reviewers_named"


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


def assign(
    turn: Turn, first: User, second: User, *, request: HttpRequest | None = None, actor: User | None = None
) -> None:
    """Names the two reviewers of a round that is not closed; who takes a list over goes on with it.

    Two reviewers judge apart, so that whoever could read or change the answers of one list is not let into the other.
    Nobody names themselves into a list that somebody else has begun: they would read what that person says.

    Args:
        turn: The round.
        first: Whose the first list is.
        second: Whose the second one is.
        request: What was asked.
        actor: Who names them, where that is not the person of the request.

    Raises:
        RefusedError: One person is to be both, has had the other list, may not review, or takes a list over by
            themselves (409, 422).
    """
    by = actor or (request.user if request is not None and isinstance(request.user, User) else None)
    refused = at_once(lambda: _assign(turn, (first, second), request, by))
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


def _assign(turn: Turn, people: tuple[User, User], request: HttpRequest | None, by: User | None) -> RefusedError | None:
    now = _turns(turn.screening_id)[turn.number]
    refused = _cannot_be(now, people, by)
    if refused is not None:
        return refused
    before = [_pseudonym(person) for person in (now.first, now.second)]
    now.first, now.second = people
    now.save(update_fields=["first", "second"])
    names = [_pseudonym(person) for person in people]
    note(request, NAMED, now.screening.slug, actor=by, round=now.name, reviewers=names, before=before)
    return None


def _pseudonym(person: User | None) -> str | None:
    return None if person is None else str(person.pseudonym)


def _cannot_be(turn: Turn, people: tuple[User, User], by: User | None) -> RefusedError | None:
    if turn.state == "closed" or not turn.screening.named:
        said = _("This round takes no reviewers any more.")
        return RefusedError(409, "round_closed", said, _("Reopen it first."))
    if people[0] == people[1]:
        return RefusedError(422, "not_valid", _("One person cannot be both reviewers."), _("Name somebody else."))
    found = (_cannot_have(turn, place, person, by) for place, person in enumerate(people, start=1))
    return next((refused for refused in found if refused is not None), None)


def _cannot_have(turn: Turn, place: int, person: User, by: User | None) -> RefusedError | None:
    """Returns why a person cannot get a list of a round."""
    remedy = _("Name somebody else.")
    if not (has_role(person, "annotator") or has_role(person, "organiser")):
        said = _("%(name)s is neither annotator nor organiser.") % {"name": person.username}
        return RefusedError(422, "not_valid", said, remedy)
    if person.pk == (turn.first_id, turn.second_id)[place - 1]:
        return None  # They have it already.
    if _had(turn, 3 - place, person):
        said = _("%(name)s has answered in the other list already, or has had it.") % {"name": person.username}
        return RefusedError(409, "other_list", said, remedy)
    if person == by and _answers(turn, place).exclude(reviewer=person).exists():
        said = _("This list is begun: who takes it over reads what another person said, and nobody does that unasked.")
        return RefusedError(409, "own_naming", said, _("Let another organiser name you, or name somebody else."))
    return None


def _answers(turn: Turn, place: int) -> QuerySet[Mark]:
    return Mark.objects.filter(turn=turn, place=place)


def _had(turn: Turn, place: int, person: User) -> bool:
    """Returns whether a person could read or change the answers of a list: it is theirs or was, and it is begun."""
    answers = _answers(turn, place)
    if answers.filter(reviewer=person).exists():
        return True
    if not answers.exists():
        return False
    if person.pk == (turn.first_id, turn.second_id)[place - 1]:
        return True
    # Who takes a list over puts their name to each answer that they look at: only the log tells whose it was before.
    events = AuditEvent.objects.filter(action=NAMED, about=turn.screening.slug, details__round=turn.name)
    named = [details["reviewers"] for details in events.values_list("details", flat=True)]
    named += [details.get("before", []) for details in events.values_list("details", flat=True)]
    return any(names[place - 1 : place] == [str(person.pseudonym)] for names in named)


def current_turn(screening: Screening) -> Turn | None:
    """Returns the round that is open; None where all are closed."""
    return screening.turns.filter(state="open").select_related("screening").first()
