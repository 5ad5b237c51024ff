"""`foveate annotate new, list, show, open …`: the projects of the server's state, while it runs or not."""

from __future__ import annotations

from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from foveate.cli._output import Questions, Root
from foveate.cli._server import Data, Database
from foveate.cli.plugin_lists import Json, print_rows

if TYPE_CHECKING:
    from foveate.annotation.submissions import Submission
    from foveate.app.accounts.models import User
    from foveate.app.annotate.models import Project
    from foveate.app.annotate.progress import Person, Progress
    from foveate.app.annotate.projects import Plan

Slug = Annotated[str, typer.Argument(help="The short name of the project.", show_default=False)]
Doer = Annotated[str | None, typer.Option(metavar="NAME", help="Who does it, for the log.", show_default=False)]


class Kind(StrEnum):
    """What people do; as `foveate.annotation.kinds.KINDS`."""

    grounding = "grounding"
    box_collection = "box_collection"
    reannotation = "reannotation"


class Shape(StrEnum):
    """What is drawn in a re-annotation."""

    box = "box"
    polygon = "polygon"


class Verdict(StrEnum):
    """What somebody found of a label; as `foveate.evaluation.verdicts.VERDICTS`."""

    wrong = "wrong"
    right = "right"
    unsure = "unsure"


def new(
    slug: Slug,
    dataset: Annotated[
        str | None,
        typer.Option(
            metavar="NAME[:SPLIT]", help="The data set; folder: your own photos.", show_default="that of --audit"
        ),
    ] = None,
    kind: Annotated[Kind | None, typer.Option(help="What people do.", show_default="reannotation with --audit")] = None,
    root: Root = None,
    questions: Questions = None,
    title: Annotated[str, typer.Option(help="In prose.", show_default="the short name")] = "",
    submissions: Annotated[int, typer.Option(min=1, max=50, help="How many people do each task.")] = 2,
    lease: Annotated[int, typer.Option(min=1, max=1440, help="For how many minutes a task is lent.")] = 30,
    shape: Annotated[
        Shape | None,
        typer.Option(help="What is drawn in a re-annotation.", show_default="box; with --audit as it is scored"),
    ] = None,
    redraws: Annotated[int, typer.Option(min=0, max=10, help="How many boxes may be found wrong.")] = 2,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Of the order of tasks.", show_default="the data set's order")
    ] = None,
    ids: Annotated[
        Path | None, typer.Option(readable=False, help="A file of ids, one a line: only these.", show_default=False)
    ] = None,
    audit: Annotated[
        Path | None,
        typer.Option(
            readable=False,
            help="Suspicious labels are drawn anew, the most suspicious first: an audit's folder, or a table of it.",
            show_default=False,
        ),
    ] = None,
    top: Annotated[int | None, typer.Option(min=1, help="Of the audit only so many.", show_default="all")] = None,
    verdict: Annotated[
        Verdict | None, typer.Option(help="Of the audit only those judged so.", show_default="all")
    ] = None,
    verdicts: Annotated[
        Path | None,
        typer.Option(readable=False, help="Verdicts saved from the audit's page.", show_default="those of its table"),
    ] = None,
    one_a_photo: Annotated[bool, typer.Option("--one-a-photo", help="Only the first question of each photo.")] = False,
    first: Annotated[int | None, typer.Option(min=1, help="Only so many of them.", show_default="all")] = None,
    gold_every: Annotated[
        int, typer.Option(min=0, max=1000, help="Of about how many tasks one is gold; 0 for none.")
    ] = 0,
    only_with_images: Annotated[
        bool, typer.Option("--only-with-images", help="Leave out samples whose photo is absent; it is told.")
    ] = False,
    members_only: Annotated[
        bool, typer.Option("--members-only", help="Only members may work, not every annotator.")
    ] = False,
    by: Annotated[
        str | None, typer.Option(help="Whose project it is.", show_default="the admin, where there is one only")
    ] = None,
    data: Data = None,
    database: Database = None,
) -> None:
    """Make a project of a data set, as a draft; no target comes into the database.

    Example: foveate annotate new demo --dataset photos --kind grounding --one-a-photo --first 10
    """
    from foveate.cli._output import progress, remark
    from foveate.cli._suspects import begun
    from foveate.errors import some

    told = (audit, verdicts, verdict.value if verdict else None, top)
    begin = begun(told, (dataset, root, questions), kind, shape, ids_in(ids) if ids else ())
    ready(data, database)
    from foveate.app.annotate.projects import create

    settings = {"submissions": submissions, "lease_minutes": lease, "shape": begin.shape, "most_redraws": redraws}
    settings["gold_every"] = _gold_every(gold_every)
    plan = _plan(
        slug,
        begin.kind,
        begin.origin,
        {"title": title, "everyone": not members_only, "suspects": begin.suspects},
        {**settings, "seed": seed},
        (begin.ids, one_a_photo, first, only_with_images, bool(begin.suspects)),
    )
    with progress() as steps:
        steps.begin("looking at photos", 0, 0)
        project, tasks = create(plan, organiser_named(by), tick=steps.advance)
    if tasks.absent and only_with_images:
        remark(f"{len(tasks.absent):,} photos are absent, their samples were left out: {some(tasks.absent)}")
    answered = sum(bool(row.answer) for row in tasks.rows)
    shown = f", {answered:,} with an answer to show" if begin.kind == "grounding" else ""
    typer.echo(f"{project.slug}: a draft of {len(tasks.rows):,} tasks of {project.dataset}{shown}")
    typer.echo(f"It is opened by: foveate annotate open {project.slug}")


