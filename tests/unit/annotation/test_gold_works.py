"""Gold questions from data sets and from files of submissions: what is right, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from foveate.annotation import gold_works
from foveate.annotation.crowd import import_crowd
from foveate.annotation.given import given_work
from foveate.annotation.gold_works import gold_of_dataset, gold_of_submissions
from foveate.annotation.judged import said_by
from foveate.annotation.kinds import Stage
from foveate.annotation.origin import Origin
from foveate.annotation.reading import Choice
from foveate.annotation.submissions import Submission
from foveate.annotation.work import GroundingWork
from foveate.core.masks import box_to_rle
from foveate.core.regions import Box, Mask, Polygon
from foveate.core.rle import encode
from foveate.core.soft_maps import SoftMap
from foveate.core.truths import Match, Target, Truth
from foveate.errors import InputError, UsageError
from tests.helpers import SHARED, needs_shared, save_photo

SIZE_HW = (40, 60)
TRIANGLE = Polygon((((1, 1), (20, 1), (20, 30)),))


def truth(*shapes: Any, **more: Any) -> Truth:
    match: Match = "any" if len(shapes) > 1 else "single"
    return Truth("s", targets=tuple(Target(shape) for shape in shapes), match=match, **more)


def dumped(found: Truth, stage: Stage = "grounding") -> dict[str, Any]:
    return given_work(found, stage, SIZE_HW).model_dump(exclude_defaults=True, exclude={"stage"})


NO = {"several_questions": False, "several_regions": False}
CANNOT = {"outcome": "cannot_draw", "reason": "other", "reason_text": "The data set has no target."}


def test_a_region_becomes_the_work_that_draws_it() -> None:
    assert dumped(truth(TRIANGLE)) == {
        **NO,
        "outcome": "polygon",
        "polygon": [(1, 1), (20, 1), (20, 30)],
        "closed": True,
    }
    assert dumped(truth(Box((1, 2, 3, 4))), "box") == {"outcome": "box", "box": (1, 2, 3, 4)}
    assert dumped(truth(TRIANGLE), "box")["box"] == (1, 1, 20, 30)
    assert dumped(truth(Box((1, 2, 3, 4))), "polygon")["polygon"] == [(1, 2), (3, 2), (3, 4), (1, 4)]
    # A mask of one piece is its outline, pixel for pixel.
    mask = Mask(box_to_rle((4, 4, 9, 9), SIZE_HW))
    again = said_by(given_work(truth(mask), "grounding", SIZE_HW), SIZE_HW)
    assert again is not None
    assert again.shape is not None
    assert again.shape.rle(SIZE_HW) == mask.encoded


@pytest.mark.parametrize(
    ("facts", "answerable", "work"),
    [
        ({"no_target": "several_questions"}, True, {"several_questions": True}),
        ({"no_target": "several_regions"}, True, {"several_questions": False, "several_regions": True}),
        ({"no_target": "cannot_draw"}, True, {**NO, **CANNOT}),
        ({}, False, {**NO, **CANNOT}),
    ],
)
def test_why_there_is_none_is_said_by_the_facts(facts: Any, answerable: bool, work: dict[str, Any]) -> None:
    assert dumped(truth(facts=facts, answerable=answerable)) == work


def test_one_who_is_asked_no_steps_cannot_draw() -> None:
    stages: tuple[Stage, ...] = ("box", "polygon")
    for stage in stages:
        assert dumped(truth(answerable=False), stage) == CANNOT


def two_pieces() -> Mask:
    pixels = np.zeros(SIZE_HW, dtype=bool)
    pixels[2:5, 2:5] = pixels[20:25, 20:25] = True
    return Mask(encode(pixels))


@pytest.mark.parametrize(
    ("found", "stage", "said"),
    [
        (truth(Box((1, 1, 2, 2)), Box((3, 3, 4, 4))), "box", "it has 2 targets"),
        (truth(two_pieces()), "grounding", "has 2 outlines"),
        (truth(), "grounding", "nothing tells why"),
        (truth(facts={"no_target": "verified"}), "grounding", "nothing tells why"),
        (truth(facts={"no_target": "several_regions"}), "polygon", "which nobody is asked"),
        (truth(SoftMap(np.ones((2, 2), dtype=np.float32), (1.0, 1.0, 0.0, 0.0))), "box", "a soft map"),
    ],
)
def test_what_nobody_could_answer_is_refused(found: Truth, stage: Stage, said: str) -> None:
    with pytest.raises(InputError, match=said):
        given_work(found, stage, SIZE_HW)


def test_gold_of_a_data_set_comes_in_the_order_of_the_ids(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3):
        save_photo(tmp_path / f"p{number}.png", SIZE_HW)
    rows: list[dict[str, Any]] = [
        {
            "id": f"s{n}",
            "image": f"p{n}.png",
            "question": "What?",
            "answers": ["a"],
            "targets": [{"box": [1, 2, 10 + n, 30]}],
        }
        for n in range(3)
    ]
    rows[2]["targets"] = []
    lines = [json.dumps(row) for row in rows]
    file = tmp_path / "data.jsonl"
    file.write_text("\n".join(lines) + "\n")
    origin = Origin(str(file))
    found = gold_of_dataset(origin, "reannotation", "box", Choice(ids=("s1", "s0")))
    assert [(one.row.key, getattr(one.work, "box", None)) for one in found.tasks] == [
        ("s1", (1, 2, 11, 30)),
        ("s0", (1, 2, 10, 30)),
    ]
    assert found.fingerprint
    everything = gold_of_dataset(origin, "grounding", "grounding", Choice())
    # An empty list says that there is nothing to find.
    assert [(one.row.key, one.work.outcome) for one in everything.tasks] == [
        ("s0", "polygon"),
        ("s1", "polygon"),
        ("s2", "cannot_draw"),
    ]
    for number in (0, 2):
        rows[number]["targets"] = [{"box": [1, 2, 10, 30]}, {"box": [20, 2, 30, 30]}]
    two = tmp_path / "two.jsonl"
    two.write_text("\n".join(json.dumps(row) for row in rows) + "\n")
    with pytest.raises(InputError, match=r"^s0: it has 2 targets"):
        gold_of_dataset(Origin(str(two)), "grounding", "grounding", Choice(ids=("s1", "s0")))
    with pytest.raises(InputError, match=r"2 samples cannot be gold: s2, s0\. The first: s2: it has 2 targets"):
        gold_of_dataset(Origin(str(two)), "grounding", "grounding", Choice(ids=("s2", "s1", "s0")))
    with pytest.raises(UsageError, match="no sample s7"):
        gold_of_dataset(origin, "grounding", "grounding", Choice(ids=("s7",)))
    monkeypatch.setattr(gold_works, "opened", lambda _: SimpleNamespace(truths=list))
    with pytest.raises(InputError, match="it has no truth of s1"):
        gold_of_dataset(origin, "grounding", "grounding", Choice(ids=("s1",)))


def sent(task: str, work: GroundingWork, annotator: str = "a", **more: Any) -> Submission:
    return Submission(
        project="p",
        kind="grounding",
        task=task,
        image_name=f"{task}.png",
        size_hw=SIZE_HW,
        question="What?",
        answer="that",
        annotator=annotator,
        work=work,
        **more,
    )


YES = GroundingWork(several_questions=True)
REGIONS = GroundingWork(several_questions=False, several_regions=True)


def test_of_submissions_the_adjudicated_one_is_right_or_the_only_one(tmp_path: Path) -> None:
    for name in ("x", "y"):
        save_photo(tmp_path / f"{name}.png", SIZE_HW)
    both = [sent("x", YES), sent("x", REGIONS, "b"), sent("y", YES)]
    decided = [*both, sent("x", REGIONS, "c", adjudicated=True)]
    origin = Origin("folder", tmp_path)
    found = gold_of_submissions(decided, origin)
    assert [(one.row.key, one.row.answer, one.work) for one in found.tasks] == [
        ("x", "that", REGIONS),
        ("y", "that", YES),
    ]
    assert [one.row.key for one in gold_of_submissions(decided, origin, ["y"]).tasks] == ["y"]
    with pytest.raises(InputError, match="2 works are there and none was adjudicated"):
        gold_of_submissions(both, origin)
    with pytest.raises(InputError, match="no task z"):
        gold_of_submissions(both, origin, ["z"])
    with pytest.raises(InputError, match="is not there"):
        gold_of_submissions([sent("q", YES)], origin)
    with pytest.raises(InputError, match="is not there"):
        gold_of_submissions([sent("x", YES)], Origin("folder"))
    save_photo(tmp_path / "r.png", (10, 10))
    with pytest.raises(InputError, match="of another size"):
        gold_of_submissions([sent("r", YES)], origin)
    with pytest.raises(InputError, match="none that could be sent: nothing is drawn or chosen"):
        gold_of_submissions([sent("x", GroundingWork(several_questions=False, several_regions=False))], origin)


@needs_shared
def test_the_original_tools_own_gold_is_ten_hard_questions(tmp_path: Path) -> None:
    crowd = SHARED / "vizwiz" / "crowdsourcing"
    order = tmp_path / "order.json"
    # The stored results are of another order than the tasks: by their numbers (shared/reference/annotation.md, B.1).
    order.write_text(json.dumps({"qualification_0": [f"VizWiz_qua_{n}.jpg" for n in ORDER]}))
    results, tasks = crowd / "qualification_gt_results.json", crowd / "qualification_grouped.json"
    read = import_crowd(results, tasks, lambda _: SIZE_HW, order=str(order))
    for one in read.submissions:
        save_photo(tmp_path / one.image_name, SIZE_HW)
    found = gold_of_submissions(read.submissions, Origin("folder", tmp_path))
    works = [one.work for one in found.tasks if isinstance(one.work, GroundingWork)]
    assert len(works) == len(found.tasks) == 10
    assert sum(bool(work.several_questions) for work in works) == 1
    assert sum(bool(work.several_regions) for work in works) == 1
    assert sum(work.outcome == "cannot_draw" for work in works) == 1


# Tab 7 asks several questions, tab 8 needs several regions, tab 9 cannot be drawn; which of the others is which is not
# told by any file, and does not matter here.
ORDER = (7, 3, 6, 1, 4, 8, 9, 0, 5, 2)
