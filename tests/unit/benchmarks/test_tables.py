from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import PIL.Image
import pytest
from benchmarks._refusals import share
from benchmarks._sets import between, half, of, table
from benchmarks._sheets import WIDTH, write_sheets

from foveate.core.boxes import SizeHW
from foveate.core.masks import box_to_rle
from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Mask, Region
from tests.helpers import REPOSITORY, predicted
from tests.unit.benchmarks.made import SIZE, dog

SIZE_HW: SizeHW = SIZE


def test_a_share_is_over_what_it_is_of() -> None:
    hit, among = np.array([True, True, False, True]), np.array([True, True, True, False])
    assert share(hit, among, ["a", "a", "b", "b"]).startswith("0.667 [")


def test_a_value_stands_with_its_interval() -> None:
    assert between(0.5, 0.25, 0.75) == "0.500 [0.250, 0.750]"
    assert between(-0.5, -0.75, 0.25, "+") == "-0.500 [-0.750, +0.250]"
    assert between(None, None, None) == "none"


def test_a_table_has_each_method_and_what_the_base_is_better_by(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sample = dog(tmp_path)
    right, wrong = (predicted(sample.query.id, xyxy) for xyxy in ((20, 20, 60, 60), (100, 0, 120, 20)))
    table(of("made up", [sample]), {"prior": [wrong], "pocket": [right]})
    title, _, prior, pocket = capsys.readouterr().out.strip().splitlines()
    assert title == "made up: 1 questions about 1 photos"
    assert prior.split()[:2] == ["prior", "0.000"]
    # One photo has no interval.
    assert "+1.000" in prior
    assert "[" not in prior
    assert pocket.split()[:2] == ["pocket", "1.000"]


def test_the_halves_are_by_the_photo(tmp_path: Path) -> None:
    sample = dog(tmp_path)  # Its photo is number 2.
    assert (half([sample], False), half([sample], True)) == ([sample], [])


def test_a_mask_is_filled_to_its_box() -> None:
    filled = runpy.run_path(str(REPOSITORY / "benchmarks" / "pocket.py"))["filled"]
    region = Region(Mask(box_to_rle((20, 20, 60, 50), SIZE_HW)), 0.5, "dog")
    said = filled(Prediction("a", "ok", final=region, candidates=(region,)))
    assert said.final == Region(Box((20, 20, 60, 50)), 0.5, "dog")
    nothing = predicted("a", None)
    assert filled(nothing) is nothing


def test_twelve_pictures_make_a_sheet(tmp_path: Path) -> None:
    sample = dog(tmp_path)
    shown = (sample.query, predicted(sample.query.id, (20, 20, 60, 60)), "Where?", ())
    first, second = write_sheets(tmp_path / "out", "worst", [shown] * 13)
    assert (first.name, second.name) == ("worst-1.png", "worst-2.png")
    with PIL.Image.open(first) as sheet, PIL.Image.open(second) as rest:
        assert sheet.width == 4 * WIDTH
        assert rest.width == WIDTH
        assert sheet.height == 3 * rest.height
