from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pycocotools import mask as coco

from foveate.analysis.measure import Measured, measure
from foveate.core.queries import Query
from foveate.core.regions import Box, Mask, Polygon
from foveate.core.rle import encode
from foveate.core.truths import Target, Truth
from foveate.datasets import toloka_vqa
from foveate.datasets._open import Dataset, open_dataset
from foveate.errors import InputError
from tests.helpers import SHARED, needs_shared, save_photo, write

HW = (40, 60)
SQUARE = [[1, 1], [11, 1], [11, 11], [1, 11]]
corner = st.tuples(st.integers(0, 60), st.integers(0, 40))
Rows = Callable[..., Measured]


@pytest.fixture
def rows(tmp_path: Path) -> Rows:
    """Measures samples that each have the given targets."""

    def measured(*targets: list[dict[str, Any]], size: bool = True, **options: Any) -> Measured:
        sides = {"height": HW[0], "width": HW[1]} if size else {}
        lines = [
            {"id": str(n), "image": f"{n}.png", "question": "What?", "targets": found, **sides}
            for n, found in enumerate(targets)
        ]
        write(tmp_path / "samples.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        return measure(open_dataset(str(tmp_path / "samples.jsonl")), **options)

    return measured


def made(truths: list[Truth], queries: list[Query] | None = None, evaluate_as: str = "mask") -> Dataset:
    """Returns a data set of these truths."""
    asked = queries or [Query(truth.id, f"{truth.id}.png", None, "What?", truth.size_hw) for truth in truths]

    def given_queries(*_: object) -> Iterator[Query]:
        return iter(asked)

    def given_truths(*_: object) -> Iterator[Truth]:
        return iter(truths)

    card = SimpleNamespace(name="made", evaluate_as=evaluate_as, splits={"all": None}, options={})
    module: Any = SimpleNamespace(CARD=card, queries=given_queries, truths=given_truths)
    return Dataset(module.CARD, "all", None, None, False, module)


def test_a_polygon_by_hand(rows: Rows) -> None:
    columns = rows([{"polygon": [SQUARE]}]).columns
    assert columns.coverage.tolist() == [100 / 2400]
    assert columns.centre.tolist() == [[6 / 60, 6 / 40]]
    assert (columns.points.tolist(), columns.parts.tolist(), columns.targets.tolist()) == ([4.0], [1], [1])
    assert columns.complexity.tolist() == [0.0]
    assert (columns.ids, columns.photos, columns.questions) == (["0"], ["0.png"], ["What?"])


def test_several_targets_are_measured_on_their_union(rows: Rows) -> None:
    """Two squares of 10 that share 5 columns and one of 2 apart from them: 154 pixels, 12 corners, two parts."""
    columns = rows([{"polygon": [SQUARE]}, {"box": [6, 1, 16, 11]}, {"box": [50, 30, 52, 32]}]).columns
    assert columns.coverage.tolist() == [154 / 2400]
    assert columns.centre[0].tolist() == pytest.approx([(150 * 8.5 + 4 * 51) / 154 / 60, (150 * 6 + 4 * 31) / 154 / 40])
    assert (columns.points.tolist(), columns.parts.tolist(), columns.targets.tolist()) == ([12.0], [2], [3])


def test_complexity_is_that_of_the_outline_that_encloses_most(rows: Rows) -> None:
    wedge = [[20, 2], [22, 2], [20, 3]]
    only, both = rows([{"polygon": [wedge]}], [{"polygon": [wedge, SQUARE]}]).columns.complexity.tolist()
    assert only > 0.0
    assert both == 0.0


def test_nobody_outlined_a_mask_unless_its_outline_is_told() -> None:
    mask = Mask(encode(np.pad(np.ones((10, 10), dtype=bool), ((1, 29), (1, 49)))))
    outline = Polygon((((1, 1), (11, 1), (11, 11), (6, 11), (1, 11)),))
    truths = [
        Truth("a", targets=(Target(mask),), size_hw=HW),
        Truth("b", targets=(Target(mask, outline=outline),), size_hw=HW),
    ]
    found = measure(made(truths))
    assert np.isnan(found.columns.points[0])
    assert np.isnan(found.columns.complexity[0])
    assert found.columns.points[1] == 5
    assert found.columns.coverage.tolist() == [100 / 2400] * 2
    assert set(found.complexity.sensitivity) == {10, 20, 50}
    contour = measure(made(truths), points="contour", bins=12)
    assert not np.isnan(contour.columns.complexity).any()
    assert set(contour.complexity.sensitivity) == {10, 12, 20, 50}


def test_a_box_of_a_set_of_boxes_is_measured_by_its_own_arithmetic() -> None:
    truths = [Truth("a", targets=(Target(Box((1.2, 1.3, 3.4, 2.7))),), size_hw=HW)]
    exact, pixels = measure(made(truths, evaluate_as="box")).columns, measure(made(truths)).columns
    assert exact.coverage[0] == pytest.approx(2.2 * 1.4 / 2400)
    assert exact.centre[0].tolist() == pytest.approx([2.3 / 60, 2 / 40])
    assert (exact.points[0], exact.complexity[0], exact.parts[0]) == (4, 0, 1)
    assert pixels.coverage[0] == 4 / 2400  # The middles of four pixels lie inside.


def test_what_holds_no_pixel_is_left_out_and_named(rows: Rows) -> None:
    speck = {"polygon": [[[1.1, 1.1], [1.3, 1.1], [1.2, 1.3]]]}
    found = rows([speck], [{"polygon": [SQUARE]}], [{"box": [1.1, 1.1, 1.3, 1.3]}])
    assert (found.n, found.columns.ids, found.pixelless) == (3, ["1"], ("0", "2"))


def test_a_box_without_a_pixel_counts_where_boxes_are_compared() -> None:
    truths = [Truth("a", targets=(Target(Box((1.1, 1.1, 1.3, 1.3))),), size_hw=HW)]
    found = measure(made(truths, evaluate_as="box"))
    assert found.columns.coverage[0] == pytest.approx(0.04 / 2400)
    assert np.isnan(measure(made(truths, evaluate_as="box"), points="contour").columns.complexity[0])


def test_a_sample_without_targets_is_counted_and_not_measured(rows: Rows) -> None:
    found = rows([], [{"polygon": [SQUARE]}])
    assert (found.n, found.columns.ids) == (2, ["1"])
    nothing = rows([])
    assert (nothing.n, len(nothing.columns), nothing.columns.centre.shape) == (1, 0, (0, 2))


def test_a_photo_tells_the_size_where_nothing_else_does(rows: Rows, tmp_path: Path) -> None:
    save_photo(tmp_path / "0.png", HW)
    found = rows([{"polygon": [SQUARE]}], [{"polygon": [SQUARE]}], size=False)
    assert found.columns.size_hw.tolist() == [list(HW)]
    assert (found.columns.coverage.tolist(), found.unsized) == ([100 / 2400], ("1",))


class Photo:
    """A photo that is looked at only for its size."""

    name = "a.png"

    def __init__(self, size_hw: tuple[int, int] | None) -> None:
        self._size_hw = size_hw

    @property
    def size_hw(self) -> tuple[int, int]:
        if self._size_hw is None:
            raise InputError(self.name, "it is no image", "Look at it.")
        return self._size_hw

    def load(self) -> np.ndarray:
        raise NotImplementedError


def test_the_photos_of_queries_are_asked_last_and_broken_ones_tell_nothing() -> None:
    truths = [Truth(name, targets=(Target(Box((0, 0, 30, 40))),)) for name in ("a", "b")]
    queries = [Query("a", "a.png", Photo(HW), "What?", None), Query("b", "a.png", Photo(None), "What?", None)]
    found = measure(made(truths, queries))
    assert (found.columns.ids, found.unsized, found.columns.coverage.tolist()) == (["a"], ("b",), [0.5])


def test_questions_and_truths_that_do_not_go_together() -> None:
    truths = [Truth("a", targets=(Target(Box((0, 0, 30, 40))),), size_hw=HW)]
    with pytest.raises(InputError, match="do not go together"):
        measure(made(truths, [Query("b", "b.png", None, "What?", HW)]))


def test_the_answer_is_the_targets_else_the_most_common_one_else_none() -> None:
    box = Box((0, 0, 30, 40))
    truths = [
        Truth("a", answers=("x", "y", "y"), targets=(Target(box, answer="of the target"),), size_hw=HW),
        Truth("b", answers=("x", "y", "y"), targets=(Target(box),), size_hw=HW),
        Truth("c", answers=("x", "y"), targets=(Target(box),), size_hw=HW),
        Truth("d", targets=(Target(box),), size_hw=HW),
    ]
    assert measure(made(truths)).columns.answers == ["of the target", "y", "x", None]


def test_facts_that_only_some_samples_have() -> None:
    target = (Target(Box((0, 0, 30, 40))),)
    truths = [
        Truth("a", targets=target, size_hw=HW, facts={"quality": "none"}),
        Truth("b", targets=target, size_hw=HW, facts={"room": "kitchen"}),
    ]
    assert measure(made(truths)).columns.facts == {"quality": ["none", None], "room": [None, "kitchen"]}


def test_the_tiny_cup(tmp_path: Path) -> None:
    toloka_vqa.write_tiny(tmp_path)
    found = measure(open_dataset("toloka_vqa:train", tmp_path))
    assert (found.n, len(found.columns)) == (3, 3)
    assert (found.columns.points == 4).all()
    assert (found.columns.complexity == 0).all()


@pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")
@settings(max_examples=60)
@given(st.lists(st.lists(corner, min_size=3, max_size=7, unique=True), min_size=1, max_size=3))
def test_pixels_tell_the_same(outlines: list[list[tuple[int, int]]]) -> None:
    """Against pycocotools' union, unpacked, and OpenCV's connected parts."""
    shapes = []
    for outline in outlines:
        try:
            shapes.append(Polygon((tuple((float(x), float(y)) for x, y in outline),)))
        except ValueError:
            return  # Flat.
    found = measure(made([Truth("a", targets=tuple(map(Target, shapes)), match="union", size_hw=HW)]))
    raw = [coco.frPyObjects([[float(c) for point in outline for c in point]], *HW)[0] for outline in outlines]
    pixels = coco.decode(coco.merge(raw)).astype(bool)
    if not pixels.any():
        assert found.pixelless == ("a",)
        return
    y, x = np.nonzero(pixels)
    assert found.columns.coverage[0] == pytest.approx(pixels.mean())
    assert found.columns.centre[0].tolist() == pytest.approx([(x.mean() + 0.5) / HW[1], (y.mean() + 0.5) / HW[0]])
    assert found.columns.parts[0] == cv2.connectedComponents(pixels.astype(np.uint8), connectivity=8)[0] - 1
    assert found.columns.points[0] == sum(map(len, outlines))


@pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")
@needs_shared
def test_the_real_file_told_by_unpacked_pixels() -> None:
    """Every 20th record of the official file, straight from its JSON."""
    columns = measure(open_dataset("vizwiz_grounding:val", SHARED / "vizwiz")).columns
    records = json.loads((SHARED / "vizwiz" / "val_grounding.json").read_text())
    row_of = {name: row for row, name in enumerate(columns.ids)}
    names = sorted(records)[::20]
    assert len(names) == 57
    for name in names:
        record, row = records[name], row_of[name]
        height, width = record["height"], record["width"]
        corners = np.array([(point["x"], point["y"]) for point in record["answer_grounding"]], dtype=float)
        corners = np.clip(corners, 0, [width, height])
        pixels = coco.decode(coco.frPyObjects([corners.ravel().tolist()], height, width)).any(axis=2)
        y, x = np.nonzero(pixels)
        assert columns.coverage[row] == pytest.approx(pixels.mean(), abs=1e-12)
        assert columns.centre[row].tolist() == pytest.approx([(x.mean() + 0.5) / width, (y.mean() + 0.5) / height])
        assert columns.parts[row] == cv2.connectedComponents(pixels.astype(np.uint8), connectivity=8)[0] - 1
        assert columns.points[row] == len(corners) - 1
