"""`foveate annotate agreement`: how alike the submissions of a project are, counted anew where that is wanted."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from foveate.cli._projects import Slug, ready
from foveate.cli._server import Data, Database
from foveate.cli.plugin_lists import Json


def agreement(
    slug: Slug,
    anew: Annotated[bool, typer.Option("--anew", help="Compare all submissions again, not only new ones.")] = False,
    as_json: Json = False,
    data: Data = None,
    database: Database = None,
) -> None:
    """Tell how alike the drawings of a project's tasks are.

    What came in before agreement was counted is compared first. The queue of adjudication is sorted by the same.
    `foveate agreement PROJECT` is the whole report, counted each time, with nothing kept: Krippendorff's alpha,
    intervals, why two differ, who and where.
    """
    ready(data, database)
    from foveate.app.adjudicate.services.compare import MOST_PEOPLE, left_out, rebuild
    from foveate.app.adjudicate.services.figures import figures_of
    from foveate.app.annotate.projects import project_named
    from foveate.cli._output import print_json, say
    from foveate.evaluation.wording import counted

    project = project_named(slug)
    done = rebuild(project, anew=anew)
    figures = figures_of(project)
    if as_json:
        print_json({"compared": done, **asdict(figures)})
        return
    mean = "not defined" if figures.mean is None else f"{figures.mean:.4f}"
    say(f"{slug}: mean IoU {mean} over {counted(figures.pairs, 'pair')} of drawings")
    tasks = counted(figures.tasks, "task")
    say(f"steps: {figures.same_steps:,} of {tasks} of two people or more with the same answers")
    if many := left_out(project).count():
        say(f"not compared, as each is for more than {MOST_PEOPLE} people: {counted(many, 'task')}")
    if done:
        say(f"compared now: {counted(done, 'task')}")
