"""What a project's tasks are made of."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from foveate.annotation.origin import Origin, plain_photos
from foveate.annotation.reading import Choice, read_tasks
from foveate.datasets import vizwiz_grounding
from foveate.errors import InputError
from tests.helpers import save_photo, write


def test_a_folder_of_photos_must_be_there_and_hold_some(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Give the folder of the photos"):
        plain_photos(tmp_path / "nowhere")
    write(tmp_path / "notes.txt", "none")
    with pytest.raises(InputError, match="there is no photo in it"):
        plain_photos(tmp_path)


def test_a_box_collection_of_a_data_set_asks_once_a_photo(tmp_path: Path) -> None:
    for name in ("a.png", "b.png"):
        save_photo(tmp_path / name)
    write(tmp_path / "questions.csv", "image,question\na.png,What?\na.png,Where?\nb.png,What?\n")
    tasks = read_tasks(Origin("folder", tmp_path), "box_collection")
    assert [(row.key, row.question) for row in tasks.rows] == [("a.png", ""), ("b.png", "")]


def test_where_no_photo_is_there_nothing_is_left(tmp_path: Path) -> None:
    save_photo(tmp_path / "a.png")
    write(tmp_path / "questions.csv", "image,question\nb.png,What?\n")
    with pytest.raises(InputError, match="no sample is left that could become a task"):
        read_tasks(Origin("folder", tmp_path), "reannotation", Choice(only_with_images=True))


def test_where_the_publisher_keeps_the_answers_people_see_the_question_alone(tmp_path: Path) -> None:
    vizwiz_grounding.write_tiny(tmp_path)
    path = next(tmp_path.rglob("val_grounding.json"))
    held = json.loads(path.read_text())
    hidden = {
        name: {key: value for key, value in sample.items() if key in ("question", "width", "height")}
        for name, sample in held.items()
    }
    path.with_name("test_grounding.json").write_text(json.dumps(hidden))
    origin = Origin("vizwiz_grounding:test", tmp_path)
    tasks = read_tasks(origin, "grounding")
    assert {row.answer for row in tasks.rows} == {""}
