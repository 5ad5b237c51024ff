from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from foveate.annotation.submissions import Submission
from foveate.annotation.target_rules import target_rule
from foveate.annotation.to_run import Agreement, agreement, people_run
from foveate.annotation.work import BoxWork, PolygonWork, Work
from foveate.core.overlap import box_iou
from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Mask
from foveate.datasets import toloka_vqa
from foveate.datasets._open import Dataset, open_dataset
from foveate.errors import InputError, UsageError
from foveate.evaluation.evaluate import Evaluation
from foveate.evaluation.load import DataPlace, load
from foveate.evaluation.score import score
from foveate.runs.store import read_run
from tests.helpers import SHARED, needs_shared
from tests.submissions import boxed, sent

FIRST = "000000000000.jpg"
QUESTIONS = ("What is red?", "Where can we sit?", "What do we drink from?")
CANNOT = BoxWork(outcome="cannot_draw", reason="blurred", reason_text="by motion")


@pytest.fixture
def data(tmp_path: Path) -> Dataset:
    toloka_vqa.write_tiny(tmp_path / "data")
    return open_dataset("toloka_vqa:test_public", tmp_path / "data")


def of(number: int, *works: Work) -> list[Submission]:
    """Returns what people sent for one of the tiny photos."""
    name = f"{number:012d}.jpg"
    return [
        sent(work, f"ann{n}", name, n, size_hw=(48, 64), question=QUESTIONS[number]) for n, work in enumerate(works)
    ]


def predicted(data: Dataset, out: Path, *works: Work, rule: str = "best_agreement") -> Prediction:
    people_run(of(0, *works), data, out, rule=target_rule(rule))
    (found,) = read_run(out).predictions
    return found


def mean_iou(found: Evaluation) -> float | None:
    return found.metrics["mean_iou"].value


NEAR, FAR, WIDE = boxed(8, 8, 24, 40), boxed(30, 8, 40, 40), boxed(8, 8, 26, 40)


@pytest.mark.parametrize(
    ("rule", "box"),
    [
        ("best_agreement", (8, 8, 26, 40)),
        ("larger", (8, 8, 26, 40)),
        ("first", (30, 8, 40, 40)),
        ("median_box", (8, 8, 26, 40)),
    ],
)
def test_the_final_region_is_by_a_rule(data: Dataset, tmp_path: Path, rule: str, box: tuple[float, ...]) -> None:
    found = predicted(data, tmp_path / "run", FAR, WIDE, NEAR, rule=rule)
    assert found.final
    assert found.final.shape.xyxy == box
    assert {region.shape for region in found.candidates} == {
        Box((30, 8, 40, 40)),
        Box((8, 8, 26, 40)),
        Box((8, 8, 24, 40)),
    }


def test_a_median_need_be_nobodys(data: Dataset, tmp_path: Path) -> None:
    found = predicted(data, tmp_path / "run", NEAR, WIDE, rule="median_box")
    assert found.final
    assert found.final.shape == Box((8, 8, 25, 40))
    assert len(found.candidates) == 2


def test_where_more_people_draw_nothing_there_is_no_region(data: Dataset, tmp_path: Path) -> None:
    found = predicted(data, tmp_path / "a", NEAR, CANNOT, CANNOT)
    assert (found.status, len(found.candidates)) == ("no_region", 1)
    assert found.reason == "2 of 3 people: cannot draw 2; blurred: by motion."
    assert predicted(data, tmp_path / "b", NEAR, CANNOT).status == "ok"


def test_polygons_become_masks_and_their_median_is_of_their_boxes(data: Dataset, tmp_path: Path) -> None:
    polygon = PolygonWork(outcome="polygon", polygon=[(8, 8), (24, 8), (24, 40)], closed=True)
    found = predicted(data, tmp_path / "run", polygon, NEAR)
    assert found.final is not None
    assert isinstance(found.final.shape, Mask)
    median = predicted(data, tmp_path / "other", polygon, FAR, rule="median_box")
    assert median.final
    # Of the outline as drawn: the triangle's mask has no pixel in its lowest row.
    assert median.final.shape == Box(((8 + 30) / 2, 8, (24 + 40) / 2, 40))
    made = predicted(data, tmp_path / "majority", NEAR, WIDE, FAR, rule="majority")
    assert made.final
    assert isinstance(made.final.shape, Mask)
    assert made.final.shape.xyxy == (8, 8, 24, 40)


def test_drawings_that_leave_nothing_are_no_region(data: Dataset, tmp_path: Path) -> None:
    found = predicted(data, tmp_path / "run", NEAR, FAR, rule="intersection")
    assert (found.status, found.final, len(found.candidates)) == ("no_region", None, 2)
    assert found.reason == "By the rule intersection nothing is left of 2 drawings."


