"""JSON lines, CSV, Parquet and Hugging Face's folders as tables of samples: hand-written and broken ones."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import datasets
import numpy as np
import PIL.Image
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from foveate.core.queries import Query
from foveate.core.regions import Box
from foveate.core.truths import Target, Truth
from foveate.errors import InputError, UnavailableError
from foveate.formats import hf_datasets, samples_csv, samples_jsonl, samples_parquet
from foveate.formats._sample_forms import Form, Reading, Sample
from foveate.formats.sample_forms import FORMS
from tests.helpers import write

PLAIN: dict[str, Any] = {"image": "a.jpg", "question": "Q?"}


def read(form: Form, path: Path, **settings: str) -> list[Sample]:
    return list(form.read(path, Reading(settings)))


def lines(path: Path, *rows: Any) -> Path:
    return write(path, "\n".join(json.dumps(row) for row in rows))


def test_a_line_by_hand_needs_photo_and_question_only(tmp_path: Path) -> None:
    (sample,) = read(samples_jsonl.FORM, lines(tmp_path / "s.jsonl", PLAIN))
    assert sample.query == Query("a.jpg", "a.jpg", None, "Q?", None)
    assert sample.truth == Truth("a.jpg", answerable=False)


def test_an_answer_a_box_and_columns_of_ones_own(tmp_path: Path) -> None:
    row = {**PLAIN, "answer": "cup", "left": 1, "top": 2, "right": 3.5, "bottom": 4, "room": "kitchen", "n": 3}
    (sample,) = read(samples_jsonl.FORM, lines(tmp_path / "s.jsonl", row))
    assert sample.truth.answers == ("cup",)
    assert sample.truth.targets == (Target(Box((1, 2, 3.5, 4)), "cup"),)
    assert sample.truth.facts == {"room": "kitchen", "n": 3}


def test_ids_are_numbered_when_a_photo_comes_twice(tmp_path: Path) -> None:
    other = {**PLAIN, "image": "b.jpg"}
    for name, form in (("s.jsonl", samples_jsonl.FORM), ("s.parquet", samples_parquet.FORM)):
        path = tmp_path / name
        if form is samples_jsonl.FORM:
            lines(path, PLAIN, other, PLAIN)
        else:
            pq.write_table(pa.Table.from_pylist([PLAIN, other, PLAIN]), path)
        assert [s.query.id for s in read(form, path)] == ["a.jpg#0", "b.jpg#0", "a.jpg#1"]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"image": "a.jpg"}, "line 1: question is missing"),
        ({**PLAIN, "question": " "}, "question is ' '; a text is needed here"),
        ({**PLAIN, "image": 5}, "image is 5"),
        ({**PLAIN, "width": 0, "height": 5}, "width is 0"),
        ({**PLAIN, "width": 7}, "width and height come together"),
        ({**PLAIN, "left": 1, "top": 2, "right": 3}, "a box has four sides; bottom is empty"),
        ({**PLAIN, "answers": "cup"}, "answers is 'cup'"),
        ({**PLAIN, "match": "all"}, "match is 'all'"),
        ({**PLAIN, "targets": [{}]}, "a target has one shape (box, polygon, mask or soft_map), this one has 0"),
        ({**PLAIN, "targets": [{"bbox": [1, 2, 3, 4]}]}, "targets.0.bbox is [1, 2, 3, 4]; extra inputs"),
        ({**PLAIN, "targets": [{"box": [1, 2, 3]}]}, "a list of four numbers is needed here"),
        ({**PLAIN, "targets": [{"box": [3, 2, 1, 4]}]}, "the box 3, 2, 1, 4 is inverted"),
        ({**PLAIN, "targets": [{"polygon": [[[1, 2], [3, 4]]]}]}, "the polygon has 2 points"),
        ({**PLAIN, "targets": [{"mask": {"size": [2, 2], "counts": "0"}}]}, "1"),
        (
            {**PLAIN, "width": 20, "height": 9, "targets": [{"mask": {"size": [20, 9], "counts": [5, 175]}}]},
            "the mask is 9 wide and 20 high, not 20 wide and 9 high; it looks transposed",
        ),
        (
            {**PLAIN, "targets": [{"soft_map": {"size": [1, 2], "values": "AAAA", "affine": [1, 1, 0, 0]}}]},
            "the soft map holds 3 bytes; 2 x 1 values have 4 each",
        ),
        (
            {**PLAIN, "targets": [{"box": [0, 0, 2, 2]}, {"box": [0, 0, 3, 3]}], "match": "single"},
            "there are 2 targets",
        ),
        (
            {**PLAIN, "width": 20, "height": 30, "targets": [{"box": [5, 5, 31, 9]}]},
            "the box 5, 5, 31, 9 lies outside the image",
        ),
        ({**PLAIN, "foveate_samples": 2}, "foveate_samples is 2; this Foveate reads 1"),
        ({**PLAIN, "own": {"a": 1}}, "facts.own"),
        ({**PLAIN, "left": 1, "top": 2, "right": 3, "bottom": 4, "targets": [{"box": [0, 0, 1, 1]}]}, "as well"),
        ([], "this is a JSON list, not an object"),
        ({**PLAIN, "Question": "x"}, "the key question is spelt 'Question'"),
    ],
)
def test_broken_lines(row: Any, said: str, tmp_path: Path) -> None:
    path = lines(tmp_path / "s.jsonl", row, {**PLAIN, "id": "fine"})
    with pytest.raises(InputError) as caught:
        read(samples_jsonl.FORM, path)
    assert said in str(caught.value)
    errors: list[InputError] = []
    assert [s.query.id for s in samples_jsonl.read(path, Reading({}, errors.append))] == ["fine"]
    assert len(errors) == 1


def test_up_to_ten_pixels_outside_are_cut_off(tmp_path: Path) -> None:
    row = {**PLAIN, "width": 20, "height": 30, "targets": [{"box": [-5, 5, 30, 9]}]}
    assert read(samples_jsonl.FORM, lines(tmp_path / "s.jsonl", row))[0].truth.targets[0].shape == Box((0, 5, 20, 9))


def test_a_table_with_line_ends_and_mark_of_windows(tmp_path: Path) -> None:
    text = "\ufeffimage,question,answer,left,top,right,bottom\r\na.jpg,Q?,cup,1,2,3,4\r\nb.jpg,R?,,,,,\r\n"
    first, second = read(samples_csv.FORM, write(tmp_path / "t.csv", text))
    assert first.truth.targets == (Target(Box((1, 2, 3, 4)), "cup"),)
    assert (second.truth.answers, second.truth.answerable) == ((), False)


def test_an_id_twice_names_both_rows(tmp_path: Path) -> None:
    path = lines(tmp_path / "s.jsonl", {**PLAIN, "id": "x"}, {**PLAIN, "id": "x"})
    with pytest.raises(InputError, match="line 2, x: the id is here a second time, first line 1"):
        read(samples_jsonl.FORM, path)


def photo_bytes(colour: int) -> bytes:
    data = io.BytesIO()
    PIL.Image.fromarray(np.full((6, 8, 3), colour, dtype=np.uint8)).save(data, "PNG")
    return data.getvalue()


def embedded_rows(n: int = 5) -> list[dict[str, Any]]:
    return [
        {"photo": {"bytes": photo_bytes(k), "path": f"{k}.png" if k else None}, "ask": f"Q{k}?", "say": "yes"}
        for k in range(n)
    ]


COLUMNS = {"image": "photo", "question": "ask", "answer": "say"}


def test_photos_in_rows_of_parquet_are_read_when_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "p.parquet"
    pq.write_table(pa.Table.from_pylist(embedded_rows()), path, row_group_size=2)
    samples = read(samples_parquet.FORM, path, **COLUMNS)
    assert [s.query.image_name for s in samples] == ["row-1.png", "1.png", "2.png", "3.png", "4.png"]
    assert [s.truth.answers for s in samples] == [("yes",)] * 5
    for number, sample in reversed(list(enumerate(samples))):
        assert sample.photo is not None
        assert sample.photo.read() == photo_bytes(number)


def test_photos_in_rows_are_those_of_the_file_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "p.parquet"
    pq.write_table(pa.Table.from_pylist(embedded_rows()), path)
    before = read(samples_parquet.FORM, path, **COLUMNS)
    assert before[0].photo is not None
    assert before[0].photo.read() == photo_bytes(0)
    pq.write_table(pa.Table.from_pylist([*embedded_rows()[3:], *embedded_rows()]), path)
    after = read(samples_parquet.FORM, path, **COLUMNS)
    assert after[0].photo is not None
    assert after[0].photo.read() == photo_bytes(3)
    with pytest.raises(InputError, match="row 1: the file has changed since this row was read"):
        before[0].photo.read()


def same_name_rows() -> list[dict[str, Any]]:
    """Returns rows of which 1 and 3 share name and bytes, and 4 has the name of both and other bytes."""
    photos = [("a.png", 1), ("b.png", 2), ("a.png", 1), ("a.png", 3), ("c.png", 3)]
    return [
        {"id": f"{n}", "image": {"bytes": photo_bytes(colour), "path": name}, "question": "Q?"}
        for n, (name, colour) in enumerate(photos, start=1)
    ]


@pytest.mark.parametrize("form", ["parquet", "hf"])
def test_two_photos_in_rows_of_one_name_are_refused_where_their_bytes_differ(form: str, tmp_path: Path) -> None:
    path = tmp_path / "p.parquet"
    if form == "parquet":
        pq.write_table(pa.Table.from_pylist(same_name_rows()), path, row_group_size=2)
    else:
        path = tmp_path / "hf"
        datasets.Dataset.from_list(same_name_rows()).save_to_disk(str(path))
    found: list[InputError] = []
    samples = list(FORMS[form].read(path, Reading(on_invalid=found.append)))
    assert [sample.query.id for sample in samples] == ["1", "2", "3", "5"]
    (error,) = found
    assert error.fault == f"{path}, row 4, a.png: another photo has this name, the one of row 1."
    assert error.remedy == "Give each photo a name of its own, or pass --skip-invalid to keep the first."
    with pytest.raises(InputError, match="row 4, a.png: another photo has this name"):
        list(FORMS[form].read(path, Reading()))


def test_photos_in_rows_with_names_of_their_own_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "p.parquet"
    rows = [{**row, "image": {**row["image"], "path": f"{row['id']}.png"}} for row in same_name_rows()]
    pq.write_table(pa.Table.from_pylist(rows), path)
    monkeypatch.setattr(samples_parquet, "_photo_bytes", lambda *_: pytest.fail("its bytes were read"))
    assert len(read(samples_parquet.FORM, path)) == 5


def test_an_empty_cell_of_a_told_column_is_no_missing_column(tmp_path: Path) -> None:
    path = tmp_path / "p.parquet"
    rows = [{"image": "a.png", "question": "Q?", "say": "yes"}, {"image": "b.png", "question": "Q?", "say": None}]
    pq.write_table(pa.Table.from_pylist(rows), path)
    assert [s.truth.answers for s in read(samples_parquet.FORM, path, answer="say")] == [("yes",), ()]
    table = write(tmp_path / "p.csv", "image,question,say\na.png,Q?,yes\nb.png,Q?,\n")
    assert [s.truth.answers for s in read(samples_csv.FORM, table, answer="say")] == [("yes",), ()]


def test_a_row_that_cannot_be_taken_leaves_its_id_to_the_next(tmp_path: Path) -> None:
    broken, whole = {**PLAIN, "id": "x", "answers": 5}, {**PLAIN, "id": "x"}
    found: list[InputError] = []
    path = lines(tmp_path / "s.jsonl", broken, whole, whole)
    assert len(list(samples_jsonl.FORM.read(path, Reading(on_invalid=found.append)))) == 1
    assert "line 3, x: the id is here a second time, first line 2" in found[1].fault


def test_made_ids_that_meet_given_ones_are_refused(tmp_path: Path) -> None:
    path = lines(tmp_path / "s.jsonl", {**PLAIN, "image": "b.png"}, {**PLAIN, "id": "b.png"})
    with pytest.raises(InputError, match="line 2, b.png: the id is here a second time, first line 1"):
        read(samples_jsonl.FORM, path)


def test_a_saved_folder_with_photos_and_answers_as_objects(tmp_path: Path) -> None:
    features = datasets.Features(
        image=datasets.Image(), question=datasets.Value("string"), answers=[{"answer": datasets.Value("string")}]
    )
    answers = [{"answer": "a"}, {"answer": "b"}]
    rows = [{"image": {"bytes": photo_bytes(k), "path": None}, "question": "Q?", "answers": answers} for k in range(3)]
    made = datasets.Dataset.from_list(rows, features=features)
    datasets.disable_progress_bars()
    datasets.DatasetDict(train=made, test=made.select([2])).save_to_disk(str(tmp_path / "saved"))
    with pytest.raises(InputError, match="it has several splits. Name one with --option split=…: train, test"):
        read(hf_datasets.FORM, tmp_path / "saved")
    with pytest.raises(InputError, match="it has no split dev"):
        read(hf_datasets.FORM, tmp_path / "saved", split="dev")
    samples = read(hf_datasets.FORM, tmp_path / "saved", split="train")
    assert [s.query.id for s in samples] == ["row-1.png", "row-2.png", "row-3.png"]
    assert samples[0].truth.answers == ("a", "b")
    assert [s.photo.read() for s in samples if s.photo] == [photo_bytes(k) for k in range(3)]


def test_others_read_our_files(tmp_path: Path) -> None:
    truth = Truth("x", ("é",), (Target(Box((1, 2, 3, 4))),), size_hw=(6, 8))
    given = [Sample(Query("x", "a.jpg", None, "Q?", (6, 8)), truth)]
    samples_parquet.write(given, tmp_path / "p.parquet")
    assert pq.read_table(tmp_path / "p.parquet").to_pylist()[0]["targets"][0]["box"] == [1, 2, 3, 4]
    hf_datasets.write(given, tmp_path / "hf")
    loaded = datasets.load_from_disk(str(tmp_path / "hf"))
    assert loaded[0]["answers"] == ["é"]
    cache = str(tmp_path / "cache")
    from_parquet = datasets.Dataset.from_parquet(str(tmp_path / "p.parquet"), cache_dir=cache)
    assert from_parquet[0]["question"] == "Q?"


def test_a_hub_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def silent(name: str) -> None:
        raise ConnectionError(f"no way to {name}")

    monkeypatch.setattr(datasets, "load_dataset", silent)
    said = r"somebody/things: the hub does not answer \(no way to somebody/things\)"
    with pytest.raises(UnavailableError, match=said):
        read(hf_datasets.FORM, Path("somebody/things"))


def test_broken_parquet(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="it is no Parquet file that can be read"):
        read(samples_parquet.FORM, write(tmp_path / "p.parquet", "nothing of the kind"))
    path = tmp_path / "q.parquet"
    pq.write_table(pa.table({"image": ["a.jpg"], "question": [5]}), path)
    with pytest.raises(InputError, match="row 1: question is 5; input should be a valid string"):
        read(samples_parquet.FORM, path)
    with pytest.raises(InputError, match="there is no column ask"):
        read(samples_parquet.FORM, path, question="ask")
    pq.write_table(pa.table({"image": ["a.jpg"]}).replace_schema_metadata({"foveate_samples": "7"}), path)
    with pytest.raises(InputError, match="foveate_samples is 7; this Foveate reads 1"):
        read(samples_parquet.FORM, path)


def test_parquet_damaged_behind_a_sound_end(tmp_path: Path) -> None:
    path = tmp_path / "q.parquet"
    pq.write_table(pa.table({"image": ["a.jpg"], "question": ["Q?"]}), path)
    whole = path.read_bytes()
    path.write_bytes(whole[:4] + bytes(30) + whole[34:])
    with pytest.raises(InputError, match=r"q\.parquet: it is no Parquet file that can be read"):
        read(samples_parquet.FORM, path)
    path.write_bytes(whole.replace(b"question", b"quest\xffon"))
    with pytest.raises(InputError, match=r"q\.parquet: it is no Parquet file that can be read \('utf-8'"):
        read(samples_parquet.FORM, path)


def test_a_saved_folder_that_is_damaged(tmp_path: Path) -> None:
    datasets.disable_progress_bars()
    datasets.Dataset.from_dict({"image": ["a.jpg"], "question": ["Q?"]}).save_to_disk(str(tmp_path / "saved"))
    (arrow,) = (tmp_path / "saved").glob("*.arrow")
    arrow.write_bytes(arrow.read_bytes()[:200])
    with pytest.raises(InputError, match="saved: datasets cannot "):
        read(hf_datasets.FORM, tmp_path / "saved")


def test_facts_that_are_nested_without_end(tmp_path: Path) -> None:
    path = tmp_path / "q.parquet"
    pq.write_table(pa.table({"image": ["a.jpg"], "question": ["Q?"], "facts": ["[" * 100_000]}), path)
    with pytest.raises(InputError, match="row 1: facts is "):
        read(samples_parquet.FORM, path)


@pytest.mark.parametrize("form", [samples_jsonl.FORM, samples_parquet.FORM])
@pytest.mark.parametrize("sample_id", ["\ud800", "x"])
def test_what_is_no_json_is_refused_when_it_is_written(form: Form, sample_id: str, tmp_path: Path) -> None:
    facts = {} if sample_id == "\ud800" else {"share": float("nan")}
    given = Sample(Query(sample_id, "a.jpg", None, "Q?", None), Truth(sample_id, facts=facts))
    with pytest.raises(InputError, match="it cannot be written as "):
        form.write([given], tmp_path / "out")
