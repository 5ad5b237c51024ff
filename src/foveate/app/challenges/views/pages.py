"""Pages for everybody: the list of challenges, one with its phases and rules, its data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from foveate.app.accounts.roles import has_role
from foveate.app.annotate.services.access import not_found
from foveate.app.annotate.texts import as_html
from foveate.app.challenges import words
from foveate.app.challenges.models import Challenge, Phase
from foveate.app.challenges.services import finding, freezing, kits
from foveate.challenges import definition, questions
from foveate.challenges.pack import SAMPLES
from foveate.challenges.phases import is_over, when


@dataclass(frozen=True)
class Seen:
    """A phase as pages show it.

    Attributes:
        row: The phase.
        said: What the folder said of it.
        when: `before`, `open` or `over`.
        state: The same in words.
        tone: The class of its badge.
    """

    row: Phase
    said: definition.Phase
    when: str
    state: str | Promise
    tone: str

    @property
    def kind(self) -> str | Promise:
        """What it is for, in words."""
        return words.KINDS[self.said.kind]

    @property
    def forms(self) -> list[str | Promise]:
        """The forms that it takes, in words."""
        return [words.FORMS.get(form, form) for form in self.said.forms]

    @property
    def rules(self) -> list[str]:
        """How it is scored and ranked."""
        return words.rules_of(self.said)

    @property
    def limits(self) -> list[str]:
        """How many entries."""
        return words.limits_of(self.said.limits)


def phases_of(challenge: Challenge, now: datetime) -> list[Seen]:
    """Returns the phases of a challenge that its folder has, in its order."""
    found = []
    for row in challenge.phases.filter(removed=False).order_by("position"):
        said = finding.phase_said(row)
        state = when(said, now)
        found.append(Seen(row, said, state, words.WHEN[state], words.TONES[state]))
    return found


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Shows all challenges that the visitor may see."""
    now = timezone.now()
    freezing.freeze_due(now)
    groups: dict[str, list[tuple[Challenge, list[Seen]]]] = {"open": [], "coming": [], "over": [], "drafts": []}
    for challenge in finding.visible(request.user):
        phases = phases_of(challenge, now)
        groups[_group(challenge, phases, now)].append((challenge, phases))
    titles = {
        "open": _("Open now"),
        "coming": _("Coming"),
        "over": _("Over"),
        "drafts": _("Drafts, which only you and other organisers see"),
    }
    values = {
        "groups": [(name, titles[name], some) for name, some in groups.items() if some],
        "may_load": has_role(request.user, "organiser"),
    }
    return render(request, "challenges/index.html", values)


def _group(challenge: Challenge, phases: Sequence[Seen], now: datetime) -> str:
    if not challenge.published:
        return "drafts"
    if any(phase.when == "open" for phase in phases):
        return "open"
    return "over" if is_over(finding.definition(challenge), now) else "coming"


@require_safe
def overview(request: HttpRequest, slug: str) -> HttpResponse:
    """Shows a challenge: what it is about, its phases, its rules, how to enter."""
    challenge, now = _opened(request, slug)
    said = finding.definition(challenge)
    values = {
        "challenge": challenge,
        "said": said,
        "phases": phases_of(challenge, now),
        "description": as_html(said.description),
        "rules": as_html(said.rules, 3),
        "over": is_over(said, now),
    }
    return render(request, "challenges/overview.html", values)


@require_safe
def data(request: HttpRequest, slug: str) -> HttpResponse:
    """Shows what participants may download."""
    challenge, now = _opened(request, slug)
    said = finding.definition(challenge)
    rows = []
    for phase in phases_of(challenge, now):
        # Of an archive without targets there are none.
        here = bool(phase.row.pack)
        file = kits.questions_name(phase.row, phase.said) if here and questions.may_be_had(phase.said, now) else ""
        n = finding.pack_of(phase.row).n if here else None
        rows.append((phase, n, file, questions.targets_may_be_had(phase.said, now)))
    return render(request, "challenges/data.html", {"challenge": challenge, "said": said, "rows": rows})


@require_safe
def download_questions(request: HttpRequest, slug: str, name: str) -> HttpResponseBase:
    """Sends the questions of a phase that has begun, written from queries."""
    file, called = kits.questions_of(*begun(request, slug, name))
    return FileResponse(file, as_attachment=True, filename=f"{slug}-{name}-{called}")


@require_safe
def download_targets(request: HttpRequest, slug: str, name: str) -> HttpResponseBase:
    """Sends the targets of a practice that gives them."""
    row, said = begun(request, slug, name)
    if not questions.targets_may_be_had(said, timezone.now()):
        raise not_found()
    file = (finding.pack_of(row).folder / SAMPLES).open("rb")
    return FileResponse(file, as_attachment=True, filename=f"{slug}-{name}-targets.jsonl")


@require_safe
def download_kit(request: HttpRequest, slug: str, name: str) -> HttpResponseBase:
    """Sends the starter kit of a phase; of a reproduction it tells what a container is given."""
    challenge, now = _opened(request, slug)
    row = finding.phase(challenge, name)
    if when(finding.phase_said(row), now) == "before":
        raise not_found()
    file, called = kits.kit_of(row, now)
    return FileResponse(file, as_attachment=True, filename=called)


def _opened(request: HttpRequest, slug: str) -> tuple[Challenge, datetime]:
    challenge, now = finding.challenge(request, slug), timezone.now()
    freezing.freeze_due(now, challenge)
    return challenge, now


def begun(request: HttpRequest, slug: str, name: str) -> tuple[Phase, definition.Phase]:
    """Returns a phase whose questions participants may have, and what is said of it.

    Raises:
        RefusedError: There is none that this visitor may see, or not yet (404).
    """
    challenge, now = _opened(request, slug)
    row = finding.phase(challenge, name)
    said = finding.phase_said(row)
    if not questions.may_be_had(said, now):
        raise not_found()
    return row, said
