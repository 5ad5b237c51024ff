from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from foveate.annotation.crowd import AS_LISTED, Imported, import_crowd
from foveate.annotation.crowd_files import write_crowd
from foveate.annotation.work import AskWork, GroundingWork
from foveate.core.boxes import SizeHW
from foveate.errors import InputError, UsageError
from tests.helpers import SHARED, needs_shared, write
from tests.submissions import drawn, sent

SIZE = (1000, 800)
CANVAS = {"x": 40, "y": 50}, {"x": 200, "y": 50}, {"x": 200, "y": 250}
POINTS: list[Any] = [*CANVAS, CANVAS[0]]
NO = {"MULTI_QUESTION_DETECT": "N", "MULTI_FOCUS_DETECT": "N"}
CROWD = SHARED / "vizwiz" / "crowdsourcing"


def ring(*points: tuple[float, float]) -> list[dict[str, float]]:
    return [{"x": x, "y": y} for x, y in (*points, points[0])]


def imported(
    folder: Path,
    *tabs: dict[str, Any],
    kinds: dict[int, str] | None = None,
    order: str | None = None,
    faults: list[InputError] | None = None,
    **more: Any,
) -> Imported:
    result: dict[str, Any] = dict(more)
    for number, tab in enumerate(tabs, start=1):
        points = tab.pop("points", [])
        result |= {f"useranswersTAB{number}": NO | tab, f"xyTAB{number}": points}
    tasks = [
        {"image": f"{n}.jpg", "question": f"What {n}?", "answers": ["a"], "q_type": (kinds or {}).get(n)}
        for n in range(1, max(len(tabs), 2) + 1)
    ]
    on_invalid = {} if faults is None else {"on_invalid": faults.append}
    return import_crowd(
        write(folder / "results.json", json.dumps({"train_0": result})),
        write(folder / "grouped.json", json.dumps([tasks])),
        lambda _: SIZE,
        order=order,
        **on_invalid,
    )


