"""What is left of a screening goes on: as a project in which people draw."""

from __future__ import annotations

from django.db.models import F
from django.http import HttpRequest

from foveate.annotation.kinds import ProjectSettings
from foveate.annotation.origin import Origin
from foveate.annotation.reading import Choice
from foveate.app.accounts.audit import note
from foveate.app.accounts.models import User
from foveate.app.annotate.models import Project
from foveate.app.annotate.projects import Plan, create
from foveate.app.annotate.services.transactions import at_once
from foveate.app.rounds.models import Screening
from foveate.errors import UsageError


def make_project(
    screening: Screening, slug: str, title: str, made_by: User, *, request: HttpRequest | None = None
) -> Project:
    """Makes a project of the samples that are left, with their questions as rules trimmed them.

    Its photos are those of the data set, so that it needs no file beside; samples without a photo are left out.

    Raises:
        UsageError: The short name is taken, or nothing is left.
        InputError: The data set cannot be read any more, or none of the photos is there.
    """
    left = screening.samples.filter(step="")
    keys = tuple(left.order_by("position").values_list("key", flat=True))
    if not keys:
        raise UsageError(f"screening {screening.slug}", "no sample is left of it", "Look at what the steps removed.")
    origin = Origin.of_texts(screening.dataset, screening.root, screening.questions)
    choice = Choice(ids=keys, only_with_images=True)
    plan = Plan(slug, "grounding", origin, title, ProjectSettings(), choice)

    def act() -> Project:
        project, _ = create(plan, made_by, request=request)
        for key, question in left.exclude(question=F("asked")).values_list("key", "question"):
            project.tasks.filter(key=key).update(question=question)
        note(request, "screening.project_made", screening.slug, actor=made_by, project=project.slug)
        return project

    return at_once(act)
