"""Answer beside evidence by hand, and with NumPy's correlation and the metrics as witnesses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.core.predictions import Prediction
from foveate.core.regions import Box
from foveate.core.truths import Truth
from foveate.errors import UsageError
from foveate.evaluation.answer_evidence import AnswerEvidence, answer_evidence
from foveate.evaluation.estimates import Draws
from foveate.evaluation.measured import Columns
from foveate.evaluation.results import Results
from foveate.metrics import ece, exact_match
from tests.unit.evaluation.made import asked, results, said

TARGET, ASIDE = Box((0, 0, 10, 10)), Box((50, 50, 60, 60))
NONE = Draws(0)


def run(kinds: str, photos: list[str] | None = None) -> Results:
    """Returns a run by letters: b: both right; a: the answer, r: the region alone; n: neither; u: no answer."""
    samples = []
    for n, kind in enumerate(kinds):
        answer = None if kind == "u" else "dog" if kind in "ba" else "cat"
        shape = TARGET if kind in "br" else ASIDE
        samples.append(
            (
                said(str(n), shape, score=0.5, answer=answer, answer_score=(n % 10) / 10 if answer else None),
                asked(str(n), TARGET, answers=("dog",)),
            )
        )
    return results(samples, photos=photos)


def counts(found: AnswerEvidence) -> dict[tuple[str, str], int]:
    return {(cell.answer, cell.region): cell.n for cell in found.cells}


def test_the_table_by_hand() -> None:
    found = answer_evidence(run("bbbbaarnnnu"), draws=NONE)
    assert counts(found) == {
        ("right", "right"): 4,
        ("right", "wrong"): 2,
        ("wrong", "right"): 1,
        ("wrong", "wrong"): 3,
        ("unknown", "right"): 0,
        ("unknown", "wrong"): 1,
    }
    assert found.cells[0].share.value == pytest.approx(4 / 11)
    assert (found.cells[0].mean_iou, found.cells[1].mean_iou, found.cells[4].mean_iou) == (1.0, 0.0, None)
    assert list(found.cells[0].examples) == ["0", "1", "2", "3"]
    values = {name: estimate.value for name, estimate in found.together.items()}
    assert values["phi"] == pytest.approx((4 * 3 - 2 * 1) / (6 * 4 * 5 * 5) ** 0.5)
    assert values["odds_ratio"] == pytest.approx(4.5 * 3.5 / (2.5 * 1.5))
    assert values["if_right"] == pytest.approx(4 / 6)
    assert values["if_wrong"] == pytest.approx(1 / 4)
    assert values["difference"] == pytest.approx(4 / 6 - 1 / 4)
    assert values["by_chance"] == pytest.approx(0.6 * 0.5)
    assert found.verdict.startswith("Without resamples")


@given(st.text("barnu", min_size=1, max_size=30))
def test_phi_is_the_correlation(kinds: str) -> None:
    found = answer_evidence(run(kinds), draws=NONE)
    judged = [kind for kind in kinds if kind != "u"]
    if not judged:
        assert found.undefined == "the predictions have no answers"
        return
    answers, regions = ([kind in which for kind in judged] for which in ("ba", "br"))
    assert sum(counts(found).values()) == len(kinds)
    if len(set(answers)) == 2 == len(set(regions)):
        assert found.together["phi"].value == pytest.approx(np.corrcoef(answers, regions)[0, 1])
    else:
        assert found.together["phi"].value is None


def test_the_verdict_goes_by_the_interval() -> None:
    draws = Draws(300)
    assert answer_evidence(run("bbbbbbbbnnnnnnnn"), draws=draws).verdict.startswith(
        "A right answer goes with the right"
    )
    assert "less often than chance" in answer_evidence(run("aaaaaaaarrrrrrrr"), draws=draws).verdict
    assert answer_evidence(run("barnbarn"), draws=draws).verdict.startswith("It is not shown")
    assert answer_evidence(run("bbaa"), draws=draws).verdict.startswith("Every answer that can be judged is right")
    assert answer_evidence(run("nnr"), draws=draws).verdict.startswith("Every answer that can be judged is wrong")


def test_photos_are_drawn_together() -> None:
    alone = answer_evidence(run("bbbbnnnnaarr"), draws=Draws(300)).together["difference"]
    six = [f"{n % 6}.jpg" for n in range(12)]
    pairs = answer_evidence(run("bnarbnbnarbn", photos=six), draws=Draws(300)).together["difference"]
    halves = answer_evidence(run("bnarbn"), draws=Draws(300)).together["difference"]
    assert (pairs.low, pairs.high) == pytest.approx((halves.low, halves.high))
    assert alone.low is not None
    assert alone.high is not None
    assert alone.low < alone.high


@pytest.mark.parametrize("count", [1, 4])
def test_a_few_photos_tell_nothing_of_the_two_together(count: int) -> None:
    photos = [f"{n % count}.jpg" for n in range(12)]
    found = answer_evidence(run("bbbbbbnnnnnn", photos=photos), draws=Draws(300))
    difference = found.together["difference"]
    assert (difference.value, difference.low, difference.high) == (1.0, None, None)
    assert found.verdict.startswith("Of so few photos there is no interval")


def test_the_lists_hold_the_worst_first_then_the_surest() -> None:
    def sample(
        name: str, shape: Box, answer: str, answer_score: float | None, score: float
    ) -> tuple[Prediction, Truth]:
        return (
            said(name, shape, score=score, answer=answer, answer_score=answer_score),
            asked(name, TARGET, answers=("dog",)),
        )

    third = Box((0, 0, 10, 30))
    made = results(
        [
            sample("third", third, "dog", 0.9, 0.9),
            sample("unsure", ASIDE, "dog", 0.2, 0.9),
            sample("sure", ASIDE, "dog", 0.8, 0.1),
            sample("sure of both", ASIDE, "dog", 0.8, 0.7),
            sample("fits", TARGET, "cat", 0.1, 0.1),
            sample("nearly fits", Box((0, 0, 10, 9)), "cat", None, 0.9),
        ]
    )
    found = answer_evidence(made, draws=NONE)
    assert [one.id for one in found.wrong_reason] == ["sure of both", "sure", "unsure", "third"]
    assert [one.id for one in found.looked_right] == ["fits", "nearly fits"]
    first = found.wrong_reason[0]
    assert (first.question, first.answer, first.expected, first.iou) == ("What is sure of both?", "dog", "dog", 0.0)
    assert len(answer_evidence(made, draws=NONE, examples=1).wrong_reason) == 1


def test_a_judge_by_people() -> None:
    # VQA accuracy 0.6 for "cat", which is not the most common answer.
    people = ("cat", "cat", *("dog",) * 8)
    made = results([(said("a", TARGET, answer="cat"), asked("a", TARGET, answers=people))])
    exact, vqa = (answer_evidence(made, judge=judge, draws=NONE) for judge in ("exact", "vqa"))
    assert counts(exact)["wrong", "right"] == 1
    assert counts(vqa)["right", "right"] == 1
    with pytest.raises(UsageError, match="Did you mean exact"):
        answer_evidence(made, judge="exact_match")


def test_why_there_is_no_table() -> None:
    silent = results([(said("a", TARGET), asked("a", TARGET, answers=("dog",)))])
    assert answer_evidence(silent, draws=NONE).undefined == "the predictions have no answers"
    unknown = results([(said("a", TARGET, answer="dog"), asked("a", TARGET))])
    assert answer_evidence(unknown, draws=NONE).undefined == "the data set has no answers"
    apart = [
        (said("a", TARGET, answer="dog"), asked("a", TARGET)),
        (said("b", None, answer="dog"), asked("b", answers=("dog",))),
    ]
    assert "that can be judged" in str(answer_evidence(results(apart), draws=NONE).undefined)


def test_the_region_needs_the_threshold() -> None:
    made = results([(said("a", Box((0, 0, 10, 30)), answer="dog"), asked("a", TARGET, answers=("dog",)))])
    assert counts(answer_evidence(made, draws=NONE))["right", "wrong"] == 1
    assert counts(answer_evidence(made, hit=0.3, draws=NONE))["right", "right"] == 1


@given(st.text("barnu", min_size=1, max_size=20))
def test_the_calibration_of_regions_is_the_metric_and_that_of_answers_by_counting(kinds: str) -> None:
    made = run(kinds)
    found = answer_evidence(made, draws=NONE).calibration
    columns: Columns = ece.measure(made.predictions, made.truths)
    assert found["region"].ece.value == pytest.approx(ece.reduce(columns, np.ones((1, len(kinds))))["value"][0])
    rated = [((n % 10) / 10, kind in "ba") for n, kind in enumerate(kinds) if kind != "u"]
    assert found["answer"].n == len(rated)
    if not rated:
        assert found["answer"].ece.value is None
        return
    # Tenths lie in bins of their own in fifteenths, so that a bin is a score.
    apart = sum(abs(sum(right - score for score, right in rated if score == each)) for each in {s for s, _ in rated})
    assert found["answer"].ece.value == pytest.approx(apart / len(rated))
    assert sum(one.n for one in found["answer"].bins) == len(rated)


def test_the_rows_agree_with_exact_match() -> None:
    made = run("bbaarrrn")
    columns = exact_match.measure(made.predictions, made.truths)
    value = exact_match.reduce(columns, np.ones((1, 8)))["value"][0]
    found = counts(answer_evidence(made, draws=NONE))
    assert (found["right", "right"] + found["right", "wrong"]) / 8 == value
