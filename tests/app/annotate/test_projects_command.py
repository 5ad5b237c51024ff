from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from foveate.annotation.submissions import read_submissions
from foveate.app.accounts.models import AuditEvent, User
from foveate.app.annotate.models import Project
from foveate.cli._app import app
from foveate.datasets import photos
from foveate.errors import FoveateError, InputError, UsageError
from tests.app.annotate.made import photo_folder, polygon, project, sent
from tests.app.conftest import person
from tests.helpers import write


def said(*words: object) -> str:
    """Returns what `foveate annotate` prints; its own errors are raised."""
    result = CliRunner().invoke(app, ["annotate", *map(str, words)])
    if result.exception is not None:
        raise result.exception
    return result.output


def refused(*words: object) -> FoveateError:
    with pytest.raises(FoveateError) as caught:
        said(*words)
    return caught.value


def test_ten_demo_photos_become_a_project(tmp_path: Path, admin: User) -> None:
    photos.write_tiny(tmp_path)
    new = ("new", "demo", "--dataset", "photos", "--root", tmp_path, "--kind", "grounding")
    told = said(*new, "--one-a-photo", "--first", 10, "--title", "Demo photos", "--submissions", 3, "--seed", 5)
    assert "demo: a draft of 10 tasks of photos:all, 10 with an answer to show" in told
    assert "foveate annotate open demo" in told
    made = Project.objects.get()
    assert (made.title, made.made_by, made.everyone) == ("Demo photos", admin, True)
    assert (made.settings["submissions"], made.settings["seed"]) == (3, 5)
    assert made.tasks.values("image_name").distinct().count() == 10


def test_options_reach_the_project(tmp_path: Path, admin: User, organiser: User) -> None:
    photo_folder(tmp_path / "photos", questions=False)
    table = write(tmp_path / "q.csv", "id,image,question\na,photo0.png,Where?\nb,photo1.png,What?\nc,photo2.png,Who?\n")
    ids = write(tmp_path / "ids.txt", "c\n\n a \n")
    new = ("new", "cats", "--dataset", "folder", "--root", tmp_path / "photos", "--questions", table)
    more = ("--kind", "reannotation", "--shape", "polygon", "--ids", ids, "--lease", 7, "--members-only")
    said(*new, *more, "--by", "organiser")
    made = Project.objects.get()
    assert list(made.tasks.order_by("position").values_list("key", "stage")) == [("a", "polygon"), ("c", "polygon")]
    assert (made.settings["lease_minutes"], made.everyone, made.made_by) == (7, False, organiser)
    assert made.questions == str(table)


def test_a_folder_of_photos_is_enough_for_a_box_collection(tmp_path: Path, admin: User) -> None:
    photo_folder(tmp_path, questions=False)
    told = said("new", "boxes", "--dataset", "folder", "--root", tmp_path, "--kind", "box_collection")
    assert "a draft of 3 tasks" in told
    assert set(Project.objects.get().tasks.values_list("stage", flat=True)) == {"ask"}


def test_absent_photos_are_refused_or_told(tmp_path: Path, admin: User) -> None:
    photo_folder(tmp_path)
    (tmp_path / "photo2.png").unlink()
    new = ("new", "cats", "--dataset", "folder", "--root", tmp_path, "--kind", "grounding")
    error = refused(*new)
    assert isinstance(error, InputError)
    assert "photo2.png" in error.fault
    told = said(*new, "--only-with-images")
    assert "1 photos are absent, their samples were left out: photo2.png" in told
    assert "a draft of 2 tasks" in told


def test_wrong_options_are_one_sentence(tmp_path: Path, db: None) -> None:
    photo_folder(tmp_path)
    new = ("new", "cats", "--dataset", "folder", "--root", tmp_path, "--kind", "grounding")
    assert "there is no admin yet" in refused(*new).fault
    person("first", "admin")
    person("second", "admin")
    person("anna", "annotator")
    assert "there are 2 admins" in refused(*new).fault
    assert "there is nobody of this name" in refused(*new, "--by", "nobody").fault
    assert "this person is no organiser" in refused(*new, "--by", "anna").fault
    assert "there is no id in it" in refused(*new, "--by", "first", "--ids", write(tmp_path / "ids", "\n")).fault
    assert "cannot be read" in refused(*new, "--by", "first", "--ids", tmp_path / "none").fault
    assert "201 letters, and 200 are kept" in refused(*new, "--by", "first", "--title", "x" * 201).fault
    assert isinstance(refused("show", "cats"), UsageError)
    assert not Project.objects.exists()


