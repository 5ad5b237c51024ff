"""Why a run scores what it scores: anatomy, oracle ladder, answer beside evidence and threshold sweep, together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from foveate.evaluation.anatomy import Anatomy, Tree, anatomy
from foveate.evaluation.answer_evidence import AnswerEvidence, answer_evidence
from foveate.evaluation.estimates import Draws
from foveate.evaluation.oracles import Ladder, ladder
from foveate.evaluation.results import Results
from foveate.evaluation.sweep import Sweep, cuts, sweeps


@dataclass(frozen=True)
class Asked:
    """What is asked of each run.

    Attributes:
        tree: The thresholds of the error classes; its `hit` is also the least IoU of a right region.
        judge: How answers are judged: `exact` or `vqa`.
        draws: For the intervals.
        examples: How many samples of each class, cell and list are named.
    """

    tree: Tree = field(default_factory=Tree)
    judge: str = "exact"
    draws: Draws = field(default_factory=Draws)
    examples: int = 5


@dataclass(frozen=True)
class Explanation:
    """Why one run scores what it scores."""

    name: str
    anatomy: Anatomy
    ladder: Ladder
    answers: AnswerEvidence
    sweeps: Sequence[Sweep]

    def as_dict(self) -> dict[str, Any]:
        """Returns what `foveate explain --json` prints of one run."""
        return {
            "name": self.name,
            "anatomy": self.anatomy.as_dict(),
            "ladder": self.ladder.as_dict(),
            "answers": self.answers.as_dict(),
            "sweeps": [sweep.as_dict() for sweep in self.sweeps],
        }


def explain(
    results: Results, asked: Asked | None = None, *, people: Results | None = None, with_maps: bool = True
) -> Explanation:
    """Returns why a run scores what it scores; each map is read once.

    Args:
        results: The run.
        asked: Thresholds, judge and draws; the usual ones by default.
        people: What people drew for the same samples, as predictions: the human ceiling of the ladder.
        with_maps: Whether score maps are read.

    Raises:
        UsageError: There is no such judge.
        InputError: A score map cannot be read.
    """
    asked = asked or Asked()
    # Before the maps, so that an unknown judge costs nothing.
    answers = answer_evidence(
        results, judge=asked.judge, hit=asked.tree.hit, draws=asked.draws, examples=asked.examples
    )
    found = cuts(results) if with_maps else None
    return Explanation(
        results.name,
        anatomy(results, asked.tree, draws=asked.draws, examples=asked.examples),
        ladder(results, found, people=people, tree=asked.tree, draws=asked.draws),
        answers,
        sweeps(results, found, draws=asked.draws),
    )
