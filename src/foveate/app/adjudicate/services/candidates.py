"""What can be chosen for a task: each region with a letter, which tells nothing of who drew it or when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, count
from typing import Any, Literal

from foveate.annotation.gold_order import by_chance
from foveate.annotation.work import WORK, BoxWork, GroundingWork, PolygonWork, Work
from foveate.app.adjudicate.alike import WHY, why
from foveate.app.adjudicate.services.aggregates import MOST, Made, made_of
from foveate.app.adjudicate.services.compare import Sent, judged
from foveate.app.adjudicate.services.given import rings_of, targets_of
from foveate.app.annotate.forms import rule_title
from foveate.app.annotate.models import Task
from foveate.app.annotate.templatetags.annotate import outcome, reason_words
from foveate.core.rle import area
from foveate.core.truths import TargetShape
from foveate.quality.pairs import compared

# Those that no other key of the page needs; more candidates than these have a number after the letter.
LETTERS = "ABCDEFIJKLOQSVWXYZ"
TARGET = "T"


@dataclass(frozen=True)
class Candidate:
    """A region (or an answer without one) that can be chosen.

    Attributes:
        letter: What it is called on the page.
        how: What choosing it is: `picked` of a submission, `given` of the data set; an aggregate is `mended`.
        number: The submission's number, or which of the targets; None for an aggregate.
        work: What would stand; None where it cannot be chosen.
        shape: The region; None where nothing is drawn.
        said: What it says, in few words.
        who: Told only when it is asked for: the pseudonym, or where the region is from.
        note: What else is to be known: the person's comment, why it cannot be chosen.
        rule: The aggregator that made it; empty where none did.
    """

    letter: str
    how: Literal["picked", "given", "mended"]
    number: int | None
    work: Work | None
    shape: TargetShape | None
    said: str
    who: str
    note: str = ""
    rule: str = ""


@dataclass(frozen=True)
class Between:
    """Two candidates that people drew, their IoU where both have a region, and why they differ."""

    first: str
    second: str
    alike: float | None
    why: str


def candidates(task: Task) -> tuple[list[Candidate], str]:
    """Returns what can be chosen for a task, and why the targets of its data set cannot be shown where that is so.

    First what people drew, then what rules make of it, at most `MOST`, then targets. A rule that comes to what a person
    drew is told beside that person's name.
    """
    sent = in_order(task, judged(task))
    made = made_of(task, sent)
    letters = _letters()
    names = {one.chosen: one.rules for one in made if one.chosen is not None}
    found = [_of_sent(next(letters), one, names.get(one.submission.pk, ())) for one in sent]
    nobodys = [one for one in made if one.chosen is None]
    found += [_of_rule(next(letters), one) for one in nobodys[:MOST]]
    given, problem = targets_of(task)
    for number, target in enumerate(given):
        letter = TARGET if number == 0 else f"{TARGET}{number + 1}"
        said = str(outcome(target.work.model_dump())) if target.work else ""
        found.append(Candidate(letter, "given", number, target.work, target.shape, said, "", target.why))
    return found, problem


def in_order(task: Task, sent: Sequence[Sent]) -> list[Sent]:
    """Returns submissions in an order that is always the same for a task, and tells not who was first."""
    return sorted(sent, key=lambda one: by_chance(str(task.pk), str(one.submission.pk)))


def between(task: Task) -> list[Between]:
    """Returns all pairs of submissions of a task with how alike they are and why they differ."""
    size_hw = (task.height, task.width)
    lettered = list(zip(_letters(), in_order(task, judged(task)), strict=False))
    found = []
    for (first, one), (second, other) in combinations(lettered, 2):
        ours, theirs = one.said.shape, other.said.shape
        alike = None if ours is None or theirs is None else compared(ours, theirs, size_hw)[0]
        found.append(Between(first, second, alike, why(one.said, other.said, size_hw)))
    return found


def as_details(one: Candidate, size_hw: tuple[int, int]) -> dict[str, Any]:
    """Returns a candidate as the API tells it."""
    return {
        "letter": one.letter,
        "how": one.how,
        "number": one.number,
        "work": None if one.work is None else WORK.dump_python(one.work, mode="json"),
        "rings": [] if one.shape is None else rings_of(one.shape, size_hw),
        "said": one.said,
        "who": one.who,
        "note": one.note,
        "rule": one.rule,
        "share": None if one.shape is None else area(one.shape.rle(size_hw)) / (size_hw[0] * size_hw[1]),
    }


def between_details(one: Between) -> dict[str, Any]:
    """Returns a pair as the API tells it."""
    return {"first": one.first, "second": one.second, "alike": one.alike, "why": one.why, "said": str(WHY[one.why])}


def _of_rule(letter: str, one: Made) -> Candidate:
    rule, who = one.rules[0], ", ".join(one.rules)
    return Candidate(letter, "mended", None, one.work, one.shape, str(rule_title(rule)), who, one.why, rule)


def _of_sent(letter: str, one: Sent, rules: Sequence[str]) -> Candidate:
    work = WORK.validate_python(one.submission.work)
    who = ", ".join((str(one.submission.assignment.annotator.pseudonym), *rules))
    said = str(outcome(one.submission.work))
    note = work.comment
    if isinstance(work, GroundingWork | BoxWork | PolygonWork) and work.reason:
        reason = ": ".join(text for text in (reason_words(work.reason), work.reason_text.strip()) if text)
        note = " ".join(text for text in (f"{reason}.", note) if text)
    return Candidate(letter, "picked", one.submission.pk, work, one.said.shape, said, who, note)


def _letters() -> Iterator[str]:
    for turn in count(1):
        for letter in LETTERS:
            yield letter if turn == 1 else f"{letter}{turn}"
