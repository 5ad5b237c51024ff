"""`photo_quality` against what people say of real photos; `python benchmarks/photo_quality.py` has all figures."""

from __future__ import annotations

import json
from functools import cache

import pytest

from foveate.perception.photo_quality import PhotoQuality, photo_quality
from foveate.sources.images import FileImage
from tests.helpers import SHARED, needs_shared

pytestmark = [pytest.mark.reference, needs_shared]


@cache
def qualities() -> dict[str, PhotoQuality]:
    paths = sorted((SHARED / "vizwiz" / "images").glob("*.jpg"))
    return {path.name: photo_quality(FileImage(path).load()) for path in paths}


@pytest.mark.parametrize(
    ("flaw", "key", "found", "alarms"), [("blurred", "BLR", 23, 0), ("bright", "BRT", 4, 1), ("dark", "DRK", 2, 1)]
)
def test_at_least_as_many_found_and_at_most_as_many_false_alarms(flaw: str, key: str, found: int, alarms: int) -> None:
    votes = {entry["image"]: entry["flaws"] for entry in json.loads((SHARED / "vizwiz/quality/val.json").read_text())}
    said = [(getattr(quality, flaw), votes[name][key] >= 3) for name, quality in qualities().items()]
    assert sum(one and other for one, other in said) >= found
    assert sum(one and not other for one, other in said) <= alarms
