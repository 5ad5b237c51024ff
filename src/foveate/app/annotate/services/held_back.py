"""Tasks that are taken from a person who is held, before they have begun on them."""

from __future__ import annotations

from foveate.app.accounts.models import User
from foveate.app.annotate.models import Assignment, Project
from foveate.app.annotate.services import places

# `Assignment.why` of these. Who gives a task back says in their own words why.
WHY = "taken back at a pause"


def take(person: User, project: Project) -> int:
    """Returns how many tasks of a project are taken from a person: those on which nothing was saved.

    The next task is lent with the answer to the last one, so that everybody has one in hand at which they have not
    looked. Its place is free for others, and what a page that is still open saves of it is kept aside. Part of a
    transaction.
    """
    leased = Assignment.objects.select_related("task").filter(annotator=person, task__project=project, state="leased")
    untouched = leased.select_for_update(of=("self",), no_key=True).order_by("pk")
    taken = [assignment for assignment in untouched if not assignment.versions.exists()]
    for assignment in taken:
        assignment.state, assignment.why = "returned", WHY
        assignment.save(update_fields=["state", "why"])
        places.give_up(assignment)
    return len(taken)


def put_back(person: User, project: Project) -> None:
    """Lets a person have such tasks again, where a place is free, as if their leases had run out."""
    mine = Assignment.objects.filter(annotator=person, task__project=project, state="returned", why=WHY)
    mine.update(state="expired", why="")
