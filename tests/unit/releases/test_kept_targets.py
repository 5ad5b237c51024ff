"""Decisions against what a release has: the same region is the same target, and the order of runs is told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from foveate.core.queries import Query
from foveate.core.regions import Box, Mask, Polygon
from foveate.core.truths import Target, Truth
from foveate.evaluation.evaluate import Evaluation, Value
from foveate.formats._sample_forms import Sample
from foveate.releases.kept_targets import with_targets
from foveate.releases.ranks import order_told, ranks_of
from foveate.releases.rescore import Rescored

SQUARE = Polygon((((2, 2), (8, 2), (8, 8), (2, 8)),))


def sample(*targets: Target, match: Any = "single", size_hw: tuple[int, int] | None = (10, 10)) -> Sample:
    truth = Truth("a", ("cup", "mug"), targets, match, bool(targets), size_hw, facts={"skill": "text"})
    return Sample(Query("a", "a.png", None, "What?", size_hw), truth)


def fix(*shapes: Any) -> Truth:
    targets = tuple(Target(shape, None, "decider") for shape in shapes)
    return Truth("a", (), targets, "single", bool(targets), (10, 10), facts={"adjudicated": True})


def test_the_region_that_there_was_leaves_the_sample_as_it_was() -> None:
    box = sample(Target(Box((1, 1, 4, 5)), "cup", "first"))
    assert with_targets(box, fix(Box((1, 1, 4, 5)))) is box
    # A mask and the outline of its very pixels are one region.
    mask = sample(Target(Mask(SQUARE.rle((10, 10))), "cup"))
    assert with_targets(mask, fix(SQUARE)) is mask
    unknown = sample(Target(SQUARE, "cup"), size_hw=None)
    assert with_targets(unknown, fix(SQUARE)) is unknown


def test_another_region_takes_its_place_and_the_answer_stays() -> None:
    old = sample(Target(Box((1, 1, 4, 5)), "cup", "first"))
    new = with_targets(old, fix(Box((1, 1, 4, 4))))
    assert new.truth == replace(old.truth, targets=(Target(Box((1, 1, 4, 4)), "cup", "decider"),))
    assert new.query is old.query
    gone = with_targets(old, fix())
    assert (gone.truth.targets, gone.truth.answerable, gone.truth.answers) == ((), False, ("cup", "mug"))


def test_of_several_targets_the_one_that_was_picked_stays() -> None:
    first, second = Target(Box((1, 1, 4, 5)), "cup"), Target(Box((5, 5, 9, 9)), "mug")
    old = sample(first, second, match="any")
    new = with_targets(old, fix(Box((5, 5, 9, 9))))
    assert (new.truth.targets, new.truth.match) == ((second,), "single")
    # Drawn anew it belongs to no one of two answers.
    assert with_targets(old, fix(Box((0, 0, 1, 1)))).truth.targets[0].answer is None


def scored(source: str, split: str, before: dict[str, float | None], after: dict[str, float | None]) -> Rescored:
    def evaluation(values: dict[str, float | None]) -> Evaluation:
        return Evaluation(4, 4, 4, {}, {}, {name: Value(value, None, None, None, 4) for name, value in values.items()})

    return Rescored(source, split, evaluation(before), evaluation(after), 4, (), (), (), ())


def test_ranks_before_and_after() -> None:
    found = [
        scored("a", "val", {"mean_iou": 0.5, "ece": 0.2}, {"mean_iou": 0.7, "ece": 0.2}),
        scored("b", "val", {"mean_iou": 0.6, "ece": 0.1}, {"mean_iou": 0.6, "ece": None}),
        scored("c", "val", {"mean_iou": 0.5, "ece": 0.3}, {"mean_iou": 0.4, "ece": 0.3}),
        scored("a", "train", {"mean_iou": 0.1}, {"mean_iou": 0.2}),
    ]
    ranks = ranks_of(found)
    assert [(one.source, one.metric, one.before, one.after) for one in ranks] == [
        ("a", "mean_iou", 2, 1),
        ("b", "mean_iou", 1, 2),
        # Equal before, and the last now.
        ("c", "mean_iou", 2, 3),
        # Of an error the lowest is first.
        ("a", "ece", 2, 1),
        ("b", "ece", 1, None),
        ("c", "ece", 3, 2),
    ]
    told = order_told(ranks)
    assert told[0].startswith("val, mean_iou: the order of 3 runs changes: a from rank 2 to rank 1;")
    assert "b from rank 1 to no rank" in told[1]


def test_where_nobody_moves_the_order_is_said_to_stay() -> None:
    same: dict[str, float | None] = {"mean_iou": 0.5}
    ranks = ranks_of([scored("a", "val", same, {"mean_iou": 0.6}), scored("b", "val", {"mean_iou": 0.4}, same)])
    assert order_told(ranks) == ["val, mean_iou: the order stays as it was"]
    assert ranks_of([scored("a", "val", same, same)]) == []
