from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import foveate
from foveate.errors import UsageError
from foveate.evaluation.compare import Draws, compare
from foveate.evaluation.in_slices import in_slices
from foveate.evaluation.load import DataPlace
from foveate.evaluation.paired import holm
from foveate.evaluation.results import all_results
from foveate.evaluation.slice_differences import SlicedComparison, compare_slices
from tests.helpers import write

HEADER = "image,id,question,room,width,height,left,top,right,bottom\n"
# In the hall the middle box is right, in the bath the whole photo.
ROOMS = {
    "hall": ("Where is it?", "160,120,480,360"),
    "bath": ("What is there?", "0,0,640,480"),
    "attic": ("Why?", "0,0,320,480"),
}


def table(folder: Path, rooms: dict[str, int]) -> Path:
    lines = [
        f"{room}{n}.jpg,{room}{n},{ROOMS[room][0]},{room},640,480,{ROOMS[room][1]}\n"
        for room, count in rooms.items()
        for n in range(count)
    ]
    return write(folder / "q.csv", HEADER + "".join(lines))


def runs(folder: Path, rooms: dict[str, int]) -> list[Path]:
    questions = table(folder, rooms)
    for name in ("whole_image", "centre_box"):
        foveate.ground("folder", questions=questions, grounder=name, out=folder / name)
    return [folder / "whole_image", folder / "centre_box"]


def compared(sources: list[Path], by: list[str], draws: Draws, metrics: list[str] | None = None) -> SlicedComparison:
    whole = compare(
        sources, metrics=metrics, resamples=draws.resamples, permutations=draws.permutations, seed=draws.seed
    )
    return compare_slices(whole, all_results(sources, DataPlace()), by, draws)


def test_by_hand(tmp_path: Path) -> None:
    found = compared(runs(tmp_path, {"hall": 6, "bath": 8}), ["question_prefix"], Draws(50, 999, 0), ["mean_iou"])
    assert [(d.by, d.key, d.n) for d in found.slices] == [
        ("question_prefix", "what is", 8),
        ("question_prefix", "where is", 6),
    ]
    bath, hall = (d.difference for d in found.slices)
    assert (bath.value_first, bath.value_second, bath.difference) == (1.0, 0.25, -0.75)
    assert (hall.value_first, hall.value_second, hall.difference) == (0.25, 1.0, 0.75)
    # Of all exchanges of the slice's photos only the two extremes are as large.
    assert (bath.p, hall.p) == (2 / 2**8, 2 / 2**6)
    assert (hall.low, hall.high) == (0.75, 0.75)


def test_p_is_adjusted_for_all_that_is_told(tmp_path: Path) -> None:
    found = compared(runs(tmp_path, {"hall": 6, "bath": 8}), ["question_prefix", "coverage"], Draws(0, 99, 0))
    told = [*found.whole.differences, *(d.difference for d in found.slices)]
    assert len(told) == 2 + 2 * 2 + 2 * 2
    assert [d.p_holm for d in told] == pytest.approx(holm([d.p or 0.0 for d in told]))


def test_a_slice_is_what_compare_says_of_it_alone(tmp_path: Path) -> None:
    (tmp_path / "alone").mkdir()
    draws = Draws(200, 500, 3)
    inside = compared(runs(tmp_path, {"hall": 30, "bath": 8, "attic": 20}), ["question_prefix"], draws)
    alone = compare(runs(tmp_path / "alone", {"hall": 30}), resamples=200, permutations=500, seed=3)
    told = [replace(d.difference, p_holm=None) for d in inside.slices if d.key == "where is"]
    assert told == [replace(d, p_holm=None) for d in alone.differences]


def test_slices_of_a_few_are_not_tested_and_counted(tmp_path: Path) -> None:
    found = compared(runs(tmp_path, {"hall": 6, "bath": 4}), ["question"], Draws(0, 9, 0))
    assert {d.key for d in found.slices} == {"where is it"}
    assert found.left_out == {"question": 1}
    told = found.as_dict()
    assert set(told) >= {"differences", "slices", "left_out"}
    assert told["slices"][0]["slice"] == "where is it"


def test_a_wrong_name_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Did you mean question_prefix"):
        compared(runs(tmp_path, {"hall": 6}), ["question_prefx"], Draws(0, 0, 0))


def test_a_slicing_is_crossed_with_another(tmp_path: Path) -> None:
    (made,) = all_results(runs(tmp_path, {"hall": 6, "bath": 5})[:1], DataPlace())
    with pytest.raises(UsageError, match="--cross coverage coverage: it takes two different slicings"):
        in_slices(made, [], ("coverage", "coverage"), ["mean_iou"])
    assert in_slices(made, [], None, ["mean_iou"]).as_dict() == {}
    both = in_slices(made, ["coverage"], ("question_prefix", "coverage"), ["mean_iou"], resamples=10).as_dict()
    assert list(both["slices"]) == ["coverage"]
    assert both["cross"]["mean_iou"]["rows"] == ["where is", "what is"]
