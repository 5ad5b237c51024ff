"""Every fault is made by hand, one at a time, in a data set that is whole; the check must find that one alone."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import PIL.Image
import pytest

from foveate import plugins
from foveate.datasets import own, toloka_vqa, vizwiz_grounding
from foveate.datasets._check import FAULTS, Checked, check
from foveate.datasets._findings import Finding
from foveate.errors import InputError, UsageError
from tests.helpers import SHARED, needs_shared, save_photo, write
from tests.zips import packed

NAMES = list(plugins.modules("datasets"))
SPLIT = "test_public"
HEADER = "image,width,height,left,top,right,bottom,question\n"
PHOTO = "000000000001.jpg"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns a whole data set of one split of three samples, as its publisher states."""
    monkeypatch.setattr(toloka_vqa, "CARD", _stated({SPLIT: 3}))
    toloka_vqa.write_tiny(tmp_path / "data")
    return tmp_path / "data"


def _stated(splits: dict[str, int]) -> object:
    from dataclasses import replace

    return replace(toloka_vqa.CARD, splits=splits)


def faults(checked: Checked) -> list[tuple[str, str, int]]:
    return [(finding.kind, finding.what, finding.n) for finding in checked.faults]


def only(checked: Checked, kind: str) -> Finding:
    (found,) = (finding for finding in checked.findings if finding.kind == kind)
    return found


def test_a_whole_data_set_has_no_fault(root: Path) -> None:
    checked = check("toloka_vqa", root)
    assert checked.splits == {SPLIT: (3, 3)}
    assert [finding.what for finding in checked.findings] == [
        f"the file {root / SPLIT}.csv",
        "3 samples read, as many as the publisher states",
        "targets of 3 samples",
        "of 3 photos are there and good (header read)",
    ]
    assert {finding.kind for finding in checked.findings} == {"fine"}


@pytest.mark.parametrize("named", [".", "samples.jsonl"])
def test_the_path_of_own_data_is_looked_over(named: str, tmp_path: Path) -> None:
    own.write_tiny(tmp_path)
    photo = min((tmp_path / "photos").iterdir())
    photo.unlink()
    checked = check(str(tmp_path / named))
    assert checked.root == tmp_path
    assert only(checked, "missing").examples == (photo.name,)


@pytest.mark.parametrize("name", NAMES)
def test_every_data_set_can_be_looked_over(name: str, tmp_path: Path) -> None:
    module = plugins.load("datasets", name)
    module.write_tiny(tmp_path)
    checked = check(name, tmp_path, decode=True)
    assert list(checked.splits) == list(module.CARD.splits)
    # The tiny copies are whole but for the number of samples.
    assert {finding.kind for finding in checked.faults} <= {"count"}
    for split, (n, _) in checked.splits.items():
        assert n >= 3
        assert any(f.split == split and f.what.endswith("(decoded)") and f.n >= 3 for f in checked.findings)


def _remove_photo(root: Path) -> None:
    (root / "images" / PHOTO).unlink()


def _cut_off(root: Path) -> None:
    path = root / "images" / PHOTO
    path.write_bytes(path.read_bytes()[:-200])


def _no_photo(root: Path) -> None:
    write(root / "images" / PHOTO, "text")


def _turned(root: Path) -> None:
    save_photo(root / "images" / PHOTO, (64, 48))


def _other_twin(root: Path) -> None:
    save_photo(root / "other" / PHOTO, colour=(1, 2, 3))


def _broken_rows(root: Path) -> None:
    rows = (root / f"{SPLIT}.csv").read_text().replace("64,48,8,8,24,40", "64,48,24,8,8,40")
    write(root / f"{SPLIT}.csv", rows)


def _fewer_rows(root: Path) -> None:
    write(root / f"{SPLIT}.csv", "".join((root / f"{SPLIT}.csv").read_text().splitlines(keepends=True)[:3]))


def _more_rows(root: Path) -> None:
    path = write(root / f"{SPLIT}.csv", (root / f"{SPLIT}.csv").read_text() + "x.jpg,64,48,0,0,5,5,Q?\n")
    save_photo(path.parent / "x.jpg")


def _removed_table(root: Path) -> None:
    (root / f"{SPLIT}.csv").unlink()


def _zipped_table(root: Path) -> None:
    packed(root / "all.zip", {f"{SPLIT}.csv": (root / f"{SPLIT}.csv").read_text()})
    (root / f"{SPLIT}.csv").unlink()


def _not_text(root: Path) -> None:
    (root / f"{SPLIT}.csv").write_bytes(b"image\xff\xfe\n")


def _no_header(root: Path) -> None:
    write(root / f"{SPLIT}.csv", "a,b\n1,2\n")


