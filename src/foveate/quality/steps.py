"""How far people agree on the steps before a region: Krippendorff's alpha of answers that are the same or not."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foveate.core.bootstrap import weight_chunks
from foveate.quality.alpha import USUAL, Alpha, Effort, Values, ends, undefined
from foveate.quality.judgements import Judgement, Said

_COMPARED = "answers"
_FEW = "no task has answers of two people"
_ONE = "everybody gave the one answer, so that chance alone would agree as well"
# In the order in which they are asked: what somebody answered, None where they were not asked.
STEPS: Mapping[str, Callable[[Said], bool | None]] = {
    "several_questions": lambda said: said.several_questions,
    "several_regions": lambda said: said.several_regions,
    "drawn": lambda said: said.shape is not None,
}


@dataclass(frozen=True, slots=True)
class Step:
    """Agreement on one step.

    Attributes:
        name: Of the step.
        counts: How many people gave each answer, whether or not another judged the same task.
        pairs: How many pairs of people answered it for one task.
        agree: How many of these gave the same answer.
        alpha: Krippendorff's alpha.
    """

    name: str
    counts: Mapping[str, int]
    pairs: int
    agree: int
    alpha: Alpha

    @property
    def share(self) -> float | None:
        """The share of pairs that agree; None without a pair."""
        return self.agree / self.pairs if self.pairs else None

    def as_dict(self) -> dict[str, Any]:
        """Returns it for JSON."""
        told = {"name": self.name, "counts": dict(self.counts), "pairs": self.pairs, "agree": self.agree}
        return told | {"share": self.share, "alpha": self.alpha.as_dict()}


def steps_of(judgements: Sequence[Judgement], effort: Effort = USUAL) -> list[Step]:
    """Returns the agreement on each step that somebody was asked: the two questions, and whether anything is drawn."""
    asked = {name: [(one.task, said(one.said)) for one in judgements] for name, said in STEPS.items()}
    answers = {name: [(task, _word(said)) for task, said in pairs if said is not None] for name, pairs in asked.items()}
    return [nominal(name, given, effort) for name, given in answers.items() if given]


def first_difference(said: Sequence[Said]) -> str:
    """Returns the first of `STEPS` in which people do not say the same; empty where they all do.

    Example:
        >>> first_difference([Said(several_questions=True), Said(several_questions=False)])
        'several_questions'
    """
    return next((name for name, step in STEPS.items() if len({step(one) for one in said}) > 1), "")


def nominal(name: str, answers: Iterable[tuple[str, Hashable]], effort: Effort = USUAL) -> Step:
    """Returns the agreement on answers that are the same or not.

    Args:
        name: What was asked.
        answers: Of each person the task and the answer.
        effort: Resamples and seed of the interval.

    Example:
        >>> step = nominal("sure", [("a", "yes"), ("a", "yes"), ("b", "yes"), ("b", "no")])
        >>> step.pairs, step.agree, step.alpha.value
        (2, 1, 0.0)
    """
    table, words = _table(answers)
    every = {word: int(count) for word, count in zip(words, table.sum(axis=0), strict=True)}
    kept = table[table.sum(axis=1) >= 2]
    said = kept.sum(axis=1)
    alike = (kept * (kept - 1)).sum(axis=1)
    pairs, agree = int((said * (said - 1)).sum()) // 2, int(alike.sum()) // 2
    return Step(name, every, pairs, agree, _alpha(kept, alike / (said - 1), effort))


def _word(said: bool) -> str:
    return "yes" if said else "no"


def _table(answers: Iterable[tuple[str, Hashable]]) -> tuple[Values, list[str]]:
    """Returns how often each answer was given for each task ``(T, K)``, and the answers."""
    given = list(answers)
    tasks = {task: n for n, task in enumerate(dict.fromkeys(task for task, _ in given))}
    words = {answer: n for n, answer in enumerate(dict.fromkeys(answer for _, answer in given))}
    table = np.zeros((len(tasks), len(words)))
    for task, answer in given:
        table[tasks[task], words[answer]] += 1
    return table, [str(word) for word in words]


def _alpha(counts: Values, alike: Values, effort: Effort) -> Alpha:
    """Returns alpha of counts ``(T, K)``, where `alike` ``(T,)`` is the share of agreeing pairs times the answers."""
    if not len(counts):
        return undefined(_FEW, "", _COMPARED)
    observed, expected = (float(value[0]) for value in _disagreements(counts, alike, np.ones((1, len(counts)))))
    if expected <= 0:
        return undefined(_ONE, "", _COMPARED)
    found = [np.empty(0)]
    for weights in weight_chunks([str(row) for row in range(len(counts))], effort.resamples, effort.seed):
        do, de = _disagreements(counts, alike, weights)
        found.append(1.0 - np.divide(do, de, out=np.full(len(do), np.nan), where=de > 0))
    low, high = ends(np.concatenate(found))
    values = int(counts.sum())
    return Alpha(
        value=1.0 - observed / expected,
        why="",
        low=low,
        high=high,
        observed=observed,
        expected=expected,
        expected_low=None,
        expected_high=None,
        tasks=len(counts),
        values=values,
        pairs=values * (values - 1) // 2,
        sampled=False,
        frame="",
        compared=_COMPARED,
    )


def _disagreements(counts: Values, alike: Values, weights: Values) -> tuple[Values, Values]:
    """Returns Do and De of resamples ``(b,)`` of tasks, drawn as often as the weights ``(b, T)`` say."""
    each = weights @ counts
    every = each.sum(axis=1)
    observed = 1.0 - weights @ alike / every
    return observed, 1.0 - (each * (each - 1)).sum(axis=1) / (every * (every - 1))
