"""The API of challenges and their phases: what is published is for everybody, signed in or not."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import FileResponse, HttpRequest
from django.utils import timezone
from ninja import Router, Schema

from foveate.app.api_auth import AUTH
from foveate.app.api_docs import A_FILE
from foveate.app.challenges.models import Challenge
from foveate.app.challenges.services import finding, freezing, kits
from foveate.app.challenges.services.finding import Visitor
from foveate.app.challenges.views.pages import Seen, begun, phases_of
from foveate.challenges.questions import may_be_had


def anybody(request: HttpRequest) -> Visitor:
    """Returns who asks, whoever it is: the last of the ways to be let in, for those without token and session."""
    return request.user


router = Router(auth=[*AUTH, anybody])


class LimitsOut(Schema):
    """How many entries a team may send; None for any number."""

    valid_a_day: int | None
    valid_in_all: int | None
    all_a_day: int | None
    all_in_all: int | None
    at_once: int
    most_bytes: int


class PhaseOut(Schema):
    """A phase.

    Attributes:
        when: `before`, `open` or `over`.
        n: How many questions; null where the data are not on this server, and then there are no questions either.
        questions: The path of the questions, None where they cannot be had (yet).
        frozen_at: Since when its data and rules stay.
    """

    name: str
    title: str
    kind: str
    when: str
    start: datetime | None
    end: datetime | None
    metrics: list[str]
    main: str
    ties: str
    missing: str
    scores: str
    forms: list[str]
    counts: str
    limits: LimitsOut
    after_end: str
    n: int | None
    fingerprint: str
    frozen_at: datetime | None
    questions: str | None


class ChallengeOut(Schema):
    """A challenge, without its phases."""

    slug: str
    title: str
    summary: str
    organisers: str
    contact: str
    website: str
    citation: str
    licence: str
    published: bool
    anonymous: bool
    sign_up: str


class WholeChallengeOut(ChallengeOut):
    """A challenge with its phases; description and rules are Markdown."""

    description: str
    rules: str
    phases: list[PhaseOut]


@router.get("/challenges", response=list[ChallengeOut])
def list_challenges(request: HttpRequest) -> list[dict[str, Any]]:
    """Lists the challenges that I may see, by short name."""
    return [_of(challenge) for challenge in finding.visible(request.user)]


@router.get("/challenges/{slug:slug}", response=WholeChallengeOut)
def get_challenge(request: HttpRequest, slug: str) -> dict[str, Any]:
    """Tells what a challenge is, with its phases."""
    challenge = finding.challenge(request, slug)
    said = finding.definition(challenge)
    return {**_of(challenge), "description": said.description, "rules": said.rules, "phases": _phases(challenge)}


@router.get("/challenges/{slug:slug}/phases", response=list[PhaseOut])
def list_phases(request: HttpRequest, slug: str) -> list[dict[str, Any]]:
    """Lists the phases of a challenge, in its order."""
    return _phases(finding.challenge(request, slug))


@router.get("/challenges/{slug:slug}/phases/{slug:name}/questions", response={200: None}, openapi_extra=A_FILE)
def get_questions(request: HttpRequest, slug: str, name: str) -> FileResponse:
    """Sends the questions of a phase that has begun as a file: CSV, JSON or JSON lines, never with targets."""
    file, called = kits.questions_of(*begun(request, slug, name))
    return FileResponse(file, as_attachment=True, filename=f"{slug}-{name}-{called}")


def _of(challenge: Challenge) -> dict[str, Any]:
    said = finding.definition(challenge)
    return {**vars(said), "published": challenge.published}


def _phases(challenge: Challenge) -> list[dict[str, Any]]:
    now = timezone.now()
    freezing.freeze_due(now, challenge)
    return [_phase(challenge.slug, seen, now) for seen in phases_of(challenge, now)]


def _phase(slug: str, seen: Seen, now: datetime) -> dict[str, Any]:
    questions = f"/api/v1/challenges/{slug}/phases/{seen.row.name}/questions"
    return {
        **vars(seen.said),
        "limits": vars(seen.said.limits),
        "when": seen.when,
        "n": finding.pack_of(seen.row).n if seen.row.pack else None,
        "fingerprint": seen.row.fingerprint,
        "frozen_at": seen.row.frozen_at,
        "questions": questions if seen.row.pack and may_be_had(seen.said, now) else None,
    }
