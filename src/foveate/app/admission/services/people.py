"""Applying, importing what is known of people, deciding, and second chances."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from foveate.app.accounts.audit import note
from foveate.app.accounts.models import User
from foveate.app.accounts.roles import has_role
from foveate.app.admission.models import Admission, Attempt, Candidate
from foveate.app.admission.services.judging import go_on
from foveate.app.admission.services.standings import candidate_of, settings_of, verdict_of
from foveate.app.annotate.models import Assignment
from foveate.app.annotate.services import held_back
from foveate.app.annotate.services.access import not_found
from foveate.app.annotate.services.transactions import at_once
from foveate.app.refused import RefusedError
from foveate.errors import InputError
from foveate.quality.qualification import State, may_become
from foveate.quality.requirements import ImportedRow, Record, read_records

T = TypeVar("T")


def may_apply(person: User, admission: Admission) -> bool:
    """Returns whether an annotator may apply now, or has begun to and not answered yet."""
    if not has_role(person, "annotator") or admission.project.state == "closed":
        return False
    candidate = candidate_of(admission, person)
    if candidate is not None and candidate.applied_at is not None:
        waits = candidate.state == "requirements" and candidate.declared is None
        return waits and settings_of(admission).requirements.by_declaration
    is_member = admission.project.members.filter(pk=person.pk).exists()
    return admission.open and not is_member and (candidate is None or candidate.state == "requirements")


def apply(person: User, admission: Admission, declared: Record | None) -> Candidate:
    """Takes in what somebody says of themselves, once, and lets them into the qualification where that is enough.

    Raises:
        RefusedError: Nobody can apply now (404), or this person has (409).
    """

    def act() -> Candidate:
        candidate = candidate_of(admission, person, to_change=True)
        if not may_apply(person, admission):
            # Looked at once more: the same form, sent twice at once, may have come in between.
            if candidate is None and candidate_of(admission, person) is None:
                raise not_found()
            raise RefusedError(409, "applied_already", _("You have applied already."), _("See where you stand."))
        candidate = candidate or Candidate(admission=admission, person=person)
        candidate.applied_at = candidate.applied_at or timezone.now()
        candidate.declared = None if declared is None else declared.model_dump(mode="json")
        candidate.save()
        _judge(admission, candidate)
        return candidate

    return at_once(act)


def take_up(person: User, admission: Admission) -> None:
    """Lets somebody have again what they have given back in the qualification or the trial: all of it is to be done."""
    projects = [project for project in (admission.qualification, admission.trial) if project is not None]
    mine = Assignment.objects.filter(annotator=person, task__project__in=projects, state="returned")
    # What was taken back at a pause comes back when that ends.
    at_once(lambda: mine.exclude(why=held_back.WHY).update(state="expired"))


def import_records(
    admission: Admission, path: Path, *, request: HttpRequest | None = None, actor: User | None = None
) -> tuple[int, list[str]]:
    """Takes in an organiser's table of earlier work; returns how many people it was about, and what could not be taken.

    Whoever waits for it goes on to the qualification where it is enough; nobody is thrown out by it.

    Raises:
        InputError: It is no such table.
    """
    rejected: list[str] = []
    rows = list(read_records(path, lambda error: rejected.append(error.fault)))

    def act() -> int:
        done = 0
        rejected_here = []
        for row in rows:
            try:
                person = _person(row.person)
            except InputError as error:
                rejected_here.append(error.fault)
                continue
            _keep(admission, person, row)
            done += 1
        rejected.extend(rejected_here)
        note(request, "admission.imported", admission.project.slug, actor=actor, people=done)
        return done

    return at_once(act), rejected


def decide(
    candidate: Candidate, admit: bool, reason: str, by: User, *, request: HttpRequest | None = None
) -> Candidate:
    """Admits somebody to the project, or does not, for a reason that they are told.

    Raises:
        RefusedError: That was decided so already (409).
    """
    then: State = "admitted" if admit else "refused"

    def act(now: Candidate) -> Candidate:
        _refuse_unless(now, then)
        now.state, now.reason, now.decided_by, now.decided_at = then, reason, by, timezone.now()
        now.save(update_fields=["state", "reason", "decided_by", "decided_at"])
        admission = now.admission
        _leave(now)
        if admit:
            admission.project.members.add(now.person)
        else:
            admission.project.members.remove(now.person)
        about = str(now.person.pseudonym)
        action = "admission.admitted" if admit else "admission.refused"
        note(request, action, about, actor=by, project=admission.project.slug)
        return now

    return _locked(candidate, act)


def second_chance(candidate: Candidate, by: User, *, request: HttpRequest | None = None) -> Candidate:
    """Lets failed attempts count no more; whoever did not meet the requirements may answer again.

    What was passed stays passed.

    Raises:
        RefusedError: There is nothing to forgive (409).
    """

    def act(now: Candidate) -> Candidate:
        admission, was = now.admission, now.state
        if was in ("trial", "waiting", "admitted"):
            said = _("This person has come farther than that.")
            raise RefusedError(409, "nothing_to_forgive", said, _("Decide about them, or wait."))
        _refuse_gone(now)
        newest = Attempt.objects.filter(candidate=now).order_by("-pk").first()
        now.forgiven = newest.pk if newest else 0
        now.reason, now.decided_at, now.decided_by = "", None, None
        if now.met_at is None:
            now.state, now.declared = "requirements", None
        else:
            now.state = "qualification"
            admission.qualification.members.add(now.person)
        now.save()
        if now.state == "qualification":
            go_on(admission, now)
        note(
            request,
            "admission.second_chance",
            str(now.person.pseudonym),
            actor=by,
            project=admission.project.slug,
            was=was,
        )
        return now

    return _locked(candidate, act)


def judge_anew(admission: Admission) -> int:
    """Lets those in who wait at the requirements and meet them as they are now; returns how many."""
    waiting = Candidate.objects.filter(admission=admission, state="requirements", applied_at__isnull=False)
    alive = waiting.filter(person__deleted_at=None).order_by("pk")
    return sum(_judge(admission, one) for one in alive.select_for_update(of=("self",), no_key=True))


def forget(person: User) -> None:
    """Takes away what is known of somebody who leaves: what they said, what was imported, what they were told."""
    Candidate.objects.filter(person=person).update(declared=None, imported=None, reason="")


def held_about(person: User) -> dict[str, Iterable[Mapping[str, Any]]]:
    """Returns what the server holds about a person here; not what of an attempt differs from gold."""
    mine = Candidate.objects.filter(person=person).order_by("pk")
    attempts = Attempt.objects.filter(candidate__person=person).order_by("pk")
    names = ("candidate__admission__project__slug", "task__key", "work", "seconds", "at")
    times = ("applied_at", "met_at", "qualified_at", "finished_at", "decided_at")
    return {
        "admissions": mine.values(
            "admission__project__slug", "state", "declared", "imported", "imported_at", *times, "reason"
        ).iterator(),
        "qualification_attempts": (
            {**{name: row[name] for name in names}, "accepted": not row["faults"]}
            for row in attempts.values(*names, "faults").iterator()
        ),
    }


def _judge(admission: Admission, candidate: Candidate) -> bool:
    """Lets somebody who has applied into the qualification where the requirements are met; returns whether it did."""
    if candidate.state != "requirements" or candidate.applied_at is None:
        return False
    if not verdict_of(admission, candidate).met:
        return False
    candidate.state, candidate.met_at = "qualification", timezone.now()
    candidate.save(update_fields=["state", "met_at"])
    admission.qualification.members.add(candidate.person)
    return True


def _keep(admission: Admission, person: User, row: ImportedRow) -> None:
    candidate = candidate_of(admission, person, to_change=True) or Candidate(admission=admission, person=person)
    candidate.imported = row.model_dump(mode="json", exclude={"person"})
    candidate.imported_at = timezone.now()
    candidate.save()
    _judge(admission, candidate)


def _person(name: str) -> User:
    """Returns the person of an account's name or an e-mail address.

    Raises:
        InputError: There is none, or several have this address.
    """
    alive = User.objects.filter(deleted_at=None)
    found = list(alive.filter(username__iexact=name)[:1]) or list(alive.filter(email__iexact=name)[:2])
    if len(found) != 1:
        what = "several people have this e-mail address" if found else "nobody has this name or e-mail address"
        raise InputError(name, what, "Write the name of the account.")
    return found[0]


def _locked(candidate: Candidate, act: Callable[[Candidate], T]) -> T:
    rows = Candidate.objects.select_for_update(of=("self",), no_key=True)
    related = ("admission__project", "admission__qualification", "admission__trial", "person")
    return at_once(lambda: act(rows.select_related(*related).get(pk=candidate.pk)))


def _refuse_unless(candidate: Candidate, then: State) -> None:
    now: State = candidate.state  # type: ignore[assignment]
    _refuse_gone(candidate)
    if not may_become(now, then):
        said = _("That was decided already: “%(state)s”.") % {"state": candidate.get_state_display()}
        raise RefusedError(409, "decided_already", said, _("Load the page again to see by whom."))


def _refuse_gone(candidate: Candidate) -> None:
    if candidate.person.deleted_at is not None:
        raise RefusedError(409, "account_deleted", _("This person has left."), _("Nothing is to be decided any more."))


def _leave(candidate: Candidate) -> None:
    admission = candidate.admission
    admission.qualification.members.remove(candidate.person)
    if admission.trial is not None:
        admission.trial.members.remove(candidate.person)
