"""Odd names, broken tables and releases that were tampered with: refused in a sentence, never passed on."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from foveate.annotation.submissions import is_submissions
from foveate.datasets._open import open_dataset
from foveate.errors import InputError, UsageError
from foveate.formats.release_json import read_release
from foveate.releases.check import check_release
from foveate.releases.private import Flag
from foveate.releases.splits import shares_of
from foveate.sources.sums import read_sums, write_sums
from tests.helpers import write
from tests.unit.releases.made import lines, noisy_photo, released, row, run


@pytest.mark.parametrize("name", ["-train", "_train", "a" * 65, "tráin"])
def test_a_split_is_called_as_a_release_can_name_it(name: str) -> None:
    with pytest.raises(UsageError, match="no name of its own"):
        shares_of(f"{name}=0.5,val=0.5")


@pytest.mark.parametrize("share", ["1e-999999999", "1e999999999", "0x1", "1_0", "1/0", "nan", "9" * 60, "-1"])
def test_a_share_is_a_short_number(share: str) -> None:
    with pytest.raises(UsageError, match="share from 0 to 1"):
        shares_of(f"train={share},val=0.5")
    assert list(map(str, shares_of("1a=1/3,b=.25,c=25e-2,d=1/6").values())) == ["1/3", "1/4", "1/4", "1/6"]


def test_a_blank_title_is_the_name(home: Path, tmp_path: Path) -> None:
    released(tmp_path, 3, "1.0.0", "--title", "  ")
    assert read_release(home / "releases" / "kitchen" / "1.0.0").title == "kitchen"


def test_line_ends_of_unicode_in_names_do_not_end_a_line_of_sums(tmp_path: Path) -> None:
    for name in ("a\u2028b.jpg", "c\x85d.jpg", "e\x0bf.jpg", "g\rh.jpg"):
        write(tmp_path / name, name)
    sums = write_sums(tmp_path)
    assert read_sums(tmp_path) == sums
    assert len(sums) == 4
    file = tmp_path / "SHA256SUMS"
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert read_sums(tmp_path) == sums
    file.write_bytes(b"")
    assert read_sums(tmp_path) == {}


def test_deep_json_is_refused(home: Path, tmp_path: Path) -> None:
    deep = write(tmp_path / "deep.json", "[" * 100_000)
    assert not is_submissions(deep)
    source = lines(tmp_path / "in.jsonl", [row(1)])
    done = run("new", source, "--name", "kitchen", "--version", "1.0.0", "--agreement", deep)
    assert isinstance(done.exception, InputError)
    assert "no JSON" in str(done.exception)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"splits": {}}, "splits"),
        ({"leakage": {"groups_across": "x"}}, "groups_across is 'x'"),
        ({"private": {"not_reviewed": [1]}}, "no count"),
        ({"version": "1.0.0-" + "9" * 5000}, "version"),
    ],
)
def test_what_a_release_cannot_say_is_refused(change: dict[str, Any], said: str, home: Path, tmp_path: Path) -> None:
    released(tmp_path, 3)
    folder = _loose(home, tmp_path)
    file = folder / "release.json"
    write(file, json.dumps(json.loads(file.read_text()) | change))
    with pytest.raises(InputError, match=said):
        check_release(folder)


@pytest.mark.parametrize("shares", [{"train": "abc"}, {"train": "1e-999999999"}, {"train": "1/2"}, 3])
def test_shares_that_are_none_are_refused_though_sums_were_made_anew(shares: Any, home: Path, tmp_path: Path) -> None:
    released(tmp_path, 3)
    folder = _loose(home, tmp_path)
    file = folder / "release.json"
    values = json.loads(file.read_text())
    values["splitting"]["shares"] = shares
    write(file, json.dumps(values))
    write_sums(folder)
    with pytest.raises(InputError, match="no shares"):
        raise _patched(folder, tmp_path).exception


@pytest.mark.parametrize("name", ["samples/train.jsonl", "README.md", "LICENSE", "release.json"])
def test_a_version_that_was_changed_is_not_mended(name: str, home: Path, tmp_path: Path) -> None:
    released(tmp_path, 12)
    folder = _loose(home, tmp_path)
    if name == "LICENSE":
        (folder / name).unlink()
    else:
        (folder / name).write_bytes((folder / name).read_bytes() + b"\n")
    done = _patched(folder, tmp_path)
    assert isinstance(done.exception, InputError), done.output
    assert "released" in str(done.exception)
    assert not (tmp_path / "out").exists()
    if name.startswith("samples"):
        assert isinstance(run("diff", home / "releases/kitchen/1.0.0", folder).exception, InputError)


def test_a_licence_of_ones_own_stays_to_the_letter(home: Path, tmp_path: Path) -> None:
    text = write(tmp_path / "licence.txt", "Like the terms of version 1.0.0 of another licence.\n")
    released(tmp_path, 3, "1.0.0", "--licence-file", text)
    assert _patched(home / "releases/kitchen/1.0.0", tmp_path).exception is None
    assert (tmp_path / "out" / "LICENSE").read_text() == text.read_text()


def test_equal_releases_differ_in_no_sample(home: Path, tmp_path: Path) -> None:
    released(tmp_path, 3)
    told = json.loads(run("diff", "kitchen@1.0.0", "kitchen@1.0.0", "--json").stdout)
    assert told["counts"] == {"added": 0, "removed": 0, "changed": 0}


@pytest.mark.parametrize(
    ("table", "said"),
    [("a.png,leave_out\na.png,keep\n", "decided otherwise"), ("  ,leave_out\n", "names no photo")],
)
def test_decisions_that_contradict_or_name_nothing_are_refused(
    table: str, said: str, home: Path, tmp_path: Path
) -> None:
    review = write(tmp_path / "review.csv", "image,decision\n" + table)
    source = lines(tmp_path / "in.jsonl", [row(1)])
    done = run("new", source, "--name", "kitchen", "--version", "1.0.0", "--private-review", review)
    assert isinstance(done.exception, InputError)
    assert said in str(done.exception)


def test_a_photo_to_be_left_out_that_is_not_there_is_told_and_not_counted(home: Path, tmp_path: Path) -> None:
    review = write(tmp_path / "review.csv", "image,decision\nphotos/photo01.png,leave_out\nphoto02.png,leave_out\n")
    source = lines(tmp_path / "in.jsonl", [row(1), row(2)])
    done = run("new", source, "--name", "kitchen", "--version", "1.0.0", "--private-review", review)
    assert done.exception is None, done.output
    assert "1 photo to be left out and none of the source: photos/photo01.png" in done.output
    release = read_release(home / "releases" / "kitchen" / "1.0.0")
    assert (release.private["left_out"], release.samples) == (1, 1)


def test_photos_that_come_in_later_and_new_words_are_looked_at(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[set[str]] = []

    def look(samples: Any, photos: Any, *_: Any) -> Any:
        from foveate.releases.private import PrivateLook

        said = {sample.query.image_name for sample in samples}
        looked.append(said | set(photos))
        return PrivateLook({name: [Flag("face", "x")] for name in photos}, {}, len(photos))

    monkeypatch.setattr("foveate.releases.patch.look_for_private", look)
    source = released(tmp_path, 4)
    for number in range(4):
        noisy_photo(source.parent / "photos" / f"photo{number:02}.png", number)
    folder = home / "releases/kitchen/1.0.0"
    fixes = lines(tmp_path / "new.jsonl", [row(2, question="Call 030 1234567?")])
    stopped = _patched(folder, tmp_path, "--with", fixes, "--photos-root", source.parent / "photos")
    assert isinstance(stopped.exception, InputError)
    assert "looks private" in str(stopped.exception)
    assert _patched(folder, tmp_path, "--with", fixes).exception is None
    assert looked == [{f"photo{number:02}.png" for number in (0, 2, 3)}, {"photo02.png"}]


def test_leakage_that_was_taken_out_is_told_no_more(home: Path, tmp_path: Path) -> None:
    released(tmp_path, 6)
    old = read_release(home / "releases" / "kitchen" / "1.0.0")
    first, other = ([q.id for q in open_dataset(f"kitchen:{split}").queries()] for split in old.splits)
    for number in range(6):
        same = f"photo{number:02}.png" in (first[0], other[0])
        noisy_photo(tmp_path / "photos" / f"photo{number:02}.png", 99 if same else number)
    words = ("--option", f"photos={tmp_path / 'photos'}", "--keep-splits", "--name", "again", "--photos", "copy")
    done = run("new", "kitchen:train", "kitchen:val", *words, "--version", "1.0.0", "--unreviewed-private", "ok")
    assert done.exception is None, done.output
    again = home / "releases" / "again"
    assert read_release(again / "1.0.0").leakage["groups_across"] == 1
    mended = run("patch", "again@1.0.0", "--version", "1.0.1", "--why", "leakage", "--remove", first[0])
    assert mended.exception is None, mended.output
    assert read_release(again / "1.0.1").leakage["groups_across"] == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_links_and_pipes_in_a_release_are_told(home: Path, tmp_path: Path) -> None:
    released(tmp_path, 3)
    folder = _loose(home, tmp_path)
    (tmp_path / "elsewhere").mkdir()
    (folder / "more").symlink_to(tmp_path / "elsewhere")
    (folder / "gone").symlink_to("nowhere")
    os.mkfifo(folder / "pipe")
    shutil.move(folder / "samples", tmp_path / "disk")
    (folder / "samples").symlink_to(tmp_path / "disk")
    told = [f"{name}: it is not part of the release" for name in ("gone", "more", "pipe")]
    assert check_release(folder).faults == told


def _loose(home: Path, tmp_path: Path) -> Path:
    """Returns a copy of the release that can be written to."""
    folder = tmp_path / "copy"
    shutil.copytree(home / "releases" / "kitchen" / "1.0.0", folder)
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return folder


def _patched(folder: Path, tmp_path: Path, *words: Any) -> Any:
    gone = () if "--with" in words else ("--with", lines(tmp_path / "fix.jsonl", [row(40)]), "--remove", "photo00.png")
    more = ("--remove", "photo01.png") if words else ()
    return run("patch", folder, "--version", "1.0.1", "--why", "x", "--out", tmp_path / "out", *gone, *more, *words)
