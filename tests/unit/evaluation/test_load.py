from __future__ import annotations

import json
import os
import unicodedata
from pathlib import Path
from typing import Any

import pytest

import foveate
from foveate.core.predictions import Prediction
from foveate.datasets import vizwiz_grounding, vqa_v2
from foveate.errors import InputError, UsageError
from foveate.evaluation.evaluate import Evaluation
from foveate.evaluation.load import DataPlace, load
from foveate.evaluation.score import score
from foveate.runs.forms import WRITERS
from foveate.runs.store import FILE, read_run
from tests.helpers import save_photo, write

HEADER = "image,question,answer,width,height,left,top,right,bottom\n"


def table(folder: Path, *names: str) -> Path:
    """Writes one question a photo, each with the left half of 64 x 48 pixels as its target and a cup as its answer."""
    return write(folder / "q.csv", HEADER + "".join(f"{name},What?,cup,64,48,0,0,32,48\n" for name in names))


def scored(path: Path, questions: Path, **more: Any) -> Evaluation:
    return score(path, "folder", questions=questions, resamples=0, **more)


def test_a_box_for_a_photo_in_a_folder_is_not_one_for_the_photo_outside(tmp_path: Path) -> None:
    questions = table(tmp_path, "x.jpg", "sub/x.jpg", "./jar.jpg")
    rows = ["sub/x.jpg,0,0,32,48", "x.jpg,0,0,64,48", "./jar.jpg,32,0,64,48"]
    answer = write(tmp_path / "a.csv", "\n".join(["image,left,top,right,bottom", *rows]))
    found = load(answer, DataPlace("folder", questions=questions))
    assert {p.id: p.final and p.final.shape.xyxy[2] for p in found.predictions} == {
        "sub/x.jpg": 32,
        "x.jpg": 64,
        "./jar.jpg": 64,
    }
    assert scored(answer, questions).metrics["mean_iou"].value == pytest.approx((1 + 0.5 + 0) / 3)


@pytest.mark.parametrize("row", ["other/x.jpg", "jar.jpg", "https://example.invalid/jar.jpg"])
def test_a_row_for_no_photo_is_not_taken_for_one_of_the_same_name(row: str, tmp_path: Path) -> None:
    questions = table(tmp_path, "x.jpg", "sub/x.jpg", "./jar.jpg")
    answer = write(tmp_path / "a.csv", f"image,left,top,right,bottom\n{row},0,0,32,48\n")
    with pytest.raises(InputError, match="1 of 1 predictions have ids that the data set does not have"):
        scored(answer, questions)


@pytest.mark.parametrize(("form", "suffix"), [("toloka", "csv"), ("coco", "json"), ("jsonl", "jsonl")])
def test_a_run_over_folders_scores_the_same_through_every_form(form: str, suffix: str, tmp_path: Path) -> None:
    questions = table(tmp_path, "x.jpg", "sub/x.jpg", "./jar.jpg")
    foveate.ground("folder", questions=questions, grounder="centre_box", out=tmp_path / "run")
    WRITERS[form](read_run(tmp_path / "run").predictions, tmp_path / f"out.{suffix}", lambda _: None)
    # The middle half of each side: of its 32 x 24 pixels 16 x 24 are in the target of 32 x 48.
    value = scored(tmp_path / f"out.{suffix}", questions).metrics["mean_iou"].value
    assert value == score(tmp_path / "run", resamples=0).metrics["mean_iou"].value == pytest.approx(384 / 1920)


