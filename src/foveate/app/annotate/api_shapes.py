"""What goes in and out of the API of Annotate."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from ninja import Schema
from pydantic import ConfigDict, Field

from foveate.annotation.kinds import Stage
from foveate.annotation.work import WITHOUT_NUL, Work


class _In(Schema):
    model_config = ConfigDict(extra="forbid")


class WishIn(_In):
    """What a person would like to be lent."""

    stage: Stage | None = None
    task: int | None = Field(None, ge=1, le=2**62)


class DraftIn(_In):
    """A draft, with the version that it was made from."""

    base: int = Field(ge=0, le=2**31 - 2)
    tab: str = Field(min_length=1, max_length=40, pattern=WITHOUT_NUL)
    work: Work
    overwrite: bool = False


class SubmissionIn(_In):
    """A work that is to be sent. The key is a random UUID of the sender's."""

    key: UUID
    work: Work


class GiveBackIn(_In):
    """Why a task is given back."""

    why: str = Field("", max_length=200, pattern=WITHOUT_NUL)


class TilesOut(Schema):
    """A large photo in tiles."""

    url: str
    size: int
    levels: int


class PhotoOut(Schema):
    """Where a photo is."""

    url: str
    tiles: TilesOut | None


class TaskOut(Schema):
    """A task."""

    key: str
    project: str
    stage: Stage
    question: str
    answer: str
    image_name: str
    size_hw: tuple[int, int]
    photo: PhotoOut


class DraftOut(Schema):
    """The newest version of a draft."""

    version: int
    work: dict[str, Any]
    tab: str
    saved_at: datetime


class ShownOut(Schema):
    """What a verifier is shown."""

    box: tuple[float, float, float, float] | None


class AssignmentOut(Schema):
    """A task in a person's hands."""

    id: int
    state: str
    leased_until: datetime
    now: datetime
    task: TaskOut
    draft: DraftOut | None
    shown: ShownOut | None


class SavedOut(Schema):
    """What a save has become."""

    version: int
    saved_at: datetime
    leased_until: datetime


class SentOut(Schema):
    """What a sending has become; `next` is the address of the next page."""

    submission: int
    next: str


class SubmissionOut(Schema):
    """What was sent."""

    id: int
    assignment: int
    key: UUID
    work: dict[str, Any]
    seconds: float
    sent_at: datetime
