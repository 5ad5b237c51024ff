"""`foveate report`: runs as one file that shows where they fail."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from foveate.errors import UnavailableError, UsageError
from foveate.evaluation.compare import Draws
from foveate.evaluation.evaluate import check_random
from foveate.evaluation.load import DataPlace
from foveate.evaluation.metric_names import metrics_named
from foveate.evaluation.results import Results
from foveate.execution.ground import RunProgress
from foveate.reports.album import Album, album_of
from foveate.reports.curves import reliability_figure, risk_figure
from foveate.reports.evaluation.chapters import Depth, chapters
from foveate.reports.figures import Figure
from foveate.reports.galleries import galleries
from foveate.reports.heads import Head, head_of, page_notes, versions
from foveate.reports.histogram import histogram
from foveate.reports.listing import FIRST_ROWS, listed, payload
from foveate.reports.page import html
from foveate.reports.pairs import pair_figure
from foveate.reports.pictures import cards_of, shown_rows
from foveate.reports.rows import Row, rows_of
from foveate.reports.samples_csv import samples_csv
from foveate.reports.sections.keys import apart
from foveate.reports.sections.latex import latex
from foveate.reports.sections.markdown import markdown_chapters
from foveate.reports.sections.parts import Section
from foveate.reports.sections.style import can_draw
from foveate.reports.sections.write import check_place, write_folder
from foveate.reports.sizes import size_figure
from foveate.reports.stages import Stages
from foveate.reports.study import REPORT_METRICS, Study, study
from foveate.reports.tables import markdown_report
from foveate.reports.totals import counts_of, metric_rows, present_states
from foveate.reports.totals_section import totals_section
from foveate.runs.provenance import provenance
from foveate.sources.new_files import new_file

USUAL_DEPTH = Depth()
_PAGES = (".html", ".htm")
_MARKDOWN, _LATEX, _CSV = ".md", ".tex", ".csv"
# A report without a suffix is a folder.
_FOLDER = ""


@dataclass(frozen=True)
class Report:
    """What was written; it can be used as the file's path.

    Attributes:
        out: The file, or the folder.
        size: Its bytes; of a folder those of its page.
        samples: How many samples it shows as cards.
        photos: How many photos are in it.
        absent: How many of the samples are shown without their photo.
        nowhere: How many of these because there is no such photo below the root.
        tables: How many tables lie beside the page of a folder.
        figures: How many figures do.
    """

    out: Path
    size: int
    samples: int
    photos: int
    absent: int
    nowhere: int = 0
    tables: int = 0
    figures: int = 0

    def __fspath__(self) -> str:
        return str(self.out)


@dataclass(frozen=True)
class _Choice:
    """How much of the samples is shown, and who is told how far it is."""

    cards: int
    photo_side: int
    photos: bool
    depth: Depth | None
    stages: Stages


@dataclass(frozen=True)
class _Asked:
    """What a report was made of, as one asks for it."""

    sources: Sequence[Path | str]
    place: DataPlace
    metrics: Sequence[str]
    draws: Draws


def report(
    sources: Sequence[Path | str],
    out: Path | str,
    dataset: str | None = None,
    root: Path | str | None = None,
    *,
    questions: Path | str | None = None,
    images: Path | str | None = None,
    settings: Mapping[str, str] | None = None,
    metrics: Sequence[str] = REPORT_METRICS,
    resamples: int = 1000,
    permutations: int = 9_999,
    seed: int = 0,
    cards: int = 12,
    photo_side: int = 800,
    photos: bool = True,
    depth: Depth | None = USUAL_DEPTH,
    common: bool = False,
    progress: RunProgress | None = None,
) -> Report:
    """Writes runs on the same samples as one page that needs nothing beside it, as a folder, or as tables alone.

    Args:
        sources: One or more runs or files of predictions, as `score` takes them; further ones are compared with the
            first.
        out: The file; with the suffix `.md` or `.tex` it holds the tables, with `.csv` every sample. Without a suffix
            it is a folder: the page, and the tables and figures of its chapters as CSV, SVG and PNG.
        dataset: As for `score`; runs know their own.
        root: The folder of the data set; a run remembers the one it was made with.
        questions: The table of questions, for the data set `folder`.
        images: For COCO results, as for `score`.
        settings: Options of the data set; a run knows its own.
        metrics: Names; of those given here one that cannot be measured is an error, of the usual ones it is a note.
        resamples: Bootstrap resamples for the intervals; 0 for none. Samples as `.csv` need none.
        permutations: Exchanges for the p-values of differences; 0 for none. Likewise.
        seed: Of what is drawn.
        cards: How many samples each gallery shows of each run.
        photo_side: The longer side of photos in the page, at most.
        photos: Whether photos are put in; they can show private things.
        depth: What the chapters on where and why runs fail look at; None leaves them out.
        common: Only the samples that all were asked; each run notes how many were left out.
        progress: Is told how far it is.

    Raises:
        UsageError: A name or number is none that there is, or a file is given without a data set.
        UnavailableError: Matplotlib is not installed, and `depth` is not None.
        InputError: The sources are not about the same samples, or one of them is broken.
        OutputError: The file is there already, or cannot be written.
    """
    path = Path(out)
    _check(sources, path, cards, photo_side)
    check_random(seed, resamples, permutations)
    if depth is not None and path.suffix.lower() != _CSV and not can_draw():
        raise UnavailableError(
            "report",
            "the figures of the chapters on where and why need Matplotlib, which is not installed",
            "Install it: pip install 'foveate[analysis]', or leave these chapters out: --brief.",
        )
    place = DataPlace(dataset, root, questions, images, settings=settings, common=common)
    asked = _Asked(sources, place, metrics, Draws(resamples, permutations, seed))
    choice = _Choice(cards, photo_side, photos, depth, Stages(progress))
    if path.suffix == _FOLDER:
        return _folder(path, asked, choice)
    # Opened before the work, so that a name that is taken is told at once.
    with new_file(path) as file:
        text, samples, album = _written(path.suffix.lower(), asked, choice)
        # Half a character (a file name with odd bytes) is written as its escape.
        data = text.encode("utf-8", "backslashreplace")
        file.write(data)
    return Report(path, len(data), samples, len(album.distinct), len(album.absent), album.nowhere)


def _written(suffix: str, asked: _Asked, choice: _Choice) -> tuple[str, int, Album]:
    """Returns the file's text, how many samples it shows, and their photos."""
    if suffix == _CSV:
        return _samples(asked, choice.stages), 0, Album({}, {})
    found = study(asked.sources, asked.place, asked.metrics, asked.draws, choice.stages)
    told = _made_by(found, asked, choice.depth)
    if suffix == _MARKDOWN:
        return _tables(found, told) + markdown_chapters(_chapters(found, choice)), 0, Album({}, {})
    if suffix == _LATEX:
        return latex([totals_section(found), *_chapters(found, choice)]), 0, Album({}, {})
    # Before the photos, which take long: a file that is asked for may be about other samples.
    sections = _chapters(found, choice)
    values, album = _page(found, choice, told)
    more = {"chapters": sections, "in_folder": False, "command": _of_page(asked, choice, "FILE.html")}
    return html({**values, **more, "made_by": told[1:]}), len(values["cards"]), album


