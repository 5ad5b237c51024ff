"""Where a person goes on after sending something."""

from __future__ import annotations

from django.urls import reverse

from foveate.app.accounts.models import User
from foveate.app.annotate.models import Project
from foveate.app.annotate.services.lend import Wish, lend


def next_page(person: User, project: Project) -> str:
    """Returns the address of the next page: of the next task, which is lent with it, or of all that there is.

    Photos to ask about are picked by people, so that none is lent unasked.
    """
    stages = ("box", "verify") if project.kind == "box_collection" else (None,)
    if project.state == "open":
        for stage in stages:
            lent = lend(person, project, Wish(stage=stage))
            if lent is not None:
                return reverse("annotate:work", args=(lent.assignment.pk,))
    return reverse("annotate:mine")