def _link_to_nothing(root: Path) -> None:
    (root / "lost.jpg").symlink_to(root / "nowhere.jpg")


@pytest.mark.parametrize(
    ("harm", "kind", "said", "n"),
    [
        (_remove_photo, "missing", "of 3 photos are named and not there", 1),
        (_cut_off, "broken", "photos are cut off or damaged", 1),
        (_no_photo, "broken", "photos cannot be read", 1),
        (_turned, "broken", "photos have another size than the data set states", 1),
        (_other_twin, "broken", "photos cannot be told from their name: different files have it", 1),
        (_fewer_rows, "count", "2 samples read, of 3 that the publisher states: a part, 66.7 %", 1),
        (_more_rows, "count", "4 samples read, and the publisher states 3: 1 too many", 1),
        (_removed_table, "missing", f"{SPLIT}.csv: there is no such file", 1),
        (_zipped_table, "missing", "it is still packed, in ", 1),
        (_not_text, "broken", "the file is not UTF-8 text", 1),
        (_no_header, "broken", "the columns image, width, height, question, left, top, right, bottom are missing", 1),
        (_link_to_nothing, "broken", "entries of the folder cannot be used: a link to nothing", 1),
    ],
)
def test_one_fault_is_found_as_one(harm: Callable[[Path], None], kind: str, said: str, n: int, root: Path) -> None:
    harm(root)
    ((found_kind, what, count),) = faults(check("toloka_vqa", root, decode=True))
    assert (found_kind, count) == (kind, n)
    assert said in what


def test_broken_rows_are_counted_with_their_sentence(root: Path) -> None:
    _broken_rows(root)
    checked = check("toloka_vqa", root)
    rows, count = checked.faults
    assert (rows.kind, rows.n, rows.what) == ("broken", 1, "rows cannot be taken")
    assert "line 2, 000000000000.jpg: the box 24, 8, 8, 40 is inverted" in rows.examples[0]
    assert count.what == "2 samples read, 1 rows not, of 3 that the publisher states"
    assert checked.splits == {SPLIT: (2, 3)}


def test_broken_rows_of_ones_own_are_not_to_be_taken_from_a_publisher(tmp_path: Path) -> None:
    write(tmp_path / "mine.jsonl", '{"image": "a.jpg"}\n')
    rows = check(str(tmp_path / "mine.jsonl")).faults[0]
    assert (rows.what, rows.n) == ("rows cannot be taken", 1)
    assert rows.remedy.startswith("Correct what is named above")


def test_all_faults_are_told_at_once(root: Path) -> None:
    for harm in (_remove_photo, _other_twin, _link_to_nothing, _broken_rows):
        harm(root)
    shutil.copy(root / "other" / PHOTO, root / "images" / PHOTO.replace("1", "7"))
    (root / "images" / "000000000002.jpg").write_bytes(b"")
    kinds = [finding.kind for finding in check("toloka_vqa", root).faults]
    assert kinds == ["broken", "count", "broken", "broken"]


def test_a_turned_photo_is_said_to_be_turned(root: Path) -> None:
    photo = PIL.Image.new("RGB", (64, 48))
    exif = PIL.Image.Exif()
    exif[0x0112] = 6
    photo.save(root / "images" / PHOTO, exif=exif)
    (fault,) = check("toloka_vqa", root).faults
    assert fault.examples == (
        f"{PHOTO}: the photo is 48 wide and 64 high, not 64 wide and 48 high; it looks transposed, see the photo's "
        "EXIF rotation",
    )


def test_a_damaged_photo_is_found_only_when_decoded(root: Path) -> None:
    _cut_off(root)
    assert check("toloka_vqa", root).faults == ()


def test_photos_that_are_still_packed_are_named_with_their_zip(root: Path) -> None:
    shutil.rmtree(root / "images")
    packed(root / "photos.zip", {f"train2017/{n:012d}.jpg": "x" for n in range(2)})
    (fault,) = check("toloka_vqa", root).faults
    assert fault.n == 3
    assert fault.remedy == (f"They are still packed: 2 in {root}/photos.zip. Unpack it: unzip {root}/photos.zip")


def test_photos_under_nearly_their_name_are_named(root: Path) -> None:
    table = (root / f"{SPLIT}.csv").read_text().replace(PHOTO, "street.jpg")
    write(root / f"{SPLIT}.csv", table)
    (root / "images" / PHOTO).rename(root / "images" / "Street.jpg")
    (fault,) = check("toloka_vqa", root).faults
    assert fault.examples == ("street.jpg",)
    assert fault.remedy.startswith("1 of them are there with other capitals in its name, the first ")


