"""`foveate report`: runs as one file that shows where they fail."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from foveate.errors import UsageError
from foveate.evaluation.compare import Draws
from foveate.evaluation.load import DataPlace
from foveate.reports.album import Album, album_of
from foveate.reports.curves import reliability_figure, risk_figure
from foveate.reports.figures import Figure
from foveate.reports.galleries import galleries
from foveate.reports.heads import head_of, page_notes, versions
from foveate.reports.histogram import histogram
from foveate.reports.listing import FIRST_ROWS, listed, payload
from foveate.reports.page import html
from foveate.reports.pairs import pair_figure
from foveate.reports.pictures import cards_of, shown_rows
from foveate.reports.rows import Row, rows_of
from foveate.reports.samples_csv import samples_csv
from foveate.reports.sizes import size_figure
from foveate.reports.study import REPORT_METRICS, Study, study
from foveate.reports.tables import markdown_report
from foveate.reports.totals import counts_of, metric_rows, present_states
from foveate.runs._new_file import new_file
from foveate.runs.provenance import provenance

_PAGES = (".html", ".htm")
_MARKDOWN, _CSV = ".md", ".csv"


@dataclass(frozen=True)
class Report:
    """What was written; it can be used as the file's path.

    Attributes:
        out: The file.
        size: Its bytes.
        samples: How many samples it shows as cards.
        photos: How many photos are in it.
        absent: How many of the samples are shown without their photo.
    """

    out: Path
    size: int
    samples: int
    photos: int
    absent: int

    def __fspath__(self) -> str:
        return str(self.out)


@dataclass(frozen=True)
class _Choice:
    """How much of the samples is shown."""

    cards: int
    photo_side: int
    photos: bool


def report(
    sources: Sequence[Path | str],
    out: Path | str,
    dataset: str | None = None,
    root: Path | str | None = None,
    *,
    questions: Path | str | None = None,
    images: Path | str | None = None,
    metrics: Sequence[str] = REPORT_METRICS,
    resamples: int = 1000,
    permutations: int = 9_999,
    seed: int = 0,
    cards: int = 12,
    photo_side: int = 800,
    photos: bool = True,
) -> Report:
    """Writes runs on the same samples as one page that needs nothing beside it, or as tables alone.

    Args:
        sources: One or more runs or files of predictions, as `score` takes them; further ones are compared with the
            first.
        out: The file; with the suffix `.md` it holds the tables of values, with `.csv` every sample.
        dataset: As for `score`; runs know their own.
        root: The folder of the data set; a run remembers the one it was made with.
        questions: The table of questions, for the data set `folder`.
        images: For COCO results, as for `score`.
        metrics: Names; of those given here one that cannot be measured is an error, of the usual ones it is a note.
        resamples: Bootstrap resamples for the intervals; 0 for none.
        permutations: Exchanges for the p-values of differences; 0 for none.
        seed: Of what is drawn.
        cards: How many samples each gallery shows of each run.
        photo_side: The longer side of photos in the page, at most.
        photos: Whether photos are put in; they can show private things.

    Raises:
        UsageError: A name or number is none that there is, or a file is given without a data set.
        InputError: The sources are not about the same samples, or one of them is broken.
        OutputError: The file is there already, or cannot be written.
    """
    path = Path(out)
    _check(sources, path, cards, photo_side)
    draws = Draws(resamples, permutations, seed)
    place = DataPlace(dataset, root, questions, images)
    # Opened before the work, so that a name that is taken is told at once.
    with new_file(path) as file:
        found = study(sources, place, metrics, draws)
        if path.suffix.lower() == _MARKDOWN:
            text, samples, album = _tables(found), 0, Album({}, {})
        elif path.suffix.lower() == _CSV:
            text, samples, album = samples_csv(rows_of(found), [run.name for run in found.runs]), 0, Album({}, {})
        else:
            choice = _Choice(cards, photo_side, photos)
            values, album = _page(found, choice)
            told = {"command": _command(sources, place, metrics, draws, choice), "versions": versions(provenance())}
            text, samples = html({**values, **told}), len(values["cards"])
        # Half a character (a file name with odd bytes) is written as its escape.
        data = text.encode("utf-8", "backslashreplace")
        file.write(data)
    return Report(path, len(data), samples, len(album.distinct), len(album.absent))


def _check(sources: Sequence[Path | str], out: Path, cards: int, photo_side: int) -> None:
    if not sources:
        raise UsageError("report", "no run is given", "Name one run or more.")
    if out.suffix.lower() not in {*_PAGES, _MARKDOWN, _CSV}:
        raise UsageError(
            str(out),
            "its suffix is that of no report",
            f"Use {_PAGES[0]} for a page, {_MARKDOWN} for its tables, {_CSV} for every sample.",
        )
    if cards < 0 or photo_side < 1:
        raise UsageError(
            "report", f"{cards} cards, photos of {photo_side} pixels: too few", "Give 0 cards or more, and 1 pixel."
        )


def _tables(found: Study) -> str:
    heads = [head_of(run) for run in found.runs]
    notes = page_notes(found, Album({}, {}), listed([], []))
    return markdown_report(found, heads, metric_rows(found), [counts_of(run) for run in found.runs], notes)


def _page(found: Study, choice: _Choice) -> tuple[dict[str, Any], Album]:
    """Returns all that the page's template names, but for how it was made; and the photos."""
    rows = rows_of(found)
    names = [run.name for run in found.runs]
    chosen = galleries(rows, cards=choice.cards, seed=found.draws.seed)
    shown = shown_rows(chosen)
    album = album_of(found.data, [rows[n] for n in shown], choice.photo_side, wanted=choice.photos)
    listing = listed(rows, shown)
    cards = cards_of(rows, chosen, album, names)
    samples = {
        "names": names,
        "kinds": list({gallery.key: gallery for gallery in chosen}.values()),
        "cards": cards,
        "photos": album.distinct,
        "maps": any(view.map for card in cards for view in card.views),
        "listing": listing,
        "first": [(n, rows[n]) for n in listing.numbers[:FIRST_ROWS]],
        "payload": payload(rows, listing, names, shown),
        "answers": any(said.correct is not None for row in rows for said in row.said),
        "figures": _figures(found, rows, names),
    }
    return {**_totals(found, page_notes(found, album, listing)), **samples}, album