def list_projects(as_json: Json = False, data: Data = None, database: Database = None) -> None:
    """List the projects with their state and how far they are."""
    from foveate.cli._output import print_json

    ready(data, database)
    from foveate.app.annotate.models import Project

    found = [_values(project) for project in Project.objects.order_by("slug")]
    if as_json:
        print_json(found)
        return
    names = ["name", "state", "kind", "data set", "tasks over", "submissions"]
    rows = []
    for one in found:
        words = [one[key] for key in ("slug", "state", "kind", "dataset")]
        rows.append([*words, f"{one['over']:,} of {one['tasks']:,}", f"{one['sent']:,}"])
    print_rows(names, rows, right=names[-2:])


def show(slug: Slug, as_json: Json = False, data: Data = None, database: Database = None) -> None:
    """Tell how far a project is: by stage, by person, and what was set aside."""
    from foveate.cli._output import print_json

    ready(data, database)
    from foveate.app.annotate.progress import people_of, progress_of, set_aside
    from foveate.app.annotate.projects import project_named

    project = project_named(slug)
    values, found, people, aside = _values(project), progress_of(project), people_of(project), set_aside(project)
    if as_json:
        told = [{"pseudonym": str(p.pseudonym), "name": p.username, "sent": p.sent} for p in people]
        print_json({**values, "stages": [asdict(s) for s in found.stages], "people": told, "set_aside_why": aside})
        return
    _print_project(values, found, people, aside)


def _print_project(values: dict[str, Any], found: Progress, people: list[Person], aside: dict[str, int]) -> None:
    from foveate.cli._output import say

    # The title is the short name where nobody has written another.
    name = values["slug"] if values["title"] == values["slug"] else f"{values['slug']}: {values['title']}"
    say(f"{name} ({values['kind']}, {values['state']}), {values['dataset']}")
    say(f"{found.over:,} of {found.tasks:,} tasks over, {found.set_aside:,} of them set aside, {found.sent:,} sent")
    numbers = ["open tasks", "places taken", "sent", "returned", "expired"]
    rows = [[s.name, f"{s.open:,}", f"{s.taken:,} of {s.wanted:,}", f"{s.sent:,}"] for s in found.stages]
    print_rows(["stage", *numbers[:3]], rows, right=numbers)
    rows = [
        [p.username, str(p.pseudonym), f"{p.sent:,}", f"{p.returned:,}", f"{p.expired:,}", str(p.time)] for p in people
    ]
    if rows:
        print_rows(["annotator", "pseudonym", *numbers[2:], "time"], rows, right=numbers)
    for why, n in aside.items():
        say(f"set aside because of {why}: {n:,}")


def open_(slug: Slug, by: Doer = None, data: Data = None, database: Database = None) -> None:
    """Open a project: annotators can take tasks."""
    _act(slug, "open", by, data, database)


def pause(slug: Slug, by: Doer = None, data: Data = None, database: Database = None) -> None:
    """Pause a project: nobody can take or send a task; drafts are kept."""
    _act(slug, "pause", by, data, database)


def close(slug: Slug, by: Doer = None, data: Data = None, database: Database = None) -> None:
    """Close a project: nobody can take or send a task any more."""
    _act(slug, "close", by, data, database)


