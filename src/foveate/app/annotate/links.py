"""Links that the apps which build on Annotate put on its pages when Django starts (`AppConfig.ready`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from django.urls import reverse
from django.utils.functional import Promise

from foveate.app.accounts.models import User
from foveate.app.annotate.models import Project


@dataclass(frozen=True)
class ProjectLink:
    """A link to a page about a project.

    Attributes:
        url_name: The page's name; its address takes the project's slug.
        label: What the link says.
        shown: Whether somebody gets it, for a project.
    """

    url_name: str
    label: str | Promise
    shown: Callable[[User, Project], bool] = lambda _person, _project: True


@dataclass(frozen=True)
class PersonLink:
    """A link about what a person does in a project.

    Attributes:
        url_name: The page's name; its address takes the project's slug and the person's pseudonym.
        label: What the link says.
    """

    url_name: str
    label: str | Promise


# On an organiser's page of a project, in this order.
PROJECT: list[ProjectLink] = []
# On an annotator's card of a project.
MINE: list[ProjectLink] = []
# Beside a task that is being done; opened in a new tab.
TASK: list[ProjectLink] = []
# The name of the page about a person's work in a project, to which their name leads.
PERSON_PAGE: list[str] = []
# What else an organiser may do about a person, on that page: write to them, for one.
PERSON: list[PersonLink] = []


def links_for(links: list[ProjectLink], person: User, project: Project) -> list[tuple[str, str | Promise]]:
    """Returns address and label of those links that somebody gets."""
    shown = (link for link in links if link.shown(person, project))
    return [(reverse(link.url_name, args=[project.slug]), link.label) for link in shown]


def person_page(slug: str, pseudonym: UUID) -> str:
    """Returns the address of the page about a person's work in a project; empty where no app has one."""
    return next((reverse(name, args=[slug, pseudonym]) for name in PERSON_PAGE), "")
