"""`foveate annotate check` and `gold`, and gold in a new project."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from foveate.app.accounts.models import AuditEvent, User
from foveate.app.annotate.models import Adjudication, Project
from foveate.app.annotate.services.given import give_adjudications
from foveate.app.review.services.looks import Decision, decide
from foveate.errors import InputError, UsageError
from tests.app.annotate import made
from tests.app.annotate.making import annotators, make_project
from tests.app.annotate.test_projects_command import refused
from tests.app.annotate.test_projects_command import said as told_by
from tests.app.review.working import do, no_drawing, said
from tests.helpers import write

pytestmark = pytest.mark.django_db


def test_flags_of_a_project_and_of_its_file_are_the_same(tmp_path: Path, admin: User) -> None:
    project = make_project(admin, tasks=7, submissions=1)
    (person,) = annotators(1)
    sent = do(person, project, *[no_drawing()] * 4, said(), *[no_drawing()] * 2)
    assert "cannot_draw" in told_by("check", project.slug)
    (flag,) = json.loads(told_by("check", project.slug, "--json"))
    assert flag == {
        "annotator": str(person.pseudonym),
        "name": person.username,
        "batch": 1,
        "whole": True,
        "rule": "cannot_draw",
        "found": 4,
        "limit": 3,
        "tasks": [one.assignment.task.key for one in sent[:5]],
        "looked_at": False,
    }
    out = tmp_path / "all.jsonl"
    told_by("export", project.slug, "--to", "submissions", "--out", out)
    (by_file,) = json.loads(told_by("check", out, "--json"))
    assert by_file == {name: value for name, value in flag.items() if name not in ("name", "looked_at")}
    decide(project, Decision([one.pk for one in sent[:5]], "redo", "", ("cannot_draw",)), admin)
    assert "Nothing stands out." in told_by("check", project.slug)
    (seen,) = json.loads(told_by("check", project.slug, "--all", "--json"))
    assert seen["looked_at"]
    marked = tmp_path / "marked.jsonl"
    told_by("export", project.slug, "--to", "submissions", "--out", marked)
    assert marked.read_text().count('"set_aside": true') == 5
    told_by("export", project.slug, "--to", "vizwiz_crowd", "--out", tmp_path / "crowd")
    assert len(json.loads((tmp_path / "crowd" / "grouped.json").read_text())[0]) == 2


def test_targets_of_a_data_set_become_gold(tmp_path: Path, admin: User) -> None:
    project = made.project(tmp_path / "photos", admin)
    key = project.tasks.get(image_name="photo0.png").key
    write(tmp_path / "targets.jsonl", _targets(tmp_path, key))
    ids = write(tmp_path / "ids.txt", f"{key}\n")
    told = told_by("gold", "cats", "--ids", ids, "--from", tmp_path / "targets.jsonl")
    assert "cats: 1 gold question" in told
    assert "None is lent yet" in told
    answer = Adjudication.objects.get()
    assert (answer.how, answer.decided_by, answer.task.gold) == ("given", admin, True)
    assert answer.work["polygon"] == [[4, 4], [24, 4], [24, 24]]
    assert AuditEvent.objects.filter(action="project.answers_given").count() == 1
    assert "1 ordinary task" in told_by("gold", "cats", "--ids", ids, "--ordinary")
    assert not project.tasks.filter(gold=True).exists()
    assert "1 gold question" in told_by("gold", "cats", "--ids", ids)


def _targets(folder: Path, key: str) -> str:
    from foveate.core.queries import Query
    from foveate.core.regions import Polygon
    from foveate.core.truths import Target, Truth
    from foveate.formats import samples_jsonl
    from foveate.formats._sample_forms import Sample

    shape = Polygon((((4.0, 4.0), (24.0, 4.0), (24.0, 24.0)),))
    truth = Truth(key, ("a",), (Target(shape),), size_hw=(48, 64))
    samples_jsonl.write([Sample(Query(key, "photo0.png", None, "What is red?", (48, 64)), truth)], folder / "t.jsonl")
    return (folder / "t.jsonl").read_text()


def test_what_cannot_be_gold_is_refused_whole(tmp_path: Path, admin: User) -> None:
    project = made.project(tmp_path / "photos", admin)
    keys = [task.key for task in project.tasks.order_by("position")]
    path = write(tmp_path / "targets.jsonl", _targets(tmp_path, keys[0]))
    ids = write(tmp_path / "ids.txt", "\n".join(keys[:2]) + "\n")
    error = refused("gold", "cats", "--ids", ids, "--from", path)
    assert "1 of 2 ids are no samples of it" in str(error)
    assert not Adjudication.objects.exists()
    unknown = write(tmp_path / "unknown.txt", "nothing\n")
    assert isinstance(refused("gold", "cats", "--ids", unknown), InputError)
    assert "nobody has decided" in str(refused("gold", "cats", "--ids", ids))
    assert isinstance(refused("gold", "cats", "--ids", ids, "--ordinary", "--from", "photos"), UsageError)
    boxes = make_project(admin, kind="box_collection")
    with pytest.raises(UsageError, match="box collection"):
        give_adjudications(boxes, ["0.png"], admin)


def test_gold_of_a_new_project(tmp_path: Path, admin: User) -> None:
    made.photo_folder(tmp_path)
    new = ("new", "cats", "--dataset", "folder", "--root", tmp_path, "--kind", "grounding")
    assert "every task would be gold" in str(refused(*new, "--gold-every", 1))
    assert "would stand out" in str(refused(*new, "--gold-every", 10))
    told_by(*new, "--gold-every", 10, "--seed", 1)
    assert Project.objects.get().settings["gold_every"] == 10
