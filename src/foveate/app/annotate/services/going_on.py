"""Where a person goes on after sending something."""

from __future__ import annotations

import logging

from django.db import DatabaseError, InterfaceError
from django.urls import reverse

from foveate.app.accounts.models import User
from foveate.app.annotate.models import Project
from foveate.app.annotate.services import hooks
from foveate.app.annotate.services.lend import Wish, lend

_LOG = logging.getLogger("foveate.annotate")


def after_sending(person: User, project: Project) -> str:
    """Returns as `next_page` does; what is in the database is acknowledged even if the database is away since."""
    try:
        return next_page(person, project)
    except (DatabaseError, InterfaceError):
        _LOG.exception("nothing could be lent after a submission")
        return reverse("annotate:mine")


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
    found = (hook(person, project) for hook in hooks.NEXT_PAGE)
    return next((page for page in found if page is not None), reverse("annotate:mine"))
