"""`foveate curate`: screen a data set's questions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from foveate.cli._output import Questions, Root
from foveate.cli._settings import Settings, settings_of
from foveate.cli.plugin_lists import Json

if TYPE_CHECKING:
    from foveate.curation._funnel import Step
    from foveate.reports.curation.curate import Curated


def curate(
    dataset: Annotated[str, typer.Argument(metavar="NAME[:SPLIT]", help="The data set.", show_default=False)],
    out: Annotated[
        Path,
        typer.Option(
            readable=False, help="The folder to write: page, tables, lists for reviewers.", show_default=False
        ),
    ],
    root: Root = None,
    questions: Questions = None,
    option: Settings = None,
    rules: Annotated[
        str | None, typer.Option(metavar="A,B,C", help="Which rules, in this order.", show_default="the paper's")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="RULE.OPTION=VALUE", help="An option of a rule.", show_default=False),
    ] = None,
    review: Annotated[
        list[Path] | None,
        typer.Option(
            readable=False,
            metavar="FILE",
            help="A list that a reviewer filled in, ROUND.REVIEWER.csv.",
            show_default=False,
        ),
    ] = None,
    skip_invalid: Annotated[
        bool, typer.Option("--skip-invalid", help="Pass over rows that cannot be taken, and count them.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Screen a data set's questions by rules and by people, and show what each step removed and why.

    Example: foveate curate vizwiz_grounding:val --root vizwiz --out screening
    """
    from foveate.cli._output import print_json, remark
    from foveate.reports.curation.curate import curate as screen
    from foveate.reports.curation.curate import usual

    made = screen(
        dataset,
        root,
        out,
        questions=questions,
        data_settings=settings_of(option),
        rules=usual(rules),
        settings=settings or (),
        reviews=review or (),
        skip_invalid=skip_invalid,
    )
    if as_json:
        print_json(_values(made))
        return
    for sentence in made.remarks:
        remark(sentence)
    _print(made)


def _print(made: Curated) -> None:
    from foveate.cli.plugin_lists import print_rows
    from foveate.reports.curation.curate import PAGE

    numbers = ["in", "removed", "trimmed", "flagged", "left"]
    rows = [
        [
            step.name,
            *(f"{n:,}" for n in (step.before, step.removed, step.trimmed, step.flagged, step.left)),
            _alike(step),
        ]
        for step in made.steps
    ]
    print_rows(["step", *numbers, "reviewers"], rows, right=numbers)
    typer.echo(f"{made.out / PAGE}: {made.kept:,} of {made.n:,} samples left")


def _alike(step: Step) -> str:
    from foveate.evaluation.wording import percent

    if step.kind == "rule":
        return ""
    found = step.agreement
    if found is None or found.share is None:
        return ", ".join(step.reviews or ()) or "none yet"
    kappa = "n/a" if found.kappa is None else f"{found.kappa:.2f}"
    return f"agree on {percent(found.share)} of {found.n:,}, kappa {kappa}"


def _values(made: Curated) -> dict[str, Any]:
    return {
        "dataset": made.dataset,
        "n": made.n,
        "kept": made.kept,
        "steps": [_step_values(step) for step in made.steps],
        "out": str(made.out),
        "remarks": list(made.remarks),
    }


def _step_values(step: Step) -> dict[str, Any]:
    values: dict[str, Any] = {
        "step": step.name,
        "kind": step.kind,
        "before": step.before,
        "removed": step.removed,
        "trimmed": step.trimmed,
        "flagged": step.flagged,
        "left": step.left,
        "published": {
            "before": step.published.before,
            "removed": step.published.removed,
            "left": step.published.left,
        },
    }
    if step.kind == "people":
        found = step.agreement
        values["reviewers"] = dict(step.reviews or {})
        values["agreement"] = found and {"n": found.n, "share": found.share, "kappa": found.kappa}
    return values
