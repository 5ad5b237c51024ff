"""The API of Annotate: take a task, save its draft, send it, give it back (`design/annotation.md`)."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Router
from ninja.responses import Status

from foveate.app.accounts.roles import person_of
from foveate.app.annotate.api_shapes import (
    AssignmentOut,
    DraftIn,
    GiveBackIn,
    SavedOut,
    SentOut,
    SubmissionIn,
    SubmissionOut,
    WishIn,
)
from foveate.app.annotate.models import Assignment
from foveate.app.annotate.services import access, drafts, lend, send
from foveate.app.annotate.services.going_on import after_sending
from foveate.app.annotate.services.shown import assignment_details

router = Router(tags=["annotate"])


@router.post("/projects/{slug:slug}/assignments", response={200: AssignmentOut, 201: AssignmentOut, 204: None})
def lend_next(request: HttpRequest, slug: str, wish: WishIn | None = None) -> Status[Any]:
    """Lends the next task to me, or gives the one that I have; 204 where nothing is left for me."""
    person = person_of(request)
    project = access.project_to_work_on(person, slug)
    lent = lend.lend(person, project, lend.Wish(wish.stage, wish.task) if wish else None)
    if lent is None:
        return Status(204, None)
    return Status(201 if lent.new else 200, assignment_details(lent.assignment))


@router.get("/assignments/{number}", response=AssignmentOut)
def get_assignment(request: HttpRequest, number: int) -> dict[str, Any]:
    """Tells what is to be done and how far it is."""
    return assignment_details(access.own_assignment(person_of(request), number))


@router.put("/assignments/{number}/draft", response=SavedOut)
def save_draft(request: HttpRequest, number: int, draft: DraftIn) -> dict[str, Any]:
    """Saves a draft on top of the version that it was made from, and renews the lease."""
    wanted = drafts.Draft(draft.base, draft.tab, draft.work, draft.overwrite)
    version, assignment = drafts.save(person_of(request), number, wanted)
    return {"version": version.version, "saved_at": version.saved_at, "leased_until": assignment.leased_until}


@router.post("/assignments/{number}/submission", response={200: SentOut, 201: SentOut})
def send_submission(request: HttpRequest, number: int, submission: SubmissionIn) -> Status[Any]:
    """Sends the work; the same key twice is once. Answers the address of the next page."""
    person = person_of(request)
    sent = send.send(person, number, submission.key, submission.work)
    found = {"submission": sent.submission.pk, "next": after_sending(person, sent.submission.assignment.task.project)}
    return Status(201 if sent.new else 200, found)


@router.get("/assignments/{number}/submission", response=SubmissionOut)
def get_submission(request: HttpRequest, number: int) -> dict[str, Any]:
    """Tells what was sent, to the person who sent it and to organisers."""
    return _submission(access.readable_submission(person_of(request), number))


@router.post("/assignments/{number}/return", response=AssignmentOut)
def give_back(request: HttpRequest, number: int, given: GiveBackIn) -> dict[str, Any]:
    """Gives the task back, for another person; its draft stays."""
    return assignment_details(send.give_back(person_of(request), number, given.why))


def _submission(assignment: Assignment) -> dict[str, Any]:
    sent = assignment.submission
    return {
        "id": sent.pk,
        "assignment": assignment.pk,
        "key": sent.key,
        "work": sent.work,
        "seconds": sent.seconds,
        "sent_at": sent.sent_at,
    }
