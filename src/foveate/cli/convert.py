"""`foveate dataset convert`: a data set in another form."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from foveate.cli._output import Questions, Root
from foveate.cli._settings import Settings, settings_of

if TYPE_CHECKING:
    from foveate.datasets._convert import Converted


class To(StrEnum):
    """The forms of `foveate.formats.sample_forms`, which is not imported for --help."""

    jsonl = "jsonl"
    parquet = "parquet"
    csv = "csv"
    coco = "coco"
    labelme = "labelme"
    via = "via"
    yolo = "yolo"
    hf = "hf"


class Way(StrEnum):
    """What becomes of the photos."""

    none = "none"
    link = "link"
    copy = "copy"


def convert(
    dataset: Annotated[
        str, typer.Argument(metavar="NAME[:SPLIT]", help="The data set, or the path of a file or folder of your own.")
    ],
    out: Annotated[Path, typer.Option(readable=False, help="The file or folder to write.", show_default=False)],
    root: Root = None,
    questions: Questions = None,
    to: Annotated[
        To | None, typer.Option(help="The form; jsonl and parquet lose nothing.", show_default="by the suffix of --out")
    ] = None,
    lossy: Annotated[bool, typer.Option("--lossy", help="Write although the form cannot hold everything.")] = False,
    skip_invalid: Annotated[
        bool, typer.Option("--skip-invalid", help="Pass over invalid rows of the data set; they are counted.")
    ] = False,
    only_one_region: Annotated[
        bool, typer.Option("--only-one-region", help="Leave out samples without exactly one region.")
    ] = False,
    option: Settings = None,
    photos: Annotated[Way, typer.Option(help="Put the photos beside: as links, as copies, or not.")] = Way.none,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Write a data set in another form; what the form cannot hold is told first, and refused without --lossy.

    Example: foveate dataset convert vizwiz_grounding:val --root DIR --out val.parquet
    """
    from foveate.cli._output import print_json, remark
    from foveate.datasets._convert import convert as convert_dataset
    from foveate.datasets._open import open_dataset

    data = open_dataset(
        dataset,
        root,
        questions=questions,
        skip_invalid=skip_invalid,
        settings=settings_of(option),
        only_one_region=only_one_region,
    )
    done = convert_dataset(
        data,
        out,
        to=to.value if to else None,
        lossy=lossy,
        photos=photos.value,
        on_loss=lambda loss: remark(str(loss)),
    )
    for sentence in done.remarks:
        remark(sentence)
    if done.skipped:
        remark(f"{len(done.skipped):,} invalid skipped, first: {done.skipped[0]}")
    if as_json:
        print_json(as_values(done))
        return
    typer.echo(_sentence(done))


def as_values(done: Converted) -> dict[str, Any]:
    """Returns what `--json` prints."""
    return {
        "out": str(done.out),
        "form": done.form,
        "n": done.n,
        "kept": done.kept,
        "losses": {
            name: {"n": loss.n, "becomes": loss.becomes, "first": loss.first} for name, loss in done.losses.items()
        },
        "skipped": done.skipped,
        "photos": dict(done.photos),
        "remarks": done.remarks,
    }


def _sentence(done: Converted) -> str:
    parts = [f"{done.kept:,} of {done.n:,} samples as {done.form}"]
    parts += [f"photos {what} {count:,}" for what, count in sorted(done.photos.items())]
    return f"{done.out}: {', '.join(parts)}"
