"""What organisers say of work: what counts, whose place is free, and that nothing is lost."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from foveate.annotation.targets import samples_of
from foveate.app.accounts.models import AuditEvent, User
from foveate.app.annotate.models import Project, Submission, Task
from foveate.app.annotate.records import all_records
from foveate.app.annotate.services.lend import Wish, lend
from foveate.app.refused import RefusedError
from foveate.app.review.models import Look
from foveate.app.review.services.looks import Decision, decide
from tests.app.annotate.making import all_at_once, annotators, make_project, outline
from tests.app.review.working import do, golden, said

pytestmark = pytest.mark.django_db


def task_of(sent: Submission) -> Task:
    return Task.objects.get(pk=sent.assignment.task_id)


def told(project: Project, verdict: Any, *sent: Submission, by: User) -> None:
    decide(project, Decision([one.pk for one in sent], verdict, "why"), by)


def test_what_is_to_be_done_again_goes_to_another_person_and_does_not_count(organiser: User) -> None:
    project = make_project(organiser, tasks=1, submissions=1)
    one, two, three = annotators(3)
    (bad,) = do(one, project, said())
    assert (task_of(bad).state, lend(two, project)) == ("done", None)
    told(project, "redo", bad, by=organiser)
    assert (task_of(bad).state, task_of(bad).taken) == ("open", 0)
    assert lend(one, project) is None, "not to the same"
    (good,) = do(two, project, outline(20))
    assert (task_of(bad).state, task_of(bad).taken, lend(three, project)) == ("done", 1, None)
    (sample,) = samples_of(all_records(project)).samples
    assert [target.annotator for target in sample.truth.targets] == [str(two.pseudonym)]
    everything = all_records(project, everything=True)
    assert [record.set_aside for record in everything] == [True, False]
    assert samples_of(everything).samples[0].truth.targets == sample.truth.targets
    # It may be found fine after all: then both count, and there are no more places than work.
    told(project, "fine", bad, by=organiser)
    assert (task_of(good).state, task_of(good).taken, task_of(good).wanted) == ("done", 2, 2)
    assert [look.verdict for look in Look.objects.order_by("pk")] == ["redo", "fine"]
    assert Look.objects.get(stands=True).verdict == "fine"
    assert AuditEvent.objects.filter(action="work.judged", actor=organiser).count() == 2


def test_what_is_set_aside_does_not_count_and_nobody_gets_the_task(organiser: User) -> None:
    project = make_project(organiser, tasks=1, submissions=2)
    one, two, three = annotators(3)
    (bad,) = do(one, project, said())
    do(two, project, outline(20))
    told(project, "aside", bad, by=organiser)
    assert (task_of(bad).state, task_of(bad).taken, lend(three, project)) == ("done", 2, None)
    assert [record.annotator for record in all_records(project)] == [str(two.pseudonym)]
    told(project, "redo", bad, by=organiser)
    assert (task_of(bad).state, task_of(bad).taken) == ("open", 1)


def test_a_box_that_is_to_be_drawn_again(organiser: User) -> None:
    project = make_project(organiser, tasks=1, kind="box_collection", submissions=1)
    asker, drawer, judge, other, late = annotators(5)
    (asked,) = do_stage(asker, project, {"stage": "ask", "outcome": "asked", "question": "What is it?", "answer": "a"})
    (drawn,) = do_stage(drawer, project, {"stage": "box", "outcome": "box", "box": [1, 1, 20, 20]})
    do_stage(judge, project, {"stage": "verify", "outcome": "right"})
    assert task_of(drawn).state == "done"
    told(project, "redo", drawn, by=organiser)
    assert (task_of(drawn).state, task_of(drawn).stage, task_of(drawn).question) == ("open", "box", "What is it?")
    do_stage(other, project, {"stage": "box", "outcome": "box", "box": [2, 2, 30, 30]})
    lent = lend(late, project, Wish(stage="verify"))
    assert lent is not None
    from foveate.app.annotate.services.shown import assignment_details

    assert assignment_details(lent.assignment)["shown"] == {"box": [2, 2, 30, 30]}
    told(project, "redo", asked, by=organiser)
    assert (task_of(asked).stage, task_of(asked).question, task_of(asked).taken) == ("ask", "", 0)


def do_stage(person: User, project: Project, work: dict[str, Any]) -> list[Submission]:
    from tests.app.annotate.made import sent

    return [sent(person, project, work)]


def test_of_gold_only_the_look_is_kept(organiser: User) -> None:
    project = make_project(organiser, tasks=1, submissions=1)
    golden(project, organiser, "0.png")
    (one,) = annotators(1)
    (bad,) = do(one, project, said())
    told(project, "redo", bad, by=organiser)
    assert (task_of(bad).gold, task_of(bad).taken, task_of(bad).state) == (True, 0, "open")
    assert Look.objects.get().verdict == "redo"


def test_work_of_another_project_or_too_little_or_much_is_refused_whole(organiser: User) -> None:
    project, other = make_project(organiser, submissions=1), make_project(organiser, submissions=1)
    (one,) = annotators(1)
    (mine,), (theirs,) = do(one, project, said()), do(one, other, said())
    for numbers, status in (([], 422), (range(1, 300), 422), ([mine.pk, theirs.pk], 404)):
        with pytest.raises(RefusedError) as refused:
            decide(project, Decision(list(numbers), "redo"), organiser)
        assert refused.value.status == status
    assert not Look.objects.exists()
    assert task_of(mine).state == "done"


@pytest.mark.django_db(transaction=True)
def test_two_organisers_at_once_and_somebody_who_sends(organiser: User) -> None:
    project = make_project(organiser, tasks=3, submissions=2)
    one, two = annotators(2)
    sent = do(one, project, said(), said(), said())
    numbers = [each.pk for each in sent]
    acts: list[Any] = [
        partial(decide, project, Decision(numbers, "redo"), organiser),
        partial(decide, project, Decision(numbers[::-1], "aside"), organiser),
        partial(do, two, project, outline(), outline(), outline()),
    ]
    all_at_once(acts)
    assert Look.objects.count() == 6
    standing = Look.objects.filter(stands=True)
    assert standing.count() == 3
    (verdict,) = set(standing.values_list("verdict", flat=True))
    for task in project.tasks.all():
        assert (task.taken, task.state) == ((1, "open") if verdict == "redo" else (2, "done"))
