"""What a team does with an entry that it has sent: withdraw it, choose it, show it, say more of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from foveate.app.accounts import audit
from foveate.app.accounts.models import User
from foveate.app.annotate.services.transactions import at_once
from foveate.app.challenges.models import Entry, EntryEvent, Phase
from foveate.app.challenges.services import board, finding, membership, queue
from foveate.app.challenges.services.entering import Words, check_words, name_of, said
from foveate.app.refused import RefusedError
from foveate.challenges.phases import takes_entries, when
from foveate.challenges.quotas import UNDER_WAY

ALIVE = UNDER_WAY | {"scored"}
# What each act writes; a worker may write the rest of the row at the same time.
_WRITTEN: Mapping[str, tuple[str, ...]] = {
    "withdrawn": ("state", "chosen", "ended_at"),
    "chosen": ("chosen",),
    "made_public": ("public", "chosen"),
    "made_private": ("public", "chosen"),
    "described": tuple(said(Words())),
}


def withdraw(person: User, entry: Entry, request: HttpRequest | None = None) -> Entry:
    """Takes an entry back; returns it. One that was scored leaves the board and still counts; others cost nothing.

    Raises:
        RefusedError: The phase is over, or there is nothing to withdraw any more.
    """

    def act(row: Entry, now: datetime) -> dict[str, object]:
        if row.state == "withdrawn":
            return {}
        check_not_over(row, now)
        if row.state not in ALIVE:
            message = _("There is nothing to withdraw: the entry is not under way, and was not scored.")
            raise RefusedError(409, "nothing_to_withdraw", message, _("It costs you nothing, or has ended."))
        before, row.state, row.chosen, row.ended_at = row.state, "withdrawn", False, row.ended_at or now
        queue.drop(row, now=now)
        return {"before": before}

    return _done(person, entry, "withdrawn", act, request)


def choose(person: User, entry: Entry, request: HttpRequest | None = None) -> Entry:
    """Makes an entry the one of its team that ranks; returns it. Another that was chosen is so no more.

    Raises:
        RefusedError: The phase ranks by another rule or is over, or the entry cannot rank.
    """

    def act(row: Entry, now: datetime) -> dict[str, object]:
        if row.chosen:
            return {}
        if finding.phase_said(row.phase).counts != "chosen":
            message = _("In this phase teams do not choose which entry ranks.")
            raise RefusedError(409, "not_by_choice", message, _("The challenge’s page says which one does."))
        check_not_over(row, now)
        if row.state not in ALIVE or not row.public:
            message = _("This entry cannot rank, so it cannot be chosen.")
            raise RefusedError(409, "cannot_rank", message, _("Choose one that is public, and scored or under way."))
        others = Entry.objects.filter(phase=row.phase, team=row.team, chosen=True)
        before = list(others.values_list("number", flat=True))
        others.update(chosen=False)
        row.chosen = True
        return {"before": before[0] if before else None}

    return _done(person, entry, "chosen", act, request)


def publish(person: User, entry: Entry, public: bool, request: HttpRequest | None = None) -> Entry:
    """Puts an entry onto the board, or takes it off; returns it.

    Raises:
        RefusedError: The phase is over: who is on its board stays there, and who is not comes no more.
    """

    def act(row: Entry, now: datetime) -> dict[str, object]:
        if row.public == public:
            return {}
        check_not_over(row, now)
        row.public = public
        row.chosen = row.chosen and public
        return {"public": public}

    return _done(person, entry, "made_public" if public else "made_private", act, request)


def describe(person: User, entry: Entry, words: Words, request: HttpRequest | None = None) -> Entry:
    """Changes what a team says of an entry, at any time; returns it.

    Raises:
        RefusedError: It holds letters that nobody sees, or that turn the writing around.
    """
    check_words(words)

    def act(row: Entry, now: datetime) -> dict[str, object]:
        changed = [name for name, value in said(words).items() if getattr(row, name) != value]
        for name in changed:
            setattr(row, name, said(words)[name])
        return {"changed": changed} if changed else {}

    return _done(person, entry, "described", act, request)


def check_not_over(entry: Entry, now: datetime) -> None:
    """Looks whether an entry's phase still goes on for it: one that was sent after the end has none.

    Raises:
        RefusedError: It is over.
    """
    phase = finding.phase_said(entry.phase)
    if when(phase, now) == "over" and not (entry.after_end and takes_entries(phase, now)):
        message = _("This phase is over; its board stays as it was at the end.")
        raise RefusedError(409, "over", message, _("Only what you say of the entry can still be changed."))


Act = Callable[[Entry, datetime], dict[str, object]]


def _done(person: User, entry: Entry, what: str, act: Act, request: HttpRequest | None) -> Entry:
    def once() -> Entry:
        # As sending does: what happens to a phase's entries happens one after another.
        Phase.objects.select_for_update(of=("self",), no_key=True).get(pk=entry.phase_id)
        rows = Entry.objects.select_for_update(of=("self",), no_key=True).select_related("phase__challenge", "team")
        row = rows.get(pk=entry.pk)
        team = membership.team_of(person, row.phase.challenge)
        if team is None or team.pk != row.team_id:
            raise RefusedError(404, "not_found", _("There is no such entry."))
        now = timezone.now()
        details = act(row, now)
        if details:
            row.save(update_fields=_WRITTEN[what])
            EntryEvent.objects.create(entry=row, at=now, what=what, details=details)
            board.touch(row.phase)
            audit.note(request, f"entry.{what}", name_of(row), actor=person, **details)
        return row

    return at_once(once)
