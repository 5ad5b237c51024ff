"""Screening: samples go through the rules, then through the rounds of people; every one keeps its story."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from foveate.core.queries import Query
from foveate.core.truths import Truth
from foveate.curation._reviews import Review
from foveate.curation._rounds import ROUNDS, Round
from foveate.curation._rules import Rule
from foveate.errors import InputError


@dataclass(frozen=True, slots=True)
class Flag:
    """What a rule wants people to look at."""

    rule: str
    why: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """A sample and what became of it.

    Attributes:
        query: With the question as it is now.
        truth: Its answers and facts.
        asked: The question as it was asked.
        trims: Which rules trimmed the question.
        flags: What rules flagged, in their order.
        step: Where it was removed, or None where it is kept.
        why: Why it was removed; empty where it is kept.
        passed: The rounds in which nobody flagged it and everybody looked at it.
    """

    query: Query
    truth: Truth
    asked: str
    trims: tuple[Flag, ...] = ()
    flags: tuple[Flag, ...] = ()
    step: str | None = None
    why: str = ""
    passed: tuple[str, ...] = ()


def screen(samples: Iterable[tuple[Query, Truth]], rules: Sequence[Rule]) -> list[Outcome]:
    """Returns what the rules make of each sample, in the order of the samples.

    A sample that a rule removes is not shown to later ones; later rules see a trimmed question as trimmed.

    Raises:
        InputError: A rule trims a question to nothing.
    """
    return [_through(Outcome(query, truth, query.question), rules) for query, truth in samples]


def review(outcomes: Sequence[Outcome], of: Round, reviews: Sequence[Review]) -> list[Outcome]:
    """Returns the outcomes after one round of people; without a review nothing changes.

    Args:
        outcomes: As the steps before left them.
        of: The round.
        reviews: One a reviewer.
    """
    return [_reviewed(outcome, of, reviews) if outcome.step is None else outcome for outcome in outcomes]


def listed(outcomes: Sequence[Outcome], of: Round) -> list[Outcome]:
    """Returns what a round is to look at: what came as far as there; what its rule flagged first."""
    before = {earlier.step for earlier in ROUNDS[: ROUNDS.index(of)]}
    ours = {later.step for later in ROUNDS} - before
    there = [outcome for outcome in outcomes if outcome.step is None or outcome.step in ours]
    return sorted(there, key=lambda outcome: not reasons(outcome, of))


def reasons(outcome: Outcome, of: Round) -> list[str]:
    """Returns why a sample comes first in a round: the flags of its rule, and of rules that no round knows."""
    others = {one.rule for one in ROUNDS} - {of.rule}
    return [flag.why for flag in outcome.flags if flag.rule not in others]


def _through(outcome: Outcome, rules: Sequence[Rule]) -> Outcome:
    for rule in rules:
        if outcome.step is None:
            outcome = _judged(outcome, rule)
    return outcome


def _judged(outcome: Outcome, rule: Rule) -> Outcome:
    verdict = rule.judge(outcome.query, outcome.truth)
    if verdict is None:
        return outcome
    said = Flag(rule.card.name, verdict.why)
    action = verdict.action or rule.card.action
    if action == "remove":
        return replace(outcome, step=said.rule, why=said.why)
    if action == "flag":
        return replace(outcome, flags=(*outcome.flags, said))
    question = verdict.question or ""
    if not question.strip():
        raise InputError(
            f"{said.rule}, {outcome.query.id}",
            f"it trims {outcome.query.question!r} to nothing",
            "Leave the rule out with --rules, and tell its author.",
        )
    query = replace(outcome.query, question=question)
    return replace(outcome, query=query, trims=(*outcome.trims, said))


def _reviewed(outcome: Outcome, of: Round, reviews: Sequence[Review]) -> Outcome:
    said = [(review.reviewer, review.marks.get(outcome.query.id)) for review in reviews]
    flagged = [f"{name} flags it{f': {mark.note}' if mark.note else ''}" for name, mark in said if mark and mark.flag]
    if flagged:
        return replace(outcome, step=of.step, why="; ".join(flagged))
    whole = bool(said) and all(mark is not None for _, mark in said)
    return replace(outcome, passed=(*outcome.passed, of.name)) if whole else outcome
