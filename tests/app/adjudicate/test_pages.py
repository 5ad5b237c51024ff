"""The pages without a script: the queue, picking, rejecting, taking back; and what the script is handed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from foveate.annotation.judged import judgements_of
from foveate.annotation.submissions import read_submissions
from foveate.app.accounts.models import User
from foveate.app.adjudicate.models import Pair, TaskAgreement
from foveate.app.adjudicate.services.coefficients import LEAST_TASKS, coefficients
from foveate.app.adjudicate.words import SAID
from foveate.app.annotate.draw_words import WORDS
from foveate.app.annotate.exports import Wanted, export_project
from foveate.app.annotate.models import Adjudication, Task
from foveate.app.review.services import looks
from foveate.quality.agreement import agreement
from tests.app.adjudicate.making import CANNOT, SEVERAL, drawn, project_of, sent_for, square
from tests.app.annotate import made
from tests.app.annotate.making import annotators, make_project
from tests.helpers import REPOSITORY

pytestmark = pytest.mark.django_db


@pytest.fixture
def tasks(organiser: User) -> list[Task]:
    """A task apart in a step, and one of drawings a third alike."""
    return project_of(
        organiser, [square(0, 0, 10, 10), SEVERAL], [square(0, 0, 10, 10), square(5, 0, 15, 10, comment="<b>tight</b>")]
    )[1]


def page_of(task: Task) -> str:
    return reverse("adjudicate:decide", args=[task.project.slug, task.pk])


def queue_of(task: Task) -> str:
    return reverse("adjudicate:queue", args=[task.project.slug])


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_queue_lists_by_least_agreement_and_counts(tasks: list[Task], as_organiser: Client) -> None:
    page = text(as_organiser, queue_of(tasks[0]))
    assert page.index("0.png") < page.index("1.png")
    assert "whether more than one question is asked" in page
    assert "0.333" in page
    assert f'href="{page_of(tasks[0])}">Begin' in page
    below = text(as_organiser, f"{queue_of(tasks[0])}?which=below")
    assert "0.png" not in below
    assert f'href="{page_of(tasks[1])}?which=below"' in below
    assert "No task is like that." in text(as_organiser, f"{queue_of(tasks[0])}?decided=yes")
    band = text(as_organiser, f"{queue_of(tasks[0])}?low=0.2&high=0.4&decided=any")
    assert "from 0.2 to 0.4" in band


def test_the_queue_asks_as_often_of_many_tasks_as_of_few(
    organiser: User, as_organiser: Client, django_assert_max_num_queries: object
) -> None:
    project, _tasks = project_of(organiser, *([square(0, 0, 9, 9), square(0, 0, 9, n)] for n in range(1, 9)))
    with django_assert_max_num_queries(14):  # type: ignore[operator]
        as_organiser.get(f"/annotate/projects/{project.slug}/adjudicate/")


def test_picking_leads_to_the_next_task_and_then_back_to_the_list(tasks: list[Task], as_organiser: Client) -> None:
    page = text(as_organiser, page_of(tasks[0]))
    number = sent_for(tasks[0])[0].pk
    assert f'value="picked {number}"' in page
    assert "needs JavaScript" in page
    answer = as_organiser.post(page_of(tasks[0]), {"act": f"picked {number}", "base": "0"})
    assert (answer.status_code, answer["Location"]) == (302, page_of(tasks[1]))
    sent = {"act": "reject", "base": "0", "why": "several_regions"}
    assert as_organiser.post(page_of(tasks[1]), sent)["Location"] == queue_of(tasks[1])
    newest = Adjudication.objects.latest()
    assert (newest.how, newest.work["several_regions"]) == ("rejected", True)
    assert "Picked" in text(as_organiser, page_of(tasks[0]))


@pytest.mark.parametrize(
    ("sent", "status", "said"),
    [
        ({"act": "reject", "why": "other"}, 422, "says nothing without a text"),
        ({"act": "reject", "why": "nonsense"}, 422, "is none"),
        ({"act": "picked x"}, 422, "none of this task"),
        ({"act": "given 0"}, 422, "no such target"),
        ({"act": ""}, 422, "Nothing was chosen"),
        ({"act": "undo"}, 409, "No decision stands"),
        ({"act": "gold"}, 409, "no answer yet"),
        ({"act": "reject", "why": "several_questions", "base": "77"}, 409, "Somebody else has decided"),
    ],
)
def test_what_is_refused_is_told_on_the_page(
    tasks: list[Task], as_organiser: Client, sent: dict[str, str], status: int, said: str
) -> None:
    answer = as_organiser.post(page_of(tasks[0]), {"base": "0", **sent})
    assert answer.status_code == status
    assert said in answer.content.decode()
    assert not Adjudication.objects.exists()


def test_a_decision_is_made_gold_and_taken_back(tasks: list[Task], as_organiser: Client) -> None:
    sent = {"act": "reject", "base": "0", "why": "other", "reason_text": "a \0 mirror"}
    as_organiser.post(page_of(tasks[0]), sent)
    made = Adjudication.objects.get()
    assert (made.work["reason"], made.work["reason_text"]) == ("other", "a  mirror")
    for act, gold in (("gold", True), ("ordinary", False)):
        assert as_organiser.post(page_of(tasks[0]), {"act": act}).status_code == 302
        assert Task.objects.get(pk=tasks[0].pk).gold == gold
    as_organiser.post(page_of(tasks[0]), {"act": "undo", "base": str(made.pk)})
    assert Adjudication.objects.latest().how == "undone"
    assert "is taken back" in text(as_organiser, page_of(tasks[0]))


def test_who_drew_what_is_hidden_and_what_people_wrote_is_no_html(tasks: list[Task], as_organiser: Client) -> None:
    page = text(as_organiser, page_of(tasks[1]))
    names = [sent.assignment.annotator for sent in sent_for(tasks[1])]
    assert all(name.username not in page for name in names)
    shown = re.findall(r'<p class="small-text who"([^>]*)>', page)
    assert shown == [" hidden"] * 4, "two people, and two rules"
    assert "&lt;b&gt;tight" in page
    assert "<b>tight" not in page
    assert "style=" not in page
    scripts = re.findall(r"<script\b([^>]*)>", page)
    assert all("src=" in one or 'type="application/json"' in one for one in scripts)


def test_a_task_of_another_project_or_without_drawings_is_not_there(tasks: list[Task], as_organiser: Client) -> None:
    assert as_organiser.get(f"/annotate/projects/other/adjudicate/{tasks[0].pk}/").status_code == 404
    Pair.objects.all().delete()
    for sent in sent_for(tasks[0]):
        sent.delete()
    assert as_organiser.get(page_of(tasks[0])).status_code == 404


def test_the_picture_has_each_outline_in_its_colour(tmp_path: Path, organiser: User, as_organiser: Client) -> None:
    import io

    import numpy as np
    from PIL import Image

    from foveate.app.adjudicate.colours import line_of

    project = made.project(tmp_path, organiser, submissions=3)
    for who, work in zip(
        annotators(3),
        (
            made.polygon((4, 14), (24, 14), (24, 34), (4, 34)),
            made.polygon((30, 20), (60, 20), (60, 40), (30, 40)),
            CANNOT,
        ),
        strict=True,
    ):
        made.sent(who, project, work)
    task = project.tasks.order_by("position")[0]
    answer = as_organiser.get(f"/annotate/projects/{project.slug}/adjudicate/{task.pk}/picture.png")
    pixels = np.asarray(Image.open(io.BytesIO(answer.content)).convert("RGB")).reshape(-1, 3)
    assert answer["Cache-Control"] == "no-store"
    told = as_organiser.get(f"/api/v1/tasks/{task.pk}/adjudication").json()["candidates"]
    assert [one["how"] for one in told].count("picked") == 3
    for at, one in enumerate(told):
        if one["how"] == "mended":
            continue  # It lies below the outlines that it is made of.
        has = bool((pixels == line_of(at)[0]).all(axis=1).any())
        assert has == bool(one["rings"]), one["letter"]


def test_lines_differ_by_more_than_their_colour() -> None:
    from foveate.app.adjudicate.colours import line_of

    lines = [line_of(at) for at in range(36)]
    assert len(set(lines)) == 36
    assert len({dashes for _colour, dashes in lines[:6]}) == 6
    css = (REPOSITORY / "web" / "src" / "adjudicate.css").read_text()
    for at, (colour, _dashes) in enumerate(lines[:6]):
        assert f".line-{at} .over, .over.line-{at} {{ stroke: #{bytes(colour).hex()}; }}" in css


def test_each_sentence_of_the_script_is_handed_to_it_and_none_for_nothing() -> None:
    sources = sorted((REPOSITORY / "web" / "src").glob("adjudicate*.ts"))
    script = "\n".join(path.read_text() for path in sources)
    said = set(re.findall(r'(?:say\(|word: )"(\w+)"', script))
    said |= {name for pair in re.findall(r'say\([\w.()]+ \? "(\w+)" : "(\w+)"', script) for name in pair}
    said |= {f"how_{how}" for how, _label in Adjudication.HOW}
    # Two it shares with the drawing page.
    assert said - {"how_"} - set(WORDS) == set(SAID)
    assert not set(SAID) & set(WORDS)


def test_agreement_tells_pairs_people_and_steps(organiser: User, as_organiser: Client) -> None:
    project, tasks = project_of(
        organiser,
        [square(0, 0, 10, 10), square(0, 0, 10, 10)],
        [square(0, 0, 10, 10), square(0, 0, 10, 9)],
        [square(0, 0, 10, 10), square(5, 0, 15, 10)],
        [square(0, 0, 10, 10), SEVERAL],
        [CANNOT, CANNOT],
    )
    address = f"/annotate/projects/{project.slug}/agreement/"
    page = text(as_organiser, address)
    # (1 + 0.9 + 1/3) / 3.
    assert "0.744" in page
    assert "In 4 of 5 tasks" in page
    rows = re.findall(r'<th scope="row">([\d.–]+)</th><td class="number">(\d+)</td><td class="number">([\d.]+ %)', page)
    assert rows == [
        ("0.8–1", "2", "66.7 %"),
        ("0.6–0.8", "0", "0 %"),
        ("0.4–0.6", "0", "0 %"),
        ("0.2–0.4", "1", "33.3 %"),
        ("0–0.2", "0", "0 %"),
    ]
    assert len(re.findall(r'class="bar"', page)) == 3
    assert page.count('class="paper"') == 3
    # Gold is for practice, and is left out.
    Task.objects.filter(pk=tasks[2].pk).update(gold=True)
    assert "0.950" in text(as_organiser, address)
    TaskAgreement.objects.all().delete()
    Pair.objects.all().delete()
    assert "4 tasks were sent before agreement was counted" in text(as_organiser, address)
    assert as_organiser.post(f"{address}compare/").status_code == 302
    assert "Compared: 4 tasks." in text(as_organiser, address)


def test_an_edge_of_a_band_belongs_to_the_upper_one(organiser: User) -> None:
    from foveate.app.adjudicate.services.figures import figures_of

    works = [[square(0, 0, 10, 10), square(0, 0, 10, n)] for n in (2, 4, 6, 8, 10)]
    project, _tasks = project_of(organiser, *works)
    figures = figures_of(project)
    assert [band.pairs for band in figures.bands()] == [2, 1, 1, 1, 0]
    first, second = figures.people
    assert first.pairs == second.pairs == 5
    assert [first.mean, second.mean] == pytest.approx([0.6, 0.6])
    assert figures_of(project_of(organiser, [SEVERAL])[0]).mean is None


def test_agreement_says_alpha_as_the_command_does_of_the_same_work(
    tasks: list[Task], as_organiser: Client, tmp_path: Path
) -> None:
    project = tasks[0].project
    page = text(as_organiser, reverse("adjudicate:agreement", args=[project.slug]))
    assert "Beyond chance" in page
    assert "Of all 2 tasks that two people or more judged" in page
    found = coefficients(project)
    sent = tmp_path / "sent.jsonl"
    export_project(project, sent, Wanted("submissions"))
    wanted = agreement(judgements_of(read_submissions(sent)))
    assert (found.tasks, found.looked_at) == (2, 2)
    # So few pairs of masks are all compared.
    assert found.alpha.as_dict() == wanted.alpha.as_dict()
    assert [step.as_dict() for step in found.steps] == [step.as_dict() for step in wanted.steps]
    # no, yes | no, no: of the pairs within tasks a half differs, of all six pairs 3 do.
    assert found.steps[0].alpha.value == pytest.approx(1 - (1 / 2) / (3 / 6))
    # Two tasks tell nothing beyond chance, and no number that looks as if they did.
    assert page.count(f"too few tasks: told from {LEAST_TASKS} on") == 3
    assert "masks on a grid, all pairs" not in page


def test_alpha_is_told_from_the_least_number_of_tasks_on(organiser: User, as_organiser: Client) -> None:
    many = [[square(n, 0, n + 10, 10), square(n, 0, n + 10, 9)] for n in range(LEAST_TASKS)]
    project, made_of = project_of(organiser, *many)
    address = reverse("adjudicate:agreement", args=[project.slug])
    row = re.search(r"The regions</th><td class=\"number\">([^<]*)</td>.*", text(as_organiser, address))
    assert row is not None
    value = coefficients(project).alpha.value
    assert (row[1], "masks on a grid, all pairs" in row[0]) == (f"{value:.3f}", True)
    made_of[0].gold = True
    made_of[0].save()
    fewer = re.search(r"The regions</th><td class=\"number\">([^<]*)</td>.*", text(as_organiser, address))
    assert fewer is not None
    assert (fewer[1], f"told from {LEAST_TASKS} on" in fewer[0]) == ("–", True)


def test_a_number_beside_a_bound_is_on_its_side(organiser: User, as_organiser: Client) -> None:
    # 7,999 of 10,000 pixels: below the 0.8 that is alike enough, and so it reads.
    task = project_of(organiser, [square(0, 0, 10, 10), square(0, 0, 10, 8)])[1][0]
    TaskAgreement.objects.update(least=0.7999)
    assert "0.800" in text(as_organiser, queue_of(task)), "nothing was asked for"
    for query in ("?which=below", "?which=below&below=0.8", "?low=0.6&high=0.8"):
        page = text(as_organiser, queue_of(task) + query)
        assert "0.7999" in page, query
        assert "0.800" not in page, query


def test_alpha_is_of_fewer_tasks_where_all_would_take_long(organiser: User, as_organiser: Client) -> None:
    two = [square(0, 0, 10, 10), square(0, 0, 10, 8)]
    apart = [square(40, 30, 60, 50), square(42, 30, 60, 50)]
    project, made_of = project_of(organiser, two, apart, two, [square(0, 0, 5, 5)])
    every = coefficients(project)
    assert (every.tasks, every.looked_at, every.alpha.tasks, every.alpha.values) == (3, 3, 3, 6)
    some = coefficients(project, outlines=5)
    assert (some.tasks, some.looked_at, some.alpha.values) == (3, 2, 4)
    assert coefficients(project, outlines=5).alpha == some.alpha, "the same each time"
    assert coefficients(project, outlines=1).alpha.value is None
    # Gold and what does not count are left out.
    made_of[0].gold = True
    made_of[0].save()
    first = sent_for(made_of[1])[0]
    looks.decide(project, looks.Decision([first.pk], "aside"), organiser)
    assert (coefficients(project).tasks, coefficients(project).alpha.values) == (1, 2)


def test_alpha_of_boxes_is_exact(organiser: User) -> None:
    project = make_project(organiser, tasks=2, kind="reannotation", submissions=2)
    for who, shift in zip(annotators(2), (0, 5), strict=True):
        for x in (0, 30):
            drawn(who, project, {"stage": "box", "outcome": "box", "box": [x + shift, 0, x + 10 + shift, 10]})
    found = coefficients(project, outlines=0)
    # Do is 1 − 1/3. Of six pairs two share a third and four nothing: De is 1 − (2/3) / 6.
    assert (found.alpha.compared, found.alpha.sampled) == ("boxes", False)
    assert found.alpha.value == pytest.approx(1 - (2 / 3) / (1 - 1 / 9))