def _totals(found: Study, notes: Sequence[str]) -> dict[str, Any]:
    heads = [head_of(run) for run in found.runs]
    metrics, counts = metric_rows(found), [counts_of(run) for run in found.runs]
    ends = [v for d in found.differences for v in (d.difference, d.low, d.high) if v is not None]
    return {
        "data": found.data,
        "heads": heads,
        "notes": notes,
        "evaluation": found.runs[0].evaluation,
        "metrics": metrics,
        "cards_of_metrics": {row.name: row.card for row in metrics},
        "differences": found.differences,
        "most": max(map(abs, ends), default=0.0) or 1.0,
        "draws": found.draws,
        "counts": counts,
        "states": present_states(counts),
        "markdown": markdown_report(found, heads, metrics, counts, notes),
    }


def _command(
    sources: Sequence[Path | str], place: DataPlace, metrics: Sequence[str], draws: Draws, choice: _Choice
) -> str:
    """Returns the command that writes this page, without the file's name, so that equal pages have equal bytes."""
    words = ["foveate", "report", *map(str, sources), "--out", "FILE.html"]
    for name in ("dataset", "root", "questions", "images"):
        words += [f"--{name}", str(getattr(place, name))] if getattr(place, name) is not None else []
    for metric in metrics if tuple(metrics) != REPORT_METRICS else ():
        words += ["--metric", metric]
    words += ["--resamples", str(draws.resamples), "--permutations", str(draws.permutations)]
    words += ["--seed", str(draws.seed), "--cards", str(choice.cards)]
    words += ["--photo-side", str(choice.photo_side)] if choice.photos else ["--no-photos"]
    return shlex.join(words)


def _figures(found: Study, rows: Sequence[Row], names: Sequence[str]) -> list[Figure]:
    columns = {n: run.regions for n, run in enumerate(found.runs) if run.regions is not None}
    made = (
        histogram(rows, names),
        size_figure(rows, names),
        pair_figure(rows, names),
        risk_figure(columns, names),
        reliability_figure(columns, names),
    )
    return [figure for figure in made if figure is not None]
