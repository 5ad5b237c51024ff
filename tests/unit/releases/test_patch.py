"""Mended releases: what changes is told sample by sample, and nothing moves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foveate.annotation.submissions import write_submissions
from foveate.core.regions import Box, Mask, Polygon
from foveate.core.rle import encode
from foveate.core.truths import Target, Truth
from foveate.datasets._open import open_dataset
from foveate.errors import InputError, UsageError
from foveate.execution.ground import ground
from foveate.formats.release_json import read_release
from foveate.releases.compare import target_overlap
from foveate.releases.pack import sums_of
from tests.helpers import write
from tests.submissions import boxed, sent
from tests.unit.releases.made import lines, noisy_photo, released, row, run


def patch(*words: Any) -> Any:
    return run("patch", "kitchen@1.0.0", "--version", "1.0.1", "--why", "after the audit", *words)


def splits_of(name: str) -> dict[str, str]:
    release = read_release(Path(name))
    return {q.id: split for split in release.splits for q in open_dataset(f"release:{split}", name).queries()}


def test_targets_are_mended_added_and_removed_and_nothing_moves(home: Path, tmp_path: Path) -> None:
    released(tmp_path, 12, "1.0.0", "--licence", "CC0-1.0")
    old, new = home / "releases" / "kitchen" / "1.0.0", home / "releases" / "kitchen" / "1.0.1"
    sums = sums_of(old)
    half = row(3, (8, 8, 24, 24)) | {"facts": {"why": "it was twice as high"}}
    fixes = lines(tmp_path / "fixes.jsonl", [half, row(40), row(2, question="What is the colour?")])
    done = patch("--with", fixes, "--remove", "photo05.png", "--json")
    assert done.exception is None
    values = json.loads(done.stdout)
    changes = {one["id"]: one for one in values["changes"]}
    # 16 x 16 inside of 16 x 32: half of it.
    assert changes["photo03.png"] == {
        "id": "photo03.png",
        "what": "changed",
        "split": splits_of(str(old))["photo03.png"],
        "fields": ["targets"],
        "iou": 0.5,
        "why": "it was twice as high",
    }
    assert changes["photo02.png"]["fields"] == ["question"]
    assert changes["photo02.png"]["iou"] == 1.0
    assert changes["photo02.png"]["why"] == "after the audit"
    assert {name: one["what"] for name, one in changes.items()} == {
        "photo02.png": "changed",
        "photo03.png": "changed",
        "photo05.png": "removed",
        "photo40.png": "added",
    }
    assert values["parent"] == {"name": "kitchen", "version": "1.0.0", "sums": sums}
    before, after = splits_of(str(old)), splits_of(str(new))
    assert {name: after[name] for name in before if name != "photo05.png"} == {
        name: split for name, split in before.items() if name != "photo05.png"
    }
    assert json.loads((new / "changes.json").read_text())["changes"] == values["changes"]
    page = (new / "CHANGES.md").read_text()
    assert sums in page
    assert "| photo03.png |" in page
    assert "it was twice as high" in page
    assert "version 1.0.1" in (new / "LICENSE").read_text()
    assert run("check", "kitchen@1.0.1").exit_code == 0
    assert sums_of(old) == sums


@pytest.mark.usefixtures("unlooked")
def test_a_new_photo_falls_where_the_hash_says_and_a_near_duplicate_stays_with_its_own(
    home: Path, tmp_path: Path
) -> None:
    for number in range(6):
        noisy_photo(tmp_path / "in" / f"photo{number:02}.png", number)
    released(tmp_path, 6, "1.0.0", "--photos", "copy")
    before = splits_of(str(home / "releases" / "kitchen" / "1.0.0"))
    # The same photo under a name that comes first: its group has a split already.
    noisy_photo(tmp_path / "more" / "aaa.png", 4)
    noisy_photo(tmp_path / "more" / "bbb.png", 99)
    added = [row(0) | {"id": name, "image": name} for name in ("aaa.png", "bbb.png")]
    assert patch("--with", lines(tmp_path / "f.jsonl", added), "--photos-root", tmp_path / "more").exception is None
    after = splits_of(str(home / "releases" / "kitchen" / "1.0.1"))
    assert after["aaa.png"] == before["photo04.png"]
    assert {name: after[name] for name in before} == before
    photos = home / "releases" / "kitchen" / "1.0.1" / "photos"
    assert (photos / "aaa.png").read_bytes() == (tmp_path / "more" / "aaa.png").read_bytes()
    assert len(list(photos.iterdir())) == 8


def test_decisions_of_people_change_targets_alone(home: Path, tmp_path: Path) -> None:
    released(tmp_path)
    facts: dict[str, Any] = {"image_name": "photo03.png", "size_hw": (48, 64), "question": "Whatever was shown"}
    work = [
        sent(boxed(8, 8, 24, 24), "judge", "photo03.png", adjudicated=True, **facts),
        sent(boxed(1, 1, 9, 9), "ann", "photo04.png", **(facts | {"image_name": "photo04.png"})),
    ]
    write_submissions(work, tmp_path / "s.jsonl")
    assert patch("--with", tmp_path / "s.jsonl").exception is None
    found = json.loads(run("diff", "kitchen@1.0.0", "kitchen@1.0.1", "--json").stdout)
    assert [(one["id"], one["fields"], one["iou"]) for one in found["changes"]] == [("photo03.png", ["targets"], 0.5)]
    assert found["unchanged"] == 11
    assert found["moved"] == []
    told = run("diff", "kitchen@1.0.0", "kitchen@1.0.1").stdout
    assert "added 0, removed 0, changed 1, the same 11; no sample moved to another split" in told


def test_what_cannot_be_mended_is_refused(home: Path, tmp_path: Path) -> None:
    released(tmp_path)
    same = lines(tmp_path / "same.jsonl", [row(1)])
    other = lines(tmp_path / "other.jsonl", [row(1) | {"image": "photo02.png"}])
    for words, error, said in (
        (("--with", same), InputError, "the fixes change nothing"),
        (("--with", other), InputError, r"the fix is about photo02\.png, the sample about photo01\.png"),
        (("--remove", "photo1.png"), UsageError, "has no such sample. Did you mean photo1"),
        (("--with", same, "--remove", "photo01.png"), InputError, "it is mended and left out"),
    ):
        with pytest.raises(error, match=said):
            raise patch(*words).exception
    with pytest.raises(UsageError, match=r"not later than 1\.0\.0"):
        raise run("patch", "kitchen", "--version", "0.9.0", "--why", "x", "--remove", "photo01.png").exception
    with pytest.raises(UsageError, match=r"there is none of this name here. Did you mean kitchen@1\.0\.0"):
        raise run("patch", "kitchn", "--version", "2.0.0", "--why", "x", "--remove", "a").exception


def test_what_is_added_is_looked_at_too(home: Path, tmp_path: Path) -> None:
    released(tmp_path)
    fixes = lines(tmp_path / "f.jsonl", [row(50, question="Call 212-669-7043?")])
    with pytest.raises(InputError, match=r"nobody has decided on 1 photo with what looks private: photo50\.png"):
        raise patch("--with", fixes).exception
    assert patch("--with", fixes, "--unreviewed-private", "ok").exception is None
    told = json.loads(run("show", "kitchen", "--json").stdout)["private"]
    assert (told["flagged"], told["not_reviewed"], told["flagged_by"]) == (1, 1, {"phone_number": 1})


def test_where_splits_were_kept_a_new_photo_has_none(home: Path, tmp_path: Path) -> None:
    first = lines(tmp_path / "s.jsonl", [row(0), row(1)])
    assert run("new", first, "--name", "kitchen", "--version", "1.0.0").exception is None
    assert patch("--with", lines(tmp_path / "f.jsonl", [row(7)])).exception is None
    assert splits_of(str(home / "releases" / "kitchen" / "1.0.1"))["photo07.png"] == "all"


def truth(*shapes: Any, size_hw: tuple[int, int] | None = (10, 10)) -> Truth:
    return Truth("a", (), tuple(Target(shape) for shape in shapes), "union", bool(shapes), size_hw)


def test_overlaps_of_old_and_new_targets() -> None:
    left, right, whole = Box((0, 0, 5, 10)), Box((5, 0, 10, 10)), Box((0, 0, 10, 10))
    assert target_overlap(truth(left), truth(whole), "box") == 0.5
    assert target_overlap(truth(Box((0.5, 0, 5, 10))), truth(Box((0, 0, 5, 10))), "box") == pytest.approx(0.9)
    assert target_overlap(truth(left, right), truth(whole), "box") == 1.0
    assert target_overlap(truth(), truth(whole), "mask") == 0.0
    assert target_overlap(truth(), truth(), "mask") is None
    assert target_overlap(truth(left, size_hw=None), truth(right, size_hw=None), "mask") is None
    pixels = np.zeros((10, 10), dtype=bool)
    pixels[:5] = True
    polygon = Polygon((((0, 0), (10, 0), (10, 10), (0, 10)),))
    assert target_overlap(truth(Mask(encode(pixels))), truth(polygon), "mask") == 0.5


def test_runs_are_scored_on_both_versions(home: Path, tmp_path: Path) -> None:
    released(tmp_path, 12, "1.0.0")
    split = splits_of(str(home / "releases" / "kitchen" / "1.0.0"))
    mine = sorted(name for name, one in split.items() if one == "val")
    ground("kitchen@1.0.0:val", grounder="whole_image", out=tmp_path / "run")
    number = int(mine[0][5:7])
    fixes = lines(tmp_path / "f.jsonl", [row(number, (0, 0, 64, 48))])
    assert patch("--with", fixes, "--remove", mine[1]).exception is None
    done = run(
        "rescore", tmp_path / "run", "--from", "kitchen@1.0.0", "--to", "kitchen@1.0.1", "--json", "--resamples", 9
    )
    told = json.loads(done.stdout)
    assert (told["from"], told["to"], told["ranks"]) == ("kitchen@1.0.0", "kitchen@1.0.1", [])
    (found,) = told["runs"]
    # The whole photo of 64 x 48 against 16 x 32: a sixth; against itself: 1.
    sixth, n = 512 / 3072, len(mine)
    assert found["before"]["metrics"]["mean_iou"]["value"] == pytest.approx(sixth)
    assert found["after"]["metrics"]["mean_iou"]["value"] == pytest.approx((1 + (n - 2) * sixth) / (n - 1))
    assert found["samples"] == [{"id": mine[0], "iou_before": pytest.approx(sixth), "iou_after": 1.0}]
    assert found["removed"] == [mine[1]]
    assert found["not_asked"] == []
    # On the samples that both have one of n - 1 has gone from a sixth to 1.
    assert found["common"] == n - 1
    (same,) = [change for change in found["changes"] if change["metric"] == "mean_iou"]
    assert same["before"] == pytest.approx(sixth)
    assert same["change"] == pytest.approx((1 - sixth) / (n - 1))
    assert same["low"] <= same["change"] <= same["high"]
    told = run("rescore", tmp_path / "run", "--from", "kitchen@1.0.0", "--to", "kitchen@1.0.1", "--resamples", 0).stdout
    assert f"1 sample of {n - 1} in both have another IoU; 1 are no more there" in told
    assert "change of the same" in told
    boxes = write(tmp_path / "b.csv", "image,left,top,right,bottom\n")
    with pytest.raises(UsageError, match="the split is not said. Name one with --split: train, val"):
        raise run("rescore", boxes, "--from", "kitchen@1.0.0", "--to", "kitchen@1.0.1").exception


def test_a_run_that_was_asked_another_question_is_refused(home: Path, tmp_path: Path) -> None:
    released(tmp_path, 4, "1.0.0", "--keep-splits")
    ground("kitchen@1.0.0:all", grounder="whole_image", out=tmp_path / "run")
    assert patch("--with", lines(tmp_path / "f.jsonl", [row(1, question="Which one?")])).exception is None
    with pytest.raises(InputError, match=r"the question was 'What colour\?' and is 'Which one\?' now"):
        raise run("rescore", tmp_path / "run", "--from", "kitchen@1.0.0", "--to", "kitchen@1.0.1").exception
