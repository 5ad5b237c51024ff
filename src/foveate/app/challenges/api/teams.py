"""The API of taking part and of teams."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from ninja import Router, Schema
from ninja.responses import Status
from pydantic import ConfigDict, Field

from foveate.app.accounts.roles import person_of
from foveate.app.annotate.services.access import not_found
from foveate.app.challenges.models import Challenge, Team
from foveate.app.challenges.services import finding, membership, participants, team_links

router = Router()


class _In(Schema):
    model_config = ConfigDict(extra="forbid")


class RulesIn(_In):
    """The SHA-256 of the rules that are accepted, empty where there are none."""

    rules_digest: str = Field("", max_length=64)


class TeamIn(_In):
    """A team's name; without one, it is called as the person is."""

    name: str | None = Field(None, max_length=200)


class LinkIn(_In):
    """For how long and for how many people a link is."""

    days: int = Field(7, ge=1, le=team_links.MOST_DAYS)
    uses: int = Field(1, ge=1, le=team_links.MOST_USES)


class CodeIn(_In):
    """The code of a link into a team."""

    code: str = Field(min_length=1, max_length=200)


class ParticipationOut(Schema):
    """Whether a person takes part, and by which rules."""

    takes_part: bool
    joined_at: datetime | None
    rules_digest: str = Field(description="Of the rules that the person accepted.")
    rules_now: str = Field(description="Of the rules as they are; send it to accept them.")


class MemberOut(Schema):
    """Somebody in a team."""

    name: str
    pseudonym: UUID
    captain: bool
    joined_at: datetime


class TeamOut(Schema):
    """A team, as its own people see it."""

    id: int
    name: str
    alias: str
    members: list[MemberOut]
    most_members: int | None
    closes: datetime | None
    disqualified: bool
    disqualified_why: str


class LinkOut(Schema):
    """A link into a team; its code is shown only now."""

    url: str
    code: str
    expires_at: datetime


@router.get("/challenges/{slug:slug}/participation", response=ParticipationOut, summary="Do I take part?")
def get_participation(request: HttpRequest, slug: str) -> dict[str, Any]:
    """Tells whether the person takes part, and which rules there are."""
    return _participation(request, finding.challenge(request, slug))


@router.post("/challenges/{slug:slug}/participation", response=ParticipationOut, summary="Take part")
def take_part(request: HttpRequest, slug: str, accepted: RulesIn) -> dict[str, Any]:
    """Lets the person take part, or accept rules that have changed; again changes nothing."""
    challenge = finding.challenge(request, slug)
    participants.take_part(request, challenge, person_of(request), accepted.rules_digest)
    return _participation(request, challenge)


@router.get("/challenges/{slug:slug}/team", response=TeamOut, summary="My team")
def get_team(request: HttpRequest, slug: str) -> dict[str, Any]:
    """Tells the person's team; 404 where they are in none."""
    return _told(_own(request, slug))


@router.post("/challenges/{slug:slug}/team", response={201: TeamOut}, summary="Make a team")
def make_team(request: HttpRequest, slug: str, wanted: TeamIn) -> Status[Any]:
    """Makes a team whose captain is the person."""
    challenge, person = finding.challenge(request, slug), person_of(request)
    if wanted.name is None:
        made = membership.make_solo(person, challenge, request=request)
    else:
        made = membership.make(person, challenge, wanted.name, request=request)
    return Status(201, _told(made))


@router.post("/challenges/{slug:slug}/team/links", response={201: LinkOut}, summary="Make a link into my team")
def make_team_link(request: HttpRequest, slug: str, wanted: LinkIn) -> Status[Any]:
    """Makes a link into the team; for its captain."""
    own = _own(request, slug)
    made, path = team_links.make(person_of(request), own, days=wanted.days, uses=wanted.uses, request=request)
    code = path.partition("code=")[2]
    return Status(201, {"url": request.build_absolute_uri(path), "code": code, "expires_at": made.expires_at})


@router.post("/challenges/{slug:slug}/team/join", response=TeamOut, summary="Join a team")
def join_team(request: HttpRequest, slug: str, sent: CodeIn) -> dict[str, Any]:
    """Brings the person into the team that a link's code is of."""
    link = team_links.of_code(finding.challenge(request, slug), sent.code)
    if link is None:
        raise team_links.over()
    return _told(team_links.follow(person_of(request), link, request=request))


@router.post("/challenges/{slug:slug}/team/leave", response={204: None}, summary="Leave my team")
def leave_team(request: HttpRequest, slug: str) -> Status[None]:
    """Takes the person out of their team."""
    membership.leave(person_of(request), finding.challenge(request, slug), request=request)
    return Status(204, None)


def _own(request: HttpRequest, slug: str) -> Team:
    own = membership.team_of(person_of(request), finding.challenge(request, slug))
    if own is None:
        raise not_found()
    return own


def _participation(request: HttpRequest, challenge: Challenge) -> dict[str, Any]:
    row = participants.participant(request.user, challenge)
    return {
        "takes_part": row is not None,
        "joined_at": row.joined_at if row else None,
        "rules_digest": row.rules_digest if row else "",
        "rules_now": participants.digest_of(finding.definition(challenge).rules),
    }


def _told(team: Team) -> dict[str, Any]:
    rules = finding.definition(team.challenge).teams
    people = membership.members(team)
    return {
        "id": team.pk,
        "name": team.name,
        "alias": team.alias,
        "members": [
            {
                "name": one.person.shown_name,
                "pseudonym": one.person.pseudonym,
                "captain": one.captain,
                "joined_at": one.joined_at,
            }
            for one in people
        ],
        "most_members": rules.most_members,
        "closes": rules.closes,
        "disqualified": team.disqualified_at is not None,
        "disqualified_why": team.disqualified_why,
    }