def copied(tabs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [dict(tab) for tab in tabs]


def work(folder: Path, **tab: Any) -> GroundingWork:
    (found,) = imported(folder, tab).submissions
    assert isinstance(found.work, GroundingWork)
    return found.work


def test_a_polygon_is_scaled_to_the_photo(tmp_path: Path) -> None:
    made = imported(tmp_path, {"points": POINTS}, {"MULTI_QUESTION_DETECT": "Y"}, UseTime="10", comments="hm")
    first, second = made.submissions
    assert isinstance(first.work, GroundingWork)
    assert first.work.polygon == [(80, 100), (400, 100), (400, 500)]
    assert (first.work.closed, first.work.comment, first.seconds) == (True, "hm", 5)
    assert (first.task, first.question, first.answer, first.annotator) == ("1.jpg", "What 1?", "a", "person-1")
    assert (first.project, first.size_hw, first.sent, first.started) == ("train", SIZE, None, None)
    assert second.work == GroundingWork(several_questions=True, comment="hm", seconds=5)
    assert made.remarks == []


@pytest.mark.parametrize("second", ["N", "", None])
def test_after_a_yes_nothing_is_answered(tmp_path: Path, second: str | None) -> None:
    found = work(tmp_path, MULTI_QUESTION_DETECT="Y", MULTI_FOCUS_DETECT=second, NoDraw="Not activated")
    assert found == GroundingWork(several_questions=True)
    found = work(tmp_path, MULTI_FOCUS_DETECT="Y", NoDraw="Not activated")
    assert found == GroundingWork(several_questions=False, several_regions=True)


def test_what_is_drawn_after_a_yes_is_left_out_and_told(tmp_path: Path) -> None:
    made = imported(tmp_path, {"MULTI_FOCUS_DETECT": "Y", "points": POINTS})
    assert made.submissions[0].work == GroundingWork(several_questions=False, several_regions=True)
    assert made.remarks[0].startswith("drawn although step 1 or 2 ends the sample; the drawing is left out: 1, ")


def test_the_whole_image_by_its_word_or_its_rectangle(tmp_path: Path) -> None:
    rectangle = ring((1.5, 1.5), (398.5, 1.5), (398.5, 498.5), (1.5, 498.5))
    assert work(tmp_path, points=rectangle).outcome == "whole_image"
    assert work(tmp_path, WholeImage="WholeImage").outcome == "whole_image"
    assert work(tmp_path, points=ring((1.5, 1.5), (398.5, 1.5), (398.5, 498.5))).outcome == "polygon"


def test_what_cannot_be_drawn_has_its_reason(tmp_path: Path) -> None:
    found = work(tmp_path, NoDraw="CANNOT_DRAW", NoDrawReason=" no seat ")
    assert (found.outcome, found.reason, found.reason_text) == ("cannot_draw", "other", "no seat")
    found = work(tmp_path, NoDraw="CANNOT_DRAW", NoDrawReason="blurred: by motion")
    assert (found.reason, found.reason_text) == ("blurred", "by motion")


def test_enter_too_early_is_told(tmp_path: Path) -> None:
    made = imported(tmp_path, {"points": [None, *POINTS]})
    assert len(made.submissions) == 1
    assert made.remarks[0].startswith("points without numbers, from Enter before the first click, left out: 1, ")


def test_points_a_little_outside_are_moved_and_told(tmp_path: Path) -> None:
    made = imported(tmp_path, {"points": ring((-0.27, 1), (200, 1), (200, 502))})
    assert isinstance(made.submissions[0].work, GroundingWork)
    assert made.submissions[0].work.polygon == [(0, 2), (400, 2), (400, 1000)]
    assert made.remarks[0].startswith("points a little outside the canvas, moved onto its edge: 1, ")


def test_outlines_that_cross_are_kept_and_told(tmp_path: Path) -> None:
    made = imported(tmp_path, {"points": ring((0, 0), (200, 200), (200, 0), (0, 100))})
    assert len(made.submissions) == 1
    assert made.remarks[0].startswith("outlines that cross or touch themselves, which the tool did not check")


@pytest.mark.parametrize(
    ("tab", "problem"),
    [
        ({"points": [None]}, "the polygon has 0 points, it needs 3"),
        ({"points": ring((0, 0), (9, 9), (0, 0))}, "the polygon has 2 points, it needs 3"),
        ({"points": ring((0, 0), (9, 9), (99, 99))}, "the polygon covers the middle of no pixel"),
        ({"points": ring((-2, 1), (0, 1), (-1, 1), (-2, 3))}, "the polygon covers the middle of no pixel"),
        ({"points": ring((0, 0), (406, 0), (0, 9))}, "a point lies 6 pixels outside the canvas of 400 x 500"),
        ({"MULTI_QUESTION_DETECT": "", "points": POINTS}, "step 1 is not answered, but step 3 is"),
        ({"MULTI_FOCUS_DETECT": "", "points": POINTS}, "step 2 is not answered, but step 3 is"),
        ({"NoDraw": "CANNOT_DRAW"}, "it cannot be drawn, but no reason is written"),
        ({"NoDraw": "CANNOT_DRAW", "NoDrawReason": "x" * 2_001}, "reason_text is .* at most 2000 characters"),
    ],
)
def test_what_is_no_answer_is_refused_or_passed_over(tmp_path: Path, tab: dict[str, Any], problem: str) -> None:
    with pytest.raises(InputError, match=f"train_0, tab 1: {problem}"):
        imported(tmp_path, dict(tab))
    faults: list[InputError] = []
    assert len(imported(tmp_path, dict(tab), {"points": POINTS}, faults=faults).submissions) == 1
    assert len(faults) == 1


def test_tabs_that_were_not_done_are_told(tmp_path: Path) -> None:
    made = imported(tmp_path, {}, {"points": POINTS})
    assert [submission.task for submission in made.submissions] == ["2.jpg"]
    assert made.remarks == [f"not done, and left out: 1, {tmp_path}/results.json, train_0, tab 1"]


def test_kinds_that_do_not_fit_are_another_order(tmp_path: Path) -> None:
    tabs: list[dict[str, Any]] = [{"points": POINTS}, {"MULTI_FOCUS_DETECT": "Y"}]
    with pytest.raises(InputError, match=r"tab 1 says a region, but task 1, 1.jpg, is of the kind MultiRegion"):
        imported(tmp_path, *copied(tabs), kinds={1: "MultiRegion", 2: "color"})
    assert len(imported(tmp_path, *copied(tabs), kinds={1: "color", 2: "MultiRegion"}).submissions) == 2
    as_listed = imported(tmp_path, *copied(tabs), kinds={1: "MultiRegion", 2: "color"}, order=AS_LISTED)
    assert [submission.task for submission in as_listed.submissions] == ["1.jpg", "2.jpg"]
    order = write(tmp_path / "order.json", json.dumps({"train_0": ["2.jpg", "1.jpg"]}))
    turned = imported(tmp_path, *copied(tabs), order=str(order))
    assert [submission.task for submission in turned.submissions] == ["2.jpg", "1.jpg"]
    assert turned.submissions[0].question == "What 2?"


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ([], "it is not an object of a list of photos for each group"),
        ({"train_0": "1.jpg"}, "it is not an object of a list of photos for each group"),
        ({"train_0": ["3.jpg"]}, "the order names 3.jpg, of the group are 1.jpg, 2.jpg"),
        ({"train_0": ["1.jpg", "1.jpg"]}, "the order names 1.jpg, 1.jpg"),
        ({"train_0": ["1.jpg"]}, "it has a tab 2, the group has 1 tasks"),
        ({"train_9": ["1.jpg"]}, "it names groups that are not in .*: train_9"),
    ],
)
def test_orders_that_do_not_fit_are_told(tmp_path: Path, values: object, problem: str) -> None:
    order = write(tmp_path / "order.json", json.dumps(values))
    with pytest.raises(InputError, match=problem):
        imported(tmp_path, {"points": POINTS}, {"points": POINTS}, order=str(order))


