"""Releases wherever a data set is named: by name, by folder, beside others, in projects."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from foveate.annotation.origin import Origin, opened
from foveate.cli._app import app
from foveate.datasets import release
from foveate.datasets._check import check
from foveate.datasets._open import open_dataset
from foveate.errors import InputError, UsageError
from tests.helpers import save_photo, write


@pytest.fixture(name="home")
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FOVEATE_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    release.write_tiny(tmp_path / "home" / "releases" / "tiny" / "1.0.0")
    return tmp_path / "home" / "releases" / "tiny" / "1.0.0"


def run(*words: object) -> str:
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exception is None, done.output
    return done.stdout


def test_every_way_of_naming_opens_the_same(home: Path) -> None:
    ways = [
        open_dataset("tiny:val"),
        open_dataset("tiny@1.0.0:val"),
        open_dataset("tiny:val", home),
        open_dataset("tiny@1.0.0:val", str(home)),
        open_dataset("release:val", home),
        open_dataset(f"{home}:val"),
        open_dataset(f"{os.path.relpath(home)}:val"),
    ]
    assert {data.name for data in ways} == {"tiny@1.0.0:val"}
    assert len({tuple(query.id for query in data.queries()) for data in ways}) == 1
    assert ways[0].card.splits == {"train": 3, "val": 3, "test": 3}
    with pytest.raises(UsageError, match=r"it has several splits. Name one: tiny@1\.0\.0:train"):
        open_dataset(str(home))


def test_a_file_or_folder_here_goes_before_a_bare_name_and_a_split_tells(home: Path, tmp_path: Path) -> None:
    save_photo(tmp_path / "tiny" / "a.png")
    write(tmp_path / "tiny" / "s.jsonl", json.dumps({"image": "a.png", "question": "Q?"}))
    assert open_dataset("tiny").name == "own:all"
    assert open_dataset("tiny:val").name == "tiny@1.0.0:val"


def test_photos_may_lie_elsewhere_and_need_not_be_there(home: Path, tmp_path: Path) -> None:
    (home / "photos").rename(tmp_path / "elsewhere")
    assert [query.image for query in open_dataset("tiny:val").queries()] == [None] * 3
    there = open_dataset("tiny:val", settings={"photos": str(tmp_path / "elsewhere")})
    assert all(query.image is not None for query in there.queries())
    with pytest.raises(InputError, match="Give the folder of the photos with --option photos=DIR"):
        list(open_dataset("tiny:val", settings={"photos": "nowhere"}).queries())
    notes = [finding for finding in check("tiny:val").findings if finding.kind == "note"]
    assert "of 3 photos are named and are not part of it" in [finding.what for finding in notes]
    # But what the sums name and is gone is a fault; photos are looked after with the first split.
    assert [finding.n for finding in check("tiny:train").faults] == [3]


def test_a_folder_without_a_release_is_told(tmp_path: Path) -> None:
    (checked,) = check("release:val", tmp_path).faults
    assert "there is no such file" in checked.what
    with pytest.raises(UsageError, match="the folder of its files is not given"):
        open_dataset("release:val")


def test_commands_that_name_a_data_set_take_releases(home: Path, tmp_path: Path) -> None:
    listed = json.loads(run("dataset", "list", "--json"))
    assert listed[-1]["name"] == "tiny@1.0.0"
    assert "tiny@1.0.0" in run("dataset", "list")
    run("ground", "tiny:val", "--grounder", "centre_box", "--out", "run")
    scored = json.loads(run("score", "run", "--json", "--resamples", 0))
    assert scored["dataset"] == "tiny@1.0.0:val"
    assert (
        json.loads(run("score", "run", "--dataset", "tiny:val", "--json", "--resamples", 0))["metrics"]
        == scored["metrics"]
    )
    run("analyze", "tiny:train", "--against", "tiny:val", "--against", f"{home}:test")
    run("dataset", "convert", "tiny:val", "--out", "out.jsonl")
    run("curate", "tiny:val", "--out", "screened")
    assert (tmp_path / "out.jsonl").read_text() == (home / "samples" / "val.jsonl").read_text()


def test_a_project_finds_its_release_again_from_anywhere(home: Path, tmp_path: Path) -> None:
    for name in ("tiny:val", f"{os.path.relpath(home)}:val"):
        data = opened(Origin(name))
        fixed = Origin(name).fixed(data.name)
        assert fixed.dataset == "tiny@1.0.0:val"
        assert fixed.root in (None, home)
        assert opened(fixed).name == data.name
