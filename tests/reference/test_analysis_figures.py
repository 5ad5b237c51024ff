"""What the real validation file must give, computed independently (`../shared/data/README.md`, metrics F)."""

from __future__ import annotations

import numpy as np
import pytest

from foveate.analysis.analyze import analyze, as_json
from foveate.analysis.columns import Analysis
from foveate.analysis.complexity import complexity
from foveate.core.polygons import Corners, as_corners
from foveate.core.regions import Polygon
from foveate.datasets._open import open_dataset
from tests.helpers import SHARED, needs_shared

pytestmark = [pytest.mark.reference, needs_shared]


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    return analyze("vizwiz_grounding:val", SHARED / "vizwiz")


def test_location_and_coverage(analysis: Analysis) -> None:
    told = as_json(analysis)
    assert told["n"] == 1_131
    x, y = told["location"]["x"], told["location"]["y"]
    assert (round(x["mean"], 3), round(x["sd"], 3)) == (0.489, 0.143)
    assert (round(y["mean"], 3), round(y["sd"], 3)) == (0.504, 0.157)
    # OpenCV, which paints the outline too, gives .334 and .224; pycocotools .3330 and 681, 233, 217.
    assert told["coverage"]["mean"] == pytest.approx(0.334, abs=0.001)
    assert told["coverage"]["median"] == pytest.approx(0.224, abs=0.001)
    assert told["size_thirds"] == {"small": 681, "medium": 233, "large": 217}
    assert told["whole_image"]["n"] == 100


def test_points(analysis: Analysis) -> None:
    points = as_json(analysis)["points"]
    assert round(points["mean"], 2) == 11.87
    assert round(points["four_share"], 3) == 0.366


def test_quality(analysis: Analysis) -> None:
    quality = as_json(analysis)["quality"]
    assert {level: found["n"] for level, found in quality.items()} == {"none": 892, "medium": 194, "severe": 45}
    coverage = [found["coverage"] for found in quality.values()]
    assert coverage == pytest.approx([0.278, 0.475, 0.816], abs=0.001)


@pytest.mark.parametrize(
    ("question", "n", "x", "y"),
    [
        ("what is this", 159, 0.487, 0.514),
        ("what color is this", 48, 0.491, 0.481),
        ("what is in this box", 21, 0.595, 0.594),
    ],
)
def test_by_question(analysis: Analysis, question: str, n: int, x: float, y: float) -> None:
    found = as_json(analysis)["by_question"][question]
    assert (found["n"], round(found["x"], 3), round(found["y"], 3)) == (n, x, y)


@pytest.mark.parametrize(
    ("answer", "n", "coverage", "points"),
    [
        ("yes", 68, 0.415, 13.4),
        ("no", 40, 0.459, 8.0),
        ("keyboard", 15, 0.632, 5.7),
        ("dog", 13, 0.261, 41.3),
        ("laptop", 16, 0.599, 8.8),
    ],
)
def test_by_answer(analysis: Analysis, answer: str, n: int, coverage: float, points: float) -> None:
    found = as_json(analysis)["by_answer"][answer]
    assert (found["n"], round(found["points"], 1)) == (n, points)
    # OpenCV paints the outline's pixels too: half a pixel around the region, up to .4 % of a small photo.
    assert found["coverage"] == pytest.approx(coverage, abs=0.004)


def test_four_point_targets_that_score_nothing() -> None:
    truths = open_dataset("vizwiz_grounding:val", SHARED / "vizwiz").truths()
    shapes = [truth.targets[0].shape for truth in truths]
    four = [as_corners(s.parts[0]) for s in shapes if isinstance(s, Polygon) and len(s.parts[0]) == 4]
    assert len(four) == 414

    def zeros(bins: int) -> int:
        return round(100 * float(np.mean([complexity(corners, bins) == 0 for corners in four])))

    assert [zeros(bins) for bins in (10, 20, 50)] == [80, 46, 24]


def test_distances_from_the_mean_of_the_corners_would_score_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    def middle(corners: Corners) -> Corners:
        return np.asarray(corners.mean(axis=0))

    monkeypatch.setattr("foveate.analysis.complexity.centroid", middle)
    truths = open_dataset("vizwiz_grounding:val", SHARED / "vizwiz").truths()
    shapes = [truth.targets[0].shape for truth in truths]
    four = [as_corners(s.parts[0]) for s in shapes if isinstance(s, Polygon) and len(s.parts[0]) == 4]
    assert [round(100 * float(np.mean([complexity(c, b) == 0 for c in four]))) for b in (10, 20, 50)] == [81, 50, 25]


def test_the_private_test_of_the_cup_without_photos() -> None:
    told = as_json(analyze("toloka_vqa:test_private", SHARED / "toloka"))
    assert told["n"] == told["n_grounded"] == 4_504
    assert round(told["coverage"]["mean"], 4) == 0.0427
    assert told["complexity"]["zero_share"] == told["points"]["four_share"] == 1.0
