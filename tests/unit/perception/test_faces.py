"""These run the real network: the weights `centerface` must be in the cache, where the Makefile puts them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from foveate.core.overlap import box_iou
from foveate.datasets._open import open_dataset
from foveate.perception.faces import _without_repeats, find_faces

# Around Eileen Collins' face in scikit-image's astronaut.png (512 x 512), measured by hand.
FACE = (174.0, 62.0, 272.0, 198.0)


@pytest.fixture(scope="module", name="photos")
def _photos() -> dict[str, NDArray[np.uint8]]:
    wanted = {"astronaut.png", "coffee.png"}
    return {
        q.image_name: q.image.load() for q in open_dataset("photos").queries() if q.image and q.image_name in wanted
    }


def test_a_face_is_found_where_it_is(photos: dict[str, NDArray[np.uint8]]) -> None:
    (face,) = find_faces(photos["astronaut.png"])
    assert float(box_iou(face.xyxy, FACE, empty=0.0)) > 0.6
    assert face.score > 0.8


def test_a_cup_has_no_face(photos: dict[str, NDArray[np.uint8]]) -> None:
    assert find_faces(photos["coffee.png"]) == ()


def test_the_place_is_of_the_photos_own_frame(photos: dict[str, NDArray[np.uint8]]) -> None:
    """Moved down and right in a larger canvas of odd sides, the face moves by as much."""
    canvas = np.full((701, 933, 3), 127, dtype=np.uint8)
    canvas[100:612, 300:812] = photos["astronaut.png"]
    (face,) = find_faces(canvas)
    moved = (FACE[0] + 300, FACE[1] + 100, FACE[2] + 300, FACE[3] + 100)
    assert float(box_iou(face.xyxy, moved, empty=0.0)) > 0.6


def test_large_and_tiny_photos_are_taken(photos: dict[str, NDArray[np.uint8]]) -> None:
    large = np.kron(photos["astronaut.png"], np.ones((4, 4, 1), dtype=np.uint8))
    (face,) = find_faces(large)
    assert float(box_iou(face.xyxy, [4 * side for side in FACE], empty=0.0)) > 0.6
    assert find_faces(np.zeros((1, 1, 3), dtype=np.uint8)) == ()


def test_of_one_face_the_surest_box_stays() -> None:
    boxes = np.array([[0, 0, 10, 10], [1, 0, 11, 10], [20, 20, 30, 30]], dtype=np.float64)
    assert _without_repeats(boxes, np.array([0.9, 0.8, 0.7])) == [0, 2]
    assert _without_repeats(boxes[:0], np.array([])) == []
