"""A screening that goes on over days: what the rules made of each sample, as plain values and back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from foveate.core.queries import Query
from foveate.core.truths import Truth
from foveate.curation._agreed import shown_answer
from foveate.curation._folder import kept_line
from foveate.curation._rounds import ROUNDS
from foveate.curation._screen import Flag, Outcome, reasons

Pairs = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Stored:
    """What is kept of a sample after the rules.

    Attributes:
        key: The id of the sample.
        image_name: The photo's name as the data set has it.
        question: As rules left it.
        asked: As it was asked.
        answer: The answer to show; empty where there is none.
        trims: Rule and reason of each trim.
        flags: Rule and reason of each flag.
        step: The rule that removed it; empty where none did.
        why: Why it was removed.
        line: Its line in `kept.jsonl`, as if no round had been yet; empty where a rule removed it.
        first_in: For each round one bit, the lowest for the first: whether the round begins with it.
    """

    key: str
    image_name: str
    question: str
    asked: str
    answer: str
    trims: Pairs
    flags: Pairs
    step: str
    why: str
    line: str
    first_in: int


def stored(outcome: Outcome) -> Stored:
    """Returns what is kept of an outcome of the rules, before any round of people."""
    first = sum(1 << number for number, one in enumerate(ROUNDS) if reasons(outcome, one))
    query = outcome.query
    return Stored(
        query.id,
        query.image_name,
        query.question,
        outcome.asked,
        shown_answer(outcome.truth),
        [(one.rule, one.why) for one in outcome.trims],
        [(one.rule, one.why) for one in outcome.flags],
        outcome.step or "",
        outcome.why,
        "" if outcome.step else kept_line(outcome),
        first,
    )


def restored(row: Stored) -> Outcome:
    """Returns an outcome that the rounds, the funnel and all tables but `kept.jsonl` can be made of.

    Of the truth it has the answer to show only; all else is in the row's line.
    """
    return Outcome(
        Query(row.key, row.image_name, None, row.question, None),
        Truth(row.key, (row.answer,) if row.answer else ()),
        row.asked,
        tuple(Flag(rule, why) for rule, why in row.trims),
        tuple(Flag(rule, why) for rule, why in row.flags),
        row.step or None,
        row.why,
    )


def passed_line(line: str, passed: Sequence[str]) -> str:
    """Returns the line of a sample that is kept, with the rounds that it has passed."""
    values = json.loads(line)
    values["facts"]["rounds_passed"] = list(passed)
    return json.dumps(values, ensure_ascii=False, allow_nan=False) + "\n"