def _folder(out: Path, asked: _Asked, choice: _Choice) -> Report:
    check_place(out)
    found = study(asked.sources, asked.place, asked.metrics, asked.draws, choice.stages)
    told = _made_by(found, asked, choice.depth)
    sections = _chapters(found, choice)
    values, album = _page(found, choice, told)
    more = {"chapters": sections, "in_folder": True, "command": _of_page(asked, choice, "FOLDER")}
    page = html({**values, **more, "made_by": told[1:]}).encode("utf-8", "backslashreplace")
    totals = totals_section(found)
    beside = {
        "report.md": values["markdown"] + markdown_chapters(sections),
        "report.tex": latex([totals, *sections]),
        "samples.csv": samples_csv(rows_of(found), [run.name for run in found.runs]),
    }
    files = {name: text.encode("utf-8", "backslashreplace") for name, text in beside.items()}
    written = write_folder(out, page, [totals, *sections], files)
    shown = len(values["cards"])
    return Report(
        out, written.size, shown, len(album.distinct), len(album.absent), album.nowhere, written.tables, written.figures
    )


def _chapters(found: Study, choice: _Choice) -> list[Section]:
    """Returns the chapters on where and why; none where regions cannot be measured."""
    results = [
        Results(run.name, run.loaded, run.found.joined, run.regions, run.answers)
        for run in found.runs
        if run.regions is not None and run.answers is not None
    ]
    if choice.depth is None or len(results) < len(found.runs):
        return []
    return apart(chapters(results, choice.depth, found.draws, choice.stages))


def _of_page(asked: _Asked, choice: _Choice, out: str) -> str:
    options = ["--cards", str(choice.cards)]
    options += ["--photo-side", str(choice.photo_side)] if choice.photos else ["--no-photos"]
    return _command(asked, out, [*options, *_of_depth(choice.depth)])


def _of_depth(depth: Depth | None) -> list[str]:
    """Returns the options of the command that decide on the chapters."""
    if depth is None:
        return ["--brief"]
    options = [word for name in depth.by if tuple(depth.by) != USUAL_DEPTH.by for word in ("--by", name)]
    options += [word for pair in depth.cross if depth.cross != USUAL_DEPTH.cross for word in ("--cross", *pair)]
    for name in ("prior", "people", "touched", "controls"):
        options += [f"--{name}", str(path)] if (path := getattr(depth, name)) else []
    return options


