from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from foveate.datasets import own
from foveate.datasets._convert import convert
from foveate.datasets._open import open_dataset
from foveate.errors import InputError, UsageError
from foveate.formats.sample_forms import FORMS, find_form
from tests.helpers import save_photo, write

LOSSY = ("csv", "coco", "labelme", "via", "yolo")


def tiny(tmp_path: Path) -> Path:
    own.write_tiny(tmp_path / "tiny")
    return tmp_path / "tiny"


@pytest.mark.parametrize("form", list(FORMS))
def test_every_form_is_found_by_looking_whether_file_or_folder(form: str, tmp_path: Path) -> None:
    out = tmp_path / "into" / f"out{''.join(FORMS[form].suffixes[:1])}"
    convert(open_dataset("own", tiny(tmp_path)), out, to=form, lossy=form in LOSSY, photos="copy")
    assert find_form(out)[0].name == form
    samples = list(open_dataset(str(out)).samples())
    assert len(samples) == (2 if form in {"coco", "labelme", "via", "yolo"} else 3)
    for query, truth in samples:
        assert query.image is not None
        assert query.image.load().shape == (48, 64, 3)
        assert truth.size_hw == (48, 64)
    if form not in {"yolo", "labelme", "hf"}:
        assert list(open_dataset("own", out.parent).truths()) == [truth for _, truth in samples]


def test_a_path_is_a_data_set(tmp_path: Path) -> None:
    root = tiny(tmp_path)
    data = open_dataset(str(root / "samples.jsonl"))
    assert (data.card.name, data.root) == ("own", root / "samples.jsonl")
    odd = root / "a:b.jsonl"
    odd.write_bytes((root / "samples.jsonl").read_bytes())
    assert len(list(open_dataset(str(odd)).queries())) == 3
    with pytest.raises(InputError, match=r"nowhere\.jsonl: there is no such file or folder, nor a data set"):
        open_dataset(str(tmp_path / "nowhere.jsonl"))
    with pytest.raises(UsageError, match="is the root itself. Leave --root out; where the photos lie"):
        open_dataset(str(odd), root)
    with pytest.raises(UsageError, match="data set nowhere: there is none of this name"):
        open_dataset("nowhere", root)


def test_a_folder_with_a_pipe_a_link_to_nothing_and_linked_annotations(tmp_path: Path) -> None:
    root = tiny(tmp_path)
    (root / "samples.jsonl").rename(tmp_path / "samples.jsonl")
    (tmp_path / "other").mkdir()
    (tmp_path / "samples.jsonl").rename(tmp_path / "other" / "samples.jsonl")
    (root / "linked").symlink_to(tmp_path / "other")
    (root / "circle").symlink_to(root)
    (root / "nothing.json").symlink_to(root / "nowhere")
    for name in ("pipe.json", "pipe.csv", "pipe.jsonl"):
        os.mkfifo(root / name)
    assert len(list(open_dataset("own", root).queries())) == 3


def test_a_folder_of_photos_that_is_none(tmp_path: Path) -> None:
    data = open_dataset("own", tiny(tmp_path), settings={"photos": str(tmp_path / "nowhere")})
    with pytest.raises(InputError, match="nowhere: there is no such folder .* with --option photos=DIR"):
        list(data.queries())


@pytest.mark.parametrize("name", ["x.json", "x.csv"])
def test_a_file_that_may_not_be_read(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / name, "{}")

    def refused(self: Path, *_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "open", refused)
    with pytest.raises(InputError, match=r"it cannot be read \(Permission denied\)"):
        find_form(path)


def test_several_files_are_listed_and_one_is_told(tmp_path: Path) -> None:
    root = tiny(tmp_path)
    write(root / "more.csv", "image,question\na.jpg,Q?\n")
    with pytest.raises(InputError, match=r"several to choose from: more\.csv \(csv\), samples\.jsonl \(jsonl\)"):
        list(open_dataset("own", root).queries())
    (root / "more.csv").unlink()
    write(root / "more.jsonl", "{}")
    with pytest.raises(InputError, match=r"several to choose from: more\.jsonl \(jsonl\), samples\.jsonl \(jsonl\)"):
        list(open_dataset("own", root).queries())


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("x.zip", "PK", "it is packed. Unzip it"),
        ("x.txt", "hello", "the suffix .txt is of no form. Known are .csv, .json, .jsonl, .ndjson, .parquet"),
        ("x.json", '{"a": 1}', "it is of no form that is known; its keys are a"),
        ("x.json", '{"p.jpg": {"answer_grounding": []}}', "It is VizWiz's own file; name the data set"),
        ("x.json", "[]", "its keys are none"),
    ],
)
def test_what_is_no_form(name: str, text: str, said: str, tmp_path: Path) -> None:
    path = write(tmp_path / name, text)
    with pytest.raises(InputError) as caught:
        list(open_dataset("own", path).queries())
    assert said in str(caught.value)


