from __future__ import annotations

from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from foveate.annotation.kinds import ProjectSettings
from foveate.annotation.origin import Origin
from foveate.annotation.reading import Choice
from foveate.app.accounts.models import AuditEvent, User
from foveate.app.annotate.models import Project, Task
from foveate.app.annotate.progress import left_for, people_of, progress_of, progress_of_all, projects_for
from foveate.app.annotate.projects import Plan, act, acts_for, create, delete, project_named, set_settings, settings_of
from foveate.datasets import photos
from foveate.errors import InputError, UsageError
from tests.app.annotate.made import QUESTIONS, photo_folder, polygon, project, sent, taken
from tests.app.annotate.making import make_project
from tests.app.conftest import person
from tests.helpers import write


def test_a_project_has_a_task_a_question_and_the_answer_to_show(tmp_path: Path, organiser: User) -> None:
    made = project(tmp_path, organiser, opened=False, submissions=3)
    rows = list(made.tasks.order_by("position").values_list("key", "image_name", "question", "answer", "wanted"))
    names = [f"photo{n}.png" for n in range(3)]
    assert rows == [(names[n], names[n], QUESTIONS[n], f"thing {n}", 3) for n in range(3)]
    assert set(made.tasks.values_list("height", "width", "stage", "state", "taken")) == {
        (48, 64, "grounding", "open", 0)
    }
    assert made.state == "draft"
    assert len(made.fingerprint) == 64


def test_no_target_comes_into_the_database(tmp_path: Path, organiser: User) -> None:
    photo_folder(tmp_path)
    table = "image,question,left,top,right,bottom\nphoto0.png,Where?,11.125,12.25,31.5,42.75\n"
    write(tmp_path / "questions.csv", table)
    plan = Plan("blind", "reannotation", Origin("folder", tmp_path))
    made, _ = create(plan, organiser)
    for row in [*Project.objects.values(), *Task.objects.values(), *AuditEvent.objects.values()]:
        assert not [value for value in map(str, row.values()) if "11.125" in value or "42.75" in value]
    assert made.tasks.get().stage == "box"


def test_ten_demo_photos(tmp_path: Path, organiser: User) -> None:
    photos.write_tiny(tmp_path)
    plan = Plan("demo", "grounding", Origin("photos", tmp_path), choice=Choice(one_a_photo=True, first=10))
    made, read = create(plan, organiser)
    assert made.dataset == "photos:all"
    assert made.tasks.values("image_name").distinct().count() == 10
    first = made.tasks.order_by("position")[0]
    assert (first.question, first.answer, first.height, first.width) == ("What can I drink from?", "cup", 400, 600)
    assert [row.key for row in read.rows] == list(made.tasks.order_by("position").values_list("key", flat=True))


def test_a_folder_of_photos_without_questions_is_a_box_collection(tmp_path: Path, organiser: User) -> None:
    made = project(tmp_path, organiser, "box_collection")
    assert set(made.tasks.values_list("question", "stage", "wanted")) == {("", "ask", 1)}
    with pytest.raises(UsageError, match="no table of questions"):
        create(Plan("other", "grounding", Origin("folder", tmp_path)), organiser)


def test_a_seed_draws_the_order_and_the_same_one_again(tmp_path: Path, organiser: User) -> None:
    photos.write_tiny(tmp_path)

    def order(slug: str, seed: int | None) -> list[str]:
        plan = Plan(slug, "grounding", Origin("photos", tmp_path), settings=ProjectSettings(seed=seed))
        return list(create(plan, organiser)[0].tasks.order_by("position").values_list("key", flat=True))

    plain, first, again, other = order("a", None), order("b", 1), order("c", 1), order("d", 2)
    assert first == again
    assert sorted(first) == sorted(plain) == sorted(other)
    assert len({tuple(plain), tuple(first), tuple(other)}) == 3


def test_absent_photos_are_refused_by_name_or_left_out_where_that_is_said(tmp_path: Path, organiser: User) -> None:
    photo_folder(tmp_path)
    (tmp_path / "photo1.png").unlink()
    with pytest.raises(InputError, match=r"of 3 photos 1 cannot be found: photo1\.png"):
        create(Plan("cats", "grounding", Origin("folder", tmp_path)), organiser)
    assert not Project.objects.exists()
    plan = Plan("cats", "grounding", Origin("folder", tmp_path), choice=Choice(only_with_images=True))
    made, read = create(plan, organiser)
    assert made.tasks.count() == 2
    assert read.absent == ["photo1.png"]


def test_what_cannot_be_made_is_not_made(tmp_path: Path, organiser: User) -> None:
    project(tmp_path, organiser)
    origin = Origin("folder", tmp_path)
    with pytest.raises(UsageError, match="there is a project of this short name"):
        create(Plan("cats", "grounding", origin), organiser)
    for slug in ("ä b", "x" * 61, ""):
        with pytest.raises(UsageError, match="cannot stand in an address"):
            create(Plan(slug, "grounding", origin), organiser)
    with pytest.raises(UsageError, match=r"folder:all has no sample photo9\.png"):
        create(Plan("new", "grounding", origin, choice=Choice(ids=("photo1.png", "photo9.png"))), organiser)
    with pytest.raises(UsageError, match="There are: cats|Did you mean cats"):
        project_named("cat")
    assert Project.objects.count() == 1