def test_suffixes_in_capitals_are_taken_and_told(root: Path) -> None:
    (root / "images" / PHOTO).rename(root / "images" / PHOTO.replace(".jpg", ".JPG"))
    checked = check("toloka_vqa", root)
    assert checked.faults == ()
    note = only(checked, "note")
    assert (note.n, note.examples) == (1, (f"{PHOTO}: 000000000001.JPG",))


def test_what_no_split_names_is_extra_and_shadows_are_a_note(root: Path) -> None:
    save_photo(root / "images" / "more.png")
    shutil.copy(root / "images" / PHOTO, root / PHOTO)
    write(root / "images" / "._more.png", "")
    write(root / "images" / "Thumbs.db", "")
    write(root / "set.tar.gz", "")
    checked = check("toloka_vqa", root)
    assert checked.faults == ()
    found = {finding.what: (finding.kind, finding.examples) for finding in checked.findings}
    assert found["photos are there that no split names"] == ("extra", ("images/more.png",))
    copies = "photos are further copies of one that was taken, or bear the name of one that is not"
    assert found[copies][0] == "extra"
    hidden = next(what for what in found if what.startswith("hidden files"))
    assert found[hidden] == ("note", ("images/._more.png",))
    assert found["archives are not looked into; only zips are"] == ("note", ("set.tar.gz",))


