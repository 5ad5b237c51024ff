"""Agreement on the steps before a region."""

from __future__ import annotations

import numpy as np
import pytest

from foveate.core.regions import Box
from foveate.quality.alpha import Effort
from foveate.quality.judgements import Judgement, Said
from foveate.quality.steps import nominal, steps_of
from tests.unit.quality.made import SIZE_HW, judged

# Krippendorff: Computing Krippendorff's alpha-reliability, 2011, section C: nominal data, four observers, gaps; 0.743.


def published() -> list[tuple[str, str]]:
    """Returns the example of the article: twelve units, four observers, `.` where one said nothing."""
    a = ["1", "2", "3", "3", "2", "1", "4", "1", "2", ".", ".", "."]
    b = ["1", "2", "3", "3", "2", "2", "4", "1", "2", "5", ".", "3"]
    c = [".", "3", "3", "3", "2", "3", "4", "2", "2", "5", "1", "."]
    d = ["1", "2", "3", "3", "2", "4", "4", "1", "2", "5", "1", "."]
    return [(f"u{n}", said) for row in (a, b, c, d) for n, said in enumerate(row) if said != "."]


def test_the_example_of_the_article() -> None:
    step = nominal("categories", published())
    assert step.alpha.value == pytest.approx(0.743, abs=5e-4)
    assert (step.alpha.tasks, step.alpha.values) == (11, 40)
    assert (step.alpha.low or 1) < 0.743 < (step.alpha.high or 0)


def test_shares_by_hand_and_why_there_is_no_alpha() -> None:
    step = nominal("q", [("t", "yes"), ("t", "yes"), ("t", "no"), ("u", "no"), ("u", "no"), ("v", "yes")])
    assert (step.pairs, step.agree, step.share) == (4, 2, 0.5)
    assert step.counts == {"yes": 3, "no": 3}
    # Do = (3 * 2/3 + 2 * 0) / 5; De of 2 yes and 3 no = 1 - (2 + 6) / 20.
    assert step.alpha.value == pytest.approx(1 - 0.4 / 0.6)
    one = nominal("q", [("t", "no"), ("t", "no")])
    assert (one.share, one.alpha.value) == (1.0, None)
    assert one.alpha.why.startswith("everybody gave the one answer")
    alone = nominal("q", [("t", "no"), ("u", "yes")])
    assert (alone.share, alone.alpha.value, alone.alpha.why) == (None, None, "no task has answers of two people")


def test_resamples_are_those_of_the_tasks_drawn() -> None:
    answers = [(f"t{n}", said) for n, both in enumerate(["yy", "nn", "yn", "yy", "nn", "yy"]) for said in both]
    found = nominal("q", answers, Effort(resamples=400, seed=2)).alpha
    rng = np.random.default_rng(2)
    values = []
    for _ in range(400):
        drawn = rng.integers(6, size=6)
        some = [(f"{place}", said) for place, n in enumerate(drawn) for _, said in answers[2 * n : 2 * n + 2]]
        value = nominal("q", some, Effort(resamples=0)).alpha.value
        values += [] if value is None else [value]
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(values, [0.025, 0.975])))


def test_only_steps_that_somebody_was_asked() -> None:
    box = Box((0, 0, 5, 5))
    assert [step.name for step in steps_of([judged("t", "a", box), judged("t", "b", None)])] == ["drawn"]
    said = [Said(False, False, "box", box), Said(True), Said(False, True), Said(False, False, "cannot_draw")]
    sent = [Judgement("t", f"p{n}", SIZE_HW, one) for n, one in enumerate(said)]
    found = {step.name: step for step in steps_of(sent)}
    assert {name: step.counts for name, step in found.items()} == {
        "several_questions": {"no": 3, "yes": 1},
        "several_regions": {"no": 2, "yes": 1},
        "drawn": {"yes": 1, "no": 3},
    }
    assert found["several_regions"].pairs == 3
    assert found["drawn"].as_dict()["share"] == 0.5
    assert steps_of([]) == []