def test_list_and_show_tell_how_far_it_is(tmp_path: Path, organiser: User, annotator: User) -> None:
    made = project(tmp_path, organiser)
    sent(annotator, made, polygon(seconds=75))
    made.tasks.filter(position=2).update(state="set_aside", why="nothing")
    assert "cats  open   grounding  folder:all      2 of 3            1" in said("list")
    assert json.loads(said("list", "--json"))[0]["over"] == 2
    told = said("show", "cats")
    for part in (
        "Cats and dogs (grounding, open)",
        "2 of 3 tasks over",
        str(annotator.pseudonym),
        "0:01:15",
        "nothing: 1",
    ):
        assert part in told
    # Where nobody has written a title, the name is not said twice.
    Project.objects.update(title="cats")
    assert said("show", "cats").startswith("cats (grounding, open), folder:all\n")
    values = json.loads(said("show", "cats", "--json"))
    assert values["stages"] == [{"name": "grounding", "open": 1, "taken": 0, "wanted": 1, "sent": 1}]
    assert values["people"] == [{"pseudonym": str(annotator.pseudonym), "name": "annotator", "sent": 1}]
    assert values["set_aside_why"] == {"nothing": 1}


def test_open_pause_close_delete(tmp_path: Path, organiser: User) -> None:
    project(tmp_path, organiser, opened=False)
    assert said("open", "cats", "--by", "organiser") == "cats: open\n"
    assert said("pause", "cats") == "cats: paused\n"
    assert said("close", "cats") == "cats: closed\n"
    assert "it is closed" in refused("pause", "cats").fault
    assert "not a draft" in refused("delete", "cats").fault
    assert AuditEvent.objects.get(action="project.opened").actor == organiser
    assert AuditEvent.objects.get(action="project.closed").actor is None
    Project.objects.update(state="draft")
    assert said("delete", "cats") == "cats: deleted\n"
    assert "there is no such project" in refused("open", "cats").fault


def test_export_takes_a_project_or_a_file_of_submissions(tmp_path: Path, organiser: User, annotator: User) -> None:
    made = project(tmp_path / "photos", organiser)
    assert "nothing was sent" in refused("export", "cats", "--to", "coco", "--out", tmp_path / "x.json").fault
    sent(annotator, made, polygon((8, 8), (40, 8), (40, 40), (8, 40)))
    out = tmp_path / "sent.jsonl"
    assert said("export", "cats", "--to", "submissions", "--out", out) == f"{out}: 1 submission\n"
    assert [one.task for one in read_submissions(out)] == ["photo0.png"]
    for source, name in (("cats", "a.jsonl"), (out, "b.jsonl")):
        assert "1 of 1 samples" in said("export", source, "--to", "jsonl", "--out", tmp_path / name)
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    told = said("export", "cats", "--to", "run", "--out", tmp_path / "run")
    assert "a run of people" in told
    assert (tmp_path / "run" / "agreement.json").exists()
    beside = said("export", "cats", "--to", "coco", "--photos", "copy", "--lossy", "--out", tmp_path / "coco.json")
    assert "photos written 1" in beside
    assert "there is no such" in refused("export", tmp_path / "no.jsonl", "--to", "coco", "--out", tmp_path / "y").fault


def test_agreement_takes_a_project_and_shows_its_photos(tmp_path: Path, organiser: User, annotator: User) -> None:
    made = project(tmp_path / "photos", organiser, submissions=2)
    for somebody, right in ((annotator, 40), (person("other", "annotator"), 24)):
        sent(somebody, made, polygon((8, 8), (right, 8), (right, 40), (8, 40)))
    done = CliRunner().invoke(app, ["agreement", "cats", "--out", str(tmp_path / "out"), "--json"])
    assert done.exit_code == 0
    values = json.loads(done.stdout)
    # 16 of 32 columns.
    assert (values["pairs"], values["iou"]["mean"], values["relations"]["contains"]) == (1, 0.5, 1)
    assert len(list((tmp_path / "out" / "photos").iterdir())) == 1
