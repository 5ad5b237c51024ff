from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Mask, Polygon, Region
from foveate.core.rle import encode
from foveate.runs.codec import as_object, from_object, to_json

unit = st.floats(0, 1)
text = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@st.composite
def predictions(draw: st.DrawFn) -> Prediction:
    def region() -> Region:
        x, y = draw(st.floats(0, 1e3)), draw(st.floats(0, 1e3))
        width, height = draw(st.floats(1.5, 1e3)), draw(st.floats(1.5, 1e3))  # Less might be shares of the sides.
        return Region(Box((x, y, x + width, y + height)), draw(unit), draw(st.none() | text))

    candidates = tuple(sorted((region() for _ in range(draw(st.integers(0, 3)))), key=lambda r: -(r.score or 0.0)))
    found = draw(st.booleans())
    return Prediction(
        draw(text.filter(bool)),
        "ok" if found else draw(st.sampled_from(["no_region", "error", "timeout", "invalid_output"])),
        draw(st.none() | text),
        draw(st.none() | unit),
        region() if found else None,
        candidates,
        draw(st.none() | st.just((5000, 5000))),
        draw(st.floats(0, 1e6)),
        "because",
    )


@given(predictions())
def test_nothing_is_lost_on_the_way_to_disk_and_back(prediction: Prediction) -> None:
    line = to_json(prediction)
    assert "\n" not in line
    assert from_object(json.loads(line)) == prediction


def test_a_box_has_no_rle() -> None:
    region = Region(Box((0, 0, 1, 1)), 0.5)
    assert as_object(Prediction("a", "ok", final=region))["final"] == {
        "xyxy": [0, 0, 1, 1],
        "score": 0.5,
        "label": None,
        "rle": None,
    }


GOOD = as_object(Prediction("a", "no_region", reason="nothing"))


@pytest.mark.parametrize(
    "change",
    [{"status": "fine"}, {"final": {"xyxy": [1, 2, 3]}}, {"candidates": 3}, {"size_hw": [1]}, {"final": "box"}],
)
def test_what_is_not_a_prediction(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        from_object(GOOD | change)


@pytest.mark.parametrize("key", GOOD)
def test_every_key_is_needed(key: str) -> None:
    with pytest.raises(ValueError, match="not a prediction"):
        from_object({k: v for k, v in GOOD.items() if k != key})


def test_a_mask_is_stored_as_cocos_rle() -> None:
    mask = Mask(encode(np.eye(5, dtype=bool)))
    prediction = Prediction("a", "ok", final=Region(mask, 0.5), size_hw=(5, 5))
    stored = as_object(prediction)
    assert stored["final"]["rle"]["size"] == [5, 5]
    assert stored["final"]["xyxy"] == [0, 0, 5, 5]
    assert from_object(json.loads(to_json(prediction))) == prediction


@pytest.mark.parametrize(
    "rle", [{"size": [5, 5], "counts": "2"}, {"size": [5, 5]}, {"counts": "P1"}, "x", {"size": [0, 5], "counts": "0"}]
)
def test_a_damaged_rle_is_refused(rle: object) -> None:
    mask = Mask(encode(np.eye(5, dtype=bool)))
    stored = as_object(Prediction("a", "ok", final=Region(mask, 0.5)))
    stored["final"]["rle"] = rle
    with pytest.raises(ValueError, match=r".+"):
        from_object(stored)


def test_a_polygon_is_given_as_a_mask() -> None:
    polygon = Polygon((((0, 0), (9, 0), (0, 9)),))
    with pytest.raises(ValueError, match="give it as one"):
        to_json(Prediction("a", "ok", final=Region(polygon, 0.5)))