@pytest.mark.parametrize(("name", "splits"), [("toloka_vqa", {SPLIT: 3, "train": 9}), (f"toloka_vqa:{SPLIT}", None)])
def test_a_photo_may_belong_to_a_split_that_was_not_read(
    name: str, splits: dict[str, int] | None, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(toloka_vqa, "CARD", _stated(splits or {SPLIT: 3, "train_sample": 3}))
    (root / "train.csv").unlink(missing_ok=True)
    save_photo(root / "images" / "more.png")
    found = {finding.what: (finding.kind, finding.examples) for finding in check(name, root).findings}
    assert found["photos are there that no split that was read names"] == ("note", ("images/more.png",))
    assert "photos are there that no split names" not in found


def test_links_in_circles_are_a_note(root: Path) -> None:
    (root / "images" / "up").symlink_to(root)
    checked = check("toloka_vqa", root)
    assert checked.faults == ()
    assert only(checked, "note").examples == ("images/up",)


def test_copies_of_the_official_file(root: Path) -> None:
    (root / "old").mkdir()
    shutil.copy(root / f"{SPLIT}.csv", root / "old" / f"{SPLIT}.csv")
    extra = only(check("toloka_vqa", root), "extra")
    assert (extra.n, extra.remedy) == (1, "")
    write(root / "old" / f"{SPLIT}.csv", HEADER)
    extra = only(check("toloka_vqa", root), "extra")
    assert "1 of them differ from the one" in extra.what
    (root / f"{SPLIT}.csv").rename(root / "images" / f"{SPLIT}.csv")
    (fault,) = check("toloka_vqa", root).faults
    assert "2 files have this name below the folder and differ" in fault.what


def test_a_byte_order_mark_and_other_line_ends_are_fine(root: Path) -> None:
    path = root / f"{SPLIT}.csv"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
    assert check("toloka_vqa", root).faults == ()


def test_hidden_targets_are_a_note(root: Path) -> None:
    write(
        root / f"{SPLIT}.csv", "image,width,height,question\n" + "".join(f"{n:012d}.jpg,64,48,Q?\n" for n in range(3))
    )
    checked = check("toloka_vqa", root)
    assert checked.faults == ()
    assert "no columns left, top, right, bottom" in only(checked, "note").what


def test_a_question_asked_twice_of_one_photo(tmp_path: Path) -> None:
    save_photo(tmp_path / "a.png")
    write(tmp_path / "questions.csv", "image,question\na.png,What is it?\na.png,what is  it?\na.png,Where?\n")
    checked = check("folder", tmp_path)
    found = next(finding for finding in checked.findings if "more than once" in finding.what)
    assert (found.kind, found.n, found.examples) == ("note", 1, ("a.png: what is it?",))


def test_photos_of_one_split_in_the_folder_of_another(tmp_path: Path) -> None:
    vizwiz_grounding.write_tiny(tmp_path)
    (tmp_path / "images").rename(tmp_path / "train")
    found = [f for f in check("vizwiz_grounding:val", tmp_path).findings if "folder of another one" in f.what]
    assert [(finding.kind, finding.n) for finding in found] == [("note", 3)]
    assert not [f for f in check("vizwiz_grounding:train", tmp_path).findings if "folder of another one" in f.what]


def test_queries_and_truths_that_disagree(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = toloka_vqa.truths
    monkeypatch.setattr(toloka_vqa, "truths", lambda *words: list(real(*words))[1:])
    (fault,) = check("toloka_vqa", root).faults
    assert (fault.what, fault.n, fault.examples) == ("queries have no truth", 1, ("000000000000.jpg",))


def test_what_the_data_sets_own_module_finds_and_cannot_find(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = Finding(SPLIT, "missing", "what only it knows", n=7)
    monkeypatch.setattr(toloka_vqa, "findings", lambda root, split, options: iter([own]), raising=False)
    assert check("toloka_vqa", root).faults == (own,)

    def broken(root: Path, split: str, options: object) -> list[Finding]:
        raise InputError("masks", "they are broken", "Mend them.")

    monkeypatch.setattr(toloka_vqa, "findings", broken)
    assert [(f.kind, f.what) for f in check("toloka_vqa", root).faults] == [("broken", "masks: they are broken")]


def test_a_name_with_odd_signs_is_shown_on_one_line(tmp_path: Path) -> None:
    text = json.dumps({"image": "a\n\u202eb.png", "question": "Q?"})
    write(tmp_path / "questions.jsonl", text + "\n")
    fault = only(check("folder", tmp_path), "missing")
    assert fault.examples == ("a\\n\\u202eb.png",)


def test_folders_that_are_none_or_empty(tmp_path: Path) -> None:
    assert "no such folder" in check("toloka_vqa", tmp_path / "none").faults[0].what
    path = write(tmp_path / "file", "x")
    assert "it is a file, not a folder" in check("toloka_vqa", path).faults[0].what
    (tmp_path / "empty").mkdir()
    last = check("toloka_vqa", tmp_path / "empty").findings[-1]
    assert (last.kind, last.what) == ("missing", f"the folder {tmp_path / 'empty'} is empty")


def test_the_folder_of_a_table_that_is_not_there_is_not_walked(tmp_path: Path) -> None:
    save_photo(tmp_path / "a.png")
    checked = check("folder", questions=tmp_path / "none.csv")
    assert [(finding.kind, finding.split) for finding in checked.findings] == [("broken", "all")]
    write(tmp_path / "own.csv", "image,question\nb.png,Q?\n")
    assert any(f.examples == ("a.png",) for f in check("folder", questions=tmp_path / "own.csv").findings)


def test_a_file_that_cannot_be_read_is_not_called_fine(root: Path) -> None:
    write(root / f"{SPLIT}.csv", "")
    checked = check("toloka_vqa", root)
    assert [(f.kind, f.split) for f in checked.findings if f.split] == [("broken", SPLIT)]
    assert "the file is empty" in checked.faults[0].what


def test_what_is_no_data_set_split_or_option_is_refused(tmp_path: Path) -> None:
    for name, settings in (("tolka_vqa", {}), ("toloka_vqa:tain", {}), ("toloka_vqa", {"votes": "3"})):
        with pytest.raises(UsageError):
            check(name, tmp_path, settings=settings)
    with pytest.raises(UsageError, match="the folder of its files is not given"):
        check("toloka_vqa")


def test_every_folder_is_listed_once_for_all_splits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toloka_vqa.write_tiny(tmp_path)
    real, listed = os.scandir, list[str]()

    def counted(path: str) -> object:
        listed.append(os.path.relpath(path, tmp_path))
        return real(path)

    monkeypatch.setattr(os, "scandir", counted)
    assert len(check("toloka_vqa", tmp_path).splits) == 4
    assert listed == [".", "images"]


def test_the_same_files_give_the_same_findings(root: Path) -> None:
    _other_twin(root)
    assert check("toloka_vqa", root, decode=True) == check("toloka_vqa", root, decode=True)


@needs_shared
@pytest.mark.reference
def test_the_real_files() -> None:
    checked = check("toloka_vqa", SHARED / "toloka")
    assert checked.splits == {
        "train": (0, 38_990),
        "train_sample": (1_000, 1_000),
        "test_public": (1_705, 1_705),
        "test_private": (4_504, 4_504),
    }
    assert sum(f.n for f in checked.findings if f.what.endswith("are there and good (header read)")) == 12
    assert {finding.kind for finding in checked.faults} == {"missing"}
    vizwiz = check("vizwiz_grounding:val", SHARED / "vizwiz")
    joined = [finding.what for finding in vizwiz.findings if finding.kind == "join"]
    assert "VizWiz-VQA-Skills: 956 of 1,131 samples (vizwiz_skill_typ_val.csv)" in joined
    assert [(f.kind, f.n) for f in vizwiz.faults] == [("missing", 1_128)]
    assert {f.kind for f in vizwiz.findings} - FAULTS == {"fine", "join", "note"}
