"""Predictions as JSON objects and back, without loss: floats are written so that they read back equal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Mask, Polygon, Region
from foveate.core.rle import parse
from foveate.runs.maps import StoredMap, stored_map


def to_json(prediction: Prediction, stored: StoredMap | None = None) -> str:
    """Returns one line of JSON, without the line feed.

    Args:
        prediction: Its score map is not in the line.
        stored: Where the score map was written.
    """
    values = as_object(prediction) | {"map": None if stored is None else stored.as_object()}
    return json.dumps(values, ensure_ascii=False, allow_nan=False)


def as_object(prediction: Prediction) -> dict[str, Any]:
    """Returns a prediction as plain JSON values, in a fixed order of keys; without its score map."""
    return {
        "id": prediction.id,
        "status": prediction.status,
        "answer": prediction.answer,
        "answer_score": prediction.answer_score,
        "final": None if prediction.final is None else region_object(prediction.final),
        "candidates": [region_object(region) for region in prediction.candidates],
        "size_hw": None if prediction.size_hw is None else list(prediction.size_hw),
        "seconds": prediction.seconds,
        "reason": prediction.reason,
    }


def region_object(region: Region) -> dict[str, Any]:
    """Returns a region as plain JSON values; `rle` is null for a box, else COCO's compressed form.

    Raises:
        ValueError: It is a polygon, whose mask depends on the image; a method gives it as a mask.
    """
    shape = region.shape
    if isinstance(shape, Polygon):
        raise ValueError("a predicted polygon is stored as a mask; give it as one")
    rle = None
    if isinstance(shape, Mask):
        rle = {"size": list(shape.encoded.size_hw), "counts": shape.encoded.counts.decode("ascii")}
    return {"xyxy": list(shape.xyxy), "score": region.score, "label": region.label, "rle": rle}


def from_object(values: dict[str, Any], folder: Path = Path()) -> Prediction:
    """Returns the prediction of a JSON object.

    Args:
        values: As `to_json` writes them; the place of the map may be absent (runs of format 1).
        folder: Where the shards of score maps lie.

    Raises:
        ValueError: A key is missing or a value is not allowed.
    """
    try:
        return Prediction(
            id=_text(values["id"]) or "",
            status=values["status"],
            answer=_text(values["answer"]),
            answer_score=values["answer_score"],
            final=_region(values["final"]) if values["final"] else None,
            candidates=tuple(_region(region) for region in values["candidates"]),
            size_hw=_size(values["size_hw"]),
            seconds=values["seconds"],
            reason=_text(values["reason"]),
            map=None if values.get("map") is None else stored_map(values["map"], folder),
        )
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise ValueError(f"this is not a prediction ({type(error).__name__}: {error})") from error


def _region(values: dict[str, Any]) -> Region:
    x0, y0, x1, y1 = values["xyxy"]
    rle = values["rle"]
    shape = Box((x0, y0, x1, y1)) if rle is None else Mask(parse(rle["counts"], _size(rle["size"]) or (0, 0)))
    return Region(shape, values["score"], _text(values["label"]))


def _size(values: list[int] | None) -> tuple[int, int] | None:
    if values is None:
        return None
    height, width = values
    if type(height) is not int or type(width) is not int:
        raise TypeError(f"a size is two whole numbers, not {values}")
    return height, width


def _text(value: str | None) -> str | None:
    if value is not None and not isinstance(value, str):
        raise TypeError(f"a text is needed, not {value!r}")
    return value
