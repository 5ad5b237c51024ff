"""`foveate dataset`: what data sets there are, and whether their files are whole."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from foveate.cli._dataset_make import make
from foveate.cli._output import Questions, Root
from foveate.cli._settings import Settings, settings_of
from foveate.cli.convert import convert
from foveate.cli.plugin_lists import Json, cards, print_rows

if TYPE_CHECKING:
    from foveate.analysis.coco_overlap import CocoOverlap
    from foveate.datasets._check import Checked
    from foveate.datasets._findings import Finding

_WORDS = {
    "fine": "fine",
    "missing": "MISSING",
    "broken": "BROKEN",
    "count": "COUNT",
    "extra": "extra",
    "join": "joined",
}

app = typer.Typer(help="The data sets.", no_args_is_help=True)


app.command("convert")(convert)
app.command("make")(make)


@app.callback()
def _group() -> None:
    """The data sets."""


@app.command("list")
def list_datasets(as_json: Json = False) -> None:
    """List the data sets and releases, with their splits and the sizes that their publishers state."""
    from dataclasses import asdict

    from foveate.cli._output import print_json
    from foveate.datasets._releases import all_releases
    from foveate.datasets.release import card_of

    found = cards("datasets") + [asdict(card_of(folder)) for _, _, folder in all_releases()]
    if as_json:
        print_json(found)
        return
    rows = [
        ["" if number else card["name"], split, f"{count:,}" if count else "–", "" if number else card["summary"]]
        for card in found
        for number, (split, count) in enumerate(card["splits"].items())
    ]
    print_rows(["name", "split", "samples", "what it is"], rows, right=["samples"])


@app.command("check")
def check_dataset(
    dataset: Annotated[str, typer.Argument(metavar="NAME[:SPLIT]", help="The data set; every split if none is named.")],
    root: Root = None,
    questions: Questions = None,
    decode: Annotated[bool, typer.Option("--decode", help="Decode every photo, not only its header.")] = False,
    option: Settings = None,
    as_json: Json = False,
) -> None:
    """Look a data set's files over: what is missing, extra, broken or of an unexpected count, and what to do.

    It goes on after every fault, and leaves with 3 if anything is missing, broken or of another count.

    Example: foveate dataset check toloka_vqa:test_public --root DIR
    """
    from foveate.cli._output import print_json, progress
    from foveate.datasets._check import check
    from foveate.errors import InputError

    with progress() as steps:
        checked = check(dataset, root, questions=questions, settings=settings_of(option), decode=decode, progress=steps)
    if as_json:
        print_json(_checked_values(checked))
    else:
        _print_checked(checked)
    if checked.faults:
        raise typer.Exit(InputError.exit_code)


def _print_checked(checked: Checked) -> None:
    rows, before = [], None
    for finding in checked.findings:
        split = finding.split or "the folder"
        count = f"{finding.n:,}" if finding.n else ""
        rows.append(["" if split == before else split, _WORDS.get(finding.kind, finding.kind), count, _told(finding)])
        before = split
    print_rows(["split", "state", "count", "what was found"], rows, right=["count"])
    n = len(checked.faults)
    end = f"{n} fault{'' if n == 1 else 's'}: what is marked in capitals" if n else "nothing is missing or broken"
    typer.echo(f"{checked.dataset}: {end}")


def _told(finding: Finding) -> str:
    rest = finding.n - len(finding.examples)
    more = [f"  … and {rest:,} more"] if finding.examples and rest > 0 else []
    remedy = [f"→ {finding.remedy}"] if finding.remedy else []
    return "\n".join([finding.what, *(f"  {example}" for example in finding.examples), *more, *remedy])


def _checked_values(checked: Checked) -> dict[str, Any]:
    from dataclasses import asdict

    return {
        "dataset": checked.dataset,
        "root": None if checked.root is None else str(checked.root),
        "whole": not checked.faults,
        "splits": {split: {"read": n, "stated": stated} for split, (n, stated) in checked.splits.items()},
        "findings": [asdict(finding) for finding in checked.findings],
    }


@app.command("overlap")
def overlap(
    dataset: Annotated[
        str, typer.Argument(metavar="NAME[:SPLIT]", help="The data set; every split that is there if none is named.")
    ],
    coco: Annotated[
        list[Path], typer.Option(readable=False, help="A COCO file of instances, once for each.", show_default=False)
    ],
    root: Root = None,
    iou: Annotated[
        list[float] | None, typer.Option(help="An IoU to count at, once for each.", show_default="0.25 0.5 0.75 0.9")
    ] = None,
    inside: Annotated[float, typer.Option(help="The share of a target inside a COCO box to count at.")] = 0.9,
    as_json: Json = False,
) -> None:
    """Count how many targets are things that COCO has drawn a box around itself, by several readings of "overlap".

    Example: foveate dataset overlap toloka_vqa:test_public --root DIR --coco instances.json
    """
    from foveate.analysis.coco_overlap import THRESHOLDS, coco_overlaps
    from foveate.cli._output import print_json, remark

    found = coco_overlaps(dataset, root, coco, thresholds=iou or THRESHOLDS, inside=inside, on_absent=remark)
    if as_json:
        print_json(_overlap_values(found))
    else:
        _print_overlap(found)


def _print_overlap(found: list[CocoOverlap]) -> None:
    from foveate.analysis.coco_overlap import PUBLISHED
    from foveate.evaluation.wording import percent

    rows = []
    for one in found:
        name = f"{one.dataset} ({len(one.rows):,} of {one.n:,} targets can be checked)"
        for criterion, share in one.shares.items():
            told = percent(share.share) if share.of else "n/a"
            interval = f"{percent(share.low)} to {percent(share.high)}" if share.of else ""
            rows.append([name, criterion, f"{share.n:,}", told, interval])
            name = ""
    print_rows(["data set", "criterion", "targets", "share", "95 % interval"], rows, right=["targets", "share"])
    typer.echo(
        f'The paper of the cup: "about {PUBLISHED:.0%} of boxes had non-empty overlap", all of them in train, and '
        "not what counts as overlap. Only targets on photos of the COCO files given here can be checked."
    )


def _overlap_values(found: list[CocoOverlap]) -> dict[str, Any]:
    from dataclasses import asdict

    from foveate.analysis.coco_overlap import PUBLISHED

    return {
        "published": {"share": PUBLISHED, "criterion": None},
        "splits": [
            {
                "dataset": one.dataset,
                "n": one.n,
                "checked": len(one.rows),
                "criteria": {
                    name: {key: None if value != value else value for key, value in asdict(share).items()}
                    for name, share in one.shares.items()
                },
                "samples": [asdict(row) for row in one.rows],
            }
            for one in found
        ],
    }