def test_folders_with_nothing_and_with_archives(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing in it is annotations of a form that is known. Give a file or folder"):
        list(open_dataset("own", tmp_path).queries())
    write(tmp_path / "data.zip", "PK")
    with pytest.raises(InputError, match=r"Unzip data\.zip\."):
        list(open_dataset("own", tmp_path).queries())
    with pytest.raises(InputError, match="there is no such file or folder"):
        list(open_dataset("own", tmp_path / "nowhere").queries())


def test_form_and_photos_may_be_told(tmp_path: Path) -> None:
    root = tiny(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    table = write(tmp_path / "elsewhere" / "T.CSV", "image,question\n000000000000.jpg,Q?\n")
    settings = {"form": "csv", "photos": str(root)}
    (query,) = open_dataset("own", table, settings=settings).queries()
    assert query.size_hw == (48, 64)
    with pytest.raises(UsageError, match="form cvs: there is none of this name. Did you mean csv?"):
        list(open_dataset("own", table, settings={"form": "cvs"}).queries())
    with pytest.raises(UsageError, match="it has no option forms. Did you mean form?"):
        open_dataset("own", table, settings={"forms": "csv"})


def test_links_nested_folders_and_upper_case(tmp_path: Path) -> None:
    photo = save_photo(tmp_path / "store" / "a.png")
    root = tmp_path / "root"
    (root / "deep" / "down").mkdir(parents=True)
    (root / "deep" / "A.PNG").symlink_to(photo)
    write(root / "deep" / "down" / "S.JSONL", json.dumps({"image": "A.PNG", "question": "Q?"}))
    (query,) = open_dataset("own", root).queries()
    assert query.size_hw == (48, 64)


def embedded(path: Path) -> Path:
    rows: list[dict[str, Any]] = []
    for colour in (10, 200):
        data = io.BytesIO()
        PIL.Image.fromarray(np.full((6, 8, 3), colour, dtype=np.uint8)).save(data, "PNG")
        rows.append({"image": {"bytes": data.getvalue(), "path": None}, "question": "Q?"})
    rows.append({"image": {"bytes": b"no photo", "path": "x.png"}, "question": "Q?"})
    pq.write_table(pa.Table.from_pylist(rows), path)
    return path


def test_photos_in_rows_are_decoded_when_asked_for(tmp_path: Path) -> None:
    first, second, broken = open_dataset(str(embedded(tmp_path / "p.parquet"))).queries()
    assert first.image is not None
    assert second.image is not None
    assert broken.image is not None
    assert first.image != second.image
    assert (first.image.name, first.image.size_hw) == ("row-1.png", (6, 8))
    assert [int(image.load().mean()) for image in (first.image, second.image)] == [10, 200]
    with pytest.raises(InputError, match=r"p\.parquet, row 3: this is not a photo that can be read \(8 bytes"):
        broken.image.load()


def test_a_table_with_semicolons_is_told_once_and_not_row_by_row(tmp_path: Path) -> None:
    write(tmp_path / "q.csv", "image;question\na.png;Q?\nb.png;R?\n")
    data = open_dataset("own", tmp_path / "q.csv", skip_invalid=True)
    with pytest.raises(InputError, match="line 1: the columns are not separated by commas"):
        list(data.pairs())


def test_a_remark_is_kept_once_though_questions_and_truths_are_read_of_the_same_file(tmp_path: Path) -> None:
    images = [{"id": n, "file_name": f"{n}.jpg", "width": 8, "height": 8} for n in (1, 2)]
    shapes = [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [1, 1, 4, 4], "iscrowd": 0}]
    made = {"images": images, "annotations": shapes, "categories": [{"id": 1, "name": "dog"}]}
    write(tmp_path / "instances.json", json.dumps(made))
    data = open_dataset(str(tmp_path / "instances.json"))
    for _ in range(2):
        assert len(list(data.samples())) == 1
        assert data.remarks == ["photos without a shape, about which nothing is asked: 1, first 2.jpg"]
