"""Setting up an admission: gold questions into a qualification, tasks of a project into a trial."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest

from foveate.annotation.flow import next_step
from foveate.annotation.gold_works import GoldTask, GoldTasks, gold_of_dataset, gold_of_submissions
from foveate.annotation.kinds import Kind, ProjectSettings, Stage, first_stage
from foveate.annotation.origin import FOLDER, Origin
from foveate.annotation.reading import Choice, TaskRow
from foveate.annotation.submissions import read_submissions
from foveate.annotation.work import WORK
from foveate.app.accounts.audit import note
from foveate.app.accounts.models import User
from foveate.app.admission.models import Admission
from foveate.app.admission.services.people import judge_anew
from foveate.app.annotate.models import Assignment, Project, Task
from foveate.app.annotate.projects import check_slug, kind_of, project_named, settings_of
from foveate.app.annotate.services.given import give
from foveate.app.annotate.services.standing import all_standing
from foveate.app.annotate.services.transactions import at_once
from foveate.errors import InputError, UsageError, some
from foveate.quality.qualification import AdmissionSettings

TRIAL_TASKS = 20
# As many people as ever come do the tasks of a trial.
_ALL = 1000


@dataclass(frozen=True)
class GoldFrom:
    """Where gold questions come from: one of three.

    Attributes:
        origin: A data set with targets.
        file: A file of submissions (`foveate annotate import` and `export` write them), with the folder of the photos
            as the origin's root.
        project: A project whose tasks were adjudicated.
        ids: Which samples or tasks, in the order in which people meet them; all where none is named.
    """

    origin: Origin | None = None
    file: Path | None = None
    project: str = ""
    ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class NewAdmission:
    """An admission that is to be made.

    Attributes:
        gold: Where the gold questions come from.
        trial_tasks: How many tasks the trial has; 0 for no trial.
        trial_from: The project whose tasks they are; the project itself where none is named.
        settings: What the organiser sets.
        note: What people are told.
        seed: Of the choice of the trial's tasks.
    """

    gold: GoldFrom
    trial_tasks: int = TRIAL_TASKS
    trial_from: str = ""
    settings: AdmissionSettings = field(default_factory=AdmissionSettings)
    note: str = ""
    seed: int = 0


def make(project: Project, plan: NewAdmission, made_by: User, *, request: HttpRequest | None = None) -> Admission:
    """Makes the admission to a project, with its qualification and trial, or nothing.

    From then on only members work on the project; who has a task in hand or has sent one becomes a member.
    Nobody can apply before `set_open`.

    Raises:
        UsageError: There is an admission already, or no such data set, project, sample, or too few tasks for the trial.
        InputError: What is to be gold is no one answer that a person could give, or a photo is absent.
    """
    _refuse_second(project)
    kind, settings = _kind(project)
    gold = _gold(plan.gold, kind, first_stage(kind, settings))
    known = {(one.row.key, one.row.image_name) for one in gold.tasks}
    source = project_named(plan.trial_from) if plan.trial_from else project
    rows = _trial_rows(source, plan, known) if plan.trial_tasks else []
    instructions = project.instructions if kind == kind_of(project) else ""

    def act() -> Admission:
        _refuse_second(project)  # Gold takes its time to be read: somebody may have pressed twice.
        base = {"kind": kind, "instructions": instructions, "made_by": made_by, "everyone": False, "state": "open"}
        title = f"{project.title[:180]}: qualification"
        qualification = _project(_slug(project, "qualification"), gold.origin, settings, base, title, gold.fingerprint)
        _put_gold(qualification, gold.tasks, settings, made_by)
        trial = None
        if rows:
            origin = Origin.of_texts(source.dataset, source.root, source.questions)
            title = f"{project.title[:180]}: trial"
            trial = _project(_slug(project, "trial"), origin, settings, base, title, source.fingerprint)
            _put_tasks(trial, rows, settings)
        finishing = _let_finish(project)
        project.everyone = False
        project.save(update_fields=["everyone"])
        made = Admission.objects.create(
            project=project,
            qualification=qualification,
            trial=trial,
            settings=plan.settings.model_dump(mode="json"),
            note=plan.note,
            made_by=made_by,
        )
        counts = {"gold": len(gold.tasks), "trial": len(rows), "let_in": finishing}
        note(request, "admission.made", project.slug, actor=made_by, **counts)
        return made

    return at_once(act)


def _let_finish(project: Project) -> int:
    """Makes those members of a project for everyone who have begun to work on it; returns how many.

    Otherwise what they have in hand could neither be saved nor sent. A lease that is over can be gone on with where
    there is a draft.
    """
    if not project.everyone:
        return 0
    begun = Q(state__in=("leased", "submitted")) | Q(state="expired", versions__isnull=False)
    theirs = Assignment.objects.filter(begun, task__project=project, annotator__deleted_at=None)
    people = User.objects.filter(pk__in=theirs.values("annotator")).exclude(projects=project)
    numbers = list(people.order_by("pk").values_list("pk", flat=True))
    project.members.add(*numbers)
    return len(numbers)


def _refuse_second(project: Project) -> None:
    if Admission.objects.filter(project=project).exists():
        raise UsageError(f"project {project.slug}", "it has an admission already", "Change that one.")


def set_open(admission: Admission, on: bool, *, request: HttpRequest | None = None, actor: User | None = None) -> None:
    """Lets people apply, or no more; those who have applied go on."""
    with transaction.atomic():
        changed = Admission.objects.filter(pk=admission.pk, open=not on).update(open=on)
        if changed:
            action = "admission.opened" if on else "admission.closed"
            note(request, action, admission.project.slug, actor=actor)
    admission.open = on


def change(admission: Admission, settings: AdmissionSettings, said: str, *, request: HttpRequest | None = None) -> None:
    """Gives an admission other settings. Who waits and meets the new requirements goes on; who failed has failed."""

    def act() -> None:
        now = Admission.objects.select_for_update(of=("self",), no_key=True).get(pk=admission.pk)
        before, after = now.settings, settings.model_dump(mode="json")
        changed: dict[str, Any] = {
            name: {"was": before.get(name), "now": new} for name, new in after.items() if before.get(name) != new
        }
        now.settings, now.note = after, said
        now.save(update_fields=["settings", "note"])
        if changed:
            note(request, "admission.set", admission.project.slug, **changed)
        judge_anew(now)

    at_once(act)


def _kind(project: Project) -> tuple[Kind, ProjectSettings]:
    """Returns what is done in a qualification: of a box collection, its drawing, since a question is never wrong."""
    own = settings_of(project)
    kind: Kind = kind_of(project)
    if kind == "box_collection":
        return "reannotation", ProjectSettings(submissions=_ALL, lease_minutes=own.lease_minutes, shape="box")
    return kind, ProjectSettings(submissions=_ALL, lease_minutes=own.lease_minutes, shape=own.shape)


def _gold(asked: GoldFrom, kind: Kind, stage: Stage) -> GoldTasks:
    if asked.project:
        return _adjudicated(project_named(asked.project), stage, asked.ids)
    if asked.file is not None:
        root = asked.origin.root if asked.origin else None
        if root is None:
            raise UsageError("gold", "a file of submissions has no photos", "Name their folder.")
        found = gold_of_submissions(read_submissions(asked.file), Origin(FOLDER, root), asked.ids)
    elif asked.origin is not None:
        found = gold_of_dataset(asked.origin, kind, stage, Choice(ids=asked.ids))
    else:
        raise UsageError("gold", "nothing says where gold comes from", "Name a data set, a file or a project.")
    _refuse_other_stages(found.tasks, stage)
    return found


def _adjudicated(source: Project, stage: Stage, ids: Sequence[str]) -> GoldTasks:
    """Returns the tasks of a project that were adjudicated, with what stands."""
    decided = all_standing(source)
    rows = {task.key: task for task in source.tasks.filter(pk__in=decided.values("task")).order_by("position")}
    unknown = [key for key in ids if key not in rows]
    if unknown or not rows:
        problem = f"nobody has adjudicated {some(unknown)}" if unknown else "none of its tasks was adjudicated"
        raise UsageError(f"project {source.slug}", problem, "Adjudicate the tasks first, or name others.")
    works = dict(decided.values_list("task", "work"))
    tasks = [GoldTask(_row(rows[key]), WORK.validate_python(works[rows[key].pk])) for key in ids or rows]
    _refuse_other_stages(tasks, stage)
    origin = Origin.of_texts(source.dataset, source.root, source.questions)
    return GoldTasks(tasks, origin, source.fingerprint)


def _refuse_other_stages(tasks: Sequence[GoldTask], stage: Stage) -> None:
    other = [one.row.key for one in tasks if one.work.stage != stage]
    if other:
        problem = f"gold here is of the stage {stage}, and not so {some(other)}"
        raise InputError("gold", problem, "Take gold of the same kind of project.")


def _trial_rows(source: Project, plan: NewAdmission, gold: set[tuple[str, str]]) -> list[TaskRow]:
    """Returns tasks for the trial, drawn by the seed, in the order of their project; gold is none of them."""
    asked = source.tasks.filter(gold=False).exclude(question="").order_by("position")
    tasks = [task for task in asked if (task.key, task.image_name) not in gold]
    if len(tasks) < plan.trial_tasks:
        problem = f"it has {len(tasks):,} tasks with a question that are not gold, the trial is to have"
        remedy = "Make the trial smaller, or take its tasks from another project."
        raise UsageError(f"project {source.slug}", f"{problem} {plan.trial_tasks}", remedy)
    chosen = set(random.Random(plan.seed).sample(range(len(tasks)), plan.trial_tasks))
    return [_row(task) for number, task in enumerate(tasks) if number in chosen]


def _row(task: Task) -> TaskRow:
    return TaskRow(task.key, task.image_name, (task.height, task.width), task.question, task.answer)


def _slug(project: Project, what: str) -> str:
    slug = f"{project.slug[: 59 - len(what)]}-{what}"
    check_slug(slug)
    return slug


def _project(
    slug: str, origin: Origin, settings: ProjectSettings, base: dict[str, object], title: str, fingerprint: str
) -> Project:
    places = {"dataset": origin.dataset, "root": str(origin.root or ""), "questions": str(origin.questions or "")}
    values = {**base, **places, "slug": slug, "title": title, "fingerprint": fingerprint}
    return Project.objects.create(settings=settings.model_dump(), **values)


def _put_tasks(project: Project, rows: Sequence[TaskRow], settings: ProjectSettings, *, gold: bool = False) -> None:
    begin = next_step(kind_of(project), settings, ())
    Task.objects.bulk_create(
        Task(
            project=project,
            key=row.key,
            position=position,
            image_name=row.image_name,
            height=row.size_hw[0],
            width=row.size_hw[1],
            question=row.question,
            answer=row.answer,
            stage=begin.stage,
            wanted=begin.wanted,
            gold=gold,
        )
        for position, row in enumerate(rows)
    )


def _put_gold(project: Project, tasks: Sequence[GoldTask], settings: ProjectSettings, made_by: User) -> None:
    _put_tasks(project, [one.row for one in tasks], settings, gold=True)
    made = {task.key: task for task in project.tasks.all()}
    for one in tasks:
        give(made[one.row.key], one.work, made_by)
