"""What there is to do for a person now, by their roles."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.utils.functional import Promise

from foveate.app.accounts.models import User
from foveate.app.accounts.roles import roles_of
from foveate.app.annotate.links import Offer, offers_for, under_headings
from foveate.app.annotate.models import Assignment, Project
from foveate.app.annotate.parts import Part, nested
from foveate.app.annotate.progress import Progress, left_of, progress_of_all, projects_for
from foveate.app.annotate.views.work import begun
from foveate.app.annotate.waiting import Waits, what_waits

# The first page is a beginning; all of it is on the pages that it leads to.
MOST = 6
_ACTIVE = ("open", "paused", "draft")


@dataclass(frozen=True)
class ToAnnotate:
    """A project with something to do for a person: what they have begun, and how many tasks are left."""

    project: Project
    begun: list[Assignment]
    left: int


@dataclass(frozen=True)
class Home:
    """The first page of a person.

    Attributes:
        roles: What they may be; the page has a section for each.
        to_annotate: Projects with something to do, begun ones first.
        offers: Projects that they may apply for, or have applied for, by headings.
        may_apply: Whether they can do something about one of these.
        waits: What an organiser is waited for, by projects.
        running: An organiser's projects that are not closed, with how far they are and their parts.
        alone: Whether an admin has nobody else here yet.
    """

    roles: frozenset[str]
    to_annotate: list[ToAnnotate] = field(default_factory=list)
    offers: list[tuple[str, Promise, list[Offer]]] = field(default_factory=list)
    may_apply: bool = False
    waits: list[tuple[Project, list[Waits]]] = field(default_factory=list)
    running: list[tuple[Project, Progress, list[tuple[Project, Part]]]] = field(default_factory=list)
    alone: bool = False


def what_is_there(user: User) -> Home:
    """Returns what a person's first page shows."""
    roles = roles_of(user)
    offers = offers_for(user)[:MOST] if "annotator" in roles else []
    return Home(
        roles,
        _to_annotate(user) if "annotator" in roles else [],
        under_headings(offers),
        any(offer.stands != "over" for offer in offers),
        _waiting() if "organiser" in roles else [],
        _running() if "organiser" in roles else [],
        "admin" in roles and not User.objects.exclude(pk=user.pk).exists(),
    )


def _to_annotate(user: User) -> list[ToAnnotate]:
    projects = projects_for(user).order_by("title", "slug")
    rows = (ToAnnotate(project, begun(user, project), left_of(user, project)) for project in projects)
    return sorted((row for row in rows if row.begun or row.left), key=lambda row: not row.begun)[:MOST]


def _waiting() -> list[tuple[Project, list[Waits]]]:
    found: dict[Project, list[Waits]] = {}
    for one in what_waits():
        found.setdefault(one.project, []).append(one)
    return list(found.items())


def _running() -> list[tuple[Project, Progress, list[tuple[Project, Part]]]]:
    found = Project.objects.filter(state__in=_ACTIVE).order_by("-made_at", "slug")
    nearest = nested(sorted(found, key=lambda project: _ACTIVE.index(project.state)))[:MOST]
    progress = progress_of_all([project for project, _ in nearest])
    return [(project, progress[project.pk], parts) for project, parts in nearest]
