"""Deciding: what can stand, who decides, two at once, and what comes of it."""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Group

from foveate.annotation.judged import judgements_of
from foveate.annotation.submissions import read_submissions
from foveate.annotation.work import WORK
from foveate.app.accounts.models import AuditEvent, User
from foveate.app.accounts.own_data import export
from foveate.app.adjudicate.models import Pair, TaskAgreement
from foveate.app.adjudicate.services.candidates import between, candidates
from foveate.app.adjudicate.services.compare import rebuild
from foveate.app.adjudicate.services.decide import Decision, decide, own_latest, undo
from foveate.app.adjudicate.services.figures import figures_of
from foveate.app.adjudicate.services.mark import mark_gold
from foveate.app.annotate.exports import Wanted, export_project
from foveate.app.annotate.models import Adjudication, Submission, Task
from foveate.app.annotate.records import all_records
from foveate.app.annotate.services.lend import lend
from foveate.app.annotate.services.send import send
from foveate.app.annotate.services.standing import all_standing, standing
from foveate.app.refused import RefusedError
from foveate.app.review.services import looks
from tests.app.adjudicate.making import CANNOT, SEVERAL, WHOLE, drawn, project_of, ring, sent_for, square
from tests.app.annotate.making import all_at_once, annotators, make_project
from tests.app.conftest import person

TWO = [square(0, 0, 10, 10, comment="of A"), square(5, 0, 15, 10, seconds=9)]


def work(values: dict[str, Any]) -> Any:
    return WORK.validate_python(values)


def refused(code: int, act: Any) -> RefusedError:
    with pytest.raises(RefusedError) as caught:
        act()
    assert caught.value.status == code
    return caught.value


@pytest.fixture
def task(organiser: User) -> Task:
    return project_of(organiser, TWO)[1][0]


@pytest.mark.django_db
def test_what_is_picked_stands_as_it_was_sent(organiser: User, task: Task) -> None:
    second = sent_for(task)[1]
    made = decide(organiser, task.pk, Decision("picked", 0, picked=second.pk, note=" clear "))
    assert (made.how, made.picked, made.note, made.decided_by) == ("picked", second, "clear", organiser)
    # The reviewer has not spent the annotator's time, nor written the annotator's comment.
    assert made.work == {**second.work, "seconds": 0.0, "comment": ""}
    assert standing(task) == made
    log = AuditEvent.objects.get(action="task.decided")
    assert (log.actor, log.about, log.details["how"]) == (organiser, f"{task.project.slug}/0.png", "picked")


@pytest.mark.django_db
def test_what_is_mended_is_checked_and_clipped_as_a_submission(organiser: User, task: Task) -> None:
    first = sent_for(task)[0]
    edge = square(-0.4, 0, 10, 10)
    made = decide(organiser, task.pk, Decision("mended", 0, work(edge), picked=first.pk))
    assert made.work["polygon"] == ring(0, 0, 10, 10)
    assert made.picked == first
    crossed = {**square(0, 0, 9, 9), "polygon": [[0, 0], [9, 9], [9, 0], [0, 9]]}
    for wrong in (crossed, {**edge, "closed": False}, square(-9, 0, 9, 9), CANNOT, SEVERAL, {"stage": "grounding"}):
        told = refused(422, lambda wrong=wrong: decide(organiser, task.pk, Decision("mended", made.pk, work(wrong))))
        assert told.code == "not_valid"
    other = {"stage": "box", "outcome": "box", "box": [0, 0, 5, 5]}
    assert (
        "stage box"
        in refused(422, lambda: decide(organiser, task.pk, Decision("mended", made.pk, work(other)))).message
    )
    assert Adjudication.objects.count() == 1
    assert decide(organiser, task.pk, Decision("mended", made.pk, work(WHOLE))).work["outcome"] == "whole_image"


@pytest.mark.django_db
def test_rejecting_needs_a_reason_and_no_region(organiser: User, task: Task) -> None:
    made = decide(organiser, task.pk, Decision("rejected", 0, work(CANNOT)))
    assert (made.how, made.work["reason"]) == ("rejected", "blurred")
    for wrong in ({**CANNOT, "reason": None}, {**CANNOT, "reason": "other"}, square(0, 0, 9, 9)):
        refused(422, lambda wrong=wrong: decide(organiser, task.pk, Decision("rejected", made.pk, work(wrong))))
    refused(422, lambda: decide(organiser, task.pk, Decision("rejected", made.pk)))
    decide(organiser, task.pk, Decision("rejected", made.pk, work(SEVERAL)))


@pytest.mark.django_db
def test_only_a_submission_of_this_task_is_picked(organiser: User) -> None:
    _project, (one, other) = project_of(organiser, TWO, TWO)
    for number in (None, 0, 10**9, sent_for(other)[0].pk):
        refused(422, lambda number=number: decide(organiser, one.pk, Decision("picked", 0, picked=number)))
    refused(422, lambda: decide(organiser, one.pk, Decision("rejected", 0, work(CANNOT), picked=sent_for(one)[0].pk)))
    assert not Adjudication.objects.exists()