def test_states_follow_each_other_and_the_log_knows(tmp_path: Path, organiser: User) -> None:
    made = project(tmp_path, organiser, opened=False)
    assert acts_for(made) == ["open"]
    with pytest.raises(
        UsageError, match="it is a draft and cannot be paused. Only a project that is open can be paused"
    ):
        act(made, "pause")
    for name, state in [("open", "open"), ("pause", "paused"), ("open", "open"), ("close", "closed"), ("open", "open")]:
        made = act(made, name, actor=organiser)
        assert made.state == state
    assert acts_for(made) == ["pause", "close"]
    with pytest.raises(UsageError, match="it is open already"):
        act(made, "open")
    said = list(AuditEvent.objects.order_by("pk").values_list("action", "about", "actor__username"))
    assert said[0] == ("project.made", "cats", "organiser")
    assert [action for action, _, _ in said[1:]] == [
        "project.opened", "project.paused", "project.opened", "project.closed", "project.opened",
    ]  # fmt: skip


def test_only_a_draft_can_be_deleted(tmp_path: Path, organiser: User, annotator: User) -> None:
    made = project(tmp_path, organiser)
    with pytest.raises(UsageError, match="it is open, not a draft"):
        delete(made)
    sent(annotator, made, polygon())
    with pytest.raises(InputError, match="1 submissions were sent"):
        delete(made)
    draft, _ = create(Plan("draft", "grounding", Origin("folder", tmp_path)), organiser)
    delete(draft, actor=organiser)
    assert list(Project.objects.values_list("slug", flat=True)) == ["cats"]


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path, organiser: User) -> None:
    root = photo_folder(tmp_path / "root", questions=False)
    photo_folder(tmp_path / "elsewhere", questions=False)
    (root / "within.png").symlink_to(root / "photo0.png")
    link = root / "out.png"
    link.symlink_to(tmp_path / "elsewhere" / "photo1.png")
    plan = Plan("boxes", "box_collection", Origin("folder", root))
    with pytest.raises(InputError, match=rf"{link}: a link leads out of the folder, to .*photo1.png"):
        create(plan, organiser)
    link.unlink()
    link.symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    with pytest.raises(InputError, match="a link leads out"):
        create(plan, organiser)
    assert not Project.objects.exists()
    link.unlink()
    assert create(plan, organiser)[0].tasks.count() == 4


def test_settings_by_which_tasks_were_made_stay_once_it_was_open(tmp_path: Path, organiser: User) -> None:
    made = project(tmp_path, organiser, opened=False)
    set_settings(made, ProjectSettings(submissions=4))
    assert set(made.tasks.values_list("wanted", flat=True)) == {4}
    made = act(made, "open")
    set_settings(made, ProjectSettings(submissions=4, lease_minutes=5))
    assert settings_of(made).lease_minutes == 5
    with pytest.raises(UsageError, match="made with submissions 4"):
        set_settings(made, ProjectSettings(submissions=5))


def test_progress_counts_tasks_places_and_people(tmp_path: Path, organiser: User, annotator: User) -> None:
    made = project(tmp_path, organiser, submissions=2)
    other = person("other", "annotator")
    sent(annotator, made, polygon(seconds=60))
    sent(other, made, polygon(seconds=30))
    taken(other, made)
    found = progress_of(made)
    assert (found.tasks, found.done, found.set_aside, found.sent, found.leased, found.over) == (3, 1, 0, 2, 1, 1)
    (stage,) = found.stages
    assert (stage.name, stage.open, stage.taken, stage.wanted, stage.sent) == ("grounding", 2, 1, 4, 2)
    people = {one.username: one for one in people_of(made)}
    assert (people["annotator"].sent, people["annotator"].leased, people["annotator"].time.total_seconds()) == (
        1,
        0,
        60,
    )
    assert (people["other"].sent, people["other"].leased) == (1, 1)
    assert left_for(annotator, made).count() == 2
    assert left_for(other, made).count() == 1


def test_progress_of_many_projects_asks_no_more_than_of_one(organiser: User, annotator: User) -> None:
    made = [make_project(organiser, tasks=2, submissions=1) for _ in range(5)]
    for one in made[1:]:
        sent(annotator, one, polygon())
    taken(annotator, made[4])
    with CaptureQueriesContext(connection) as asked:
        found = progress_of_all(made)
    assert len(asked) == 2
    assert [found[one.pk] for one in made] == [progress_of(one) for one in made]
    assert [(one.tasks, one.sent, one.leased) for one in found.values()] == [
        (2, 0, 0), (2, 1, 0), (2, 1, 0), (2, 1, 0), (2, 1, 1),
    ]  # fmt: skip


def test_annotators_see_open_projects_that_they_are_in(tmp_path: Path, organiser: User, annotator: User) -> None:
    made = project(tmp_path, organiser, opened=False)
    assert not projects_for(annotator).exists()
    made = act(made, "open")
    assert list(projects_for(annotator)) == [made]
    Project.objects.update(everyone=False)
    assert not projects_for(annotator).exists()
    made.members.add(annotator, organiser)
    assert list(projects_for(annotator)) == [made]
    act(made, "pause")
    assert not projects_for(annotator).exists()
