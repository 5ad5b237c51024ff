"""Flags of a person's work, batch by batch, each with its reasons; and what is looked at by hand."""

from __future__ import annotations

import hashlib
from bisect import insort
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from foveate.quality.done import Done

Rule = Literal[
    "several_questions", "several_regions", "cannot_draw", "too_quick", "few_points", "gold_missed", "peers", "idle"
]
RULES: tuple[Rule, ...] = get_args(Rule)
# Less than this is no idling, however quick the person is else.
_LONG_SECONDS = 300.0


class CheckSettings(BaseModel):
    """What an organiser may set of the checks; the defaults are the first paper's where it has one.

    Attributes:
        batch: How many submissions of one person are looked at together.
        most_several_questions: How many "yes" in step 1 a batch may have.
        most_several_regions: How many "yes" in step 2.
        most_cannot_draw: How many "cannot draw".
        least_seconds: How long a whole batch takes at least; 0 for no such rule.
        least_points: How many points an outline has at least; 0 for no such rule.
        most_few_points: How many outlines of a batch may have fewer.
        gold_threshold: A gold question is missed where the IoU is not above this.
        peers_over: Over how many of the latest comparisons agreement with others is averaged.
        least_peers: How high that mean is at least; 0 for no such rule.
        idle_times: How many times the person's own median one task may take; 0 for no such rule.
        inspect_number: How many of each batch are drawn for inspection by hand.
        inspect_share: Which share of all submissions is, besides.
        seed: Of what is drawn.

    References:
        Chen et al.: Grounding Answers for Visual Questions Asked by Visually Impaired People, 2022, on quality control.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    batch: int = Field(5, ge=1, le=100)
    most_several_questions: int = Field(3, ge=0, le=100)
    most_several_regions: int = Field(3, ge=0, le=100)
    most_cannot_draw: int = Field(3, ge=0, le=100)
    least_seconds: float = Field(30.0, ge=0, le=100_000)
    least_points: int = Field(5, ge=0, le=1000)
    most_few_points: int = Field(2, ge=0, le=100)
    gold_threshold: float = Field(0.7, ge=0, lt=1)
    peers_over: int = Field(10, ge=2, le=1000)
    least_peers: float = Field(0.0, ge=0, le=1)
    idle_times: float = Field(10.0, ge=0, le=1000)
    inspect_number: int = Field(1, ge=0, le=100)
    inspect_share: float = Field(0.0, ge=0, le=1)
    seed: int = Field(0, ge=0)


@dataclass(frozen=True, slots=True)
class Flag:
    """Why a batch is to be looked at.

    Attributes:
        rule: Which rule.
        found: What was found: a count, seconds, or a mean IoU.
        limit: What that is compared with.
        which: Places in the person's order of the submissions that are to be looked at.
    """

    rule: Rule
    found: float
    limit: float
    which: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Batch:
    """Submissions that one person sent one after the other.

    Attributes:
        number: From 1.
        first: Place of its first submission in the person's order, from 0.
        size: How many it has.
        whole: Whether it is full; else only flags are told that nothing can change any more.
        flags: In the order of `RULES`.
    """

    number: int
    first: int
    size: int
    whole: bool
    flags: tuple[Flag, ...]


def check(sent: Sequence[Done], settings: CheckSettings) -> list[Batch]:
    """Returns a person's batches with their flags.

    A batch that is not full is judged by those rules only that what comes cannot put right: counts that are too high
    already, and gold questions missed.

    Args:
        sent: All that one person sent for a project, in the order of sending.
        settings: The limits.
    """
    batches: list[Batch] = []
    times: list[float] = []
    for first in range(0, len(sent), settings.batch):
        part = range(first, min(first + settings.batch, len(sent)))
        whole = len(part) == settings.batch
        flags = _counted(sent, part, settings)
        for n in part:
            insort(times, sent[n].seconds)
        if whole:
            flags += [*_quick(sent, part, settings), *_peers(sent, part, settings), *_idle(sent, part, settings, times)]
        flags.sort(key=lambda flag: RULES.index(flag.rule))
        batches.append(Batch(first // settings.batch + 1, first, len(part), whole, tuple(flags)))
    return batches


def drawn_for_inspection(person: str, tasks: Sequence[str], settings: CheckSettings) -> list[int]:
    """Returns places of a person's submissions that are to be looked at by hand, drawn by a seed.

    What is drawn once stays so while more is sent, or more is asked for; so nothing is drawn twice. Of a batch that is
    not full nothing is drawn but what `inspect_share` draws, since its places are not known yet.

    Args:
        person: Who, by a pseudonym.
        tasks: The keys of what the person sent, in the order of sending.
        settings: Number, share and seed.
    """
    chance = [_chance(str(settings.seed), person, task) for task in tasks]
    found = {n for n, value in enumerate(chance) if value < settings.inspect_share}
    for first in range(0, len(tasks) - settings.batch + 1, settings.batch):
        batch = sorted(range(first, first + settings.batch), key=chance.__getitem__)
        found.update(batch[: settings.inspect_number])
    return sorted(found)


def _chance(*texts: str) -> float:
    """Returns a number from 0 to below 1 that is always the same for the same texts, and tells nothing about them."""
    return int.from_bytes(hashlib.sha256("\0".join(texts).encode()).digest()[:6]) / 2**48


def _counted(sent: Sequence[Done], part: range, settings: CheckSettings) -> list[Flag]:
    """Returns flags by counts, which only grow."""
    every: list[tuple[Rule, int, Callable[[Done], bool]]] = [
        ("several_questions", settings.most_several_questions, lambda one: one.several_questions),
        ("several_regions", settings.most_several_regions, lambda one: one.several_regions),
        ("cannot_draw", settings.most_cannot_draw, lambda one: one.cannot_draw),
        ("few_points", settings.most_few_points, lambda one: _few(one, settings)),
        ("gold_missed", 0, lambda one: one.missed(settings.gold_threshold)),
    ]
    flags = []
    for rule, most, is_one in every:
        which = tuple(n for n in part if is_one(sent[n]))
        if len(which) > most:
            # Who answers nearly all alike is looked at in all: the others may be a matter of habit too.
            all_of_it = rule in ("several_questions", "several_regions", "cannot_draw")
            flags.append(Flag(rule, len(which), most, tuple(part) if all_of_it else which))
    return flags


def _few(one: Done, settings: CheckSettings) -> bool:
    return one.points is not None and one.points < settings.least_points


def _quick(sent: Sequence[Done], part: range, settings: CheckSettings) -> list[Flag]:
    seconds = sum(sent[n].seconds for n in part)
    return [Flag("too_quick", seconds, settings.least_seconds, tuple(part))] if seconds < settings.least_seconds else []


def _peers(sent: Sequence[Done], part: range, settings: CheckSettings) -> list[Flag]:
    if not settings.least_peers:
        return []
    compared = [(n, value) for n in range(part.stop) if (value := sent[n].peers) is not None][-settings.peers_over :]
    mine = [n for n, _ in compared if n in part]
    if not mine or len(compared) < settings.peers_over:
        return []
    mean = fmean(value for _, value in compared)
    return [Flag("peers", mean, settings.least_peers, tuple(mine))] if mean < settings.least_peers else []


def _idle(sent: Sequence[Done], part: range, settings: CheckSettings, times: Sequence[float]) -> list[Flag]:
    """Returns the flag of tasks that took many times the median of `times`: all until then, in the order of size."""
    if not settings.idle_times:
        return []
    usual = (times[(len(times) - 1) // 2] + times[len(times) // 2]) / 2
    limit = max(_LONG_SECONDS, settings.idle_times * usual)
    which = tuple(n for n in part if sent[n].seconds > limit)
    return [Flag("idle", max(sent[n].seconds for n in which), limit, which)] if which else []
