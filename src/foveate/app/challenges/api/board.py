"""The API of leaderboards: what the page shows, to whom the page shows it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Field, Router, Schema

from foveate.app.api_auth import AUTH
from foveate.app.challenges.api.pages import anybody
from foveate.app.challenges.services import board as boards
from foveate.app.challenges.services import board_files
from foveate.app.challenges.views.board import board_of, name_of, team_seen

router = Router(auth=[*AUTH, anybody])
Offset = Annotated[int, Field(ge=0, lt=2**31)]
Limit = Annotated[int, Field(ge=1, le=1000)]


class ValueOut(Schema):
    """A metric's value in its own unit (a share of 1), as it is shown.

    Attributes:
        low: Lower end of its 95 % interval; None while that is being worked out.
        value_scored: Over the rows with a region; after the end only, as `n` and `undefined` are.
    """

    value: float | None
    low: float | None
    high: float | None
    value_scored: float | None = None
    n: int | None = None
    undefined: str | None = None


class RowOut(Schema):
    """A team on a board.

    Attributes:
        place: None without one.
        status: `ranked`, `listed` without a place, or `disqualified`.
        entry: The number of the entry that counts; None where that is not shown.
        sent_at: When that was sent, in UTC.
        metrics: Empty where values are not shown.
    """

    place: int | None
    shared: bool
    team: str
    team_number: int
    status: str
    entry: int | None
    entries: int
    sent_at: str | None
    method: str
    links: list[str]
    metrics: dict[str, ValueOut]


class ReferenceOut(Schema):
    """A row that is no team's."""

    name: str
    source: str
    published: bool
    metrics: dict[str, ValueOut]


class BoardOut(Schema):
    """A leaderboard, or some of its rows.

    Attributes:
        shown: `all`, `rounded` (four digits of a share), `rank_only` or `hidden`.
        n: How many rows there are.
        after_end: What was sent after the end, ranked by itself.
    """

    challenge: str
    phase: str
    shown: str
    main: str
    metrics: list[str]
    ties: str
    counts: str
    n: int
    rows: list[RowOut]
    after_end: list[RowOut]
    references: list[ReferenceOut]


class EntryOut(Schema):
    """A scored entry of a team."""

    entry: int
    sent_at: datetime
    public: bool
    after_end: bool
    method: str
    metrics: dict[str, ValueOut]


class HistoryOut(Schema):
    """A team's scored entries, the oldest first."""

    team: str
    entries: list[EntryOut]


@router.get("/challenges/{slug:slug}/phases/{slug:phase}/leaderboard", response=BoardOut, exclude_unset=True)
def get_leaderboard(
    request: HttpRequest, slug: str, phase: str, offset: Offset = 0, limit: Limit = 100
) -> dict[str, Any]:
    """Tells who stands where, `limit` rows from `offset` on."""
    return board_files.as_json(board_of(request, slug, phase), offset, offset + limit)


@router.get("/challenges/{slug:slug}/phases/{slug:phase}/teams/{int:team}", response=HistoryOut, exclude_unset=True)
def get_team_history(request: HttpRequest, slug: str, phase: str, team: int) -> dict[str, Any]:
    """Tells a team's scored entries over time."""
    found = board_of(request, slug, phase)
    row, own = team_seen(request, found, team)
    return {
        "team": name_of(found, row, own=own),
        "entries": [
            {
                "entry": entry.number,
                "sent_at": entry.sent_at,
                "public": entry.public,
                "after_end": entry.after_end,
                "method": entry.method,
                "metrics": {name: value.as_dict() for name, value in shown.metrics.items()},
            }
            for entry, shown in boards.history(found, row, own=own)
        ],
    }