def test_answers_of_lines_with_broken_regions_are_counted(tmp_path: Path) -> None:
    questions = table(tmp_path, "a.jpg", "b.jpg", "c.jpg")
    lines = [
        {"id": "a.jpg", "xyxy": [0, 0, 32, 48], "answer": "cup"},
        {"id": "b.jpg", "xyxy": [0, 0, 99, 48], "answer": "cup"},
        {"id": "c.jpg", "xyxy": [0, 0, 99, 48], "answer": "dog"},
    ]
    path = write(tmp_path / "a.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    found = scored(path, questions, skip_invalid=True, metrics=("mean_iou", "exact_match"))
    assert found.counts == {"ok": 1, "invalid_output": 2}
    assert found.metrics["exact_match"].value == pytest.approx(2 / 3)
    assert found.metrics["mean_iou"].value == pytest.approx(1 / 3)
    assert [note.partition(":")[0] for note in found.notes] == ["2 invalid entries of the file, the first"]


@pytest.mark.parametrize("name", ["a.csv", "a.json", "a.jsonl", "a.zip", "a"])
def test_a_pipe_is_not_waited_for(name: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / name)
    with pytest.raises(InputError) as caught:
        scored(tmp_path / name, table(tmp_path, "a.jpg"))
    assert str(caught.value) == (
        f"{tmp_path / name}: it is no ordinary file, and reading it might never end. Save what it gives as a file."
    )


def test_other_files_that_are_pipes_are_not_waited_for(tmp_path: Path) -> None:
    questions = table(tmp_path, "a.jpg")
    os.mkfifo(tmp_path / "pipe")
    results = write(tmp_path / "a.json", "[]")
    with pytest.raises(InputError, match="pipe: it is no ordinary file"):
        scored(results, questions, images=tmp_path / "pipe")
    with pytest.raises(InputError, match="pipe: it is no ordinary file"):
        scored(results, tmp_path / "pipe")


def test_a_run_whose_file_has_another_name_is_a_run(tmp_path: Path) -> None:
    foveate.ground("folder", questions=table(tmp_path, "a.jpg"), grounder="whole_image", out=tmp_path / "run")
    (tmp_path / "run" / FILE).rename(tmp_path / "run" / "other.JSONL")
    assert score(tmp_path / "run" / "other.JSONL", resamples=0).metrics["mean_iou"].value == 0.5


def test_names_in_the_same_letters_written_in_another_way_are_told(tmp_path: Path) -> None:
    composed, apart = (unicodedata.normalize(form, "é.jpg") for form in ("NFC", "NFD"))
    questions = table(tmp_path, composed)
    for name, text in (
        ("a.csv", f"image,left,top,right,bottom\n{apart},0,0,32,48\n"),
        ("a.jsonl", json.dumps({"id": apart, "xyxy": [0, 0, 32, 48]})),
        ("a.json", json.dumps([{"image_id": apart, "bbox": [0, 0, 32, 48], "score": 1}])),
    ):
        with pytest.raises(InputError, match="in the same letters, written in another way"):
            scored(write(tmp_path / name, text), questions)


@pytest.mark.parametrize(
    ("limit", "only", "note"),
    [
        (None, False, None),
        (9, False, None),
        (2, False, "limited to the first 2 of 4 questions"),
        (None, True, "only the questions whose photo was there: 3 of 4"),
        (2, True, "limited to the first of the questions whose photo was there: 2 of 4"),
        (9, True, "only the questions whose photo was there: 3 of 4"),
    ],
)
def test_notes_say_which_part_was_asked(limit: int | None, only: bool, note: str | None, tmp_path: Path) -> None:
    questions = table(tmp_path, "a.png", "b.png", "c.png", "absent.png")
    for name in ("a", "b", "c"):
        save_photo(tmp_path / f"{name}.png")
    foveate.ground(
        "folder",
        questions=questions,
        grounder="whole_image",
        out=tmp_path / "run",
        limit=limit,
        only_with_images=only,
    )
    assert load(tmp_path / "run", DataPlace()).notes == ([] if note is None else [note])


def test_notes_count_rows_that_were_skipped_and_predictions_that_are_not_there(tmp_path: Path) -> None:
    questions = write(tmp_path / "q.csv", HEADER + "a,?,,64,48,0,0,9,9\n,?,,,,,,,\nb,,,,,,,,\nc,?,,64,48,0,0,9,9\n")
    foveate.ground("folder", questions=questions, grounder="whole_image", out=tmp_path / "run", skip_invalid=True)
    file = tmp_path / "run" / FILE
    file.write_text("".join(file.read_text().splitlines(keepends=True)[:2]))
    assert load(tmp_path / "run", DataPlace()).notes == [
        f"2 invalid rows of the data set were skipped, first: {questions}, line 3: image is ''; a text is needed here.",
        "the run is not finished: 1 of 2; continue it with --resume",
    ]


def test_what_has_no_score_has_no_risk(tmp_path: Path) -> None:
    questions = table(tmp_path, "a.jpg")
    answer = write(tmp_path / "a.csv", "image,left,top,right,bottom\na.jpg,0,0,32,48\n")
    (prediction,) = load(answer, DataPlace("folder", questions=questions)).predictions
    assert isinstance(prediction, Prediction)
    assert scored(answer, questions, metrics=("aurc", "ece")).metrics["aurc"].value is None


def test_a_folder_of_masks_needs_its_data_set_and_nothing_is_nothing(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no run here, and a folder of masks does not say which data set"):
        load(tmp_path, DataPlace())
    with pytest.raises(InputError, match="there is no such run or file that can be read"):
        load(tmp_path / "nothing", DataPlace())


def test_a_run_knows_the_options_of_its_data_set(tmp_path: Path) -> None:
    vizwiz_grounding.write_tiny(tmp_path)
    options = {"votes": "5"}
    foveate.ground("vizwiz_grounding:val", tmp_path, grounder="whole_image", out=tmp_path / "run", settings=options)
    found = load(tmp_path / "run", DataPlace())
    assert found.header is not None
    assert found.header.settings == options
    # Of the tiny votes 0 and 2 for text and object are too few here, and the three for text would be enough by default.
    assert [truth.facts["skills"] for truth in found.truths] == [("colour",), ("object",), ()]
    given = load(tmp_path / "run", DataPlace(settings={"votes": "3"}))
    assert given.truths[2].facts["skills"] == ("text", "object")


def test_where_there_are_only_answers_these_are_scored(tmp_path: Path) -> None:
    vqa_v2.write_tiny(tmp_path)
    foveate.ground("vqa_v2:val2014", tmp_path, grounder="whole_image", out=tmp_path / "run")
    assert list(score(tmp_path / "run").metrics) == ["vqa_accuracy", "exact_match"]
