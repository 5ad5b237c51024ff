"""Releases of real data: read back sample for sample, scored to the digit as their source."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from foveate.annotation.submissions import write_submissions
from foveate.core.truths import Truth
from foveate.datasets._check import check
from foveate.datasets._open import fingerprint, open_dataset
from foveate.evaluation.score import score
from foveate.execution.ground import ground
from foveate.formats.release_json import read_release
from foveate.releases.pack import sums_of
from tests.helpers import SHARED, needs_shared, write
from tests.submissions import drawn, sent
from tests.unit.releases.made import run


@needs_shared
@pytest.mark.parametrize(
    ("root", "count"),
    [
        ("toloka", 1705),
        ("vizwiz", 60),
        pytest.param("vizwiz", 1131, marks=pytest.mark.slow),
    ],
)
def test_a_release_of_real_data_is_its_source(root: str, count: int, home: Path, tmp_path: Path) -> None:
    source = {"vizwiz": "vizwiz_grounding:val", "toloka": "toloka_vqa:test_public"}[root]
    split = source.partition(":")[2]
    folder = _first(count, tmp_path) if root == "vizwiz" else SHARED / root
    done = run("new", source, "--root", folder, "--name", "real", "--version", "1.0.0", "--keep-splits")
    assert done.exception is None, done.output
    theirs, ours = open_dataset(source, folder), open_dataset(f"real:{split}")
    expected = {query.id: truth for query, truth in theirs.pairs(with_images=False)}
    found = {query.id: truth for query, truth in ours.pairs(with_images=False)}
    assert len(found) == count
    assert found == expected
    assert fingerprint(list(ours.queries())) == fingerprint(list(theirs.queries()))
    assert check(f"real:{split}").faults == ()
    ground(source, folder, grounder="centre_box", out=tmp_path / "run")
    metrics = ["mean_iou", "accuracy@0.5", "cumulative_iou"]
    before = score(tmp_path / "run", metrics=metrics, resamples=20)
    after = score(
        tmp_path / "run", f"real:{split}", home / "releases" / "real" / "1.0.0", metrics=metrics, resamples=20
    )
    assert after.metrics == before.metrics
    place = home / "releases" / "real" / "1.0.0"
    if shutil.which("sha256sum"):
        assert subprocess.run(["sha256sum", "-c", "--quiet", "SHA256SUMS"], cwd=place, check=False).returncode == 0
    _official_reads_back(place, split, root, expected, tmp_path)


def _first(count: int, tmp_path: Path) -> Path:
    """Returns a folder with the first so many records of the real file; masks of 1,131 photos take half a minute."""
    records = json.loads((SHARED / "vizwiz" / "val_grounding.json").read_text())
    (tmp_path / "first").mkdir()
    write(tmp_path / "first" / "val_grounding.json", json.dumps(dict(list(records.items())[:count])))
    return tmp_path / "first"


def _official_reads_back(place: Path, split: str, root: str, expected: dict[str, Truth], tmp_path: Path) -> None:
    """The official files are read by the data set's own reader, and hold the same regions."""
    copy = tmp_path / "official"
    shutil.copytree(place / "official", copy)
    name = {"vizwiz": "vizwiz_grounding:val", "toloka": f"toloka_vqa:{split}"}[root]
    back = {truth.id: truth for truth in open_dataset(name, copy).truths()}
    assert set(back) == set(expected)
    for key, truth in back.items():
        was = expected[key]
        assert truth.answers == was.answers
        size_hw = truth.size_hw
        assert size_hw is not None
        assert truth.targets[0].shape.rle(size_hw) == was.targets[0].shape.rle(size_hw)


@needs_shared
def test_splits_of_the_cup_have_their_shares_and_are_the_same_for_everybody(home: Path) -> None:
    words = ("new", "toloka_vqa:test_public", "--root", SHARED / "toloka", "--split", "train=0.65,val=0.11,test=0.24")
    assert run(*words, "--name", "cup", "--version", "1.0.0").exception is None
    release = read_release(home / "releases" / "cup" / "1.0.0")
    assert {name: split.samples for name, split in release.splits.items()} == {"train": 1065, "val": 194, "test": 446}
    assert release.leakage["groups_across"] == 0
    assert release.layout == "toloka"


def test_what_people_drew_becomes_a_release_with_their_facts(home: Path, tmp_path: Path) -> None:
    square, smaller = [(2, 2), (12, 2), (12, 12), (2, 12)], [(2, 2), (12, 2), (12, 7), (2, 7)]
    work = [sent(drawn(square), "ann"), sent(drawn(smaller), "bob", minute=1), sent(drawn(square), "ann", "b.jpg", 2)]
    write_submissions(work, tmp_path / "s.jsonl")
    done = run("new", tmp_path / "s.jsonl", "--name", "drawn", "--version", "1.0.0", "--json")
    assert done.exception is None, done.output
    told = json.loads(done.stdout)
    assert told["people"] == {
        "annotators": 2,
        "submissions": 3,
        "tasks": 2,
        "decided": 0,
        "hours": 0.0,
        "first": "2026-01-02T03:04:05.678901+00:00",
        "last": "2026-01-02T03:06:05.678901+00:00",
    }
    # One pair: 10 x 5 pixels of 10 x 10.
    assert told["agreement"] == {"samples_drawn_by_several": 1, "pairs": 1, "mean_iou_of_pairs": 0.5}
    assert told["sums"] == sums_of(Path(told["folder"]))
    assert [truth.targets[0].annotator for truth in open_dataset("drawn:all").truths()] == ["ann", "ann"]
    sheet = (Path(told["folder"]) / "DATASHEET.md").read_text()
    assert "People: annotators 2, submissions 3, tasks 2" in sheet
    alone = run("new", tmp_path / "s.jsonl", tmp_path, "--name", "two", "--version", "1.0.0")
    assert "a file of submissions is released alone" in str(alone.exception)