def delete(slug: Slug, data: Data = None, database: Database = None) -> None:
    """Delete a draft of which nothing was sent; nothing else can be deleted."""
    ready(data, database)
    from foveate.app.annotate.projects import delete as remove
    from foveate.app.annotate.projects import project_named

    remove(project_named(slug))
    typer.echo(f"{slug}: deleted")


def register(app: typer.Typer) -> None:
    """Adds the commands to `foveate annotate`."""
    for name, command in (
        ("new", new), ("list", list_projects), ("show", show), ("open", open_), ("pause", pause), ("close", close),
        ("delete", delete),
    ):  # fmt: skip
        app.command(name)(command)


def sent_for(
    slug: str, data: Path | None, database: str | None, *, everything: bool = False
) -> tuple[Project, list[Submission]]:
    """Returns a project of the server's state with what was sent for it; what was set aside too, where asked.

    Raises:
        UsageError: There is no such project.
        InputError: Nothing was sent for it.
    """
    ready(data, database)
    from foveate.app.annotate.projects import project_named
    from foveate.app.annotate.records import all_records

    project = project_named(slug)
    return project, all_records(project, everything=everything)


def ready(data: Path | None, database: str | None) -> None:
    """Starts the part of the server that commands need, with a database of this version."""
    from foveate.app.start import start

    start(data, database)
    from foveate.app.database import migrate

    migrate()


def _act(slug: str, name: str, by: str | None, data: Path | None, database: str | None) -> None:
    ready(data, database)
    from foveate.app.annotate.projects import act, project_named

    now = act(project_named(slug), name, actor=organiser_named(by) if by else None)
    typer.echo(f"{now.slug}: {now.state}")


def ids_in(path: Path) -> tuple[str, ...]:
    """Returns the ids of a file, one a line.

    Raises:
        InputError: It cannot be read, or there is none in it.
    """
    from foveate.annotation.reading import read_ids
    from foveate.errors import InputError, reason_of

    try:
        found = read_ids(path.read_text(encoding="utf-8-sig").splitlines())
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(str(path), f"it cannot be read ({reason_of(error)})", "Give a text file of ids.") from error
    if not found:
        raise InputError(str(path), "there is no id in it", "Write one a line, or leave --ids out.")
    return found


def _gold_every(every: int) -> int:
    from foveate.errors import UsageError

    if every == 1:
        raise UsageError("--gold-every 1", "every task would be gold", "Give 2 or more, or 0 for none.")
    return every


def _plan(
    slug: str,
    kind: Any,
    origin: tuple[str, Path | None, Path | None],
    more: dict[str, Any],
    settings: dict[str, Any],
    choice: tuple[tuple[str, ...], bool, int | None, bool, bool],
) -> Plan:
    from foveate.annotation.kinds import ProjectSettings
    from foveate.annotation.origin import Origin
    from foveate.annotation.reading import Choice
    from foveate.app.annotate.projects import Plan

    return Plan(slug, kind, Origin(*origin), settings=ProjectSettings(**settings), choice=Choice(*choice), **more)


def organiser_named(by: str | None) -> User:
    """Returns the organiser of a name; without one the only admin.

    Raises:
        UsageError: There is no organiser of this name, or without a name not one admin.
    """
    from foveate.app.accounts.models import User
    from foveate.app.accounts.roles import has_role
    from foveate.errors import UsageError

    admins = list(User.objects.filter(is_superuser=True, is_active=True).order_by("username"))
    if by is None:
        if len(admins) != 1:
            count = f"there are {len(admins)} admins" if admins else "there is no admin yet"
            remedy = "Say whose it is with --by NAME." if admins else "Start `foveate serve` once, which makes one."
            raise UsageError("--by", f"nobody is named, and {count}", remedy)
        return admins[0]
    person = User.objects.filter(username=by).first()
    if person is None or not has_role(person, "organiser"):
        problem = "there is nobody of this name" if person is None else "this person is no organiser"
        raise UsageError(f"--by {by}", problem, "Name an organiser or an admin.")
    return person


def _values(project: Project) -> dict[str, Any]:
    from foveate.app.annotate.progress import progress_of

    found = progress_of(project)
    return {
        "slug": project.slug,
        "title": project.title,
        "kind": project.kind,
        "state": project.state,
        "dataset": project.dataset,
        "fingerprint": project.fingerprint,
        "settings": project.settings,
        "tasks": found.tasks,
        "over": found.over,
        "done": found.done,
        "set_aside": found.set_aside,
        "sent": found.sent,
        "leased": found.leased,
    }
