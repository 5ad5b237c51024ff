"""Setting up an admission: where gold comes from, what is made, and what is refused with nothing made."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from foveate.annotation.origin import Origin
from foveate.annotation.submissions import Submission, write_submissions
from foveate.annotation.work import WORK
from foveate.app.accounts.models import AuditEvent, User
from foveate.app.admission.models import Admission, Candidate
from foveate.app.admission.services import making
from foveate.app.admission.services.making import GoldFrom, NewAdmission, change, make
from foveate.app.admission.services.standings import questions_of, settings_of
from foveate.app.annotate.models import Adjudication, Assignment, Project, Task
from foveate.app.annotate.progress import left_for
from foveate.app.annotate.projects import delete
from foveate.app.annotate.services import expire
from foveate.app.annotate.services.drafts import Draft, save
from foveate.app.annotate.services.gold import mark
from foveate.app.annotate.services.lend import lend
from foveate.app.annotate.services.send import give_back, send
from foveate.app.refused import RefusedError
from foveate.cli.admission import _gold
from foveate.errors import FoveateError, InputError, UsageError
from foveate.quality.qualification import AdmissionSettings
from foveate.quality.requirements import Record, Requirements
from tests.app.admission.making import GOLDS, SEVERAL, adjudicated, an_admission, applied
from tests.app.annotate.made import SIZE_HW, photo_folder
from tests.app.annotate.making import all_at_once, annotators, make_project
from tests.helpers import write

pytestmark = pytest.mark.django_db


def nothing_was_made() -> bool:
    return not Admission.objects.exists() and not Project.objects.filter(slug__endswith="-qualification").exists()


def test_a_qualification_and_a_trial_are_projects_beside_it(tmp_path: Path, organiser: User) -> None:
    made = an_admission(tmp_path, organiser, tasks=9, trial=4)
    project, qualification, trial = made.project, made.qualification, made.trial
    assert trial is not None
    assert [one.slug for one in (qualification, trial)] == [f"{project.slug}-qualification", f"{project.slug}-trial"]
    assert [(one.state, one.everyone, one.kind) for one in (qualification, trial)] == [("open", False, "grounding")] * 2
    project.refresh_from_db()
    assert not project.everyone
    gold = [(task.gold, task.adjudications.latest().work) for task in qualification.tasks.order_by("position")]
    assert gold == [(True, WORK.dump_python(WORK.validate_python(one), mode="json")) for one in GOLDS]
    assert {one.how for one in Adjudication.objects.filter(task__project=qualification)} == {"given"}
    assert not trial.tasks.filter(gold=True).exists()
    assert {task.key for task in trial.tasks.all()} <= {task.key for task in project.tasks.all()}
    assert trial.tasks.count() == 4
    # As many people as come do each.
    assert {task.wanted for task in trial.tasks.all()} == {1000}
    assert AuditEvent.objects.get(action="admission.made").details == {"gold": 3, "trial": 4, "let_in": 0}


def test_the_trials_tasks_are_drawn_by_the_seed_and_gold_is_none_of_them(tmp_path: Path, organiser: User) -> None:
    source = adjudicated(tmp_path, organiser)
    chosen = []
    for seed in (1, 1, 2):
        project = make_project(organiser, tasks=30)
        Task.objects.filter(project=project, key="0.png").update(image_name="photo0.png")
        plan = NewAdmission(GoldFrom(project=source.slug, ids=("1.png", "0.png")), 20, seed=seed)
        made = make(project, plan, organiser)
        assert made.trial is not None
        chosen.append([task.key for task in made.trial.tasks.order_by("position")])
        assert questions_of(made) == ["1.png", "0.png"]
    assert chosen[0] == chosen[1] != chosen[2]
    assert all("0.png" not in keys for keys in chosen)
    assert chosen[0] == sorted(chosen[0], key=lambda key: int(key.removesuffix(".png")))


@pytest.mark.parametrize("name", ["gold.jsonl", "gold.txt"])
def test_gold_of_a_file_of_submissions(tmp_path: Path, organiser: User, name: str) -> None:
    photo_folder(tmp_path / "photos")
    file = tmp_path / name
    row = Submission(
        project="q",
        kind="grounding",
        task="first",
        image_name="photo1.png",
        size_hw=SIZE_HW,
        question="What?",
        annotator="them",
        work=WORK.validate_python(SEVERAL),
    )
    write_submissions([row], file)
    gold = _gold(str(file), tmp_path / "photos", None, ())
    assert gold == GoldFrom(Origin("folder", tmp_path / "photos"), file)
    made = make(make_project(organiser, tasks=3), NewAdmission(gold, 0), organiser)
    task = made.qualification.tasks.get()
    assert (task.key, task.image_name, (task.height, task.width), task.question) == (
        "first",
        "photo1.png",
        SIZE_HW,
        "What?",
    )
    assert task.adjudications.latest().work["several_questions"]
    assert made.trial is None


def test_gold_of_a_data_set_for_a_box_collection_is_for_its_drawing(tmp_path: Path, organiser: User) -> None:
    photo_folder(tmp_path)
    common = {"question": "Q?", "answers": ["a"]}
    lines = [
        json.dumps({"id": f"s{n}", "image": f"photo{n}.png", "targets": [{"box": [1, 2, 30, 20 + n]}], **common})
        for n in range(2)
    ]
    file = write(tmp_path / "data.jsonl", "\n".join(lines) + "\n")
    project = make_project(organiser, tasks=2, kind="box_collection")
    gold = GoldFrom(Origin(str(file)))
    with pytest.raises(UsageError, match="0 tasks with a question"):
        make(project, NewAdmission(gold), organiser)
    made = make(project, NewAdmission(gold, 0), organiser)
    assert made.qualification.kind == "reannotation"
    assert [task.stage for task in made.qualification.tasks.all()] == ["box", "box"]
    assert [task.adjudications.latest().work["box"] for task in made.qualification.tasks.order_by("position")] == [
        [1, 2, 30, 20],
        [1, 2, 30, 21],
    ]


@pytest.mark.parametrize(
    ("gold", "said"),
    [
        (GoldFrom(), "nothing says where gold comes from"),
        (GoldFrom(project="nowhere"), "there is no such project"),
        (GoldFrom(project="boxes"), "of the stage grounding, and not so 0.png"),
        (GoldFrom(project="empty"), "none of its tasks was adjudicated"),
        (GoldFrom(project="boxes", ids=("9.png",)), "nobody has adjudicated 9.png"),
        (GoldFrom(file=Path("x.jsonl")), "has no photos"),
        (GoldFrom(Origin("no_such_data_set")), "no_such_data_set"),
    ],
)
def test_what_cannot_be_gold_is_told_and_nothing_is_made(
    tmp_path: Path, organiser: User, gold: GoldFrom, said: str
) -> None:
    box = {"stage": "box", "outcome": "box", "box": [1, 1, 9, 9]}
    for slug, golds in (("boxes", (box,)), ("empty", ())):
        project = adjudicated(tmp_path / slug, organiser, golds=golds)
        Project.objects.filter(pk=project.pk).update(slug=slug)
    with pytest.raises(FoveateError, match=said):
        make(make_project(organiser, tasks=30), NewAdmission(gold), organiser)
    assert nothing_was_made()


def test_a_second_admission_a_small_project_and_a_name_that_is_taken(tmp_path: Path, organiser: User) -> None:
    source = adjudicated(tmp_path, organiser)
    plan = NewAdmission(GoldFrom(project=source.slug))
    small = make_project(organiser, tasks=7)
    with pytest.raises(UsageError, match="it has 7 tasks with a question that are not gold, the trial is to have 20"):
        make(small, plan, organiser)
    Project.objects.create(slug=f"{small.slug}-trial", title="", kind="grounding", dataset="photos", made_by=organiser)
    with pytest.raises(UsageError, match="there is a project of this short name"):
        make(small, NewAdmission(GoldFrom(project=source.slug), 5), organiser)
    assert nothing_was_made()
    assert Project.objects.get(pk=small.pk).everyone
    made = an_admission(tmp_path / "more", organiser)
    with pytest.raises(UsageError, match="it has an admission already"):
        make(made.project, plan, organiser)


def test_other_settings_hold_from_then_on_and_are_noted(tmp_path: Path, organiser: User) -> None:
    made = an_admission(tmp_path, organiser)
    change(made, AdmissionSettings(attempts=5), "Paid by the hour")
    made.refresh_from_db()
    assert (settings_of(made).attempts, made.note) == (5, "Paid by the hour")
    event = AuditEvent.objects.get(action="admission.set")
    assert event.details["attempts"] == {"was": 3, "now": 5}
    change(made, AdmissionSettings(attempts=5), "Paid")
    assert AuditEvent.objects.filter(action="admission.set").count() == 1


def test_a_draft_with_an_admission_is_not_deleted(tmp_path: Path, organiser: User) -> None:
    made = an_admission(tmp_path, organiser)
    Project.objects.filter(pk=made.project_id).update(state="draft")
    with pytest.raises(InputError, match="there is an admission to it"):
        delete(made.project)
    assert Project.objects.filter(pk=made.project_id).exists()
    assert not AuditEvent.objects.filter(action="project.deleted").exists()


def test_the_first_page_counts_gold_only_where_all_is(tmp_path: Path, organiser: User) -> None:
    made = an_admission(tmp_path, organiser)
    (person,) = annotators(1)
    applied(person, made)
    assert left_for(person, made.qualification).count() == 3
    made.project.tasks.filter(key="0.png").update(gold=True)
    assert left_for(person, made.project).count() == made.project.tasks.count() - 1


def test_a_decision_that_was_taken_back_is_no_gold(tmp_path: Path, organiser: User) -> None:
    source = adjudicated(tmp_path, organiser)
    first, *others = source.tasks.order_by("position")
    for task in (first, *others):
        stood = Adjudication.objects.filter(task=task).latest()
        Adjudication.objects.create(
            task=task, work=stood.work, how="undone", decided_by=organiser, decided_at=stood.decided_at
        )
    project = make_project(organiser, tasks=4)
    with pytest.raises(UsageError, match="none of its tasks was adjudicated"):
        make(project, NewAdmission(GoldFrom(project=source.slug), 2), organiser)
    stood = Adjudication.objects.filter(task=first).latest()
    Adjudication.objects.create(
        task=first, work=stood.work, how="mended", decided_by=organiser, decided_at=stood.decided_at
    )
    with pytest.raises(UsageError, match="nobody has adjudicated"):
        make(project, NewAdmission(GoldFrom(project=source.slug, ids=(others[0].key,)), 2), organiser)
    assert questions_of(make(project, NewAdmission(GoldFrom(project=source.slug), 2), organiser)) == [first.key]


def test_what_is_gold_in_a_qualification_and_a_trial_is_fixed(tmp_path: Path, organiser: User) -> None:
    """Else a question would be lent to nobody, and no candidate could come to the end."""
    made = an_admission(tmp_path, organiser)
    assert made.trial is not None
    for task, gold in ((made.qualification.tasks.first(), False), (made.trial.tasks.first(), True)):
        assert task is not None
        Adjudication.objects.create(
            task=task, work=GOLDS[0], how="given", decided_by=organiser, decided_at=made.project.made_at
        )
        with pytest.raises(UsageError, match="it is a task of a (qualification|trial)"):
            mark(task, gold, actor=organiser)
        mark(task, not gold, actor=organiser)
        task.refresh_from_db()
        assert task.gold is not gold


def test_who_meets_milder_requirements_goes_on(tmp_path: Path, organiser: User) -> None:
    made = an_admission(tmp_path, organiser)
    near, far, gone = annotators(3)
    for person, tasks in ((near, 400), (far, 3), (gone, 400)):
        assert applied(person, made, Record(tasks=tasks, accepted=tasks, region="US")).state == "requirements"
    User.objects.filter(pk=gone.pk).update(deleted_at=made.made_at)
    change(made, AdmissionSettings(requirements=Requirements(least_tasks=400)), "")
    assert dict(Candidate.objects.values_list("person", "state")) == {
        near.pk: "qualification",
        far.pk: "requirements",
        gone.pk: "requirements",
    }
    assert list(made.qualification.members.all()) == [near]


@pytest.mark.django_db(transaction=True)
def test_an_admission_that_is_made_twice_at_once_is_made_once(
    tmp_path: Path, organiser: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, project = adjudicated(tmp_path, organiser), make_project(organiser, tasks=4)
    both, read = Barrier(2), making._gold

    def slowly(*asked: Any) -> Any:
        both.wait(timeout=30)
        return read(*asked)

    monkeypatch.setattr(making, "_gold", slowly)

    def press() -> str:
        try:
            make(project, NewAdmission(GoldFrom(project=source.slug), 2), organiser)
        except UsageError as error:
            return error.problem
        return "made"

    assert sorted(all_at_once([press, press])) == ["it has an admission already", "made"]
    assert Project.objects.filter(slug__endswith="-qualification").count() == 1


def test_who_has_begun_on_a_project_for_everyone_finishes_it(tmp_path: Path, organiser: User) -> None:
    source, project = adjudicated(tmp_path, organiser), make_project(organiser, tasks=9)
    holds, has_sent, drafted, looked, gave_back, elsewhere, gone = people = annotators(7)
    other = make_project(organiser, tasks=9)
    lent = {one: lend(one, other if one == elsewhere else project) for one in people}
    number = {one: found.assignment.pk for one, found in lent.items() if found}
    work = WORK.validate_python(SEVERAL)
    for one in (has_sent, gone):
        send(one, number[one], uuid4(), work)
    User.objects.filter(pk=gone.pk).update(deleted_at=timezone.now())
    save(drafted, number[drafted], Draft(work=work, base=0, tab="a"))
    give_back(gave_back, number[gave_back], "")
    # Two leases are over, of which one has a draft.
    over = Assignment.objects.filter(pk__in=(number[drafted], number[looked]))
    over.update(leased_until=timezone.now() - timedelta(minutes=1))
    expire.overdue(project)
    assert {one.state for one in over} == {"expired"}

    make(project, NewAdmission(GoldFrom(project=source.slug), 0), organiser)
    assert set(project.members.all()) == {holds, has_sent, drafted}
    assert AuditEvent.objects.get(action="admission.made").details["let_in"] == 3
    save(holds, number[holds], Draft(work=work, base=0, tab="a"))
    send(holds, number[holds], uuid4(), work)
    send(drafted, number[drafted], uuid4(), work)
    for one in (looked, gave_back):
        with pytest.raises(RefusedError) as refused:
            send(one, number[one], uuid4(), work)
        assert refused.value.status == 404


def test_members_of_a_project_for_members_stay_those_they_were(tmp_path: Path, organiser: User) -> None:
    source, project = adjudicated(tmp_path, organiser), make_project(organiser, tasks=9)
    member, taken_out = annotators(2)
    for one in (member, taken_out):
        lend(one, project)
    Project.objects.filter(pk=project.pk).update(everyone=False)
    project.refresh_from_db()
    project.members.add(member)
    make(project, NewAdmission(GoldFrom(project=source.slug), 0), organiser)
    assert list(project.members.all()) == [member]
