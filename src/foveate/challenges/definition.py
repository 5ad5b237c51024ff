"""What a challenge is, as its folder says it: phases, data, limits, teams, reference rows, reproduction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal

Kind = Literal["practice", "evaluation", "reproduction"]
# What a visitor sees of scores while a phase is open.
Scores = Literal["shown", "rank_only", "hidden"]
# Of equal scores the earlier entry is first, or they share a place.
Ties = Literal["earlier", "shared"]
# What a sample without a row does: it counts 0, or the file is refused.
Missing = Literal["zero", "refuse"]
# Which entry of a team ranks: its best one, its newest one, or the one that it has chosen (its best one until then).
Counts = Literal["best", "newest", "chosen"]
SignUp = Literal["open", "invited"]


@dataclass(frozen=True)
class DataReference:
    """Questions with their hidden targets, as `open_dataset` takes them.

    Attributes:
        dataset: `NAME:SPLIT`.
        root: The folder of the data set, absolute once read; nothing of it is ever handed out as it is.
        questions: The table of questions, for data sets that have one.
        images: Where the photos lie that participants may have; None where they bring their own copy.
        settings: Options of the data set.
    """

    dataset: str
    root: Path | None = None
    questions: Path | None = None
    images: Path | None = None
    settings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Limits:
    """How many entries a team may send to a phase; None for any number. A day is one of UTC.

    `valid` counts entries that were scored or may yet be; `all` counts those and those that ended by the team's own
    fault after the check (a crash, too much memory, too long). What the check refused, what was lost by the platform's
    fault and what was withdrawn before it was scored costs nothing.
    """

    valid_a_day: int | None = None
    valid_in_all: int | None = None
    all_a_day: int | None = None
    all_in_all: int | None = None
    at_once: int = 3
    most_bytes: int = 2 * 1024**3


@dataclass(frozen=True)
class Phase:
    """A time in which entries are taken and ranked.

    Attributes:
        name: Short, of an address; unique in the challenge.
        title: For people.
        kind: What it is for; entries of a `reproduction` are containers, run here.
        data: The name of the data reference.
        start: From when on entries are taken (aware of its zone); None for at once.
        end: Until when, not included; None for ever.
        targets: Whether participants may have the targets (`open` only in a practice).
        scores: What a visitor sees of scores while it is open; after its end, all.
        metrics: Names, the main one among them.
        main: The metric that ranks.
        ties: Of equal scores.
        missing: What a sample without a row does.
        forms: Forms of `foveate.runs.forms` that are taken.
        counts: Which entry of a team ranks.
        limits: How many entries.
        only: Names of the teams that may enter; None for all.
        best_of: May be entered by the best N teams of a phase: its name and N; None for no such rule.
        after_end: `closed`, or `open`: entries are taken for ever, and ranked apart (an open benchmark).
    """

    name: str
    title: str
    kind: Kind
    data: str
    start: datetime | None = None
    end: datetime | None = None
    targets: Literal["open", "hidden"] = "hidden"
    scores: Scores = "shown"
    metrics: tuple[str, ...] = ("mean_iou", "accuracy@0.5")
    main: str = "mean_iou"
    ties: Ties = "earlier"
    missing: Missing = "refuse"
    forms: tuple[str, ...] = ("toloka", "vizwiz", "coco", "jsonl")
    counts: Counts = "best"
    limits: Limits = field(default_factory=Limits)
    only: tuple[str, ...] | None = None
    best_of: tuple[str, int] | None = None
    after_end: Literal["closed", "open"] = "closed"


@dataclass(frozen=True)
class Reference:
    """A row of the leaderboard that is no team's.

    Exactly one of `grounder` (run and scored here), `file` (predictions, scored here) and `published` (values of a
    paper, in the metric's own unit) is given.
    """

    name: str
    phase: str
    grounder: str | None = None
    file: Path | None = None
    published: Mapping[str, float] | None = None
    source: str = ""


@dataclass(frozen=True)
class Reproduction:
    """How a container is run: what it is given, what it must write, and what it may use.

    Attributes:
        questions: Where the questions stand inside, read-only.
        images: The folder of the photos inside, read-only.
        answer: The file that it must write.
        cpus: Processors.
        memory: Bytes.
        gpus: Graphics processors.
        processes: At most so many processes and threads.
        disk: Bytes that it may write.
        seconds: Until it is ended.
    """

    questions: str = "/mnt/data/test.csv"
    images: str = "/mnt/data/imgs"
    answer: str = "/mnt/output/answer.csv"
    cpus: float = 2.0
    memory: int = 8 * 1024**3
    gpus: int = 0
    processes: int = 512
    disk: int = 10 * 1024**3
    seconds: int = 3 * 3600


@dataclass(frozen=True)
class Teams:
    """Rules of teams; `most_members` is None for any number."""

    most_members: int | None = None
    closes: datetime | None = None


@dataclass(frozen=True)
class Challenge:
    """A challenge as its folder says it.

    Attributes:
        folder: Where it was read from.
        slug: Its short name, of addresses.
        title: For people.
        summary: A sentence.
        organisers: Who runs it; empty where nobody says.
        contact: How they are reached; empty where nobody says.
        website: Of the challenge itself; empty where there is none.
        citation: What to cite; empty where there is nothing.
        licence: Of what participants are given; empty where nobody says.
        description: Markdown, of `description.md`.
        rules: Markdown, of `rules.md`; empty where there is none.
        published: Whether visitors see it.
        sign_up: Who may make an account to take part: anybody, or whoever is invited.
        anonymous: Whether teams are nameless to others until the last phase with an end has ended.
        teams: Rules of teams.
        data: Data references by name.
        phases: In the order of the file.
        references: Rows that are no team's.
        reproduction: How containers are run.
    """

    folder: Path
    slug: str
    title: str
    summary: str = ""
    organisers: str = ""
    contact: str = ""
    website: str = ""
    citation: str = ""
    licence: str = ""
    description: str = ""
    rules: str = ""
    published: bool = False
    sign_up: SignUp = "invited"
    anonymous: bool = False
    teams: Teams = field(default_factory=Teams)
    data: Mapping[str, DataReference] = field(default_factory=dict)
    phases: tuple[Phase, ...] = ()
    references: tuple[Reference, ...] = ()
    reproduction: Reproduction = field(default_factory=Reproduction)

    def phase(self, name: str) -> Phase:
        """Returns the phase of a name, which must be there."""
        return next(phase for phase in self.phases if phase.name == name)
