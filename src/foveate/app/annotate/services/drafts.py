"""Saving: each save adds a version, none is written over, and what comes too late is kept all the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from foveate.annotation.drafts import Conflict, Kept, Lease, LeaseOver, decide, dispensable
from foveate.annotation.leases import may_take_again
from foveate.annotation.work import WORK, Work
from foveate.app.accounts.models import User
from foveate.app.annotate.models import Assignment, DraftVersion, Task
from foveate.app.annotate.services import expire
from foveate.app.annotate.services.access import own_assignment
from foveate.app.annotate.services.lend import lend_again, renew
from foveate.app.annotate.services.transactions import at_once
from foveate.app.refused import RefusedError

# Of what was sent, and of what came after a lease was over, the newest versions are enough to look at what went wrong.
_KEPT = 5
# While a task is being done, so many saves come between two that look whether there are too many versions.
_EVERY = 50


@dataclass(frozen=True)
class Draft:
    """What a tab of a browser wants to save.

    Attributes:
        base: The version that it was made from, 0 for none.
        tab: The tab's own name.
        work: What is filled in.
        overwrite: Whether the person has seen what another tab saved, and keeps this.
    """

    base: int
    tab: str
    work: Work
    overwrite: bool = False


def save(person: User, number: int, draft: Draft) -> tuple[DraftVersion, Assignment]:
    """Saves a draft, renews the lease, and returns both.

    Raises:
        RefusedError: It is not this person's (404) or of another stage (422); another tab has saved meanwhile, it was
            sent already, or the task went to another person (409).
    """
    expire.now_and_then()
    # All that can be looked at before is: while one save is written, SQLite lets no other be.
    assignment = own_assignment(person, number)
    refuse_other_stage(assignment, draft.work)
    work = WORK.dump_python(draft.work, mode="json")
    saved = at_once(lambda: _save(assignment, draft, work))
    if isinstance(saved, RefusedError):
        raise saved
    return saved


def newest_of(assignment: Assignment) -> DraftVersion | None:
    """Returns the newest version of an assignment's draft."""
    return assignment.versions.order_by("-version").first()


def as_details(version: DraftVersion | None) -> dict[str, Any]:
    """Returns a version as answers tell it."""
    if version is None:
        return {}
    return {
        "version": version.version,
        "work": version.work,
        "tab": version.tab,
        "saved_at": version.saved_at.isoformat(),
    }


def prune(assignment: Assignment) -> None:
    """Leaves the newest versions only, of an assignment that is not being done any more."""
    newest = newest_of(assignment)
    if newest is not None:
        assignment.versions.filter(version__lte=newest.version - _KEPT).delete()


def _thin_out(assignment: Assignment) -> None:
    rows = assignment.versions.order_by("version").values_list("version", "tab", "saved_at")
    assignment.versions.filter(version__in=dispensable([Kept(*row) for row in rows])).delete()


def refuse_other_stage(assignment: Assignment, work: Work) -> None:
    """Looks whether a work is of the stage that was lent.

    Raises:
        RefusedError: It is not.
    """
    if work.stage != assignment.stage:
        said = _("The work is of the stage %(work)s, the task is in %(task)s.")
        message = said % {"work": work.stage, "task": assignment.stage}
        raise RefusedError(422, "not_valid", message, _("Load the page again."), {"problems": []})


def _save(assignment: Assignment, draft: Draft, work: Any) -> tuple[DraftVersion, Assignment] | RefusedError:
    now_locked = Assignment.objects.select_for_update(no_key=True)
    assignment.refresh_from_db(fields=["state", "leased_at", "leased_until"], from_queryset=now_locked)
    if assignment.state == "submitted":
        return already_sent(assignment)
    newest = newest_of(assignment)
    if newest is not None and (newest.version, newest.tab, newest.work) == (draft.base + 1, draft.tab, work):
        # The same once more: its first answer was lost on the way.
        return (newest, assignment) if _renewed(assignment) else lease_over(newest, as_details(newest))
    number_now = newest.version if newest else 0
    lease = _lease(assignment)
    verdict = decide(number_now, draft.base, overwrite=draft.overwrite, lease=lease)
    if isinstance(verdict, Conflict):
        return _conflict(newest)
    version = keep(assignment, number_now + 1, work, draft.tab)
    if isinstance(verdict, LeaseOver) or not _renewed(assignment):
        prune(assignment)
        return lease_over(version, as_details(version))
    if version.version % _EVERY == 0:
        _thin_out(assignment)
    return version, assignment


def _lease(assignment: Assignment) -> Lease:
    if assignment.state == "leased":
        return "held"
    task = Task.objects.get(pk=assignment.task_id)
    same = task.stage == assignment.stage
    may = may_take_again(task.state, taken=task.taken, wanted=task.wanted, same_stage=same)
    return "free" if may and assignment.state == "expired" else "gone"


def _renewed(assignment: Assignment) -> bool:
    if assignment.state == "leased":
        renew(assignment)
        return True
    # Who has given a task back has done so; a save that was still on its way does not take it again.
    return assignment.state == "expired" and lend_again(assignment)


def _conflict(newest: DraftVersion | None) -> RefusedError:
    said = _("Another tab or computer has saved this task meanwhile.")
    return RefusedError(409, "draft_conflict", said, _("Take that, or keep what is here."), as_details(newest))


def already_sent(assignment: Assignment) -> RefusedError:
    """Returns what is answered to a save or another sending after the sending."""
    details = {"submission": assignment.submission.pk, "sent_at": assignment.submission.sent_at.isoformat()}
    said = _("This task was sent already, and cannot be changed.")
    return RefusedError(409, "already_sent", said, _("Go on with the next task."), details)


def keep(assignment: Assignment, number: int, work: Any, tab: str) -> DraftVersion:
    """Returns a new version; the database refuses one whose number is taken."""
    version = DraftVersion(assignment=assignment, version=number, work=work, tab=tab, saved_at=timezone.now())
    version.save(force_insert=True)
    return version


def lease_over(kept: DraftVersion, details: dict[str, Any]) -> RefusedError:
    """Returns what is answered to work that came too late and is kept all the same."""
    said = _("The time for this task is over, and another person has got it or it was given back.")
    remedy = _("What you did is kept as version %(version)s; go on with the next task.") % {"version": kept.version}
    return RefusedError(409, "lease_over", said, remedy, details)