def test_an_outline_without_a_pixel_is_told_by_its_box(data: Dataset, tmp_path: Path) -> None:
    thin = PolygonWork(outcome="polygon", polygon=[(8.1, 8.1), (8.3, 8.1), (8.3, 8.3)], closed=True)
    found = predicted(data, tmp_path / "run", thin)
    assert found.final
    assert found.final.shape == Box((8.1, 8.1, 8.3, 8.3))


def test_decisions_are_nobodys_drawings(data: Dataset, tmp_path: Path) -> None:
    given = of(0, NEAR, WIDE, FAR)
    decided = [*given[:2], given[2].model_copy(update={"adjudicated": True})]
    assert people_run(decided, data, tmp_path / "a") == people_run(given[:2], data, tmp_path / "b")
    assert read_run(tmp_path / "a").predictions == read_run(tmp_path / "b").predictions


def test_the_run_is_scored_and_tells_the_agreement(data: Dataset, tmp_path: Path) -> None:
    given = [*of(0, NEAR, WIDE), *of(2, boxed(2, 30, 30, 46), CANNOT)]
    found = people_run(given, data, tmp_path / "run")
    assert found == Agreement(1, 1, box_iou([8, 8, 24, 40], [8, 8, 26, 40], empty=0).item(), 2, 0)
    assert found.mean == pytest.approx(16 / 18)
    assert json.loads((tmp_path / "run" / "agreement.json").read_text()) == asdict(found)
    header = read_run(tmp_path / "run").header
    assert (header.grounder, header.n, header.n_dataset, header.config) == ("people", 2, 3, {"rule": "best_agreement"})
    assert header.card["summary"] == "What 2 people drew, blind to the targets."
    loaded = load(tmp_path / "run", DataPlace())
    assert [truth.id for truth in loaded.truths] == [FIRST, "000000000002.jpg"]
    scored = score(tmp_path / "run", metrics=["mean_iou"], resamples=0)
    assert mean_iou(scored) == pytest.approx(1.0)
    with pytest.raises(UsageError, match="there is a run here already"):
        people_run(given, data, tmp_path / "run")


def test_pairs_are_of_people_who_drew() -> None:
    assert agreement([of(0, NEAR), of(1, CANNOT, CANNOT)]) == Agreement(0, 0, None, 1, 1)
    found = agreement([of(0, NEAR, WIDE, FAR)])
    expected = box_iou([8, 8, 24, 40], [8, 8, 26, 40], empty=0).item() / 3
    assert (found.n, found.pairs, found.people) == (1, 3, 3)
    assert found.mean == pytest.approx(expected)


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"task": "x.jpg"}, "x.jpg: the task is no question of toloka_vqa:test_public"),
        ({"image_name": "x.jpg"}, f"{FIRST}: its photo is 'x.jpg' in the submissions and '{FIRST}' in toloka_vqa"),
        ({"question": "What?"}, "its question is 'What.' in the submissions and 'What is red.' in"),
        ({"size_hw": (64, 48)}, r"its size \(height, width\) is \(64, 48\) in the submissions and \(48, 64\) in"),
    ],
)
def test_submissions_about_something_else_are_refused(
    data: Dataset, tmp_path: Path, changed: dict[str, object], problem: str
) -> None:
    given = [submission.model_copy(update=changed) for submission in of(0, NEAR)]
    with pytest.raises(InputError, match=problem):
        people_run(given, data, tmp_path / "run")


def test_no_submission_is_no_run(data: Dataset, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nobody has done any of its questions"):
        people_run([], data, tmp_path / "run")
    for rule in ("all", "verified"):
        with pytest.raises(UsageError, match=f"rule {rule}: it is none for a run, .* Its rules: best_agreement, first"):
            people_run(of(0, NEAR), data, tmp_path / "run", rule=target_rule(rule))


@needs_shared
def test_people_who_draw_the_crowds_boxes_score_as_the_crowd_does(tmp_path: Path) -> None:
    """The crowd's boxes of 1,000 real samples, sent one by one, must give the mean IoU that is known for them."""
    data = open_dataset("toloka_vqa:train_sample", SHARED / "toloka")
    crowd = load(SHARED / "toloka" / "train_sample_crowd_baseline.csv", DataPlace(data.name, SHARED / "toloka"))
    boxes = {p.id: p.final.shape.xyxy for p in crowd.predictions if p.final}
    given = [
        sent(boxed(*boxes[q.id]), "ann", q.id, None, size_hw=q.size_hw, question=q.question)
        for q in data.queries(with_images=False)
    ]
    people_run(given, data, tmp_path / "run")
    found = score(tmp_path / "run", metrics=["mean_iou"], resamples=0)
    assert mean_iou(found) == pytest.approx(0.8561, abs=5e-5)
