from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from foveate.core.overlap import box_iou
from foveate.core.soft_maps import SoftMap
from foveate.errors import InputError, UsageError
from foveate.perception._region_boxes import Candidates, best_boxes, grid_boxes
from foveate.perception._region_offline import pooled, region_boxes
from foveate.perception._region_parts import box_and_ring, even_parts, standing_out
from foveate.perception.embed_image import ImageTokens
from foveate.perception.propose import Proposals
from foveate.perception.region_features import region_source
from foveate.sources.images import FileImage
from tests.helpers import SHARED, needs_shared

NOTHING = Proposals(np.zeros((0, 4)), np.zeros(0, dtype=np.int64), np.zeros(0))


def tokens(values: NDArray[np.float64], size_hw: tuple[int, int]) -> ImageTokens:
    """Returns tokens whose saliency needs no network."""
    found = ImageTokens(values.astype(np.float32), size_hw)
    found.__dict__["saliency"] = SoftMap.over(np.full((values.shape[0] * 8, values.shape[1] * 8), 0.5), size_hw)
    return found


def test_a_grid_of_boxes_covers_the_photo_and_neighbours_share_half() -> None:
    assert grid_boxes((30, 60), (1,)).tolist() == [[0, 0, 60, 30]]
    assert grid_boxes((30, 60), (2,)).tolist() == [[0, 0, 40, 20], [20, 0, 60, 20], [0, 10, 40, 30], [20, 10, 60, 30]]
    assert len(grid_boxes((30, 60), (1, 2, 3))) == 14


def test_of_boxes_of_one_place_the_best_stays_and_takes_the_name() -> None:
    found = best_boxes(
        [
            Candidates(np.array([[0, 0, 10, 10], [50, 50, 60, 60.0]]), np.array([0.2, 0.9]), ("cat", "dog")),
            Candidates(np.array([[0, 0, 10, 9], [30, 0, 40, 10.0]]), np.array([0.5, 0.1]), ("", "")),
        ],
        most=3,
        same=0.6,
    )
    assert found.xyxy.tolist() == [[50, 50, 60, 60], [0, 0, 10, 9], [30, 0, 40, 10]]
    assert found.labels == ("dog", "cat", "")
    assert found.score.tolist() == [0.9, 0.5, 0.1]


@given(st.integers(0, 99))
def test_no_two_boxes_that_stay_are_of_one_place(seed: int) -> None:
    draw = np.random.default_rng(seed)
    low = draw.uniform(0, 50, (30, 2))
    boxes = np.concatenate([low, low + draw.uniform(5, 40, (30, 2))], axis=1)
    found = best_boxes([Candidates(boxes, draw.random(30), ("",) * 30)], 12, 0.5)
    table = box_iou(found.xyxy[:, None], found.xyxy, empty=0.0)
    assert (table - np.eye(len(found.xyxy)) < 0.5).all()
    assert (np.diff(found.score) <= 0).all()


def test_the_token_of_a_box_is_the_mean_of_its_cells_by_their_share() -> None:
    grid = np.arange(8.0).reshape(2, 4, 1)
    # Cells of 10 x 10 pixels; the box has all of cell 0 (value 0) and half of cell 1 (value 1).
    inside, around = box_and_ring(grid, np.array([[0, 0, 15, 10.0], [0, 0, 40, 20]]), (20, 40))
    assert inside[:, 0] == pytest.approx([(0 * 100 + 1 * 50) / 150, 3.5])
    # Grown by half of its half sides: x to 18.75, y to 12.5; 0.75 of a quarter of cells 4 and 5 below.
    ring = 1 * 3.75 * 10 + 4 * 10 * 2.5 + 5 * 8.75 * 2.5
    assert around[:, 0] == pytest.approx([ring / (18.75 * 12.5 - 150), 0])


