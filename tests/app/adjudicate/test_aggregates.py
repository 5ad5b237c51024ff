"""Regions that rules make of several drawings: which are shown, what is decided by them, and what goes out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from foveate.annotation.submissions import read_submissions
from foveate.annotation.targets import samples_of
from foveate.app.accounts.models import User
from foveate.app.adjudicate.services import aggregates
from foveate.app.adjudicate.services.candidates import candidates
from foveate.app.adjudicate.services.compare import judged
from foveate.app.annotate.exports import Wanted, export_project
from foveate.app.annotate.models import Adjudication, Task
from foveate.core.regions import Box
from foveate.errors import UsageError
from tests.app.adjudicate.making import CANNOT, WHOLE, drawn, project_of, sent_for, square
from tests.app.annotate.making import annotators, make_project

pytestmark = pytest.mark.django_db
JSON = "application/json"
# Columns 0 to 9, 4 to 13 and 6 to 17: two of three marked 4 to 13.
THREE = [square(0, 0, 10, 10), square(4, 0, 14, 10), square(6, 0, 18, 10)]


@pytest.fixture
def task(organiser: User) -> Task:
    return project_of(organiser, THREE)[1][0]


def made(task: Task) -> dict[tuple[str, ...], tuple[Any, int | None]]:
    return {one.rules: (one.shape.xyxy, one.chosen) for one in aggregates.made_of(task, judged(task))}


def test_each_region_is_made_once_and_told_by_all_its_rules(task: Task) -> None:
    a, b, c = (one.pk for one in sent_for(task))
    assert made(task) == {
        # It shares 6 and 8 columns with the others; the first 6 and 4, the last 8 and 4.
        ("best_agreement", "majority"): ((4, 0, 14, 10), b),
        ("first",): ((0, 0, 10, 10), a),
        ("intersection",): ((6, 0, 10, 10), None),
        ("larger",): ((6, 0, 18, 10), c),
        ("union",): ((0, 0, 18, 10), None),
    }
    found = candidates(task)[0]
    assert [one.rule for one in found] == ["", "", "", "intersection", "union"]
    assert [one.letter for one in found] == ["A", "B", "C", "D", "E"]
    who = {one.number: one.who for one in found if one.number is not None}
    assert who[b].endswith(", best_agreement, majority")
    assert who[c].endswith(", larger")


def test_two_are_too_few_for_what_needs_three_and_one_for_all(organiser: User) -> None:
    _project, (two, one, none) = project_of(organiser, THREE[:2], THREE[:1], [CANNOT, CANNOT])
    assert set(made(two)) == {("first", "larger"), ("intersection",), ("union",)}
    assert made(one) == made(none) == {}


def test_what_is_in_two_parts_is_shown_and_cannot_be_chosen(organiser: User, as_organiser: Client) -> None:
    _project, (task,) = project_of(organiser, [square(0, 0, 10, 10), square(30, 0, 40, 10)])
    both = next(one for one in candidates(task)[0] if one.rule == "union")
    assert both.work is None
    assert "no single outline" in both.note
    answer = as_organiser.post(f"/api/v1/tasks/{task.pk}/adjudication", decision("union"), content_type=JSON)
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "no_region")


def decision(rule: str, **more: Any) -> dict[str, Any]:
    return {"how": "mended", "base": 0, "rule": rule, **more}


def test_a_rule_decides_and_the_export_says_which(task: Task, as_organiser: Client, tmp_path: Path) -> None:
    at = f"/api/v1/tasks/{task.pk}/adjudication"
    page = reverse("adjudicate:decide", args=[task.project.slug, task.pk])
    assert "What everybody marked" in (text := as_organiser.get(page).content.decode())
    assert 'value="mended intersection"' in text
    assert as_organiser.get(at).json()["candidates"][3]["rule"] == "intersection"
    wrong: list[dict[str, Any]] = [
        decision("nonsense"),
        decision("staple"),
        decision("union", how="picked", picked=sent_for(task)[0].pk),
        decision("union", picked=sent_for(task)[0].pk),
        decision("union", work=square(0, 0, 9, 9)),
    ]
    for body in wrong:
        assert as_organiser.post(at, body, content_type=JSON).status_code == 422, body
    told = as_organiser.post(at, decision("intersection"), content_type=JSON).json()
    assert (told["decision"]["how"], told["decision"]["rule"]) == ("mended", "intersection")
    assert Adjudication.objects.get().rule == "intersection"
    assert "<code>intersection</code>" in as_organiser.get(page).content.decode()
    export_project(task.project, tmp_path / "sent.jsonl", Wanted("submissions"))
    sent = read_submissions(tmp_path / "sent.jsonl")
    assert [one.rule for one in sent] == ["", "", "", "intersection"]
    found = samples_of(sent)
    (sample,) = found.samples
    assert (sample.truth.facts["rule"], sample.truth.facts["adjudicated"]) == ("intersection", True)
    (target,) = sample.truth.targets
    assert (target.shape.xyxy, target.annotator) == ((6, 0, 10, 10), None)
    assert found.too_few == 0, "whoever decided saw how many there were"


def test_without_a_script_a_form_decides_by_a_rule(task: Task, as_organiser: Client) -> None:
    page = reverse("adjudicate:decide", args=[task.project.slug, task.pk])
    assert as_organiser.post(page, {"act": "mended union", "base": "0"}).status_code == 302
    assert Adjudication.objects.get().work["outcome"] == "polygon"
    assert as_organiser.post(page, {"act": "mended", "base": "1"}).status_code == 422


def test_of_boxes_boxes_are_made(organiser: User) -> None:
    project = make_project(organiser, tasks=1, kind="reannotation", submissions=3)
    for who, box in zip(annotators(3), ([0, 0, 10, 10], [1.5, 0, 12, 10], [2, 1, 30, 20]), strict=True):
        drawn(who, project, {"stage": "box", "outcome": "box", "box": box})
    found = {one.rules: one for one in aggregates.made_of(project.tasks.get(), judged(project.tasks.get()))}
    medians = next(one for rules, one in found.items() if "median_box" in rules)
    assert (medians.shape, medians.chosen) == (Box((1.5, 0, 12, 10)), sent_for(project.tasks.get())[1].pk)
    assert found["intersection",].shape == Box((2, 1, 10, 10))
    assert found["intersection",].work is not None
    # What is no box cannot be the answer where boxes are drawn.
    assert found["union",].work is None


def test_no_more_than_a_few_are_shown_and_a_broken_one_hides_none(
    task: Task, monkeypatch: pytest.MonkeyPatch, organiser: User
) -> None:
    monkeypatch.setattr("foveate.app.adjudicate.services.candidates.MOST", 1)
    assert [one.rule for one in candidates(task)[0]] == ["", "", "", "intersection"]

    def broken(name: str) -> Any:
        raise UsageError(name, "it is broken", "Mend it.")

    monkeypatch.setattr(aggregates, "aggregator", broken)
    assert [one.rule for one in candidates(task)[0]] == ["", "", ""]
    _project, (whole,) = project_of(organiser, [WHOLE, WHOLE])
    assert len(candidates(whole)[0]) == 2
