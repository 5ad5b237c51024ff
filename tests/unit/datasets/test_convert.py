from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from foveate.core.truths import Truth
from foveate.datasets import folder, own
from foveate.datasets._convert import Loss, convert
from foveate.datasets._open import Dataset, open_dataset
from foveate.errors import InputError, OutputError, UsageError
from foveate.formats.sample_forms import FORMS
from tests.helpers import SHARED, needs_shared, save_photo, write


def tiny(tmp_path: Path) -> Dataset:
    own.write_tiny(tmp_path / "tiny")
    return open_dataset("own", tmp_path / "tiny")


def test_losses_are_told_and_refused_before_anything_is_written(tmp_path: Path) -> None:
    told: list[Loss] = []
    out = tmp_path / "new" / "out.csv"
    data = tiny(tmp_path)
    with pytest.raises(InputError, match="cannot hold all of this: samples have a polygon. Pass --lossy"):
        convert(data, out, on_loss=told.append)
    assert str(told[0]) == "1 sample has a polygon: it becomes the box around it (000000000001.jpg)"
    assert not out.parent.exists()
    done = convert(data, out, lossy=True)
    assert (done.n, done.kept, sorted(done.losses)) == (3, 3, ["polygon"])


def test_four_and_more_samples_are_counted() -> None:
    loss = Loss("facts", "left out")
    for sample in "abcd":
        loss.note(sample)
    assert str(loss) == "4 samples have facts: left out (first a, b, c)"


@pytest.mark.parametrize("name", ["out.jsonl", "out_photos"])
def test_what_is_there_is_not_written_over(name: str, tmp_path: Path) -> None:
    (tmp_path / name).symlink_to(tmp_path / "nothing")
    with pytest.raises(OutputError, match=f"{name}: there is a file already"):
        convert(tiny(tmp_path), tmp_path / "out.jsonl", photos="link")


def test_the_form_must_be_known(tmp_path: Path) -> None:
    for name in ("out", "out.json", "out.xml"):
        with pytest.raises(UsageError, match="its suffix does not tell the form .* Say --to jsonl, parquet, csv"):
            convert(tiny(tmp_path), tmp_path / name)
    with pytest.raises(UsageError, match="form jsn: there is none"):
        convert(tiny(tmp_path), tmp_path / "out", to="jsn")


@pytest.mark.parametrize("way", ["link", "copy"])
def test_photos_are_put_beside_once_each_and_absent_ones_counted(way: str, tmp_path: Path) -> None:
    save_photo(tmp_path / "in" / "a.png")
    rows = [{"image": "a.png", "question": "Q?", "id": "1"}, {"image": "a.png", "question": "R?", "id": "2"}]
    rows.append({"image": "gone.png", "question": "Q?", "id": "3"})
    source = write(tmp_path / "in" / "s.jsonl", "\n".join(json.dumps(row) for row in rows))
    done = convert(
        open_dataset(str(source)), tmp_path / "new" / "out.jsonl", photos="link" if way == "link" else "copy"
    )
    assert done.photos == {"written": 1, "absent": 1}
    photo = tmp_path / "new" / "out_photos" / "a.png"
    assert photo.is_symlink() == (way == "link")
    assert photo.read_bytes() == (tmp_path / "in" / "a.png").read_bytes()
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["out.jsonl", "out_photos"]


def test_a_photo_of_another_size_is_refused(tmp_path: Path) -> None:
    save_photo(tmp_path / "in" / "a.png")
    row = {"image": "a.png", "question": "Q?", "width": 48, "height": 64}
    source = write(tmp_path / "in" / "s.jsonl", json.dumps(row))
    with pytest.raises(InputError, match=r"a\.png: the photo is 64 wide and 48 high, not 48 wide .* looks transposed"):
        convert(open_dataset(str(source)), tmp_path / "new" / "out.jsonl", photos="copy")
    assert list((tmp_path / "new").iterdir()) == []


