"""The drawing page as the server sends it, and the sentences that its script says."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client
from django.utils.translation import override

from foveate.annotation.kinds import STAGES
from foveate.annotation.reasons import REASONS, WITH_TEXT
from foveate.app.accounts.models import User
from foveate.app.annotate.draw_words import WORDS
from foveate.app.annotate.models import Assignment, Project
from foveate.app.annotate.services.lend import lend
from foveate.app.annotate.views.work import STAGE_PAGES
from tests.app.annotate.making import make_project
from tests.app.conftest import person, signed_in
from tests.helpers import REPOSITORY

PARTS = ("problem", "remedy")
# Those of adjudication, of challenges and of asking have sentences of their own.
OTHERS = ("adjudicate", "ask", "entering", "entry", "upload")
SOURCES = [path for path in sorted((REPOSITORY / "web" / "src").glob("*.ts")) if not path.name.startswith(OTHERS)]


@pytest.fixture
def lent(annotator: User, organiser: User) -> Assignment:
    """A grounding task in the annotator's hands."""
    found = lend(annotator, make_project(organiser))
    assert found is not None
    return found.assignment


def address(assignment: Assignment) -> str:
    return f"/annotate/work/{assignment.pk}/"


def test_the_page_has_the_task_and_no_script_or_style_of_its_own(as_annotator: Client, lent: Assignment) -> None:
    page = as_annotator.get(address(lent)).content.decode()
    assert lent.task.question in page
    assert f'data-api="/api/v1/assignments/{lent.pk}"' in page
    assert "style=" not in page
    scripts = re.findall(r"<script\b([^>]*)>", page)
    assert all("src=" in one or 'type="application/json"' in one for one in scripts)
    assert "drawing needs JavaScript" in page


def test_each_reason_can_be_chosen_and_says_whether_it_needs_a_text(as_annotator: Client, lent: Assignment) -> None:
    page = as_annotator.get(address(lent)).content.decode()
    options = dict(re.findall(r'<option value="(\w+)"([^>]*)>', page))
    assert list(options) == list(REASONS)
    assert {code for code, rest in options.items() if "data-text" in rest} == set(WITH_TEXT)


def test_instructions_of_an_organiser_run_nothing(as_annotator: Client, lent: Assignment) -> None:
    Project.objects.update(instructions="*Closely*. <script>alert(1)</script> [x](javascript:alert(1))")
    page = as_annotator.get(address(lent)).content.decode()
    assert "<em>Closely</em>" in page
    assert "<script>alert" not in page
    assert 'href="javascript' not in page


def test_nobody_else_sees_that_the_page_exists(lent: Assignment, organiser: User, participant: User) -> None:
    others = (organiser, participant, person("another", "annotator"))
    assert [signed_in(user).get(address(lent)).status_code for user in others] == [404, 404, 404]
    assert Client().get(address(lent)).status_code == 302


@pytest.mark.parametrize("state", ["submitted", "returned"])
def test_what_is_over_is_not_drawn_on(as_annotator: Client, lent: Assignment, state: str) -> None:
    Assignment.objects.update(state=state)
    answer = as_annotator.get(address(lent))
    assert (answer.status_code, answer["Location"]) == (302, "/annotate/")


def test_each_stage_has_its_page() -> None:
    assert set(STAGE_PAGES) == set(STAGES)


def _said() -> set[str]:
    """Returns the names of sentences that the script uses, wherever it makes them."""
    lines = [line for path in SOURCES for line in path.read_text().splitlines() if "dataset" not in line]
    talking = "\n".join(line for line in lines if re.search(r"\b(say|word|refused|told|problem)\b", line))
    plain = set(re.findall(r'(?:say\(|word: |refused\(\w+, |told\()"(\w+)"', talking))
    either = {name for pair in re.findall(r'\? "(\w+)" : "(\w+)"', talking) for name in pair}
    problems = {f"{name}_{part}" for name in re.findall(r'problem\("\w+", "(\w+)"', talking) for part in PARTS}
    return plain | either | problems | _of_keys()


def _of_keys() -> set[str]:
    keys = (REPOSITORY / "web" / "src" / "keys.ts").read_text()
    commands = {f"does_{name}" for name in re.findall(r'\{ command: "(\w+)"', keys)}
    shown = re.findall(r'"([^"]+)"', " ".join(re.findall(r"shown: \[(.*)\](?: \}|,)", keys)))
    return commands | {f"key_{part.lower()}" for one in shown for part in re.split(r"\+(?=.)", one) if len(part) > 2}


def test_every_sentence_of_the_script_stands_in_the_page_and_none_for_nothing() -> None:
    said = _said()
    assert said - set(WORDS) == set()
    assert set(WORDS) - said == set()


def test_sentences_are_put_in_the_page_translated(as_annotator: Client, lent: Assignment) -> None:
    page = as_annotator.get(address(lent)).content.decode()
    found = re.search(r'<script id="words" type="application/json">(.*?)</script>', page)
    assert found is not None
    with override("en"):
        assert json.loads(found[1]) == {name: str(sentence) for name, sentence in WORDS.items()}
