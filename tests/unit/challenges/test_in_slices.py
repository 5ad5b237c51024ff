"""A board's slices are those of `foveate score --by`, to the digit."""

from __future__ import annotations

from pathlib import Path

from foveate.challenges import scoring
from foveate.challenges.definition import DataReference
from foveate.challenges.in_slices import MOST, in_slices, slicings_of
from foveate.challenges.pack import write_pack
from foveate.evaluation.in_slices import in_slices as of_score
from foveate.evaluation.load import DataPlace, load
from tests.helpers import SHARED, needs_shared


@needs_shared
def test_slices_are_those_of_score(tmp_path: Path) -> None:
    root = SHARED / "toloka"
    file, dataset = root / "test_public_crowd_baseline.csv", "toloka_vqa:test_public"
    pack = write_pack(DataReference(dataset, root), tmp_path / "packs")
    columns = scoring.columns(scoring.measure(pack, file, "toloka", ["mean_iou"]))["mean_iou"]
    expected = of_score(load(file, DataPlace(dataset, root)), ["all"], None, ["mean_iou"], resamples=0).slices
    ways = slicings_of(pack)
    assert list(ways) == list(expected)
    for name, grouping in ways.items():
        there = {one.key: (one.n, one.values["mean_iou"].value) for one in expected[name].slices}
        found = in_slices(grouping, [columns], "mean_iou", pack.n)
        assert 1 < len(found) <= MOST
        for one in found:
            assert (one.n, one.values[0]) == there[one.key]