def test_a_photo_outside_the_folder_is_not_put_anywhere(tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", json.dumps({"image": "../a.png", "question": "Q?"}))
    with pytest.raises(InputError, match=r"\.\./a\.png: the name of the photo is no path below a folder"):
        convert(open_dataset(str(source)), tmp_path / "out.jsonl", photos="copy")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.jsonl"]


def test_invalid_rows_are_refused_or_counted_and_nothing_half_written_stays(tmp_path: Path) -> None:
    rows = [{"image": "a.png", "question": "Q?"}, {"image": "b.png"}]
    source = write(tmp_path / "in.jsonl", "\n".join(json.dumps(row) for row in rows))
    with pytest.raises(InputError, match="line 2: question is missing"):
        convert(open_dataset(str(source)), tmp_path / "out.parquet")
    assert sorted(os.listdir(tmp_path)) == ["in.jsonl"]  # noqa: PTH208
    done = convert(open_dataset(str(source), skip_invalid=True), tmp_path / "out.parquet")
    assert (done.n, done.kept, len(done.skipped)) == (1, 1, 1)


def test_what_fails_while_writing_leaves_nothing(tmp_path: Path) -> None:
    row = {"image": "a.png", "question": "Q?", "left": 0, "top": 0, "right": 1, "bottom": 1}
    source = write(tmp_path / "in.jsonl", json.dumps(row))
    with pytest.raises(InputError, match="the size of its photo is not known"):
        convert(open_dataset(str(source)), tmp_path / "out", to="yolo", lossy=True)
    assert sorted(os.listdir(tmp_path)) == ["in.jsonl"]  # noqa: PTH208
    with pytest.raises(OutputError, match="it cannot be written"):
        convert(open_dataset(str(source)), source / "out.jsonl")


def test_an_empty_data_set_and_truths_of_other_questions(tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", "{}")
    with pytest.raises(InputError, match="own:all: it has no sample"):
        convert(open_dataset(str(source), skip_invalid=True), tmp_path / "out.jsonl")

    class Other(Dataset):
        def truths(self) -> Iterator[Truth]:
            yield Truth("other")

    folder.write_tiny(tmp_path / "folder")
    other = Other(folder.CARD, "all", tmp_path / "folder", None, False, folder)
    with pytest.raises(InputError, match="folder:all, 000000000000.jpg: question and truth do not go together"):
        convert(other, tmp_path / "out.jsonl")


@needs_shared
@pytest.mark.parametrize(
    ("name", "root", "n"),
    [("vizwiz_grounding:val", "vizwiz", 1_131), ("toloka_vqa:test_public", "toloka", 1_705)],
)
def test_real_data_sets_through_both_canonical_files(name: str, root: str, n: int, tmp_path: Path) -> None:
    data = open_dataset(name, SHARED / root)
    assert convert(data, tmp_path / "a.parquet").kept == n
    assert convert(open_dataset(str(tmp_path / "a.parquet")), tmp_path / "b.jsonl").kept == n
    back = open_dataset(str(tmp_path / "b.jsonl"))
    assert list(back.truths()) == list(data.truths())
    assert list(back.queries(with_images=False)) == list(data.queries(with_images=False))


@pytest.mark.parametrize("form", ["coco", "labelme", "via", "yolo"])
def test_a_form_of_regions_is_not_written_without_any(form: str, tmp_path: Path) -> None:
    row = {"image": "a.jpg", "question": "Q?", "width": 64, "height": 48}
    out = tmp_path / ("out.json" if form in {"coco", "via"} else "out")
    for n, who in ((1, "the one sample has no region"), (2, "none of the 2 samples has a region")):
        write(tmp_path / "in.jsonl", f"{json.dumps(row)}\n" * n)
        source = open_dataset("own", tmp_path / "in.jsonl")
        told: list[Loss] = []
        for lossy in (True, False):
            with pytest.raises(InputError, match=f"nothing would be left: {who}, and .* leaves out a question") as no:
                convert(source, out, to=form, lossy=lossy, on_loss=told.append)
            assert no.value.remedy == "Write jsonl, parquet, csv or hf, which keep it."
        assert str(told[0]).startswith(f"{n} sample{'s have' if n > 1 else ' has'} no region: the question is left out")
        assert sorted(path.name for path in tmp_path.iterdir()) == ["in.jsonl"]


def test_the_forms_that_are_named_keep_questions_without_a_region(tmp_path: Path) -> None:
    write(tmp_path / "in.jsonl", '{"image": "a.jpg", "question": "Q?", "width": 64, "height": 48}')
    for form in ("jsonl", "parquet", "csv", "hf"):
        out = tmp_path / f"out{FORMS[form].suffixes[0] if FORMS[form].suffixes else ''}"
        assert convert(open_dataset("own", tmp_path / "in.jsonl"), out, to=form, lossy=True).kept == 1
        assert [truth.id for truth in open_dataset("own", out).truths()] == ["a.jpg"]


# YAML takes some of these for the end of a line, and refuses others; what is blank is no class.
_ODD = (
    *("a\x85b", "a\u2028b", "a\x7fb", "\ufeffx", "\U0001f600", "\U000e0001"),
    *("yes", "1.0", " pad ", "a\nb", "\x00", '[x]: y"', "\n", " "),
)


@pytest.mark.parametrize("form", ["coco", "labelme", "via", "yolo"])
@pytest.mark.parametrize("kind", _ODD)
def test_classes_of_odd_names_come_back(kind: str, form: str, tmp_path: Path) -> None:
    save_photo(tmp_path / "in" / "a.png")
    row = {"image": "a.png", "question": f"Where is the {kind}?", "width": 64, "height": 48, "answers": [kind]}
    write(tmp_path / "in" / "x.jsonl", json.dumps({**row, "targets": [{"box": [1, 2, 30, 40], "answer": kind}]}))
    out = tmp_path / ("out.json" if form in {"coco", "via"} else "out")
    done = convert(open_dataset("own", tmp_path / "in"), out, to=form, lossy=True, photos="copy")
    (query, truth), *more = open_dataset("own", out).samples()
    assert not more
    lost = form == "yolo" and not kind.strip()
    assert ("unnamed_region" in done.losses) == lost
    assert truth.answers == (("region",) if lost else (kind,))
    assert query.question == f"Where is the {'region' if lost else kind}?"


def test_photos_of_one_name_and_odd_names_come_back_from_every_form(tmp_path: Path) -> None:
    names = [
        "a/x.png",
        "b/x.png",
        "x.png",
        "h#1.png",
        "colon:2.png",
        "\u00fcn\u00ef.png",
        "s p.PNG",
        "100%.png",
        "q?.png",
    ]
    rows: list[dict[str, Any]] = []
    for name in names:
        save_photo(tmp_path / "in" / name)
        target = {"box": [1, 2, 30, 40], "answer": "cat"}
        rows.append({"id": f"{name}#cat", "image": f"./{name}", "question": "Where is the cat?", "answers": ["cat"]})
        rows[-1] |= {"width": 64, "height": 48, "polled": False, "targets": [target]}
    write(tmp_path / "in" / "s.jsonl", "\n".join(map(json.dumps, rows)))
    data = open_dataset("own", tmp_path / "in")
    wanted = sorted(name.rpartition("/")[2] for name in names)
    for form, shape in FORMS.items():
        out = tmp_path / "out" / f"{form}{''.join(shape.suffixes[:1])}"
        convert(data, out, to=form, lossy=True, photos="link")
        beside = {} if shape.is_folder else {"photos": str(out.with_name(f"{form}_photos"))}
        read = list(open_dataset(str(out), settings=beside).samples())
        assert sorted(query.image_name.rpartition("/")[2] for query, _ in read) == wanted
        assert {(query.question, truth.answers) for query, truth in read} == {("Where is the cat?", ("cat",))}
        assert all(query.image is not None for query, _ in read)


def test_what_is_lost_is_told_on_one_line_whatever_the_ids_hold(tmp_path: Path) -> None:
    rows = [{"id": f"\x1b[31m{n}\n", "image": "a.png", "question": "Q?", "fact": n} for n in range(2)]
    file = write(tmp_path / "s.jsonl", "\n".join(map(json.dumps, rows)))
    told: list[Loss] = []
    convert(open_dataset(str(file)), tmp_path / "out.csv", lossy=True, on_loss=told.append)
    assert str(told[-1]) == r"2 samples have facts: left out (\x1b[31m0\n, \x1b[31m1\n)"
