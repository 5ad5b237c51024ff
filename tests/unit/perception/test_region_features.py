from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from foveate.core.boxes import Boxes
from foveate.errors import InputError, UsageError
from foveate.formats.region_files import StoredRegions
from foveate.perception._region_stored import upright
from foveate.perception.region_features import RegionFeatures, region_config, region_source
from tests.unit.formats.region_made import BUTD, butd_row, made, write_table

BOXES = np.array([[0.0, 0.0, 30.0, 20.0], [10.0, 5.0, 60.0, 40.0]])


def stored(xyxy: Any, size_hw: tuple[int, int] | None = (40, 60), *, shares: bool = False) -> StoredRegions:
    boxes = np.asarray(xyxy, dtype=np.float64)
    return StoredRegions("a.tsv, row 1 (a)", boxes, np.zeros((len(boxes), 3), np.float32), None, size_hw, shares)


def features(xyxy: Boxes = BOXES, values: NDArray[Any] | None = None, labels: Any = ("a", "")) -> RegionFeatures:
    held = np.zeros((len(xyxy), 3), np.float32) if values is None else values
    return RegionFeatures(xyxy, held, labels, (40, 60))


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (lambda: features(BOXES[:0], labels=None), r"boxes \(0, 4\)"),
        (lambda: features(values=np.zeros((3, 3), np.float32)), r"features \(3, 3\) are not"),
        (lambda: features(values=np.zeros((2, 3))), "features float32, not float64, float64"),
        (lambda: features(labels=("a",)), "1 labels for 2 regions"),
        (lambda: features(values=np.full((2, 3), np.nan, np.float32)), "no number"),
        (lambda: features(BOXES + [0, 0, 1, 0]), "lies outside the image"),
        (lambda: features(BOXES[:, [2, 1, 0, 3]]), "inverted"),
    ],
)
def test_regions_that_are_none_are_refused(wrong: Any, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        wrong()


def test_texts_name_sources() -> None:
    assert region_config("offline") == {"name": "offline"}
    assert region_config("hub:a/b@abc") == {"name": "hub", "model": "a/b", "revision": "abc"}
    assert region_config("C:/a.tsv") == {"name": "stored", "path": "C:/a.tsv"}
    for text, told in (("hub:", "names no model"), (" ", "the text is empty")):
        with pytest.raises(UsageError, match=told):
            region_config(text)
    with pytest.raises(UsageError, match="Did you mean offline"):
        region_source({"name": "ofline"})
    with pytest.raises(UsageError, match="unexpected keyword argument 'mots'"):
        region_source({"name": "offline", "mots": 3})
    with pytest.raises(UsageError, match="0 is not from 1 to 1,000"):
        region_source({"name": "offline", "most": 0})


def test_stored_boxes_follow_a_photo_that_was_made_larger(tmp_path: Path) -> None:
    one = made("42", 1, size_hw=(40, 60))
    path = write_table(tmp_path / "a.tsv", BUTD, [butd_row(one)])
    source = region_source({"name": "stored", "path": str(path), "most": 2})
    assert (source.name, source.width, source.needs_image, source.most) == ("stored", 5, False, 2)
    found = source.regions("COCO_000000000042.jpg", None, (80, 120))
    assert np.array_equal(found.xyxy, one.boxes[:2].astype(np.float64) * 2)
    assert np.array_equal(found.features, one.features[:2])
    assert (found.labels, found.size_hw) == (None, (80, 120))
    again = region_source(source.config).regions("42.jpg", None, (40, 60))
    assert np.array_equal(again.xyxy, one.boxes[:2].astype(np.float64))
    with pytest.raises(UsageError, match="no option label. Did you mean labels"):
        region_source({"name": "stored", "path": str(path), "label": "x"})


@pytest.mark.parametrize("size_hw", [(60, 40), (40, 61), (42, 60), (120, 80)])
def test_boxes_of_another_shape_of_photo_are_refused(size_hw: tuple[int, int]) -> None:
    turned = "lying on its side, see its EXIF" if size_hw in {(60, 40), (120, 80)} else "60 x 40, and the upright"
    # A pixel of 40 may be rounding, two may not; a pixel of 60 is less than one of 40.
    if size_hw == (40, 61):
        assert upright(stored(BOXES), size_hw)[1].tolist() == [10 * 61 / 60, 5, 61, 40]
        return
    with pytest.raises(InputError, match=turned):
        upright(stored(BOXES), size_hw)


@given(
    st.integers(20, 4000),
    st.integers(20, 4000),
    st.floats(0.05, 3),
)
def test_sides_rounded_when_a_photo_was_resized_still_fit(height: int, width: int, scale: float) -> None:
    small = (max(1, round(height * scale)), max(1, round(width * scale)))
    whole = np.array([[0, 0, small[1], small[0]]], dtype=np.float64)
    if min(small) < 16:
        return
    assert upright(stored(whole, small), (height, width))[0] == pytest.approx([0, 0, width, height])


def test_shares_and_boxes_without_a_size_are_of_the_upright_photo() -> None:
    assert upright(stored([[0, 0.25, 0.5, 1]], None, shares=True), (40, 60)).tolist() == [[0, 10, 30, 40]]
    assert upright(stored(BOXES, None), (40, 60)).tolist() == BOXES.tolist()


def test_what_is_outside_by_rounding_is_clipped_and_the_rest_told() -> None:
    near = upright(stored([[-0.5, 0, 61, 40.4]]), (40, 60))
    assert near.tolist() == [[0, 0, 60, 40]]
    for box, told in (
        ([0, 0, 62, 40], r"region 2: the box 0, 0, 62, 40 lies outside .* \(stored for a photo of 60 x 40\)"),
        ([5, 5, 5, 9], "region 2: the box 5, 5, 5, 9 has no area"),
        ([0.1, 0.1, 0.5, 0.9], "are these shares"),
        ([60, 0, 60.5, 9], "has no area"),
    ):
        with pytest.raises(InputError, match=told) as caught:
            upright(stored([BOXES[0], box]), (40, 60))
        assert caught.value.where == "a.tsv, row 1 (a)"
    with pytest.raises(InputError, match="the stored photo is 60 x 0"):
        upright(stored(BOXES, (0, 60)), (40, 60))


def test_stored_regions_that_do_not_fit_one_another_are_told() -> None:
    with pytest.raises(InputError, match="no region at all"):
        StoredRegions("a", np.zeros((0, 4)), np.zeros((0, 3), np.float32), None, None)
    with pytest.raises(InputError, match=r"\(2, 4\) boxes and \(3, 3\) features"):
        StoredRegions("a", np.zeros((2, 4)), np.zeros((3, 3), np.float32), None, None)
    with pytest.raises(InputError, match="1 labels for 2"):
        StoredRegions("a", np.zeros((2, 4)), np.zeros((2, 3), np.float32), ("x",), None)


def test_a_table_of_a_hundred_thousand_photos_is_found_in_little_memory(tmp_path: Path) -> None:
    import tracemalloc

    one = butd_row(made("1", 1, count=1))
    path = tmp_path / "a.tsv"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, BUTD, delimiter="\t", lineterminator="\n")
        writer.writerows(one | {"image_id": number} for number in range(20_000))
    tracemalloc.start()
    source = region_source({"name": "stored", "path": str(path)})
    held, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(source.regions("19999.jpg", None, (40, 60))) == 1
    # Keys and places of 20,000 photos; a sixth of what it would be for all that COCO has.
    assert held < 2e6
    assert most < 8e6
