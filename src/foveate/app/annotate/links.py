"""Links that the apps which build on Annotate put on its pages when Django starts (`AppConfig.ready`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from foveate.app.accounts.models import User
from foveate.app.annotate.models import Assignment, Project


@dataclass(frozen=True)
class ProjectLink:
    """A link to a page about a project.

    Attributes:
        url_name: The page's name; its address takes the project's slug.
        label: What the link says.
        shown: Whether somebody gets it, for a project.
        new: How many new things somebody finds there; the link says so.
        group: Under which heading of an organiser's page of a project it stands, of `GROUPS`.
        parts: In which parts of another project (`parts.PARTS`) an organiser gets it too.
    """

    url_name: str
    label: str | Promise
    shown: Callable[[User, Project], bool] = lambda _person, _project: True
    new: Callable[[User, Project], int] = lambda _person, _project: 0
    group: str = "data"
    parts: tuple[str, ...] = ("qualification", "trial")


@dataclass(frozen=True)
class SentLink:
    """A link to a page about something that was sent.

    Attributes:
        url_name: The page's name; its address takes the assignment's number.
        label: What the link says.
    """

    url_name: str
    label: str | Promise


@dataclass(frozen=True)
class Offer:
    """A project that somebody may apply for, or has applied for.

    Attributes:
        title: The project's.
        url: The address of the page that tells more.
        said: Where the person stands.
        stands: Under which heading that is, of `OFFERS`: whether they may apply, go on, or can do nothing any more.
    """

    title: str
    url: str
    said: str | Promise
    stands: str = "apply"


@dataclass(frozen=True)
class PersonLink:
    """A link about what a person does in a project.

    Attributes:
        url_name: The page's name; its address takes the project's slug and the person's pseudonym.
        label: What the link says.
    """

    url_name: str
    label: str | Promise


# On an organiser's page of a project, by their groups, in this order.
PROJECT: list[ProjectLink] = []
GROUPS: dict[str, Promise] = {"people": _lazy("People"), "quality": _lazy("Quality"), "data": _lazy("Data")}
# On an annotator's card of a project.
MINE: list[ProjectLink] = []
# On an annotator's first page, of projects that are not open to them yet.
OPEN_TO_APPLY: list[Callable[[User], list[Offer]]] = []
OFFERS: dict[str, Promise] = {
    "apply": _lazy("Projects to apply for"),
    "applied": _lazy("Projects you have applied for"),
    "over": _lazy("Projects you were not admitted to"),
}
# What somebody is told beside a task before they send it.
TASK_NOTE: list[Callable[[Assignment], str | None]] = []
# Beside a task that is being done; opened in a new tab.
TASK: list[ProjectLink] = []
# Beside each submission, on an organiser's page of its task.
SENT: list[SentLink] = []
# The name of the page about a person's work in a project, to which their name leads.
PERSON_PAGE: list[str] = []
# What else an organiser may do about a person, on that page: write to them, for one.
PERSON: list[PersonLink] = []


def links_for(links: list[ProjectLink], person: User, project: Project) -> list[tuple[str, str | Promise]]:
    """Returns address and label of those links that somebody gets."""
    shown = (link for link in links if link.shown(person, project))
    return [(reverse(link.url_name, args=[project.slug]), _label(link, person, project)) for link in shown]


def grouped(
    links: list[ProjectLink], person: User, project: Project, part: str | None = None
) -> list[tuple[str, Promise, list[tuple[str, str | Promise]]]]:
    """Returns name and heading of each group, and in it address and label of those links that somebody gets.

    Args:
        links: Of which links.
        person: Who gets them.
        project: For which project.
        part: Which part of another project it is, of `parts.PARTS`; None where it is none.
    """
    links = [link for link in links if part is None or part in link.parts]
    every = ((name, [link for link in links if link.group == name]) for name in GROUPS)
    return [(name, GROUPS[name], links_for(some, person, project)) for name, some in every]


def _label(link: ProjectLink, person: User, project: Project) -> str | Promise:
    new = link.new(person, project)
    return _("%(label)s (%(n)d new)") % {"label": link.label, "n": new} if new else link.label


def offers_for(person: User) -> list[Offer]:
    """Returns the projects that somebody may apply for, or has applied for; first those where they can do something."""
    order = list(OFFERS)
    found = [offer for offers in OPEN_TO_APPLY for offer in offers(person)]
    return sorted(found, key=lambda offer: order.index(offer.stands))


def under_headings(offers: list[Offer]) -> list[tuple[str, Promise, list[Offer]]]:
    """Returns name and heading of each group of offers that there is, with those that belong there."""
    some = {name: [offer for offer in offers if offer.stands == name] for name in OFFERS}
    return [(name, OFFERS[name], found) for name, found in some.items() if found]


def notes_beside(assignment: Assignment) -> list[str]:
    """Returns what the person who has a task is told before they send it."""
    return [said for note in TASK_NOTE if (said := note(assignment))]


def person_page(slug: str, pseudonym: UUID) -> str:
    """Returns the address of the page about a person's work in a project; empty where no app has one."""
    return next((reverse(name, args=[slug, pseudonym]) for name in PERSON_PAGE), "")
