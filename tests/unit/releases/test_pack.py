"""Releases made through the front door: frozen, summed, read back; what is broken is told."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import PIL.Image
import pytest

from foveate.datasets._check import check
from foveate.datasets._open import fingerprint, open_dataset
from foveate.errors import FoveateError, InputError, OutputError, UsageError
from foveate.evaluation.score import score
from foveate.execution.ground import ground
from foveate.formats.release_json import read_release
from foveate.releases.photos import has_place
from foveate.sources.sums import read_sums
from tests.helpers import write
from tests.unit.releases.made import lines, noisy_photo, released, row, run


def mend(path: Path, text: str) -> None:
    path.chmod(0o644)
    path.write_text(text)


def test_a_release_is_found_by_name_and_reads_as_its_source(home: Path, tmp_path: Path) -> None:
    source = released(tmp_path)
    folder = home / "releases" / "kitchen" / "1.0.0"
    before = {query.id: (query, truth) for query, truth in open_dataset(str(source)).pairs()}
    after: dict[str, object] = {}
    for split in ("train", "val"):
        data = open_dataset(f"kitchen:{split}")
        assert data.name == f"kitchen@1.0.0:{split}"
        assert data.card.evaluate_as == "box"
        pairs = list(data.pairs())
        assert len(pairs) == data.card.splits[split]
        after |= {query.id: (query, truth) for query, truth in pairs}
        assert fingerprint(list(data.queries())) == fingerprint(
            list(open_dataset(f"release:{split}", folder).queries())
        )
        assert open_dataset(f"{folder}:{split}").name == data.name
    assert after == before
    assert check("kitchen").faults == ()


def test_files_are_frozen_summed_and_named(home: Path, tmp_path: Path) -> None:
    released(tmp_path, 12, "1.0.0", "--licence", "CC-BY-4.0", "--title", "A kitchen")
    folder = home / "releases" / "kitchen" / "1.0.0"
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    assert files == [
        "DATASHEET.md",
        "LICENSE",
        "README.md",
        "SHA256SUMS",
        "attribution.csv",
        "official/train.csv",
        "official/val.csv",
        "release.json",
        "samples/train.jsonl",
        "samples/val.jsonl",
    ]
    assert all((folder / name).stat().st_mode & 0o222 == 0 for name in files)
    assert sorted(read_sums(folder)) == [name for name in files if name != "SHA256SUMS"]
    assert "https://creativecommons.org/licenses/by/4.0/" in (folder / "LICENSE").read_text()
    sheet = (folder / "DATASHEET.md").read_text()
    for said in (
        "A kitchen, version 1.0.0",
        "12 samples, 12 with a target",
        "**For what purpose was it made?** Not known.",
    ):
        assert said in sheet
    official = [open_dataset(str(folder / "samples" / f"{split}.jsonl")) for split in ("train", "val")]
    cup = sum(len((folder / "official" / f"{split}.csv").read_text().splitlines()) - 1 for split in ("train", "val"))
    assert cup == sum(len(list(data.queries())) for data in official) == 12


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="sha256sum is not here")
@pytest.mark.usefixtures("unlooked")
def test_sha256sum_agrees_also_with_odd_names(home: Path, tmp_path: Path) -> None:
    names = ["a b.png", "back\\slash.png", "ünï.png"]
    rows = [row(0) | {"id": name, "image": name} for name in names]
    for number, name in enumerate(names):
        noisy_photo(tmp_path / "in" / name, number)
    source = lines(tmp_path / "in" / "s.jsonl", rows)
    assert run("new", source, "--name", "odd", "--version", "1.0.0", "--photos", "copy").exception is None
    folder = home / "releases" / "odd" / "1.0.0"
    done = subprocess.run(["sha256sum", "-c", "--strict", "SHA256SUMS"], cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout
    assert run("check", "odd").exit_code == 0


def test_a_version_is_never_written_again_and_names_are_kept(home: Path, tmp_path: Path) -> None:
    source = released(tmp_path)
    words = ("--version", "1.0.0", "--split", "train=1")
    again = run("new", source, "--name", "kitchen", *words)
    assert isinstance(again.exception, OutputError)
    assert "a version never changes" in str(again.exception)
    for name, said in (("toloka_vqa", "a data set of Foveate has this name"), ("Küche", "no name of a release")):
        with pytest.raises(UsageError, match=said):
            raise run("new", source, "--name", name, *words).exception
    with pytest.raises(UsageError, match=r"version 1\.0: it is no version"):
        raise run("new", source, "--name", "other", "--version", "1.0").exception


def test_the_newest_version_is_meant_where_none_is_said(home: Path, tmp_path: Path) -> None:
    released(tmp_path, 12, "1.9.0")
    released(tmp_path, 13, "1.10.0")
    released(tmp_path, 14, "1.10.0-rc.1")
    assert open_dataset("kitchen:val").card.name == "kitchen@1.10.0"
    assert open_dataset("kitchen@1.9.0:val").card.name == "kitchen@1.9.0"
    listed = [one["version"] for one in json.loads(run("list", "--json").stdout)]
    assert listed == ["1.9.0", "1.10.0-rc.1", "1.10.0"]
    with pytest.raises(UsageError, match=r"there is no such version here.*1\.9\.0"):
        open_dataset("kitchen@1.8.0:val")
    with pytest.raises(UsageError, match="it has several splits"):
        open_dataset("kitchen")
    with pytest.raises(UsageError, match=r"is kitchen@1\.9\.0"):
        open_dataset("kitchen@1.10.0:val", home / "releases" / "kitchen" / "1.9.0")


def test_a_kill_leaves_no_release(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = lines(tmp_path / "s.jsonl", [row(0)])

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("foveate.releases.pack.write_sums", killed)
    run("new", source, "--name", "kitchen", "--version", "1.0.0")
    assert [path for path in (home / "releases").rglob("*") if path.is_file()] == []
    assert json.loads(run("list", "--json").stdout) == []


def test_tampering_is_told_when_opened_checked_and_listed(home: Path, tmp_path: Path) -> None:
    released(tmp_path)
    folder = home / "releases" / "kitchen" / "1.0.0"
    file = folder / "samples" / "val.jsonl"
    mend(file, file.read_text().replace("24.0", "25.0", 1))
    with pytest.raises(InputError, match="not the file that was released"):
        list(open_dataset("kitchen:val").truths())
    assert len(list(open_dataset("kitchen:train").truths())) > 0
    (folder / "LICENSE").unlink()
    write(folder / "more.txt", "x")
    found = run("check", "kitchen", "--json")
    assert found.exit_code == 3
    assert json.loads(found.stdout)["faults"] == [
        "LICENSE: missing",
        "samples/val.jsonl: changed",
        "more.txt: it is not part of the release",
    ]
    broken = [finding for finding in check("kitchen").faults if "not those that were released" in finding.what]
    assert [(finding.split, finding.n) for finding in broken] == [("train", 1), ("val", 1)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "Invalid JSON"),
        ('{"foveate_release": 2}', "it is of another form than 1"),
        ('{"foveate_release": 1, "name": "a/b"}', "is no name of a release"),
    ],
)
def test_a_release_that_says_nothing_known_is_refused(text: str, said: str, home: Path, tmp_path: Path) -> None:
    released(tmp_path)
    folder = home / "releases" / "kitchen" / "1.0.0"
    mend(folder / "release.json", text)
    with pytest.raises(InputError, match=said):
        read_release(folder)


@pytest.mark.parametrize("line", ["no sum", f"{'0' * 64}  ../secret", f"{'0' * 64}  /etc/passwd"])
def test_sums_that_lead_out_or_are_none_are_refused(line: str, home: Path, tmp_path: Path) -> None:
    released(tmp_path)
    folder = home / "releases" / "kitchen" / "1.0.0"
    mend(folder / "SHA256SUMS", line + "\n")
    with pytest.raises(InputError, match="SHA256SUMS, line 1"):
        raise run("check", "--folder", folder).exception


def test_a_run_remembers_the_version_and_scores_the_same(home: Path, tmp_path: Path) -> None:
    source = released(tmp_path, 12, "1.0.0", "--keep-splits", "--out", tmp_path / "out")
    folder = tmp_path / "out"
    ground("release:all", folder, grounder="centre_box", out=tmp_path / "run")
    ground(str(source), grounder="centre_box", out=tmp_path / "source")
    first, second = score(tmp_path / "run"), score(tmp_path / "source", metrics=["mean_iou", "accuracy@0.5"])
    assert first.about["dataset"] == "kitchen@1.0.0:all"
    boxes = open_dataset(str(source))
    assert boxes.card.evaluate_as == "mask"  # Whole pixels, so that boxes and masks give the same digits.
    assert {name: value.value for name, value in first.metrics.items()} == {
        name: value.value for name, value in second.metrics.items()
    }


@pytest.mark.usefixtures("unlooked")
def test_photos_go_in_as_they_are_or_without_a_place(home: Path, tmp_path: Path) -> None:
    exif = PIL.Image.Exif()
    exif[0x0112] = 6
    exif.get_ifd(0x8825)[1] = "N"
    exif.get_ifd(0x8825)[2] = (52.0, 30.0, 0.0)
    PIL.Image.open(noisy_photo(tmp_path / "in" / "x.png", 1)).save(tmp_path / "in" / "a.jpg", exif=exif, quality=95)
    # Upright it is 48 wide and 64 high.
    one = row(0) | {"id": "a.jpg", "image": "a.jpg", "width": 48, "height": 64}
    source = lines(tmp_path / "in" / "s.jsonl", [one])
    words = ("new", source, "--version", "1.0.0", "--photos", "copy", "--name")
    copied = run(*words, "bare")
    assert "1 photo with the place where it was taken in the file" in copied.stderr
    bare, clean = (home / "releases" / name / "1.0.0" / "photos" / "a.jpg" for name in ("bare", "clean"))
    assert bare.read_bytes() == (tmp_path / "in" / "a.jpg").read_bytes()
    assert has_place(bare)
    assert "with the place where it was taken in the file (GPS)" in run("check", "bare").stdout
    assert run(*words, "clean", "--strip").exception is None
    assert not has_place(clean)
    with PIL.Image.open(clean) as photo:
        assert (photo.size, dict(photo.getexif())) == ((48, 64), {})
    assert "GPS" not in run("check", "clean").stdout


def test_photos_that_are_to_be_put_in_and_are_all_elsewhere_stop_it(home: Path, tmp_path: Path) -> None:
    source = lines(tmp_path / "s.jsonl", [row(0), row(1)])
    words = ("new", source, "--name", "kitchen", "--version", "1.0.0", "--photos", "copy")
    with pytest.raises(InputError, match=r"nothing is there of 2 photos to be put in: photo00\.png") as told:
        raise run(*words).exception
    assert "--option photos=DIR" in told.value.remedy
    assert not (home / "releases").exists()
    noisy_photo(tmp_path / "elsewhere" / "photo01.png", 1)
    done = run(*words, "--option", f"photos={tmp_path / 'elsewhere'}", "--unreviewed-private", "ok")
    assert done.exception is None
    assert "photos that are not there and are only named: 1" in done.stderr


def test_a_photo_that_looks_private_stops_the_release(home: Path, tmp_path: Path) -> None:
    rows = [row(0), row(1, question="Is this 4111 1111 1111 1111 mine?")]
    source = lines(tmp_path / "s.jsonl", rows)
    words = ("new", source, "--name", "kitchen", "--version", "1.0.0")
    with pytest.raises(InputError, match=r"nobody has decided on 1 photo with what looks private: .*photo01\.png"):
        raise run(*words).exception
    listed = run("private", source, "--out", tmp_path / "review.csv")
    assert "1 photo to decide on (card number 1); 0 of 2 photos looked at" in listed.stdout
    assert "not there, and not looked at: 2 photos;" in listed.stderr
    decided = (tmp_path / "review.csv").read_text().replace("in the words,,", "in the words,leave_out,")
    review = write(tmp_path / "decided.csv", decided)
    assert run(*words, "--private-review", review).exception is None
    assert [query.id for query in open_dataset("kitchen:all").queries()] == ["photo00.png"]
    open_one = run(*words[:-1], "1.0.1", "--unreviewed-private", "ok")
    assert open_one.exception is None
    sheet = (home / "releases" / "kitchen" / "1.0.1" / "DATASHEET.md").read_text()
    assert "Released without anybody having looked: 1 flagged photo." in sheet


def test_credits_come_from_a_table_or_facts_and_may_be_required(home: Path, tmp_path: Path) -> None:
    rows = [row(0), row(1) | {"facts": {"author": "Bo", "license": "CC0", "url": "https://x.invalid/1"}}]
    source = lines(tmp_path / "s.jsonl", rows)
    words = ("new", source, "--name", "kitchen", "--require-attribution", "--version")
    with pytest.raises(InputError, match=r"author or licence of 1 photo is not known: photo00\.png"):
        raise run(*words, "1.0.0").exception
    table = write(tmp_path / "a.csv", "image,author,license\nphoto00.png,Ann,CC-BY-2.0\n")
    assert run(*words, "1.0.0", "--attribution", table).exception is None
    written = (home / "releases" / "kitchen" / "1.0.0" / "attribution.csv").read_text().splitlines()
    assert written == [
        "image,author,licence,source",
        "photo00.png,Ann,CC-BY-2.0,",
        "photo01.png,Bo,CC0,https://x.invalid/1",
    ]
    twice = write(tmp_path / "t.csv", "image,author\na,A\na,B\n")
    with pytest.raises(InputError, match="a has a row before"):
        raise run(*words, "1.0.1", "--attribution", twice).exception


def test_the_makers_answers_stand_in_the_datasheet(home: Path, tmp_path: Path) -> None:
    facts = write(tmp_path / "f.toml", '[motivation]\npurpose = "To find pans."\n')
    funnel = write(tmp_path / "funnel.json", '{"asked": 20, "kept": 12, "rules": {"x": 1}}')
    released(tmp_path, 12, "1.0.0", "--facts", facts, "--funnel", funnel)
    sheet = (home / "releases" / "kitchen" / "1.0.0" / "DATASHEET.md").read_text()
    assert "**For what purpose was it made?** To find pans." in sheet
    assert "Screening: asked 20, kept 12." in sheet
    for text, said in (
        ('[motivaton]\npurpose = "x"\n', "no heading of a datasheet. Did you mean motivation"),
        ('[motivation]\nporpose = "x"\n', "there is no such question. Did you mean purpose"),
        ("[motivation]\npurpose = 3\n", "an answer is a text"),
        ("[", "cannot be read as TOML"),
    ):
        with pytest.raises(FoveateError, match=said):
            raise run(
                "new", tmp_path / "in", "--name", "k", "--version", "1.0.0", "--facts", write(tmp_path / "g.toml", text)
            ).exception


def test_near_duplicates_stay_together_and_leakage_is_told(home: Path, tmp_path: Path) -> None:
    for number in range(10):
        noisy_photo(tmp_path / "in" / f"photo{number:02}.png", number // 2)
    source = lines(tmp_path / "in" / "s.jsonl", [row(number) for number in range(10)])
    words = ("new", source, "--name", "kitchen", "--split", "train=0.5,val=0.5", "--version", "1.0.0")
    assert run(*words).exception is None
    where = {q.id: split for split in ("train", "val") for q in open_dataset(f"kitchen:{split}").queries()}
    assert all(where[f"photo{n:02}.png"] == where[f"photo{n + 1:02}.png"] for n in range(0, 10, 2))
    assert set(where.values()) == {"train", "val"}
    told = json.loads(run("show", "kitchen", "--json").stdout)
    assert told["leakage"]["groups_across"] == 0
    assert "10 photos by equal bytes" in told["leakage"]["compared"]


def test_photos_in_several_splits_are_told_where_splits_are_kept(home: Path, tmp_path: Path) -> None:
    released(tmp_path, 6)  # Nobody can see that these photos are the same: none is there.
    for number in range(6):
        noisy_photo(tmp_path / "photos" / f"photo{number:02}.png", 7)
    words = ("--option", f"photos={tmp_path / 'photos'}", "--keep-splits", "--name", "again", "--version", "1.0.0")
    done = run("new", "kitchen:train", "kitchen:val", *words)
    assert done.exception is None
    assert "Note: photos that show the same are in several splits: 1 group" in done.stdout
    release = read_release(home / "releases" / "again" / "1.0.0")
    assert (release.leakage["groups_across"], release.leakage["photos_across"]) == (1, 6)
    assert "in several splits: 1 group" in run("check", "again").stdout
    with pytest.raises(UsageError, match="--split says other ones"):
        raise run("new", "kitchen:train", "--split", "train=1", *words).exception
    with pytest.raises(UsageError, match="the splits of the source are kept"):
        raise run("new", "kitchen:train", "--old", "kitchen:val", *words[:4], "again", "--version", "1.0.1").exception


def test_what_an_older_set_has_goes_to_train(home: Path, tmp_path: Path) -> None:
    for number in range(8):
        noisy_photo(tmp_path / "in" / f"photo{number:02}.png", number)
    source = lines(tmp_path / "in" / "s.jsonl", [row(number) for number in range(8)])
    noisy_photo(tmp_path / "old" / "other.png", 3)
    old = lines(tmp_path / "old" / "s.jsonl", [row(5), row(0) | {"id": "o", "image": "other.png"}])
    words = ("new", source, "--name", "kitchen", "--split", "train=0.001,val=0.999", "--old", old)
    assert run(*words, "--version", "1.0.0").exception is None
    assert [q.id for q in open_dataset("kitchen:train").queries()] == ["photo03.png", "photo05.png"]
    assert run(*words, "--old-by", "name", "--version", "1.0.1").exception is None
    assert [q.id for q in open_dataset("kitchen:train").queries()] == ["photo05.png"]
    told = json.loads(run("show", "kitchen@1.0.0", "--json").stdout)["splitting"]["old"][0]
    assert told["by"] == {"name": 1, "coco": 0, "photo": 1}
    with pytest.raises(UsageError, match="there is no split nowhere"):
        raise run(*words, "--version", "1.0.2", "--old-to", "nowhere").exception


def test_a_loss_is_told_once_for_all_splits(home: Path, tmp_path: Path) -> None:
    source = lines(tmp_path / "s.jsonl", [row(number, None if number % 2 else (8, 8, 24, 40)) for number in range(12)])
    done = run("new", source, "--name", "kitchen", "--version", "1.0.0", "--split", "a=0.5,b=0.5", "--json")
    told = json.loads(done.stdout)
    assert len(told["splits"]) == 2
    (loss,) = [one for one in told["layout_losses"] if "no region" in one]
    assert loss.startswith("6 samples have no region")
    assert done.stderr.count("no region") == 1
    assert (Path(told["folder"]) / "DATASHEET.md").read_text().count("no region") == 1


def test_masks_have_the_layout_of_vizwiz(home: Path, tmp_path: Path) -> None:
    rows = [row(0), row(1)]
    rows[1]["targets"] = [{"polygon": [[[4, 4], [40, 4], [20, 40]]], "answer": "red"}]
    source = lines(tmp_path / "s.jsonl", [*rows, row(2, None)])
    done = run("new", source, "--name", "kitchen", "--version", "1.0.0")
    assert "official layout: 1 sample has no region: the question is left out (photo02.png)" in done.stderr
    official = home / "releases" / "kitchen" / "1.0.0" / "official"
    assert sorted(path.name for path in official.rglob("*.png")) == ["photo00.png", "photo01.png"]
    # Its own reader reads it, once it is called as one of the official splits.
    copy = tmp_path / "vizwiz"
    shutil.copytree(official / "binary_masks_png" / "all", copy / "binary_masks_png" / "val")
    shutil.copy(official / "all_grounding.json", copy / "val_grounding.json")
    back = list(open_dataset("vizwiz_grounding:val", copy).truths())
    ours = list(open_dataset("kitchen:all").truths())[:2]
    for one, other in zip(back, ours, strict=True):
        assert one.targets[0].shape.rle((48, 64)) == other.targets[0].shape.rle((48, 64))
    wished = run("new", source, "--name", "k", "--version", "1.0.0", "--official", "toloka", "--photos", "none")
    assert wished.exception is None
    twice = lines(tmp_path / "t.jsonl", [row(0), row(0) | {"id": "b"}])
    assert "no official layout: toloka" in run("new", twice, "--name", "t", "--version", "1.0.0").stderr
    with pytest.raises(InputError, match="Pass --official none"):
        raise run("new", twice, "--name", "u", "--version", "1.0.0", "--official", "vizwiz").exception


def test_sources_must_not_share_ids_nor_all_samples_be_left_out(home: Path, tmp_path: Path) -> None:
    first, second = (lines(tmp_path / name / "s.jsonl", [row(0)]) for name in ("a", "b"))
    with pytest.raises(InputError, match="has a sample of this id as well"):
        raise run("new", first, second, "--name", "k", "--version", "1.0.0").exception
    review = write(tmp_path / "r.csv", "image,decision\nphoto00.png,leave_out\n")
    with pytest.raises(InputError, match="no sample is left"):
        raise run("new", first, "--name", "k", "--version", "1.0.0", "--private-review", review).exception
    assert not os.path.exists(home / "releases" / "k" / "1.0.0")  # noqa: PTH110