@pytest.mark.django_db
def test_nobody_but_organisers_decides_and_nothing_without_drawings(organiser: User, task: Task) -> None:
    decision = Decision("picked", 0, picked=sent_for(task)[0].pk)
    for who in (sent_for(task)[0].assignment.annotator, person("p", "participant")):
        refused(404, lambda who=who: decide(who, task.pk, decision))
        refused(404, lambda who=who: undo(who, task.pk, 1))
        refused(404, lambda who=who: mark_gold(who, task.pk, True))
    empty = make_project(organiser, tasks=1).tasks.get()
    refused(404, lambda: decide(organiser, empty.pk, Decision("mended", 0, work(WHOLE))))
    assert decide(person("boss", "admin"), task.pk, decision).how == "picked"


@pytest.mark.django_db
def test_who_has_not_seen_the_newest_decision_is_told_it(organiser: User, task: Task) -> None:
    first, second = (one.pk for one in sent_for(task))
    made = decide(organiser, task.pk, Decision("picked", 0, picked=first, note="mine"))
    told = refused(409, lambda: decide(person("other", "organiser"), task.pk, Decision("picked", 0, picked=second)))
    assert told.code == "decided_meanwhile"
    newest = told.details["newest"]
    assert (newest["id"], newest["note"], newest["decided_by"]) == (made.pk, "mine", "organiser")
    refused(409, lambda: undo(organiser, task.pk, made.pk + 1))
    assert standing(task) == made
    # Whoever has seen it may decide otherwise; nothing is written over.
    decide(organiser, task.pk, Decision("picked", made.pk, picked=second))
    assert Adjudication.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_of_many_who_decide_at_once_one_does(organiser: User) -> None:
    task = project_of(organiser, TWO)[1][0]
    first, second = (one.pk for one in sent_for(task))
    people = [person(f"reviewer {n}", "organiser") for n in range(4)]

    def act(who: User, number: int) -> str:
        try:
            return decide(who, task.pk, Decision("picked", 0, picked=number)).how
        except RefusedError as error:
            return error.code

    acts = [lambda who=who, n=n: act(who, (first, second)[n % 2]) for n, who in enumerate(people)]
    assert sorted(all_at_once(acts)) == ["decided_meanwhile"] * 3 + ["picked"]
    assert Adjudication.objects.count() == 1


@pytest.mark.django_db
def test_undoing_is_a_row_more_and_leaves_no_answer(organiser: User, task: Task) -> None:
    refused(409, lambda: undo(organiser, task.pk, 0))
    made = decide(organiser, task.pk, Decision("picked", 0, picked=sent_for(task)[0].pk))
    assert own_latest(organiser, task) == made
    assert own_latest(person("x", "organiser"), task) is None
    back = undo(organiser, task.pk, made.pk)
    assert [row.how for row in Adjudication.objects.order_by("pk")] == ["picked", "undone"]
    assert standing(task) is None
    assert own_latest(organiser, task) is None
    assert list(all_standing(task.project)) == []
    assert not Task.objects.get(pk=task.pk).agreement.decided
    again = decide(organiser, task.pk, Decision("mended", back.pk, work(WHOLE)))
    assert list(all_standing(task.project)) == [again]
    other = decide(person("y", "organiser"), task.pk, Decision("mended", again.pk, work(WHOLE)))
    # What another one has decided since is not one's own to take back.
    assert own_latest(organiser, task) is None
    assert standing(task) == other


@pytest.mark.django_db
def test_gold_needs_an_answer_and_keeps_it(organiser: User, task: Task) -> None:
    assert refused(409, lambda: mark_gold(organiser, task.pk, True)).code == "not_decided"
    made = decide(organiser, task.pk, Decision("picked", 0, picked=sent_for(task)[0].pk))
    assert mark_gold(organiser, task.pk, True).gold
    mark_gold(organiser, task.pk, True)
    assert AuditEvent.objects.filter(action="task.gold").count() == 1
    assert refused(409, lambda: undo(organiser, task.pk, made.pk)).code == "is_gold"
    # While it is gold, people are lent it beside its places.
    drawn(annotators(1)[0], task.project, square(0, 0, 9, 9))
    assert not mark_gold(organiser, task.pk, False).gold
    task.refresh_from_db()
    assert (task.taken, task.wanted, task.state) == (3, 3, "done")
    undo(organiser, task.pk, made.pk)


@pytest.mark.django_db
def test_what_somebody_is_doing_may_be_made_gold_and_is_taken_in(organiser: User) -> None:
    project, (task,) = project_of(organiser, [square(0, 0, 9, 9)], submissions=3)
    decide(organiser, task.pk, Decision("picked", 0, picked=sent_for(task)[0].pk))
    lent = lend(annotators(1)[0], project)
    assert lent is not None
    assert mark_gold(organiser, task.pk, True).taken == 0
    # Who is at it has a place as soon as it is none again.
    assert mark_gold(organiser, task.pk, False).taken == 2
    mark_gold(organiser, task.pk, True)
    send(lent.assignment.annotator, lent.assignment.pk, uuid.uuid4(), work(square(0, 0, 8, 8)))
    back = mark_gold(organiser, task.pk, False)
    assert (back.taken, back.wanted, back.state) == (2, 3, "open")


