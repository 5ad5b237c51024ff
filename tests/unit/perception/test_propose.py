from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import PIL.Image
import pytest
from numpy.typing import NDArray

from foveate.core.soft_maps import SoftMap
from foveate.perception.embed_image import ImageTokens
from foveate.perception.propose import Proposal, Proposals, _agree, _one_each, kinds, propose, propose_all
from foveate.perception.read_text import TextLine
from tests.helpers import SHARED, needs_shared

# These run the real detector: the weights `yolov3_tiny` must be in the cache, where the Makefile puts them.


def proposals(*rows: tuple[list[float], int, float]) -> Proposals:
    boxes, kind, score = zip(*rows, strict=True)
    return Proposals(np.array(boxes, dtype=np.float64), np.array(kind, dtype=np.int64), np.array(score))


def noise(height: int, width: int) -> NDArray[np.uint8]:
    return np.random.default_rng(7).integers(0, 256, (height, width, 3), dtype=np.uint8)


def test_shapes_that_do_not_belong_together_are_refused() -> None:
    with pytest.raises(ValueError, match="2 scores need boxes"):
        Proposals(np.zeros((1, 4)), np.zeros(2, dtype=np.int64), np.zeros(2))


def test_of_one_thing_the_best_box_stays_but_kinds_do_not_compete() -> None:
    found = _one_each(
        proposals(
            ([0, 0, 10, 10], 3, 0.9), ([0, 0, 10, 9], 3, 0.8), ([0, 0, 10, 10], 4, 0.7), ([20, 0, 30, 10], 3, 0.6)
        )
    )
    assert found.score.tolist() == [0.9, 0.7, 0.6]


def test_agreeing_sizes_are_averaged_by_score_and_a_lone_one_counts_half() -> None:
    first = proposals(([0, 0, 10, 10], 3, 0.6), ([50, 50, 60, 60], 3, 0.4))
    second = proposals(([0, 0, 10, 8], 3, 0.2), ([0, 0, 10, 10], 5, 0.2))
    merged = _one_each(_agree([first, second]))
    assert merged.score == pytest.approx([0.4, 0.2, 0.1])
    assert merged.xyxy[0] == pytest.approx([0, 0, 10, 9.5])
    assert merged.xyxy[1].tolist() == [50, 50, 60, 60]


def test_a_size_that_sees_nothing_changes_no_box() -> None:
    nothing = Proposals(np.zeros((0, 4)), np.zeros(0, dtype=np.int64), np.zeros(0))
    merged = _agree([proposals(([0, 0, 10, 10], 3, 0.6)), nothing])
    assert merged.xyxy.tolist() == [[0, 0, 10, 10]]
    assert len(_agree([nothing, nothing])) == 0


@pytest.mark.parametrize("size_hw", [(1, 1), (1, 300), (300, 1), (8, 8), (97, 251), (4000, 5000)])
def test_boxes_of_any_photo_lie_inside_it_best_first(size_hw: tuple[int, int]) -> None:
    found = propose(noise(*size_hw))
    height, width = size_hw
    assert len(found) <= 1000
    assert (found.xyxy >= 0).all()
    assert (found.xyxy <= [width, height, width, height]).all()
    assert (found.xyxy[:, :2] < found.xyxy[:, 2:]).all()
    assert (np.diff(found.score) <= 0).all()
    assert ((found.score > 0) & (found.score <= 1)).all()
    assert ((found.kind >= 0) & (found.kind < len(kinds()))).all()


def test_the_same_photo_gives_the_same_boxes_from_several_threads() -> None:
    photo = noise(120, 160)
    with ThreadPoolExecutor(4) as pool:
        first, *others = pool.map(propose, [photo] * 4)
    for other in others:
        assert (other.xyxy == first.xyxy).all()
        assert (other.score == first.score).all()


def halves() -> ImageTokens:
    """A photo of 80 x 160 whose left half looks otherwise, and stands out more, than its right."""
    tokens = np.zeros((8, 16, 2), np.float32)
    tokens[:, :8, 0] = tokens[:, 8:, 1] = 1
    found = ImageTokens(tokens, (80, 160))
    found.__dict__["saliency"] = SoftMap.over(np.kron(tokens[..., 0] * 0.8, np.ones((8, 8))), (80, 160))
    return found


def test_things_text_and_segments_come_as_one_type_and_a_box_found_twice_once() -> None:
    line = TextLine("EXIT", 0.95, ((10, 10), (30, 10), (30, 20), (10, 20)), (10, 10, 30, 20))
    things = proposals(([84, 0, 160, 80], 3, 0.6), ([10, 10, 30, 20], 5, 0.2))
    *others, segment = propose_all(noise(80, 160), halves(), (line,), things)
    # The right half is a thing already; the line stays beside the thing of the very same box.
    assert others == [
        Proposal("thing", (84, 0, 160, 80), 0.6, kinds()[3]),
        Proposal("thing", (10, 10, 30, 20), 0.2, kinds()[5]),
        Proposal("text", (10, 10, 30, 20), 0.95, "EXIT"),
    ]
    assert (segment.source, segment.xyxy, segment.label) == ("segment", (0, 0, 80, 80), None)
    assert segment.score == pytest.approx(0.8 * 0.5**0.25)


def test_without_things_and_text_the_segments_stay() -> None:
    nothing = Proposals(np.zeros((0, 4)), np.zeros(0, dtype=np.int64), np.zeros(0))
    found = propose_all(noise(80, 160), halves(), (), nothing)
    assert [(one.source, one.xyxy) for one in found] == [("segment", (0, 0, 80, 80)), ("segment", (80, 0, 160, 80))]


def test_what_is_not_at_hand_is_worked_out() -> None:
    photo = noise(60, 80)
    found = propose_all(photo)
    things = [one for one in found if one.source == "thing"]
    assert [one.score for one in things] == propose(photo).score.tolist()
    assert any(one.source == "segment" for one in found)


@needs_shared
@pytest.mark.reference
def test_a_bus_is_found_where_coco_has_it() -> None:
    with PIL.Image.open(SHARED / "toloka" / "images" / "000000000471.jpg") as photo:
        found = propose(np.asarray(photo.convert("RGB")))
    assert kinds()[found.kind[0]] == "bus"
    assert found.score[0] > 0.3
