"""What goes in and out of the API of uploads and entries."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from ninja import Schema
from pydantic import AnyHttpUrl, ConfigDict, Field

from foveate.annotation.work import WITHOUT_NUL

_LARGEST = 2**62
Link = Annotated[AnyHttpUrl, Field(max_length=500)]


class _In(Schema):
    model_config = ConfigDict(extra="forbid")


class FileIn(_In):
    """A file that is to be sent: its name and size, and its sha256 where it is known, which is looked at in the end."""

    name: str = Field(min_length=1, max_length=300, pattern=WITHOUT_NUL)
    size: int = Field(ge=0, le=_LARGEST)
    sha256: str = Field("", pattern="^([0-9a-f]{64})?$")


class UploadOut(Schema):
    """An upload. `received` bytes are on the disk: the next part begins there, and has at most `part` bytes."""

    id: UUID
    name: str
    size: int
    received: int
    part: int
    kept_until: str


class WordsIn(_In):
    """What a team says of an entry: `note` is for itself and the organisers, the rest for all who may see the entry."""

    method: str = Field("", max_length=200, pattern=WITHOUT_NUL)
    description: str = Field("", max_length=5_000, pattern=WITHOUT_NUL)
    links: list[Link] = Field(default_factory=list, max_length=5)
    note: str = Field("", max_length=5_000, pattern=WITHOUT_NUL)


class EntryIn(WordsIn):
    """An entry: an upload that is whole, and a `key` of the sender's: with the same key, sending twice is once."""

    key: UUID
    upload: UUID
    public: bool = True


class EntryChangeIn(_In):
    """What is to change of an entry; what is left out stays."""

    method: str | None = Field(None, max_length=200, pattern=WITHOUT_NUL)
    description: str | None = Field(None, max_length=5_000, pattern=WITHOUT_NUL)
    links: list[Link] | None = Field(None, max_length=5)
    note: str | None = Field(None, max_length=5_000, pattern=WITHOUT_NUL)
    public: bool | None = None


class EventOut(Schema):
    """Something that happened to an entry: a word, and a sentence."""

    at: str
    what: str
    said: str


class OwnOut(Schema):
    """What a team and the organisers know of an entry.

    `over`: its state changes no more by itself. `position`: in the queue, 1 for the next. `cost`: of which limits it
    takes one: `valid` (of both), `all` (of all entries only), `nothing`. `problems`: what the check found.
    """

    person: str
    note: str
    public: bool
    chosen: bool
    file_name: str
    file_bytes: int
    sha256: str
    container: str
    ended_at: str | None
    over: bool
    why: str
    problems: list[dict[str, Any]]
    cost: str
    position: int | None
    stage: str
    progress: float
    log: str
    events: list[EventOut]


class EntryOut(Schema):
    """An entry; `own` is None for who may not see it.

    `scores` are texts by metric, times 100, as far as they are shown now; `intervals` both ends of the 95 % interval of
    each, likewise, and None while that is being worked out.
    """

    challenge: str
    phase: str
    number: int
    team: str
    state: str
    method: str
    description: str
    links: list[str]
    sent_at: str
    after_end: bool
    scores: dict[str, str] | None
    intervals: dict[str, tuple[str, str] | None] | None
    own: OwnOut | None


class LeftOut(Schema):
    """How many entries a team may still send; None for any number. Days are of UTC; `next_day` begins the next."""

    valid_today: int | None
    valid_in_all: int | None
    all_today: int | None
    all_in_all: int | None
    at_once: int
    next_day: str


class EntriesOut(Schema):
    """A team's entries, newest first (at most 500), and what is left of the limits of each phase, by its name."""

    team: str
    entries: list[EntryOut]
    left: dict[str, LeftOut]
