"""The cup's crowd files, taken where a run is taken; the witness reads the two CSV files itself."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from foveate.errors import InputError
from foveate.evaluation.compare import compare
from foveate.evaluation.score import score
from foveate.execution.ground import ground
from foveate.reports.report import report
from tests.helpers import SHARED, needs_shared, write

pytestmark = [pytest.mark.reference, needs_shared]
TOLOKA = SHARED / "toloka"
CROWD = TOLOKA / "test_public_crowd_baseline.csv"
DATASET = "toloka_vqa:test_public"
Sides = tuple[float, float, float, float]


def boxes(path: Path) -> dict[str, Sides]:
    with path.open(newline="") as file:
        return {
            row["image"].rpartition("/")[2]: (
                float(row["left"]),
                float(row["top"]),
                float(row["right"]),
                float(row["bottom"]),
            )
            for row in csv.DictReader(file)
        }


def overlap_of(a: Sides, b: Sides) -> float:
    """Returns intersection over union by the schoolbook."""
    wide = max(0.0, min(a[2], b[2]) - max(a[0], b[0]))
    high = max(0.0, min(a[3], b[3]) - max(a[1], b[1]))
    areas = [(right - left) * (bottom - top) for left, top, right, bottom in (a, b)]
    return wide * high / (sum(areas) - wide * high)


@pytest.fixture(scope="module")
def centre(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs") / "centre"
    ground(DATASET, TOLOKA, grounder="centre_box", out=out)
    return out


def test_compared_with_a_run(centre: Path) -> None:
    targets, crowd = boxes(TOLOKA / "test_public.csv"), boxes(CROWD)
    found = compare([CROWD, centre], DATASET, TOLOKA, metrics=("mean_iou",), resamples=50, permutations=99)
    (pair,) = found.differences
    mean = sum(overlap_of(crowd[name], box) for name, box in targets.items()) / len(targets)
    assert (pair.first, pair.second) == (CROWD.name, "centre")
    assert pair.value_first == pytest.approx(mean)
    assert pair.difference == pytest.approx((score(centre).metrics["mean_iou"].value or 0) - mean)


@pytest.mark.parametrize("suffix", [".html", ".md", ".csv"])
def test_reported(suffix: str, centre: Path, tmp_path: Path) -> None:
    out = tmp_path / f"crowd{suffix}"
    report([CROWD, centre], out, DATASET, TOLOKA, resamples=20, permutations=99)
    text = out.read_text(encoding="utf-8")
    assert "test_public_crowd_baseline.csv" in text
    if suffix == ".csv":
        rows = list(csv.DictReader(text.splitlines()))
        assert len({row["id"] for row in rows}) == 1_705
    else:
        assert "0.8802" in text


def test_a_row_too_few_is_named_as_missing(tmp_path: Path) -> None:
    *lines, last = CROWD.read_text().splitlines()
    path = write(tmp_path / "crowd.csv", "\n".join(lines) + "\n")
    (missing,) = score(path, DATASET, TOLOKA, resamples=10).missing
    assert missing in last


def test_a_row_too_many_is_refused(tmp_path: Path) -> None:
    text = CROWD.read_text()
    path = write(tmp_path / "crowd.csv", text + text.splitlines()[-1] + "\n")
    with pytest.raises(InputError, match="it is here a second time, first line 1706"):
        score(path, DATASET, TOLOKA)