@given(st.integers(0, 50))
def test_means_are_those_of_the_pixels_one_by_one(seed: int) -> None:
    draw = np.random.default_rng(seed)
    grid = draw.normal(size=(3, 4, 2))
    low = draw.integers(0, 9, 2)
    box = np.concatenate([low, low + draw.integers(1, 12, 2)])
    inside, _ = box_and_ring(grid, np.array([box], dtype=np.float64), (24, 24))
    pixels = np.kron(grid.transpose(2, 0, 1), np.ones((8, 6)))
    part = pixels[:, box[1] : box[3], box[0] : box[2]]
    assert inside[0] == pytest.approx(part.mean(axis=(1, 2)))


def test_what_differs_from_around_stands_out() -> None:
    grid = np.zeros((8, 8, 2))
    grid[..., 0] = 1
    grid[2:4, 2:4] = (0, 1)
    score = standing_out(grid.astype(np.float32), np.array([[20, 20, 40, 40], [50, 50, 70, 70.0]]), (80, 80))
    assert score[0] == pytest.approx(1, abs=0.01)
    assert score[1] == pytest.approx(0, abs=0.01)


def test_a_disc_of_one_colour_is_a_part_wherever_it_lies() -> None:
    y, x = np.mgrid[:200, :300]
    image = np.full((200, 300, 3), (120, 125, 130), dtype=np.uint8)
    image[(y - 80) ** 2 + (x - 210) ** 2 <= 30**2] = (150, 90, 90)
    found = even_parts(image)
    assert box_iou(found, (180, 50, 241, 111), empty=0.0).max() > 0.9
    assert len(even_parts(np.zeros((1, 9, 3), dtype=np.uint8))) == 0


def test_a_flat_photo_without_things_has_the_whole_and_a_grid() -> None:
    seen = tokens(np.ones((5, 6, 384)), (50, 60))
    found = region_boxes(np.full((50, 60, 3), 90, dtype=np.uint8), seen, NOTHING, 36)
    assert 20 <= len(found.xyxy) <= 36
    assert box_iou(found.xyxy, (0, 0, 60, 50), empty=0.0).max() == 1
    assert set(found.labels) == {""}
    assert len(region_boxes(np.full((50, 60, 3), 90, dtype=np.uint8), seen, NOTHING, 4).xyxy) == 4


def test_a_ring_doubles_the_feature() -> None:
    seen = tokens(np.random.default_rng(1).normal(size=(4, 4, 384)), (40, 40))
    boxes = np.array([[0, 0, 20, 20.0], [10, 10, 30, 30]])
    alone, both = pooled(seen, boxes), pooled(seen, boxes, ring=True)
    assert (alone.shape, both.shape) == ((2, 384), (2, 768))
    assert np.array_equal(both[:, :384], alone)
    assert alone[0] == pytest.approx(seen.tokens[:2, :2].mean(axis=(0, 1)), abs=1e-5)
    assert region_source({"name": "offline", "ring": True}).width == 768


def test_the_side_of_tokens_is_that_of_a_photo() -> None:
    assert region_source({"name": "offline", "side": 392}).config["side"] == 392
    with pytest.raises(UsageError, match="20 is not from 56"):
        region_source({"name": "offline", "side": 20})


def test_an_absent_photo_is_told() -> None:
    with pytest.raises(InputError, match="a.jpg: the photo is absent"):
        region_source({"name": "offline"}).regions("a.jpg", None, (4, 4))


@needs_shared
def test_a_real_photos_things_are_covered_twice_the_same() -> None:
    told = json.loads((SHARED / "coco" / "instances.json").read_text())
    photo = next(one for one in told["images"] if (SHARED / "coco" / "images" / one["file_name"]).exists())
    image = FileImage(SHARED / "coco" / "images" / photo["file_name"])
    source = region_source({"name": "offline"})
    found, again = (source.regions(image.name, image, image.size_hw) for _ in range(2))
    assert np.array_equal(found.xyxy, again.xyxy)
    assert np.array_equal(found.features, again.features)
    assert len(found) == 36
    assert found.features.shape == (36, 384)
    assert found.labels is not None
    assert "" in found.labels
    largest = max((one for one in told["annotations"] if one["image_id"] == photo["id"]), key=lambda one: one["area"])
    x, y, width, height = largest["bbox"]
    assert box_iou(found.xyxy, (x, y, x + width, y + height), empty=0.0).max() >= 0.5
