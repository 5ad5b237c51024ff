from __future__ import annotations

import re
from pathlib import Path

import PIL.Image
import pytest
from django.test import Client
from django.urls import reverse

from foveate.annotation.kinds import ProjectSettings
from foveate.app.accounts.models import AuditEvent, User
from foveate.app.annotate.models import Project
from foveate.app.annotate.projects import act
from foveate.datasets import photos
from tests.app.annotate.made import QUESTIONS, photo_folder, polygon, project, sent, taken
from tests.app.conftest import person, signed_in


def url(name: str, *args: object) -> str:
    return reverse(f"annotate:{name}", args=args)


def new(folder: Path, **more: str) -> dict[str, str]:
    """Returns a form for a new project, filled in."""
    return {
        "title": "Cats & dogs", "kind": "grounding", "dataset": "folder", "root": str(folder), "submissions": "2",
        "lease_minutes": "30", "shape": "box", "most_redraws": "2", "everyone": "on", **more,
    }  # fmt: skip


def test_without_a_project_the_list_says_how_to_begin(as_organiser: Client) -> None:
    page = as_organiser.get(url("projects"))
    assert "There is no project yet" in page.content.decode()


def test_a_project_is_made_on_its_page(tmp_path: Path, as_organiser: Client) -> None:
    photo_folder(tmp_path)
    done = as_organiser.post(url("new"), new(tmp_path, seed="3", first="2"), follow=True)
    made = Project.objects.get()
    assert done.redirect_chain == [(url("project", "cats-dogs"), 302)]
    assert (made.slug, made.title, made.kind, made.state) == ("cats-dogs", "Cats & dogs", "grounding", "draft")
    assert (made.tasks.count(), made.settings["submissions"], made.settings["seed"]) == (2, 2, 3)
    assert "The project is made, with 2 tasks" in done.content.decode()
    assert made.made_by.username == "organiser"


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("dataset", "folders", "Did you mean folder"),
        ("dataset", "photos:train", "there is no split train"),
        ("root", "/nowhere/at/all", "there is no such folder"),
        ("questions", "/nowhere.csv", "there is no such file"),
        ("ids", "photo7.png", "has no sample photo7.png"),
        ("slug", "ä", "cannot stand in an address"),
        ("submissions", "0", "greater than or equal to 1"),
        ("title", "", "required"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(
    tmp_path: Path, as_organiser: Client, field: str, value: str, said: str
) -> None:
    photo_folder(tmp_path)
    page = as_organiser.post(url("new"), new(tmp_path, **{field: value}))
    assert page.status_code == 422
    assert list(page.context["form"].errors) == [field]
    assert said in str(page.context["form"].errors[field])
    assert not Project.objects.exists()


def test_a_data_set_that_needs_its_folder_says_so_there(as_organiser: Client) -> None:
    page = as_organiser.post(url("new"), {**new(Path("/")), "dataset": "toloka_vqa:train", "root": ""})
    assert list(page.context["form"].errors) == ["root"]


def test_a_name_that_is_taken_is_said(tmp_path: Path, organiser: User, as_organiser: Client) -> None:
    project(tmp_path, organiser)
    page = as_organiser.post(url("new"), new(tmp_path, slug="cats"))
    assert "there is a project of this short name" in str(page.context["form"].errors["slug"])


def test_the_demo_photos_make_a_project_of_ten(tmp_path: Path, as_organiser: Client) -> None:
    photos.write_tiny(tmp_path)
    form = new(tmp_path, dataset="photos", one_a_photo="on", first="10")
    assert as_organiser.post(url("new"), form).status_code == 302
    assert Project.objects.get().tasks.values("image_name").distinct().count() == 10


def test_a_projects_page_tells_how_far_it_is(
    tmp_path: Path, organiser: User, annotator: User, as_organiser: Client
) -> None:
    made = project(tmp_path, organiser)
    annotator.display_name = "Ada <b>"
    annotator.save()
    sent(annotator, made, polygon(seconds=125))
    taken(annotator, made)
    page = as_organiser.get(url("project", "cats")).content.decode()
    assert "1 of 3 tasks over" in page
    assert str(annotator.pseudonym) in page
    assert "Ada &lt;b&gt;" in page
    assert "2:05" in page
    assert "Polygon with 3 points" in page
    assert "1 of 3 tasks over" in as_organiser.get(url("projects")).content.decode()


def test_a_project_is_opened_paused_and_closed_after_a_question(
    tmp_path: Path, organiser: User, as_organiser: Client
) -> None:
    made = project(tmp_path, organiser, opened=False)
    for name, state in [("open", "open"), ("pause", "paused"), ("close", "closed")]:
        asked = as_organiser.get(url("change", "cats", name)).content.decode()
        assert "“Cats and dogs”?" in asked
        made.refresh_from_db()
        assert made.state != state
        as_organiser.post(url("change", "cats", name))
        made.refresh_from_db()
        assert made.state == state
    assert AuditEvent.objects.filter(action="project.closed", actor=organiser).count() == 1
    page = as_organiser.post(url("change", "cats", "pause"), follow=True).content.decode()
    assert "it is closed" in page
    assert "cannot be done now" in as_organiser.get(url("change", "cats", "pause")).content.decode()
    assert as_organiser.get(url("change", "cats", "explode")).status_code == 404


def test_a_draft_is_deleted_and_nothing_else(tmp_path: Path, organiser: User, as_organiser: Client) -> None:
    made = project(tmp_path, organiser)
    as_organiser.post(url("remove", "cats"))
    assert Project.objects.exists()
    assert "Only a draft can be deleted" in as_organiser.get(url("remove", "cats")).content.decode()
    Project.objects.filter(pk=made.pk).update(state="draft")
    assert "Delete “Cats and dogs”?" in as_organiser.get(url("remove", "cats")).content.decode()
    as_organiser.post(url("remove", "cats"))
    assert not Project.objects.exists()


def test_settings_and_members_are_changed(
    tmp_path: Path, organiser: User, annotator: User, as_organiser: Client
) -> None:
    project(tmp_path, organiser)
    page = as_organiser.get(url("settings", "cats")).content.decode()
    assert 'value="Cats and dogs"' in page
    form = {"title": "Dogs", "submissions": "1", "lease_minutes": "7", "shape": "box", "most_redraws": "0"}
    as_organiser.post(url("settings", "cats"), {**form, "members": [str(annotator.pk)]})
    made = Project.objects.get()
    assert (made.title, made.everyone, made.settings["lease_minutes"]) == ("Dogs", False, 7)
    assert list(made.members.all()) == [annotator]
    row = AuditEvent.objects.get(action="project.set")
    assert row.details["title"] == {"was": "Cats and dogs", "now": "Dogs"}
    assert row.details["lease_minutes"]["now"] == 7
    assert row.details["members"] == {"added": [str(annotator.pseudonym)], "removed": []}
    assert "submissions" not in row.details
    as_organiser.post(url("settings", "cats"), {**form, "members": [str(annotator.pk)]})
    assert AuditEvent.objects.filter(action="project.set").count() == 1
    refused = as_organiser.post(url("settings", "cats"), {**form, "submissions": "4"})
    assert refused.status_code == 422
    assert "made with submissions 1" in refused.content.decode()
    assert list(Project.objects.get().members.all()) == [annotator]


def test_settings_are_not_kept_without_their_row(
    tmp_path: Path, organiser: User, as_organiser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    project(tmp_path, organiser)

    def broken(*words: object, **more: object) -> None:
        raise RuntimeError("the log is full")

    monkeypatch.setattr("foveate.app.annotate.views.settings.note", broken)
    form = {"title": "Dogs", "submissions": "1", "lease_minutes": "7", "shape": "box", "most_redraws": "0"}
    with pytest.raises(RuntimeError):
        as_organiser.post(url("settings", "cats"), form)
    kept = Project.objects.get()
    assert (kept.title, kept.settings["lease_minutes"]) == ("Cats and dogs", ProjectSettings().lease_minutes)


def test_instructions_are_previewed_saved_and_cleaned(
    tmp_path: Path, organiser: User, as_organiser: Client, as_annotator: Client
) -> None:
    project(tmp_path, organiser)
    text = "# Draw\n\n**tightly** <script>alert(1)</script><a href='javascript:alert(1)' onclick='x()'>here</a>"
    preview = as_organiser.post(url("write_instructions", "cats"), {"instructions": text, "preview": "1"})
    assert "<strong>tightly</strong>" in preview.content.decode()
    assert Project.objects.get().instructions == ""
    as_organiser.post(url("write_instructions", "cats"), {"instructions": text})
    page = as_annotator.get(url("instructions", "cats")).content.decode()
    assert "<h2>Draw</h2>" in page
    assert "<strong>tightly</strong>" in page
    for evil in ("<script>alert", "javascript:", "onclick"):
        assert evil not in page
    assert len(re.findall("<h1", page)) == 1


def test_tasks_are_listed_by_state_and_stage(
    tmp_path: Path, organiser: User, annotator: User, as_organiser: Client
) -> None:
    made = project(tmp_path, organiser)
    sent(annotator, made, polygon())
    everything = as_organiser.get(url("tasks", "cats"))
    assert everything.context["page_obj"].paginator.count == 3
    done = as_organiser.get(url("tasks", "cats"), {"state": "done", "stage": "grounding"})
    assert [task.key for task in done.context["page_obj"]] == ["photo0.png"]
    assert "No task is like that" in as_organiser.get(url("tasks", "cats"), {"stage": "verify"}).content.decode()


def test_a_task_shows_what_was_sent_side_by_side(
    tmp_path: Path, organiser: User, annotator: User, as_organiser: Client
) -> None:
    made = project(tmp_path, organiser, submissions=3)
    other, third = person("other", "annotator"), person("third", "annotator")
    cannot = {"stage": "grounding", "several_questions": False, "several_regions": False, "outcome": "cannot_draw"}
    sent(annotator, made, polygon(comment="<i>hard</i>"))
    sent(other, made, {**cannot, "reason": "other", "reason_text": "a finger"})
    taken(third, made)
    task = made.tasks.get(position=0)
    page = as_organiser.get(url("task", "cats", task.pk)).content.decode()
    assert QUESTIONS[0] in page
    assert "&lt;i&gt;hard&lt;/i&gt;" in page
    assert "a finger" in page
    assert "third: Being done" in page
    assert as_organiser.get(url("task", "dogs", task.pk)).status_code == 404
    project_page = as_organiser.get(url("project", "cats")).content.decode()
    assert "Cannot draw" in project_page


def test_a_submission_is_drawn_on_its_photo(
    tmp_path: Path, organiser: User, annotator: User, as_organiser: Client
) -> None:
    made = project(tmp_path, organiser)
    one = sent(annotator, made, polygon((10, 10), (50, 10), (50, 40), (10, 40)))
    answer = as_organiser.get(url("submission_picture", one.pk))
    assert answer["Content-Type"] == "image/png"
    (tmp_path / "out.png").write_bytes(answer.content)
    with PIL.Image.open(tmp_path / "out.png") as picture:
        # The photo of 64 x 48 is enlarged eight times; the outline lies just outside of (10, 10).
        line = {picture.convert("RGB").getpixel((x, 25 * 8)) for x in range(9 * 8, 10 * 8)}
    assert (240, 228, 66) in line
    small = as_organiser.get(url("submission_picture", one.pk) + "?small")
    assert 0 < len(small.content) < len(answer.content)


def test_the_outline_on_a_small_picture_is_as_wide_as_on_a_large_one(
    tmp_path: Path, organiser: User, annotator: User, as_organiser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.app.annotate.made.SIZE_HW", (2400, 3200))
    made = project(tmp_path, organiser)
    one = sent(annotator, made, polygon((400, 400), (2000, 400), (2000, 1600), (400, 1600)))
    (tmp_path / "out.png").write_bytes(as_organiser.get(url("submission_picture", one.pk) + "?small").content)
    with PIL.Image.open(tmp_path / "out.png") as picture:
        assert picture.size == (320, 240)
        # A line that was drawn on the large photo and then shrunk is blended with it: no pixel keeps its colour.
        line = [picture.convert("RGB").getpixel((x, 100)) for x in range(30, 42)]
    assert line.count((240, 228, 66)) >= 2


ORGANISERS = [
    ("projects",), ("new",), ("project", "cats"), ("change", "cats", "pause"), ("remove", "cats"), ("settings", "cats"),
    ("write_instructions", "cats"), ("tasks", "cats"), ("export", "cats"),
]  # fmt: skip


@pytest.mark.parametrize("page", ORGANISERS, ids=lambda page: page[0])
def test_organisers_pages_are_for_organisers(
    tmp_path: Path, organiser: User, client: Client, as_annotator: Client, as_participant: Client, page: tuple[str, ...]
) -> None:
    project(tmp_path, organiser)
    for method in ("get", "post"):
        assert getattr(client, method)(url(*page)).status_code == 302 or method == "post"
        for other in (as_annotator, as_participant):
            assert getattr(other, method)(url(*page)).status_code in (403, 405)
    assert signed_in(organiser).get(url(*page)).status_code == 200
    assert Project.objects.get().state == "open"


def test_acts_need_a_token_against_forgery(tmp_path: Path, organiser: User) -> None:
    project(tmp_path, organiser)
    client = signed_in(organiser, csrf=True)
    for page in [("new",), ("change", "cats", "close"), ("settings", "cats"), ("write_instructions", "cats")]:
        assert client.post(url(*page)).status_code == 403
    assert act(Project.objects.get(), "pause").state == "paused"
