"""The targets of a data set beside new drawings: for organisers on this page, and nowhere else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.test import Client

from foveate.app.accounts.models import User
from foveate.app.adjudicate.services import given
from foveate.app.annotate.models import Adjudication, Project, Task
from foveate.core.regions import Box, Mask, Polygon
from foveate.core.rle import encode
from foveate.core.truths import Target
from tests.app.adjudicate.making import drawn, ring
from tests.app.annotate.making import annotators
from tests.helpers import save_photo, write

pytestmark = pytest.mark.django_db
JSON = "application/json"


@pytest.fixture
def project(tmp_path: Path, organiser: User) -> Project:
    """A re-annotation of boxes of a file of samples, of which the photo is there."""
    from foveate.annotation.kinds import ProjectSettings
    from foveate.annotation.origin import Origin
    from foveate.app.annotate.projects import Plan, act, create

    save_photo(tmp_path / "a.png", (48, 64))
    line = {"id": "a", "image": "a.png", "question": "What is round?", "targets": [{"box": [10, 5, 30, 25]}]}
    origin = Origin(str(write(tmp_path / "old.jsonl", json.dumps(line) + "\n")))
    plan = Plan("again", "reannotation", origin, settings=ProjectSettings(submissions=1))
    made, _ = create(plan, organiser)
    act(made, "open", actor=organiser)
    drawn(annotators(1)[0], made, {"stage": "box", "outcome": "box", "box": [10, 5, 30, 15]})
    return made


def test_the_old_target_stands_beside_the_new_drawing_and_can_be_picked(project: Project, as_organiser: Client) -> None:
    task = project.tasks.get()
    at = f"/api/v1/tasks/{task.pk}/adjudication"
    told = as_organiser.get(at).json()
    old = told["candidates"][-1]
    assert (old["letter"], old["how"], old["number"]) == ("T", "given", 0)
    assert old["rings"] == [ring(10, 5, 30, 25)]
    assert old["work"]["box"] == [10, 5, 30, 25]
    page = f"/annotate/projects/again/adjudicate/{task.pk}/"
    assert "Target of the data set" in as_organiser.get(page).content.decode()
    assert as_organiser.get(f"{page}picture.png").status_code == 200
    answer = as_organiser.post(at, {"how": "given", "base": 0}, content_type=JSON)
    assert answer.status_code == 201
    made = Adjudication.objects.get()
    assert (made.how, made.picked, made.work["box"]) == ("given", None, [10, 5, 30, 25])
    wrong = as_organiser.post(at, {"how": "given", "base": made.pk, "target": 1}, content_type=JSON)
    assert (wrong.status_code, wrong.json()["error"]["code"]) == (422, "no_target")


def test_a_data_set_that_is_gone_is_told_and_breaks_nothing(project: Project, as_organiser: Client) -> None:
    Path(project.dataset).unlink()
    given._read.clear()
    page = as_organiser.get(f"/annotate/projects/again/adjudicate/{project.tasks.get().pk}/")
    assert page.status_code == 200
    assert "targets of the data set cannot be read" in page.content.decode()


def test_of_projects_that_are_no_reannotation_no_target_is_read(project: Project) -> None:
    project.kind = "grounding"
    task = Task(project=project, key="a", height=48, width=64)
    assert given.targets_of(task) == ([], "")


def holes() -> Any:
    mask = np.zeros((48, 64), bool)
    mask[5:25, 5:25] = True
    return mask


@pytest.mark.parametrize(
    ("target", "polygon"),
    [
        (Target(Box((10, 5, 30, 25))), ring(10, 5, 30, 25)),
        (Target(Polygon((((1, 1), (9, 1), (9, 9)),))), [[1, 1], [9, 1], [9, 9]]),
        (Target(Mask(encode(holes()))), ring(5, 5, 25, 25)),
        # Its own corners are what was drawn, not those of its pixels.
        (Target(Mask(encode(holes())), outline=Polygon((((5, 5), (25, 5), (25, 25), (5, 25.2)),))), None),
        (Target(Polygon((((1, 1), (9, 1), (9, 9)), ((20, 20), (30, 20), (30, 30))))), []),
        (Target(Polygon((((1, 1), (9, 9), (9, 1), (1, 8)),))), []),
    ],
)
def test_a_target_of_one_outline_becomes_a_work(project: Project, target: Target, polygon: list[list[float]]) -> None:
    project.settings = {**project.settings, "shape": "polygon"}
    found = given._given(Task(project=project, key="a", height=48, width=64), target)
    if polygon == []:
        assert found.work is None
        assert "cannot be picked" in found.why
        return
    assert found.work is not None
    assert found.work.model_dump(mode="json")["polygon"] == (polygon or [[5, 5], [25, 5], [25, 25], [5, 25.2]])


def test_a_region_with_a_hole_is_shown_and_not_picked_and_a_polygon_is_no_box(project: Project) -> None:
    mask = holes()
    mask[10:15, 10:15] = False
    target = Target(Mask(encode(mask)))
    task = Task(project=project, key="a", height=48, width=64)
    assert given._given(task, target).work is None
    assert len(given.rings_of(target.shape, (48, 64))) == 2
    project.settings = {**project.settings, "shape": "polygon"}
    assert given._given(task, target).work is None


def test_targets_of_two_projects_at_most_are_remembered(project: Project) -> None:
    task = project.tasks.get()
    for number in range(4):
        project.pk = 1_000 + number
        task.project = project
        assert len(given.targets_of(task)[0]) == 1
    assert len(given._read) == 2