def _check(sources: Sequence[Path | str], out: Path, cards: int, photo_side: int) -> None:
    if not sources:
        raise UsageError("report", "no run is given", "Name one run or more.")
    if out.suffix.lower() not in {*_PAGES, _MARKDOWN, _LATEX, _CSV, _FOLDER}:
        raise UsageError(
            str(out),
            "its suffix is that of no report",
            f"Use {_PAGES[0]} for a page, {_MARKDOWN} or {_LATEX} for its tables, {_CSV} for every sample, none for a "
            "folder.",
        )
    if cards < 0 or photo_side < 1:
        raise UsageError(
            "report", f"{cards} cards, photos of {photo_side} pixels: too few", "Give 0 cards or more, and 1 pixel."
        )


def _samples(asked: _Asked, stages: Stages) -> str:
    """Returns every sample alone: there is no value in it that would be measured, drawn for or compared."""
    if tuple(asked.metrics) != REPORT_METRICS:
        metrics_named(asked.metrics)
    found = study(asked.sources, asked.place, (), Draws(0, 0, asked.draws.seed), stages)
    return samples_csv(rows_of(found), [run.name for run in found.runs])


def _tables(found: Study, made_by: Sequence[str]) -> str:
    notes = page_notes(found, Album({}, {}), listed([], []))
    return _markdown(found, [head_of(run) for run in found.runs], notes, made_by)


def _markdown(found: Study, heads: Sequence[Head], notes: Sequence[str], made_by: Sequence[str]) -> str:
    return markdown_report(found, heads, metric_rows(found), [counts_of(run) for run in found.runs], notes, made_by)


def _page(found: Study, choice: _Choice, made_by: Sequence[str]) -> tuple[dict[str, Any], Album]:
    """Returns all that the page's template names, but for how it was made; and the photos."""
    rows = rows_of(found)
    names = [run.name for run in found.runs]
    chosen = galleries(rows, cards=choice.cards, seed=found.draws.seed)
    shown = shown_rows(chosen)
    album = album_of(
        found.data, [rows[n] for n in shown], choice.photo_side, wanted=choice.photos, stages=choice.stages
    )
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
        "accepted": any(row.answers for row in rows),
        "figures": _figures(found, rows, names),
    }
    return {**_totals(found, page_notes(found, album, listing), made_by), **samples}, album


def _totals(found: Study, notes: Sequence[str], made_by: Sequence[str]) -> dict[str, Any]:
    heads = [head_of(run) for run in found.runs]
    metrics, counts = metric_rows(found), [counts_of(run) for run in found.runs]
    ends = [v for d in found.differences for v in (d.difference, d.low, d.high) if v is not None]
    return {
        "data": found.data,
        "heads": heads,
        "notes": notes,
        "evaluation": found.runs[0].evaluation,
        "metrics": metrics,
        "by_metric": {row.name: row for row in metrics},
        "differences": found.differences,
        "most": max(map(abs, ends), default=0.0) or 1.0,
        "draws": found.draws,
        "counts": counts,
        "states": present_states(counts),
        "markdown": _markdown(found, heads, notes, made_by),
    }


def _made_by(found: Study, asked: _Asked, depth: Depth | None) -> list[str]:
    """Returns how the tables are made: the command, what was drawn, by which versions."""
    draws = asked.draws
    drawn = f"Seed {draws.seed}, {draws.resamples:,} bootstrap resamples (photos resampled)"
    drawn += f", up to {draws.permutations:,} permutations" if found.differences else ""
    return [f"Made by {_command(asked, 'FILE.md', _of_depth(depth))}", f"{drawn}. {versions(provenance())}."]


def _command(asked: _Asked, out: str, options: Sequence[str]) -> str:
    """Returns the command that writes a file, without the file's name, so that equal files have equal bytes."""
    words = ["foveate", "report", *map(str, asked.sources), "--out", out]
    for name in ("dataset", "root", "questions", "images"):
        value = getattr(asked.place, name)
        words += [f"--{name}", str(value)] if value is not None else []
    words += ["--common"] if asked.place.common else []
    for option, value in (asked.place.settings or {}).items():
        words += ["--option", f"{option}={value}"]
    for metric in asked.metrics if tuple(asked.metrics) != REPORT_METRICS else ():
        words += ["--metric", metric]
    words += ["--resamples", str(asked.draws.resamples), "--permutations", str(asked.draws.permutations)]
    return shlex.join([*words, "--seed", str(asked.draws.seed), *options])


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
