"""What a project's tasks are made of."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from foveate.annotation.kinds import ProjectSettings
from foveate.annotation.origin import Origin, photo_finder, plain_photos
from foveate.annotation.reading import Choice, read_ids, read_tasks
from foveate.datasets import vizwiz_grounding
from foveate.errors import InputError, UsageError
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


def three_questions(folder: Path) -> Path:
    """Makes a folder of two photos and three questions; returns it."""
    for name in ("a.png", "b.png"):
        save_photo(folder / name)
    write(folder / "questions.csv", "image,question,id\na.png,What?,q1\na.png,Where?,q2\nb.png,Who?,q3\n")
    return folder


def test_a_folder_without_questions_is_a_box_collection_and_nothing_else(tmp_path: Path) -> None:
    save_photo(tmp_path / "a.png")
    save_photo(tmp_path / "deep" / "a.png")
    tasks = read_tasks(Origin("folder", tmp_path), "box_collection")
    assert tasks.dataset == "folder:all"
    # Both photos are called a.png: the one above is told from the one below by its path.
    assert sorted(row.key for row in tasks.rows) == ["./a.png", "deep/a.png"]
    with pytest.raises(UsageError, match="it has no table of questions, which a grounding needs"):
        read_tasks(Origin("folder", tmp_path), "grounding")


def test_a_photo_elsewhere_is_not_shown_by_a_link(tmp_path: Path) -> None:
    outside = save_photo(tmp_path / "elsewhere" / "a.png")
    save_photo(tmp_path / "root" / "b.png")
    (tmp_path / "root" / "within.png").symlink_to(tmp_path / "root" / "b.png")
    assert plain_photos(tmp_path / "root") == ["b.png", "within.png"]
    link = tmp_path / "root" / "out.png"
    link.symlink_to(outside)
    with pytest.raises(InputError, match=rf"{link}: a link leads out of the folder, to .*elsewhere/a.png"):
        plain_photos(tmp_path / "root")


def test_ids_choose_samples_and_their_order_where_that_is_asked(tmp_path: Path) -> None:
    origin = Origin("folder", three_questions(tmp_path))

    def keys(**choice: object) -> list[str]:
        return [row.key for row in read_tasks(origin, "reannotation", Choice(**choice)).rows]  # type: ignore[arg-type]

    assert keys() == ["q1", "q2", "q3"]
    assert keys(ids=("q3", "q1")) == ["q1", "q3"]
    assert keys(ids=("q3", "q1"), as_listed=True) == ["q3", "q1"]
    assert keys(one_a_photo=True) == ["q1", "q3"]
    assert keys(first=2) == ["q1", "q2"]
    with pytest.raises(UsageError, match="has no sample q4"):
        keys(ids=("q1", "q4"))


def test_a_list_of_ids_has_each_once_and_no_empty_one() -> None:
    assert read_ids(["b\n", " a \n", "\n", "b"]) == ("b", "a")


def test_empty_texts_are_a_root_and_questions_that_are_not_given() -> None:
    assert Origin.of_texts("folder", "", "") == Origin("folder")
    assert Origin.of_texts("folder", "x", "y.csv") == Origin("folder", Path("x"), Path("y.csv"))


def test_an_origin_is_opened_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    fixed = Origin("folder", Path("photos"), Path("q.csv")).fixed("folder:all")
    assert fixed == Origin("folder:all", tmp_path / "photos", tmp_path / "q.csv")
    assert Origin("own.jsonl").fixed("own:all") == Origin(str(tmp_path / "own.jsonl"))


def test_photos_are_found_by_the_names_of_the_tasks(tmp_path: Path) -> None:
    in_table = photo_finder(Origin("folder", three_questions(tmp_path / "table")))
    save_photo(tmp_path / "plain" / "c.png")
    plain = photo_finder(Origin("folder", tmp_path / "plain"))
    assert in_table("b.png") is not None
    assert plain("c.png") is not None
    assert in_table("c.png") is plain("b.png") is None


def test_not_every_task_can_be_gold() -> None:
    assert ProjectSettings(gold_every=2).gold_every == 2
    with pytest.raises(ValueError, match="every task would be gold; give 2 or more, or 0 for none"):
        ProjectSettings(gold_every=1)