@pytest.mark.django_db
def test_a_box_collection_has_no_gold(organiser: User) -> None:
    project = make_project(organiser, tasks=1, kind="box_collection")
    asker, drawer = annotators(2)
    drawn(asker, project, {"stage": "ask", "outcome": "asked", "question": "What is round?"})
    drawn(drawer, project, {"stage": "box", "outcome": "box", "box": [0, 0, 10, 10]})
    number = project.tasks.get().pk
    decide(organiser, number, Decision("mended", 0, work({"stage": "box", "outcome": "box", "box": [0, 0, 9, 9]})))
    assert refused(409, lambda: mark_gold(organiser, number, True)).code == "not_gold"


@pytest.mark.django_db
def test_what_does_not_count_is_neither_compared_nor_picked(organiser: User) -> None:
    project, (task,) = project_of(organiser, [square(0, 0, 10, 10), square(5, 0, 15, 10), square(0, 0, 10, 5)])
    a, b, c = sent_for(task)

    def judged(verdict: Any, *sent: Submission) -> None:
        looks.decide(project, looks.Decision([one.pk for one in sent], verdict), organiser)

    def known() -> tuple[Any, ...]:
        found = Task.objects.get(pk=task.pk).agreement
        return found.people, found.drawn, found.least

    assert known() == (3, 3, 0.2)
    judged("aside", b)
    assert known() == (2, 2, 0.5)
    assert [(one.first_id, one.second_id) for one in Pair.objects.all()] == [(a.pk, c.pk)]
    assert {one.number for one in candidates(task)[0] if one.how == "picked"} == {a.pk, c.pk}
    assert len(between(task)) == 1
    assert (figures_of(project).pairs, figures_of(project).mean) == (1, 0.5)
    refused(422, lambda: decide(organiser, task.pk, Decision("picked", 0, picked=b.pk)))
    refused(422, lambda: decide(organiser, task.pk, Decision("mended", 0, work(square(1, 1, 9, 9)), picked=b.pk)))
    judged("redo", a, c)
    assert known() == (0, 0, None)
    # Nothing counts, and somebody may draw the answer all the same.
    assert decide(organiser, task.pk, Decision("mended", 0, work(square(1, 1, 9, 9)))).how == "mended"
    # Whoever sends again is compared with those who count.
    drawn(person("next", "annotator"), project, square(0, 0, 10, 10))
    assert known() == (1, 1, None)
    judged("fine", a, b, c)
    assert known() == (4, 4, 0.2)
    assert Pair.objects.count() == 6
    before = list(TaskAgreement.objects.values())
    rebuild(project, anew=True)
    assert list(TaskAgreement.objects.values()) == before


@pytest.mark.django_db
def test_decisions_are_exported_after_the_submissions_and_are_own_data(organiser: User) -> None:
    project, (one, two) = project_of(organiser, TWO, TWO)
    base = decide(organiser, two.pk, Decision("picked", 0, picked=sent_for(two)[0].pk)).pk
    decide(organiser, two.pk, Decision("mended", base, work(square(1, 1, 8, 8)), note="tighter"))
    undone = decide(organiser, one.pk, Decision("picked", 0, picked=sent_for(one)[0].pk))
    undo(organiser, one.pk, undone.pk)
    found = all_records(project)
    assert [record.adjudicated for record in found] == [False] * 4 + [True]
    line = found[-1]
    assert (line.task, line.annotator, line.started) == ("1.png", str(organiser.pseudonym), None)
    assert line.work.model_dump()["polygon"] == [tuple(point) for point in ring(1, 1, 8, 8)]
    mine = json.loads("".join(export(organiser)))["adjudications"]
    assert [row["how"] for row in mine] == ["picked", "mended", "picked", "undone"]
    assert (mine[1]["task__key"], mine[1]["note"]) == ("1.png", "tighter")
    assert json.loads("".join(export(annotators(1)[0])))["adjudications"] == []


@pytest.mark.django_db
def test_who_has_drawn_a_task_may_decide_about_it_and_the_file_is_read_again(tmp_path: Path, organiser: User) -> None:
    project, (task,) = project_of(organiser, TWO)
    second = sent_for(task)[1]
    drawer = second.assignment.annotator
    drawer.groups.add(Group.objects.get(name="organiser"))
    decide(drawer, task.pk, Decision("mended", 0, work(square(1, 1, 8, 8)), picked=second.pk))
    done = export_project(project, tmp_path / "s.jsonl", Wanted("submissions"))
    assert done.sentence == "3 submissions"
    found = read_submissions(tmp_path / "s.jsonl")
    assert [one.adjudicated for one in found] == [False, False, True]
    assert found[1].annotator == found[2].annotator
    # People's own results hold no decision.
    assert export_project(project, tmp_path / "crowd", Wanted("vizwiz_crowd")).sentence.startswith("2 submissions")
    assert len(judgements_of(found)) == 2
