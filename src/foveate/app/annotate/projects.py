"""Making projects, opening and closing them; pages, commands and tests call the same functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from django.db import transaction
from django.db.models import ProtectedError
from django.http import HttpRequest

from foveate.annotation.flow import Step, next_step
from foveate.annotation.gold_order import by_chance
from foveate.annotation.kinds import Kind, ProjectSettings
from foveate.annotation.order import ordered
from foveate.annotation.origin import Origin
from foveate.annotation.reading import Choice, TaskRow, Tasks, read_tasks
from foveate.app.accounts.audit import note
from foveate.app.accounts.models import User
from foveate.app.annotate import slugs
from foveate.app.annotate.models import Project, Submission, Task
from foveate.app.annotate.services import hooks
from foveate.app.annotate.services.transactions import at_once
from foveate.errors import InputError, UsageError
from foveate.evaluation.suspects import Suspected

_BATCH = 2_000
# Act -> the states from which it may be done, the state after it, and how the log calls it.
ACTS: dict[str, tuple[tuple[str, ...], str, str]] = {
    "open": (("draft", "paused", "closed"), "open", "project.opened"),
    "pause": (("open",), "paused", "project.paused"),
    "close": (("open", "paused"), "closed", "project.closed"),
}
_DONE = {"open": "opened", "pause": "paused", "close": "closed"}
_IN_WORDS = {"draft": "a draft", "open": "open", "paused": "paused", "closed": "closed"}


@dataclass(frozen=True)
class Plan:
    """A project that is to be made.

    Attributes:
        slug: Its short name, in addresses and commands.
        kind: What people do.
        origin: Where photos and questions come from.
        title: In prose; the slug where there is none.
        settings: What an organiser may set.
        choice: Which samples become tasks.
        everyone: Whether every annotator may work on it, or members only.
        suspects: Labels that an audit found, where the project is to mend them; organisers see why.
    """

    slug: str
    kind: Kind
    origin: Origin
    title: str = ""
    settings: ProjectSettings = field(default_factory=ProjectSettings)
    choice: Choice = field(default_factory=Choice)
    everyone: bool = True
    suspects: Sequence[Suspected] = ()


def create(
    plan: Plan, made_by: User, *, request: HttpRequest | None = None, tick: Callable[[], None] = lambda: None
) -> tuple[Project, Tasks]:
    """Makes a project with all of its tasks, or nothing; returns it with what was read.

    Raises:
        UsageError: The slug is taken or is none, the title is too long, or there is no such data set, split or id.
        InputError: The data set is broken or empty, or photos are absent.
    """
    check_slug(plan.slug)
    title = slugs.title_for(plan.title, plan.slug, Project.objects.all())
    _refuse_gold_in_order(plan.slug, plan.settings)
    tasks = read_tasks(plan.origin, plan.kind, plan.choice, tick=tick)
    begin, origin = next_step(plan.kind, plan.settings, ()), plan.origin.fixed(tasks.dataset)
    project = Project(
        slug=plan.slug,
        title=title,
        kind=plan.kind,
        dataset=origin.dataset,
        root=str(origin.root or ""),
        questions=str(origin.questions or ""),
        settings=plan.settings.model_dump(),
        fingerprint=tasks.fingerprint,
        everyone=plan.everyone,
        made_by=made_by,
    )

    def act() -> None:
        check_slug(plan.slug)  # The data set takes its time to be read: somebody may have pressed twice.
        project.save(force_insert=True)
        for batch in _batches(project, _in_order(tasks.rows, plan.settings.seed), begin):
            Task.objects.bulk_create(batch)
        for made_of_suspects in hooks.MADE_OF_SUSPECTS:
            made_of_suspects(project, plan.suspects)
        note(request, "project.made", project.slug, actor=made_by, dataset=project.dataset, tasks=len(tasks.rows))

    at_once(act)
    return project, tasks


def check_slug(slug: str) -> None:
    """Looks whether a project may be called so.

    Raises:
        UsageError: It may not, or one is.
    """
    slugs.check_slug(slug, Project.objects.all(), "project")


def project_named(slug: str) -> Project:
    """Returns a project.

    Raises:
        UsageError: There is none of this name.
    """
    return slugs.named(slug, Project.objects.all(), "project")


def act(project: Project, name: str, *, request: HttpRequest | None = None, actor: User | None = None) -> Project:
    """Opens, pauses or closes a project, and returns it as it is now.

    Raises:
        UsageError: Its state does not allow that.
    """
    before, after, action = ACTS[name]
    with transaction.atomic():
        now = Project.objects.select_for_update().get(pk=project.pk)
        if now.state not in before:
            remedy = f"Only a project that is {' or '.join(_IN_WORDS[state] for state in before)} can be {_DONE[name]}."
            raise UsageError(f"project {now.slug}", f"it is {_problem(now.state, name)}", remedy)
        was, now.state = now.state, after
        now.save(update_fields=["state"])
        note(request, action, now.slug, actor=actor, was=was)
    return now


def _problem(state: str, name: str) -> str:
    if state == ACTS[name][1]:
        return f"{_IN_WORDS[state]} already"
    return f"{_IN_WORDS[state]} and cannot be {_DONE[name]}"


def acts_for(project: Project) -> list[str]:
    """Returns what may be done to a project in its state, most usual first."""
    return [name for name, (before, _, _) in ACTS.items() if project.state in before]


def delete(project: Project, *, request: HttpRequest | None = None, actor: User | None = None) -> None:
    """Deletes a draft of which nothing was sent.

    Raises:
        UsageError: It is no draft.
        InputError: Something was sent for it, or there is an admission to it.
    """
    with transaction.atomic():
        now = Project.objects.select_for_update().get(pk=project.pk)
        sent = Submission.objects.filter(assignment__task__project=now).count()
        if sent:
            remedy = "What people have sent is never deleted; close the project instead."
            raise InputError(f"project {now.slug}", f"{sent:,} submissions were sent for it", remedy)
        if now.state != "draft":
            raise UsageError(f"project {now.slug}", f"it is {now.state}, not a draft", "Close it instead.")
        note(request, "project.deleted", now.slug, actor=actor, dataset=now.dataset)
        try:
            now.delete()
        except ProtectedError as error:
            problem = "there is an admission to it, to which people may have applied"
            raise InputError(f"project {now.slug}", problem, "Close the admission; the draft stays.") from error


def set_settings(project: Project, settings: ProjectSettings) -> None:
    """Gives a project other settings; of one that was open, those that its tasks were made by stay.

    Raises:
        UsageError: Tasks were made by what is to be changed.
    """
    made_by = {"submissions", "shape", "seed"}
    old = ProjectSettings.model_validate(project.settings)
    fixed = [name for name in sorted(made_by) if getattr(old, name) != getattr(settings, name)]
    if fixed and (project.state != "draft" or {"seed"} & set(fixed)):
        problem = f"its tasks were made with {', '.join(f'{name} {getattr(old, name)}' for name in fixed)}"
        raise UsageError(f"project {project.slug}", problem, "Make another project with the other setting.")
    if settings.gold_every and not old.gold_every:
        _refuse_gold_in_order(project.slug, settings)
    project.settings = settings.model_dump()
    with transaction.atomic():
        project.save(update_fields=["settings"])
        if fixed:
            begin = next_step(kind_of(project), settings, ())
            project.tasks.update(wanted=begin.wanted, stage=begin.stage)


def _refuse_gold_in_order(slug: str, settings: ProjectSettings) -> None:
    if settings.gold_every and settings.seed is None:
        problem = "its tasks come in the data set's order, in which gold questions would stand out"
        raise UsageError(f"project {slug}", problem, "Make it with a seed, which draws the order.")


def kind_of(project: Project) -> Kind:
    """Returns the kind of a project, which the database keeps as a text."""
    kind: Kind = project.kind  # type: ignore[assignment]
    return kind


def settings_of(project: Project) -> ProjectSettings:
    """Returns the settings of a project."""
    return ProjectSettings.model_validate(project.settings)


def origin_of(project: Project) -> Origin:
    """Returns where a project's photos and questions come from."""
    return Origin.of_texts(project.dataset, project.root, project.questions)


def _in_order(rows: Sequence[TaskRow], seed: int | None) -> list[TaskRow]:
    by_key = {row.key: row for row in rows}
    return [by_key[key] for key in ordered(list(by_key), seed)]


def _batches(project: Project, rows: Sequence[TaskRow], begin: Step) -> Iterator[list[Task]]:
    # Their numbers, which stand in addresses of photos, tell nothing of their order, and so not what is gold.
    placed = sorted(enumerate(rows), key=lambda pair: by_chance(project.slug, pair[1].key))
    tasks = (
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
        )
        for position, row in placed
    )
    while batch := list(islice(tasks, _BATCH)):
        yield batch
