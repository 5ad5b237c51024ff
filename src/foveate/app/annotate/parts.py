"""Projects that belong to another one, as its qualification or its trial; the app that makes them tells which."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from foveate.app.annotate.models import Project

PARTS: dict[str, Promise] = {"qualification": _("Qualification"), "trial": _("Trial")}


@dataclass(frozen=True)
class Part:
    """What a project is to another one.

    Attributes:
        name: Which part, of `PARTS`.
        project: The project that it belongs to.
        people: How many people are in it now.
        finished: How many have done all of it.
    """

    name: str
    project: Project
    people: int
    finished: int

    @property
    def label(self) -> Promise:
        """What the part is called."""
        return PARTS[self.name]


# Given projects' numbers, which of them are parts of others, by their numbers.
PART_OF: list[Callable[[Iterable[int]], dict[int, Part]]] = []


def parts_among(projects: Iterable[Project]) -> dict[int, Part]:
    """Returns which of some projects are parts of others, by their numbers."""
    numbers = [project.pk for project in projects]
    return {number: part for hook in PART_OF for number, part in hook(numbers).items()}


def part_of(project: Project) -> Part | None:
    """Returns what a project is to another one; None where it stands for itself."""
    return parts_among([project]).get(project.pk)


def nested(projects: list[Project]) -> list[tuple[Project, list[tuple[Project, Part]]]]:
    """Returns those projects that are no parts, in their order, each with those that belong to it.

    What belongs to a part (one may be admitted to a trial) is with the project that this belongs to; parts of projects
    that are not among them are left out.
    """
    parts = parts_among(projects)
    of: dict[int, list[tuple[Project, Part]]] = {}
    for project in projects:
        if project.pk in parts:
            of.setdefault(_whole(project.pk, parts), []).append((project, parts[project.pk]))
    order = list(PARTS)
    rows = {number: sorted(some, key=lambda row: order.index(row[1].name)) for number, some in of.items()}
    return [(one, rows.get(one.pk, [])) for one in projects if one.pk not in parts]


def _whole(number: int, parts: dict[int, Part]) -> int:
    while number in parts:
        number = parts[number].project.pk
    return number
