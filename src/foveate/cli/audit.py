"""`foveate audit`: which labels of a data set look wrong."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from foveate.cli._output import Questions, Root, say
from foveate.cli._settings import Settings, settings_of

if TYPE_CHECKING:
    from foveate.datasets._open import Dataset
    from foveate.evaluation.audit import Audit

Runs = Annotated[
    list[Path] | None,
    typer.Argument(readable=False, metavar="RUN_OR_FILE...", help="Runs or predictions on it.", show_default=False),
]
Apply = Annotated[
    Path | None,
    typer.Option(readable=False, help="A table of verdicts: write the ids of wrong labels.", show_default=False),
]
Cache = Annotated[
    Path | None,
    typer.Option(readable=False, help="Keeps what was read of photos.", show_default="the user's cache folder"),
]


def audit(
    dataset: Annotated[str, typer.Argument(metavar="NAME[:SPLIT]", help="The data set.", show_default=False)],
    runs: Runs = None,
    root: Root = None,
    out: Annotated[
        Path | None,
        typer.Option(readable=False, help="A folder for page and table; with --apply a file.", show_default=False),
    ] = None,
    questions: Questions = None,
    option: Settings = None,
    skip_invalid: Annotated[bool, typer.Option("--skip-invalid", help="Pass over invalid rows; list them.")] = False,
    text: Annotated[bool, typer.Option("--text", help="Read the text of photos that are at hand.")] = False,
    workers: Annotated[int, typer.Option(min=1, help="Processes that read photos.")] = 1,
    cache: Cache = None,
    apply: Apply = None,
    top: Annotated[int, typer.Option(min=1, help="How many labels are on the page.")] = 200,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Say which labels look wrong: by themselves, and by what methods find; show them to be judged.

    Example: foveate audit vizwiz_grounding:val runs/a runs/b --root VIZWIZ --out audit
    """
    from foveate.cli._output import print_json
    from foveate.datasets._open import open_dataset

    data = open_dataset(dataset, root, questions=questions, skip_invalid=skip_invalid, settings=settings_of(option))
    if apply is not None:
        _apply(data, apply, out)
        return
    found = _audited(data, runs or [], out, (workers, cache) if text else None, top)
    if as_json:
        print_json(found.as_dict())
        return
    _print(found, out)


def _audited(
    data: Dataset, runs: list[Path], out: Path | None, text: tuple[int, Path | None] | None, top: int
) -> Audit:
    from foveate.cli._stages import stages
    from foveate.reports.audit.audit import Text, audit_data, check_out, write_audit

    if out is not None:
        check_out(out)
    with stages() as told:
        found, files = audit_data(data, runs, text=Text(*text) if text else None, top=top, out=out, progress=told)
    if out is not None:
        write_audit(out, files)
    return found


def _apply(data: Dataset, verdicts: Path, out: Path | None) -> None:
    from foveate.errors import UsageError
    from foveate.evaluation.verdicts import write_ids, wrong_ids
    from foveate.evaluation.wording import counted

    if out is None:
        raise UsageError("--apply", "the file for the ids is not named", "Add --out wrong.txt.")
    ids = wrong_ids(verdicts, [truth.id for truth in data.truths()], data.name)
    write_ids(out, ids)
    say(f"{out}: {counted(len(ids), 'label')} judged wrong")


def _print(found: Audit, out: Path | None) -> None:
    from foveate.cli.plugin_lists import print_rows
    from foveate.errors import shown
    from foveate.evaluation.audit import SIGNS
    from foveate.evaluation.wording import counted
    from foveate.reports.audit.audit import PAGE, drawn_anew, notes_of

    say(f"{found.name}: {len(found.suspects):,} of {counted(found.n, 'label')} have a sign of being wrong")
    for note in notes_of(found, len(found.suspects)):
        say(f"Note: {note}")
    rows = [[name, f"{count:,}", SIGNS[name]] for name, count in found.counts.items()]
    if rows:
        print_rows(["sign", "labels", "what it says"], rows, right=["labels"])
        say()
    first: list[list[Any]] = [
        [f"{suspect.rank}", shown(suspect.id), f"{suspect.suspicion:.2f}", shown(suspect.signs[0].why)]
        for suspect in found.suspects[:10]
    ]
    if first:
        print_rows(["rank", "id", "suspicion", "strongest sign"], first, right=["rank", "suspicion"])
    if out is not None:
        say(f"{out / PAGE}: judge them there, or in the column verdict of audit.csv")
        if found.suspects:
            say(f"Have them drawn anew: {drawn_anew(out)} --top 20")