def of_people(folder: Path, tasks: list[list[dict[str, Any]]], size_hw: SizeHW | None = SIZE) -> Imported:
    tab = {"useranswersTAB1": NO, "xyTAB1": POINTS}
    results = {"a_0": [tab | {"Worker_id": name} for name in "XY"], "a_1": tab | {"Worker_id": "X"}}
    return import_crowd(
        write(folder / "results.json", json.dumps(results)),
        write(folder / "grouped.json", json.dumps(tasks)),
        lambda _: size_hw,
    )


def test_people_are_numbers_and_questions_of_one_photo_are_told_apart(tmp_path: Path) -> None:
    tasks = [[{"image": "a.jpg", "question": "What?"}], [{"image": "a.jpg", "question": "Where?"}]]
    found = of_people(tmp_path, tasks).submissions
    assert [(s.annotator, s.task, s.answer) for s in found] == [
        ("person-1", "a.jpg#0", None),
        ("person-2", "a.jpg#0", None),
        ("person-1", "a.jpg#1", None),
    ]
    with pytest.raises(InputError, match="there is no group 1 among the 1 of"):
        of_people(tmp_path, tasks[:1])
    with pytest.raises(InputError, match=r"the size of a.jpg is not known, and the canvas had another"):
        of_people(tmp_path, tasks, None)


def test_decisions_are_nobodys_results(tmp_path: Path) -> None:
    given = [sent(drawn(), "a"), sent(drawn(), "boss", adjudicated=True), sent(AskWork(), "boss", adjudicated=True)]
    assert write_crowd(given, tmp_path / "out") == 1
    stored = json.loads((tmp_path / "out" / "results.json").read_text())
    assert [result["Worker_id"] for group in stored.values() for result in group] == ["a"]


def test_what_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="a submission is of the stage ask"):
        write_crowd([sent(AskWork())], tmp_path / "out")
    twins = [sent(drawn(), task="a.jpg#0"), sent(drawn(), task="a.jpg#1")]
    with pytest.raises(InputError, match="it is of the same photo and question as a.jpg#0"):
        write_crowd(twins, tmp_path / "out")


@needs_shared
def test_the_real_file_is_in_another_order_than_its_tasks(tmp_path: Path) -> None:
    results, tasks = CROWD / "qualification_gt_results.json", CROWD / "qualification_grouped.json"
    with pytest.raises(
        InputError, match="tab 3 says a region, but task 3, VizWiz_qua_5.jpg, is of the kind Cannotdraw"
    ):
        import_crowd(results, tasks, lambda _: SIZE)
    # By their kinds only three places are certain; these must fit.
    order = [f"VizWiz_qua_{n}.jpg" for n in (7, 3, 6, 1, 4, 8, 9, 0, 5, 2)]
    told = write(tmp_path / "order.json", json.dumps({"qualification_0": order}))
    found = import_crowd(results, tasks, lambda _: SIZE, order=str(told)).submissions
    outcomes = [s.work.outcome for s in found if isinstance(s.work, GroundingWork)]
    assert outcomes == ["polygon"] * 6 + [None, None, "cannot_draw", "polygon"]
    assert found[8].work == GroundingWork(
        several_questions=False,
        several_regions=False,
        outcome="cannot_draw",
        reason="other",
        reason_text="Seat number is not displayed in the image",
        seconds=26.5499,
    )
