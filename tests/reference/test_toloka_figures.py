"""The figures that the real files must give; computed independently of this code (../shared/data/README.md)."""

from __future__ import annotations

from pathlib import Path

import pytest

from foveate.evaluation.score import score
from foveate.execution.ground import ground
from tests.helpers import SHARED, needs_shared

pytestmark = [pytest.mark.reference, needs_shared]
TOLOKA = SHARED / "toloka"


@pytest.mark.parametrize(
    ("split", "n", "expected"),
    [("test_public", 1705, 0.8802), ("test_private", 4504, 0.8715), ("train_sample", 1000, 0.8561)],
)
def test_the_crowd(split: str, n: int, expected: float) -> None:
    result = score(TOLOKA / f"{split}_crowd_baseline.csv", f"toloka_vqa:{split}", TOLOKA)
    assert (result.n, result.n_grounded, result.n_scored) == (n, n, n)
    assert round(result.metrics["mean_iou"].value or 0, 4) == expected


@pytest.mark.parametrize(
    ("grounder", "split", "expected"),
    [
        ("whole_image", "test_public", 0.0429),
        ("whole_image", "test_private", 0.0427),
        ("whole_image", "train_sample", 0.0458),
        ("centre_box", "test_public", 0.0656),
        ("centre_box", "test_private", 0.0660),
    ],
)
def test_the_priors(grounder: str, split: str, expected: float, tmp_path: Path) -> None:
    ground(f"toloka_vqa:{split}", TOLOKA, grounder=grounder, out=tmp_path / "run")
    assert round(score(tmp_path / "run").metrics["mean_iou"].value or 0, 4) == expected
