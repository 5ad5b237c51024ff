"""The links at the top of every page: parts of the site add theirs, and each person sees those of their roles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from foveate.app.accounts.models import User
from foveate.app.accounts.roles import Role, roles_of


@dataclass(frozen=True)
class Entry:
    """A link to a page.

    Attributes:
        url_name: The page's name, one that needs no arguments.
        label: What the link says.
        role: Whose link it is, of one role or several; None for everybody, signed in or not.
        also: Names of pages that belong to it though their addresses do not lie under its own.
    """

    url_name: str
    label: str | Promise
    role: Role | tuple[Role, ...] | None = None
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class Link:
    """An entry as a page draws it; `current` is what `aria-current` says, empty elsewhere."""

    url: str
    label: str | Promise
    current: str


# At the top of the page, in this order.
ENTRIES: list[Entry] = [
    Entry("home", _("Home")),
    Entry("challenges:index", _("Challenges")),
    Entry("annotate:mine", _("Annotate"), "annotator"),
    Entry("annotate:projects", _("Projects"), "organiser", ("annotate:new",)),
    Entry("rounds:screenings", _("Screening"), ("annotator", "organiser")),
    Entry("talk:questions", _("Questions"), ("annotator", "organiser")),
    Entry("invitations", _("Invitations"), "organiser"),
    Entry("people", _("People"), "admin"),
    Entry("audit_log", _("Audit log"), "admin"),
]

# Of entries that are not always of use: whether they are to somebody; apps put theirs in (`AppConfig.ready`).
OF_USE: dict[str, Callable[[User], bool]] = {}

# Of entries that are not everybody's though they are of no role: whether they are to who asks; apps put theirs in.
SHOWN: dict[str, Callable[[HttpRequest], bool]] = {}

# In the menu under a person's name.
OWN_ENTRIES: list[Entry] = [
    Entry("profile", _("Profile")),
    Entry("tokens", _("API tokens")),
    Entry("style", _("What pages are made of"), "admin"),
    Entry("admin:index", _("Tables of the database"), "admin"),
]


def links(request: HttpRequest, entries: list[Entry]) -> list[Link]:
    """Returns the links that the person of a request may follow, the page that they are on marked."""
    person = getattr(request, "user", None)
    roles = frozenset() if person is None else roles_of(person)
    mine = [entry for entry in entries if _is_for(entry, roles) and _of_use(entry, person)]
    made = [(reverse(entry.url_name), entry) for entry in mine if shown(request, entry.url_name)]
    # The nearest one above the page, so that of `/annotate/` and `/annotate/projects/` one is marked.
    parts = [(part, url) for url, entry in made for part in (url, *map(reverse, entry.also)) if url != reverse("home")]
    nearest = max((pair for pair in parts if request.path.startswith(pair[0])), key=_length, default=("", ""))[1]
    return [Link(url, entry.label, _current(request, url, nearest)) for url, entry in made]


def shown(request: HttpRequest, url_name: str) -> bool:
    """Returns whether a page is open to who asks, by what its app says in `SHOWN`."""
    asked = SHOWN.get(url_name)
    return asked is None or asked(request)


def _is_for(entry: Entry, roles: frozenset[str]) -> bool:
    if entry.role is None:
        return True
    return entry.role in roles if isinstance(entry.role, str) else not roles.isdisjoint(entry.role)


def _of_use(entry: Entry, person: Any) -> bool:
    asked = OF_USE.get(entry.url_name)
    return asked is None or not isinstance(person, User) or asked(person)


def _length(pair: tuple[str, str]) -> int:
    return len(pair[0])


def _current(request: HttpRequest, url: str, nearest: str) -> str:
    if request.path == url:
        return "page"
    return "true" if url == nearest else ""
