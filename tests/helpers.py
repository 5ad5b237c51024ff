"""What several tests share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Region
from foveate.core.truths import Target, Truth

Sides = tuple[float, float, float, float]
REPOSITORY = Path(__file__).resolve().parents[1]
# Where `make test` puts the tests' own plugin; a started process needs to be told.
PLUGIN = REPOSITORY / ".venv" / "test-plugin"
SHARED = REPOSITORY.parent / "shared" / "data"

needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the real samples of ../shared are not here")


def predicted(sample: str, xyxy: Sides | None, size_hw: tuple[int, int] | None = None) -> Prediction:
    """Returns an `ok` prediction, or `no_region` for None."""
    if xyxy is None:
        return Prediction(sample, "no_region", size_hw=size_hw, reason="nothing there")
    region = Region(Box(xyxy), 0.5)
    return Prediction(sample, "ok", final=region, candidates=(region,), size_hw=size_hw)


def truth(sample: str, xyxy: Sides | None, size_hw: tuple[int, int] | None = None) -> Truth:
    """Returns a truth with one box, or with nothing to ground for None."""
    return Truth(sample, targets=(Target(Box(xyxy)),) if xyxy else (), answerable=xyxy is not None, size_hw=size_hw)


def save_photo(path: Path, size_hw: tuple[int, int] = (48, 64), colour: Sequence[int] = (90, 120, 160)) -> Path:
    """Writes a plain photo; returns its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pixels = np.full((*size_hw, 3), colour, dtype=np.uint8)
    PIL.Image.fromarray(pixels).save(path)
    return path


def write(path: Path, text: str) -> Path:
    """Writes a text file as it is, line ends included; returns its path."""
    path.write_bytes(text.encode())
    return path
