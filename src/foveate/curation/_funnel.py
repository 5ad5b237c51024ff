"""The funnel: how many samples each step saw, took away and marked."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from foveate.core.cards import RuleCard
from foveate.curation._agreement import Agreement, agreement
from foveate.curation._published import Counts, Published
from foveate.curation._reviews import Review
from foveate.curation._rounds import ROUNDS
from foveate.curation._rules import Rule
from foveate.curation._screen import Outcome

_HEAD = (
    *("step", "kind", "before", "removed", "trimmed", "flagged", "left", "reviewers"),
    *("published_before", "published_removed", "published_left"),
)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the funnel.

    Attributes:
        name: A rule's, or `review.` and a round's.
        title: In prose.
        kind: Whether a rule or people decide.
        about: What it does, in a sentence.
        before: How many samples came into it.
        removed: How many it took away.
        trimmed: Of how many it trimmed the question.
        flagged: How many it marked for people.
        reviews: Of people: how many samples each reviewer judged, by their name.
        agreement: Of two reviewers, where there are two.
        published: What the paper says of the step, where it is about this data.
        limits: What it misses or takes wrongly.
    """

    name: str
    title: str
    kind: Literal["rule", "people"]
    about: str
    before: int
    removed: int
    trimmed: int = 0
    flagged: int = 0
    reviews: Mapping[str, int] | None = None
    agreement: Agreement | None = None
    published: Counts = Counts()
    limits: str = ""

    @property
    def left(self) -> int:
        """How many samples it left."""
        return self.before - self.removed


def funnel(
    outcomes: Sequence[Outcome],
    rules: Sequence[Rule],
    reviews: Mapping[str, Sequence[Review]],
    published: Published | None,
) -> list[Step]:
    """Returns the steps in their order: the rules, then the rounds of people.

    Args:
        outcomes: Of all samples.
        rules: As they were run.
        reviews: By round; a round without one is a step at which nothing happened yet.
        published: The paper's counts, where they are about this data set.
    """
    counts = {} if published is None else published.steps
    removed = Counter(outcome.step for outcome in outcomes)
    flagged = Counter(rule for outcome in outcomes for rule in {flag.rule for flag in outcome.flags})
    trimmed = Counter(trim.rule for outcome in outcomes for trim in outcome.trims)
    steps: list[Step] = []
    there = len(outcomes)
    for rule in rules:
        card, name = rule.card, rule.card.name
        counted = (there, removed[name], trimmed[name], flagged[name])
        step = Step(name, card.title, "rule", _about(card, rule.settings), *counted, limits=card.limits)
        steps.append(_beside(step, counts))
        there = step.left
    for one in ROUNDS:
        its = reviews.get(one.name, ())
        judged = {review.reviewer: len(review.marks) for review in its}
        alike = agreement(*its) if len(its) == 2 else None
        step = Step(
            one.step, one.title, "people", one.question, there, removed[one.step], reviews=judged, agreement=alike
        )
        steps.append(_beside(step, counts))
        there = step.left
    return steps


def funnel_csv(steps: Sequence[Step]) -> str:
    """Returns the steps as a table; what is not published is empty."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(_HEAD)
    for s in steps:
        ours = (s.before, s.removed, s.trimmed, s.flagged, s.left, len(s.reviews or {}) if s.kind == "people" else "")
        writer.writerow([s.name, s.kind, *ours, s.published.before, s.published.removed, s.published.left])
    return table.getvalue()


def _beside(step: Step, counts: Mapping[str, Counts]) -> Step:
    return replace(step, published=counts.get(step.name, Counts()))


def _about(card: RuleCard, settings: Mapping[str, object]) -> str:
    said = ", ".join(f"{name} = {value}" for name, value in settings.items())
    return f"{card.summary} Set: {said}." if said else card.summary
