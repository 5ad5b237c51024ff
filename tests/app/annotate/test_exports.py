from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from foveate import plugins
from foveate.annotation.submissions import read_submissions
from foveate.annotation.target_rules import rule_names
from foveate.app.accounts.models import AuditEvent, User
from foveate.app.annotate.exports import FORMS, Wanted, export_project
from foveate.app.annotate.forms import rule_choices
from foveate.app.annotate.models import Project
from foveate.app.annotate.words import FORMS as WORDS
from foveate.app.annotate.words import RULES
from foveate.errors import InputError, UsageError
from tests.app.annotate.made import QUESTIONS, polygon, project, sent
from tests.app.conftest import person

SQUARE = ((8, 8), (40, 8), (40, 40), (8, 40))


def done(folder: Path, organiser: User, annotator: User) -> Project:
    """Makes a project of three photos that two people did; the second cannot draw the last."""
    made = project(folder, organiser, submissions=2)
    other = person("other", "annotator")
    for number in range(3):
        sent(annotator, made, polygon(*SQUARE, seconds=5))
        small = polygon((8, 8), (24, 8), (24, 24))
        blurred = {**polygon(), "outcome": "cannot_draw", "polygon": [], "closed": False, "reason": "blurred"}
        sent(other, made, blurred if number == 2 else small)
    return made


def posted(client: Client, **form: str) -> bytes:
    answer: Any = client.post(reverse("annotate:export", args=["cats"]), {"flags": "any", "rule": "", **form})
    assert answer.status_code == 200, answer.content.decode()
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def test_every_form_has_words_for_the_page() -> None:
    assert set(WORDS) == set(FORMS)


def test_every_rule_has_words_for_the_page_and_those_of_other_packages_their_titles() -> None:
    offered = dict(rule_choices())
    assert set(offered) == {"", *rule_names()}
    built_in = {name for name, module in plugins.modules("aggregators").items() if module.startswith("foveate.")}
    assert {*built_in, "", "all", "verified"} == set(RULES)
    for name in built_in:
        assert str(RULES[name]) == plugins.load("aggregators", name).CARD.title
    assert offered["smaller"] == "The smaller box"


def test_a_region_made_of_all_is_offered_and_sent(
    tmp_path: Path, organiser: User, annotator: User, as_organiser: Client
) -> None:
    done(tmp_path, organiser, annotator)
    page = as_organiser.get(reverse("annotate:export", args=["cats"])).content.decode()
    assert "The pixels that more than half of the people marked" in page
    told = posted(as_organiser, to="jsonl", rule="majority").decode()
    assert "samples of fewer drawings than the rule is for: 2" in told
    rows = [json.loads(line) for line in posted(as_organiser, to="jsonl", rule="majority", download="1").splitlines()]
    facts = {row["id"]: row["facts"] for row in rows if "id" in row}
    # Of two the majority is what both marked: the triangle within the square.
    assert facts["photo0.png"] == {"submissions": 2, "drawn": 2, "rule": "majority"}
    assert facts["photo2.png"]["no_target"] == "cannot_draw"
    assert AuditEvent.objects.get(action="project.exported").details == {"to": "jsonl", "rule": "majority"}


def test_submissions_are_exported_without_loss_and_without_names(
    tmp_path: Path, organiser: User, annotator: User, as_organiser: Client
) -> None:
    done(tmp_path / "photos", organiser, annotator)
    body = posted(as_organiser, to="submissions", download="1")
    (tmp_path / "out.jsonl").write_bytes(body)
    found = read_submissions(tmp_path / "out.jsonl")
    assert len(found) == 6
    first = next(one for one in found if one.task == "photo0.png" and one.annotator == str(annotator.pseudonym))
    assert (first.question, first.answer, first.size_hw, first.seconds) == (QUESTIONS[0], "thing 0", (48, 64), 5)
    assert first.work.polygon == [(8, 8), (40, 8), (40, 40), (8, 40)]  # type: ignore[union-attr]
    assert b"annotator" in body
    assert annotator.username.encode() not in body.replace(b'"annotator"', b"")
    assert AuditEvent.objects.get(action="project.exported").details == {"to": "submissions", "rule": ""}


def test_samples_take_the_larger_region_and_none_where_somebody_cannot_draw(
    tmp_path: Path, organiser: User, annotator: User, as_organiser: Client
) -> None:
    done(tmp_path, organiser, annotator)
    rows = [json.loads(line) for line in posted(as_organiser, to="jsonl", download="1").splitlines()]
    by_id = {row["id"]: row for row in rows if "id" in row}
    assert len(by_id) == 3
    # Of the square to 40 and the triangle to 24 the square.
    assert [one["polygon"] for one in by_id["photo0.png"]["targets"]] == [[list(map(list, SQUARE))]]
    first = posted(as_organiser, to="jsonl", rule="first", flags="all", download="1")
    assert len(first.splitlines()) == len(rows)


@pytest.mark.parametrize("to", ["jsonl", "parquet", "coco", "labelme", "via", "yolo", "hf", "vizwiz", "vizwiz_crowd"])
def test_each_form_is_told_and_then_sent(
    tmp_path: Path, organiser: User, annotator: User, as_organiser: Client, to: str
) -> None:
    done(tmp_path, organiser, annotator)
    told = posted(as_organiser, to=to).decode()
    assert "What will be in it" in told
    assert ("Nothing is lost" in told) != ("cannot hold everything" in told)
    assert not AuditEvent.objects.filter(action="project.exported").exists()
    body = posted(as_organiser, to=to, download="1")
    if to in ("labelme", "yolo", "hf", "vizwiz", "vizwiz_crowd"):
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            assert archive.testzip() is None
            assert archive.namelist()
    else:
        assert len(body) > 100


def test_what_cannot_be_exported_is_said_on_the_page(
    tmp_path: Path, organiser: User, annotator: User, as_organiser: Client
) -> None:
    made = project(tmp_path, organiser)
    url = reverse("annotate:export", args=["cats"])
    answer = as_organiser.post(url, {"to": "coco", "flags": "any", "rule": ""})
    assert (answer.status_code, "nothing was sent for it yet" in answer.content.decode()) == (422, True)
    sent(annotator, made, polygon())
    answer = as_organiser.post(url, {"to": "coco", "flags": "any", "rule": "verified", "download": "1"})
    assert "Its rules: best_agreement, first, intersection, larger, majority, median_box," in answer.content.decode()
    answer = as_organiser.post(url, {"to": "run", "flags": "any", "rule": "all", "download": "1"})
    assert "rule all: it is none for a run" in answer.content.decode()
    answer = as_organiser.post(url, {"to": "jsonl", "flags": "any", "rule": "majorty"})
    assert list(answer.context["form"].errors) == ["rule"]
    answer = as_organiser.post(url, {"to": "nothing", "flags": "any"})
    assert list(answer.context["form"].errors) == ["to"]
    with pytest.raises(UsageError, match="Did you mean coco"):
        export_project(made, tmp_path / "x", Wanted("cocoa"))
    with pytest.raises(InputError, match="csv|CSV"):
        export_project(made, tmp_path / "x.csv", Wanted("csv"))
    assert not (tmp_path / "x.csv").exists()
