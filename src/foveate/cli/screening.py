"""`foveate screening new, list, export, import, close`: the screenings of the server's state, while it runs or not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from foveate.cli._output import Questions, Root
from foveate.cli._projects import organiser_named, ready
from foveate.cli._server import Data, Database
from foveate.cli.plugin_lists import Json, print_rows

if TYPE_CHECKING:
    from foveate.app.accounts.models import User
    from foveate.app.rounds.models import Screening, Turn

app = typer.Typer(
    name="screening", help="Screening on the server: rules, then three rounds of two people.", no_args_is_help=True
)
Slug = Annotated[str, typer.Argument(help="The short name of the screening.", show_default=False)]
By = Annotated[str | None, typer.Option(metavar="NAME", help="Who does it, for the log.", show_default=False)]


@app.command("new")
def new(
    slug: Slug,
    dataset: Annotated[str, typer.Option(metavar="NAME[:SPLIT]", help="The data set.", show_default=False)],
    root: Root = None,
    questions: Questions = None,
    title: Annotated[str, typer.Option(help="In prose.", show_default="the short name")] = "",
    rules: Annotated[
        str | None, typer.Option(metavar="A,B,C", help="Which rules, in this order.", show_default="the paper's")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="RULE.OPTION=VALUE", help="An option of a rule.", show_default=False),
    ] = None,
    reviewer: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A reviewer; give two.", show_default="whoever comes"),
    ] = None,
    closes_itself: Annotated[
        bool, typer.Option("--closes-itself", help="A round closes itself when both are through.")
    ] = False,
    first: Annotated[int | None, typer.Option(min=1, help="Only so many samples.", show_default="all")] = None,
    by: By = None,
    data: Data = None,
    database: Database = None,
) -> None:
    """Make a screening: its rules run once, then its first round is open to its two reviewers.

    Example: foveate screening new vizwiz --dataset vizwiz_vqa:val --root vizwiz --reviewer ann --reviewer bo
    """
    ready(data, database)
    from foveate.annotation.origin import Origin
    from foveate.app.rounds.making import Plan, create
    from foveate.reports.curation.curate import usual

    plan = Plan(
        slug,
        Origin(dataset, root, questions),
        title,
        usual(rules),
        settings or (),
        _two(reviewer or []),
        closes_itself,
        first,
    )
    made = create(plan, organiser_named(by))
    left = made.samples.filter(step="").count()
    typer.echo(f"{slug}: {left:,} of {made.samples.count():,} samples of {made.dataset} left by the rules")


@app.command("list")
def list_screenings(as_json: Json = False, data: Data = None, database: Database = None) -> None:
    """List the screenings with how far they are."""
    from foveate.cli._output import print_json

    ready(data, database)
    from foveate.app.rounds.models import Screening

    found = [_values(one) for one in Screening.objects.order_by("slug")]
    if as_json:
        print_json(found)
        return
    numbers = ["samples", "left"]
    rows = [
        [one["slug"], one["dataset"], one["open"] or "all closed", f"{one['samples']:,}", f"{one['left']:,}"]
        for one in found
    ]
    print_rows(["name", "data set", "open round", *numbers], rows, right=numbers)


@app.command("export")
def export(
    slug: Slug,
    out: Annotated[Path, typer.Option(readable=False, help="The folder to write; it is new.", show_default=False)],
    data: Data = None,
    database: Database = None,
) -> None:
    """Write what `foveate curate` writes, as far as rounds are closed: kept.jsonl, tables, the filled lists."""
    ready(data, database)
    from foveate.app.rounds.making import screening_named
    from foveate.app.rounds.results import write_files
    from foveate.evaluation.wording import counted

    typer.echo(f"{out}: {counted(write_files(screening_named(slug), out), 'file')}")


@app.command("import")
def import_(
    slug: Slug,
    lists: Annotated[list[Path], typer.Argument(metavar="ROUND.REVIEWER.csv …", readable=False, help="Filled lists.")],
    skip_invalid: Annotated[
        bool, typer.Option("--skip-invalid", help="Pass over rows that cannot be taken, and count them.")
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Take answers that differ from those there.")] = False,
    by: By = None,
    data: Data = None,
    database: Database = None,
) -> None:
    """Take filled lists into the round that is open: that of reviewer1 is the first's, that of reviewer2 the second's.

    Of other names the first that is given is the first's.
    """
    ready(data, database)
    from foveate.app.refused import RefusedError
    from foveate.app.rounds.lists import noted, take_file
    from foveate.app.rounds.making import screening_named
    from foveate.errors import InputError
    from foveate.evaluation.wording import counted

    screening, organiser = screening_named(slug), organiser_named(by) if by else None
    for path, turn, place in _placed(screening, lists):
        try:
            _, taken = take_file(turn, place, path, skip_invalid=skip_invalid, overwrite=overwrite, by=organiser)
        except RefusedError as refused:
            raise InputError(str(path), refused.message.rstrip("."), refused.remedy) from refused
        noted(turn, place, taken, actor=organiser)
        skipped = f", {counted(taken.skipped, 'fault')} passed over" if taken.skipped else ""
        typer.echo(f"{path.name}: {counted(taken.marks, 'answer')} taken in{skipped}")


@app.command("close")
def close(
    slug: Slug,
    round_: Annotated[
        str | None,
        typer.Option(
            "--round", metavar="NAME", help="Refuse if another one is open.", show_default="whichever is open"
        ),
    ] = None,
    unfinished: Annotated[bool, typer.Option("--unfinished", help="Though answers are missing.")] = False,
    by: By = None,
    data: Data = None,
    database: Database = None,
) -> None:
    """Close the round that is open: what either reviewer flagged is taken out, the next round begins."""
    ready(data, database)
    from foveate.app.refused import RefusedError
    from foveate.app.rounds.closing import close as close_round
    from foveate.app.rounds.closing import current_turn
    from foveate.app.rounds.making import screening_named
    from foveate.errors import UsageError

    screening = screening_named(slug)
    turn = current_turn(screening)
    if turn is None:
        raise UsageError(f"screening {slug}", "all of its rounds are closed", "Reopen one on its page.")
    if round_ is not None and round_ != turn.name:
        raise UsageError("--round", f"{round_} is not open, but {turn.name}", "Look at foveate screening list.")
    try:
        close_round(turn, unfinished=unfinished, actor=organiser_named(by) if by else None)
    except RefusedError as refused:
        remedy = "Wait, or give --unfinished."
        raise UsageError(f"screening {slug}", refused.message.rstrip("."), remedy) from refused
    typer.echo(f"{slug}: {turn.name} is closed, {screening.samples.filter(step='').count():,} samples left")


def _two(names: list[str]) -> tuple[User, User] | None:
    from foveate.app.accounts.people import named
    from foveate.app.accounts.roles import has_role
    from foveate.errors import UsageError

    if not names:
        return None
    if len(names) != 2:
        raise UsageError("--reviewer", f"{len(names)} are named", "Name two, or nobody for whoever comes.")
    people = named(names[0]), named(names[1])
    for person in people:
        if not (has_role(person, "annotator") or has_role(person, "organiser")):
            raise UsageError(person.username, "this person is neither annotator nor organiser", "Name another one.")
    return people


def _placed(screening: Screening, lists: list[Path]) -> list[tuple[Path, Turn, int]]:
    """Returns each list with its round and place; two lists of a round have two places."""
    from foveate.curation._reviews import check_places, place_of
    from foveate.curation._rounds import REVIEWERS

    check_places(lists)
    found, taken = [], set()
    for path in lists:
        name, reviewer = place_of(path)
        place = REVIEWERS.index(reviewer) + 1 if reviewer in REVIEWERS else 1 + ((name, 1) in taken)
        taken.add((name, place))
        found.append((path, screening.turns.select_related("screening").get(name=name), place))
    return found


def _values(screening: Screening) -> dict[str, Any]:
    from foveate.app.rounds.closing import current_turn

    turn = current_turn(screening)
    return {
        "slug": screening.slug,
        "title": screening.title,
        "dataset": screening.dataset,
        "fingerprint": screening.fingerprint,
        "samples": screening.samples.count(),
        "left": screening.samples.filter(step="").count(),
        "open": turn.name if turn else None,
    }
