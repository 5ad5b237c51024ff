from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.analysis.analyze import analyze
from foveate.analysis.compare import MEASURES, cliff, compare
from foveate.analysis.summaries import summary
from foveate.reports.analysis.differences import comparison_section
from foveate.reports.analysis.telling import difference_rows
from tests.helpers import SHARED, needs_shared, write

some_values = st.lists(st.integers(0, 6), min_size=1, max_size=20)


@given(some_values, some_values)
def test_cliffs_delta_is_that_of_all_pairs(first: list[int], other: list[int]) -> None:
    a, b = np.array(first, dtype=float), np.array(other, dtype=float)
    pairs = np.sign(b[:, None] - a[None, :])
    assert cliff(a, b) == pytest.approx(pairs.mean())
    assert cliff(b, a) == pytest.approx(-pairs.mean())


def test_where_nothing_varies_there_is_no_standard_deviation_to_measure_by(tmp_path: Path) -> None:
    for name, side in (("small", 3), ("large", 9)):
        rows = [
            {"image": f"{n}.jpg", "question": "Q?", "width": 10, "height": 10, "targets": [{"box": [0, 0, side, 1]}]}
            for n in range(50)
        ]
        write(tmp_path / f"{name}.jsonl", "\n".join(map(json.dumps, rows)))
    found = compare([analyze(str(tmp_path / f"{name}.jsonl")) for name in ("small", "large")], resamples=10)
    coverage = next(difference for difference in found if difference.measure == "coverage")
    assert coverage.difference == pytest.approx(0.06)
    assert coverage.cliff == 1
    assert {difference.cohen for difference in found} == {None}


def test_one_photo_has_no_interval_of_its_own(tmp_path: Path) -> None:
    row = {"question": "Q?", "width": 10, "height": 10}
    for name, photos in (("one", "aa"), ("two", "ab")):
        rows = [row | {"image": photo, "targets": [{"box": [0, 0, n + 1, 1]}]} for n, photo in enumerate(photos)]
        write(tmp_path / f"{name}.jsonl", "\n".join(map(json.dumps, rows)))
    one, two = (analyze(str(tmp_path / f"{name}.jsonl")) for name in ("one", "two"))
    for pair in ((one, two), (two, one), (one, one)):
        assert all(np.isnan([found.low, found.high]).all() for found in compare(pair))
        assert {row[5] for row in difference_rows(pair)} == {"n/a"}
        section = comparison_section(pair)
        assert section is not None
        assert "nan" not in section.lead
    coverage = compare([two, two])[0]
    assert coverage.low == pytest.approx(-0.01)
    assert coverage.high == pytest.approx(0.01)
    assert difference_rows([two, two])[0][5] == "-0.010 to +0.010"


def test_a_summary_by_hand() -> None:
    found = summary(np.array([4.0, 1.0, np.nan, 3.0, 2.0]))
    assert (found.n, found.mean, found.median, found.q1, found.q3) == (4, 2.5, 2.5, 1.75, 3.25)
    assert found.sd == pytest.approx(np.sqrt(1.25))
    assert summary(np.array([np.nan])).mean is None


@needs_shared
def test_toloka_beside_vizwiz() -> None:
    vizwiz = analyze("vizwiz_grounding:val", SHARED / "vizwiz")
    toloka = analyze("toloka_vqa:test_public", SHARED / "toloka")
    found = {difference.measure: difference for difference in compare([vizwiz, toloka], resamples=200)}
    assert tuple(found) == MEASURES
    coverage = found["coverage"]
    # The means of the two are those of the whole image's mean IoU, which were computed independently.
    assert coverage.mean_first == pytest.approx(0.333, abs=0.001)
    assert coverage.mean_other == pytest.approx(0.0429, abs=0.0001)
    assert coverage.low < coverage.difference < coverage.high < -0.2
    assert coverage.cohen is not None
    assert coverage.cohen < -1
    assert -1 <= coverage.cliff < -0.5
    assert found["points"].mean_other == 4
    same = compare([vizwiz, vizwiz], resamples=0)
    assert all(difference.difference == 0 and difference.cliff == 0 for difference in same)
