"""What waits for organisers, told by the apps that build on Annotate when Django starts (`AppConfig.ready`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.functional import Promise

from foveate.app.annotate.models import Project
from foveate.app.annotate.parts import parts_among


@dataclass(frozen=True)
class Waiting:
    """A kind of thing that waits for an organiser.

    Attributes:
        url_name: The page on which it is done; its address takes the project's slug.
        count: How many there are in each of some projects that has any, by the projects' numbers. It is asked whenever
            somebody opens the first page, for all projects at once.
        said: What so many of them are called, the number in it.
        act: What is done about it, where that comes before what is made of a project: the main button of its page.
        parts: In which parts of another project (`parts.PARTS`) it is told too.
        closed: Whether it is told on the first page of closed projects too.
    """

    url_name: str
    count: Callable[[QuerySet[Project]], Mapping[int, int]]
    said: Callable[[int], str]
    act: str | Promise = ""
    parts: tuple[str, ...] = ("qualification", "trial")
    closed: bool = False


@dataclass(frozen=True)
class Waits:
    """Something that waits in a project, and where it is done."""

    project: Project
    url: str
    said: str


# In the order in which they are told.
WAITING: list[Waiting] = []


def what_waits() -> list[Waits]:
    """Returns what waits for an organiser in all projects, by their titles."""
    every, running = Project.objects.all(), Project.objects.exclude(state="closed")
    counts = [(kind, kind.count(every if kind.closed else running)) for kind in WAITING]
    found = list(Project.objects.filter(pk__in={pk for _, some in counts for pk in some}).order_by("title", "slug"))
    parts = parts_among(found)
    return [
        Waits(project, reverse(kind.url_name, args=[project.slug]), kind.said(some[project.pk]))
        for project in found
        for kind, some in counts
        if some.get(project.pk) and (project.pk not in parts or parts[project.pk].name in kind.parts)
    ]


def next_act(project: Project) -> tuple[str, str | Promise] | None:
    """Returns address and name of what is to be done before something is made of a project; None where nothing is."""
    one = Project.objects.filter(pk=project.pk)
    acts = ((kind.url_name, kind.act) for kind in WAITING if kind.act and kind.count(one).get(project.pk))
    return next(((reverse(name, args=[project.slug]), act) for name, act in acts), None)
