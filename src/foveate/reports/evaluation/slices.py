"""The chapter on slices: how runs do by target, question and what else is known, and two of these crossed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import starmap

from foveate.analysis.columns import Grouping
from foveate.analysis.groups import OF_ALL
from foveate.evaluation._parts import Bounded
from foveate.evaluation.compare import Draws
from foveate.evaluation.crossed import Cell as CrossCell
from foveate.evaluation.crossed import CrossTable, crossed
from foveate.evaluation.results import Results
from foveate.evaluation.slices import LEAST, Slice, Sliced, sliced, slicings_named
from foveate.evaluation.wording import counted, listed
from foveate.reports.evaluation.heat import heat_table
from foveate.reports.sections.boxes import HOW, Group, Scale, box_plots
from foveate.reports.sections.keys import slug
from foveate.reports.sections.numbers import text
from foveate.reports.sections.parts import Cell, Figure, Section, Table
from foveate.reports.sections.style import drawn, named

METRICS = ("mean_iou", "accuracy@0.5")
# The paper's finding that photos without a flaw are hard because their regions are small.
CROSS = (("flaws", "coverage"), ("quality", "coverage"))
# What is seen at once, as far as it is known; other ways to part the samples are opened.
_FIRST = ("coverage", "quality", "skills", "question_prefix")
# So many groups are drawn; the tables have all.
DRAWN = 10
_WIDE = 6
_SCALE = Scale("IoU", limits=(0.0, 1.0))
_TITLES = {
    "coverage": "coverage in thirds",
    "coverage_bands": "coverage in bands",
    "whole_image": "whole-image targets",
    "points": "points of the target",
    "parts": "parts of the target",
    "targets": "number of targets",
    "question_prefix": "first words of the question",
    "skills": "vision skill",
    "answer_type": "answer type",
    "quality": "image quality",
    "flaws": "image flaw",
    "rotated": "EXIF rotation",
}


def slices_section(
    results: Sequence[Results],
    draws: Draws,
    *,
    by: Sequence[str] = ("all",),
    cross: Sequence[tuple[str, str]] = CROSS,
    metrics: Sequence[str] = METRICS,
) -> Section | None:
    """Returns the chapter; None where nothing parts the samples, or none has a target.

    Args:
        results: Runs on the same samples, in one order.
        draws: Resamples and seed.
        by: Slicings (`slicings_named`).
        cross: Pairs of slicings; a pair of which one is not known here is passed over.
        metrics: Of the tables; the first is that of cross-tables.

    Raises:
        UsageError: A name is unknown.
        UnavailableError: Matplotlib is not installed.
    """
    slicings = slicings_named(results[0], by)
    if not slicings or not results[0].regions["grounded"].any():
        return None
    made = {run.name: sliced(run, slicings, metrics, draws) for run in results}
    tables = _crossed(results, slicings, cross, metrics[0], draws)
    first = [name for name in _FIRST if name in slicings] or list(slicings)[:1]
    parts = [part for name in first for part in _parts(results, made, slicings[name])]
    crossed_parts = [part for table, run in tables for part in _cross_parts(table, run, several=len(results) > 1)]
    parts += [part for part in crossed_parts if isinstance(part, Figure)]
    parts += [replace(part, fold="The cells of the cross-tables") for part in crossed_parts if isinstance(part, Table)]
    others = [name for name in slicings if name not in first]
    fold = f"More: by {listed([_title(name) for name in others])}" if others else ""
    parts += [replace(part, fold=fold) for name in others for part in _parts(results, made, slicings[name])]
    return Section("slices", "Where it does well, and where not", _lead(made, tables), parts)


def _parts(
    results: Sequence[Results], made: Mapping[str, Mapping[str, Sliced]], grouping: Grouping
) -> list[Figure | Table]:
    """Returns the box plots and the table of one way to part the samples."""
    figure = _figure(results, grouping)
    table = _table({run: of[grouping.name] for run, of in made.items()})
    return [figure, table] if figure else [table]


def _title(name: str) -> str:
    return _TITLES.get(name, name.replace("_", " "))


def _lead(made: Mapping[str, Mapping[str, Sliced]], tables: Sequence[tuple[CrossTable, str]]) -> str:
    lines = [
        "Each sample stands in its slices: by how much of the photo its target covers, by what is asked, by what the "
        "data set knows of it. Every value has the 95 % interval of a bootstrap over photos."
    ]
    lines += [f"{run}: {finding}" for run, of in made.items() if (finding := _widest(of))]
    lines += [f"{run}: {table.finding()}" for table, run in tables]
    return "\n".join(lines)


def _widest(of: Mapping[str, Sliced]) -> str:
    """Returns in words which slicing parts the run's values most, among slices that are large enough to tell.

    Single questions and answers are passed over: of so many some are far apart by chance.
    """
    spans = []
    for name, one in of.items():
        if name in OF_ALL:
            continue
        metric = next(iter(one.slices[0].values), "") if one.slices else ""
        there = [(s.values[metric].value, s.key) for s in one.slices if s.n >= LEAST and metric in s.values]
        known = [(value, key) for value, key in there if value is not None]
        if len(known) > 1:
            spans.append((max(known)[0] - min(known)[0], name, metric, min(known), max(known)))
    if not spans:
        return ""
    _, name, metric, (low, lowest), (high, highest) = max(spans)
    return (
        f"{metric} goes furthest apart by {_title(name)}, from {text(low)} (“{lowest}”) to {text(high)} (“{highest}”)."
    )


def _figure(results: Sequence[Results], grouping: Grouping) -> Figure | None:
    large = [group for group in grouping.groups if len(group.rows) >= LEAST]
    told = large[:DRAWN]
    groups = []
    for place, group in enumerate(told, start=1):
        series = []
        for number, run in enumerate(results):
            rows = group.rows[run.regions["grounded"][group.rows] > 0]
            series.append((number, run.regions["iou"][rows]))
        groups.append(Group(named(group.key, 200, place), series))
    fig = box_plots(groups, [run.name for run in results], _SCALE)
    if fig is None:
        return None
    left = len(grouping.groups) - len(told)
    more = f" {counted(left, 'group')} more, or of under {LEAST} samples, only in the table." if left else ""
    note = f" Told apart by: {grouping.note.rstrip('.')}." if grouping.note else ""
    title = _title(grouping.name)
    about = f"Known of {grouping.known:,} of {counted(len(results[0]), 'sample')}.{note} {HOW}{more}"
    return drawn(f"iou_by_{slug(grouping.name)}", f"IoU by {title}", about, fig)


def _table(of: Mapping[str, Sliced]) -> Table:
    several = len(of) > 1
    first = next(iter(of.values()))
    metrics = list(first.slices[0].values) if first.slices else []
    rows: list[list[Cell]] = [
        [one.key, *([run] if several else []), *_cells(one)]
        for places in zip(*(found.slices for found in of.values()), strict=True)
        for run, one in zip(of, places, strict=True)
    ]
    title = _title(first.name)
    head = [title, *(["run"] if several else []), "n", "with target"]
    for metric in metrics:
        head += [metric, f"{metric} low", f"{metric} high"]
        head += [f"{metric} against the rest", f"{metric} against low", f"{metric} against high"]
    head += ["lower quartile", "median", "upper quartile", "without region %"]
    beside = {f"{metric} against {which}" for metric in metrics[1:] for which in ("the rest", "low", "high")}
    about = (
        "Against the rest: minus the value of all other samples. Low and high: 95 % interval; none of fewer than "
        f"{LEAST} samples or photos. Median and quartiles: of IoU. "
        "Without region: of those with a target, whatever the reason."
    )
    more = f" {counted(first.more, 'more slice')} not told." if first.more else ""
    return Table(f"slices_by_{slug(first.name)}", f"All slices by {title}", about + more, head, rows, beside=beside)


def _cells(one: Slice) -> list[Cell]:
    cells: list[Cell] = [one.n, one.n_grounded]
    for v in one.values.values():
        cells += [v.value, v.low, v.high, v.difference, v.difference_low, v.difference_high]
    without = None if one.without_region is None else 100 * one.without_region
    return [*cells, one.iou.q1, one.iou.median, one.iou.q3, without]


def _crossed(
    results: Sequence[Results],
    slicings: Mapping[str, Grouping],
    cross: Sequence[tuple[str, str]],
    metric: str,
    draws: Draws,
) -> list[tuple[CrossTable, str]]:
    there = [(slicings[a], slicings[b]) for a, b in cross if a in slicings and b in slicings]
    return [(crossed(run, a, b, metric, draws, top=_WIDE), run.name) for a, b in there for run in results]


def _cross_parts(table: CrossTable, run: str, *, several: bool) -> list[Figure | Table]:
    stem = f"cross_{slug(table.a)}_{slug(table.b)}" + (f"_{slug(run)}" if several else "")
    a, b = _title(table.a), _title(table.b)
    title = f"{table.metric} by {a} and {b}" + (f": {run}" if several else "")
    mix = ", ".join(f"{key} {100 * share:.1f} %" for key, share in zip(table.columns, table.mix, strict=True))
    about = (
        f"“Same mix” is each row with the mix of {b} that all samples have ({mix}): direct standardisation. Cells of "
        f"fewer than {LEAST} samples are left out of it, the shares of the others made to add up to 1, and the row "
        f"says of how much of the mix it is.{_left_out(table, a, b)} {table.finding()}"
    )
    heat = drawn(stem, title, about, heat_table(table))
    return [heat, _cells_table(table, stem, title), _mix_table(table, stem, title)]


def _left_out(table: CrossTable, a: str, b: str) -> str:
    told = [f"{counted(n, 'group')} of {name}" for n, name in zip(table.more, (a, b), strict=True) if n]
    return f" Left out: {' and '.join(told)}, with their samples." if told else ""


def _cells_table(table: CrossTable, stem: str, title: str) -> Table:
    head = [_title(table.a), _title(table.b), "n", table.metric, "low", "high", "too few"]
    lines = [
        *((row, column, cell) for row, cells in zip(table.rows, table.cells, strict=True)
          for column, cell in zip(table.columns, cells, strict=True)),
        *((row, "all", cell) for row, cell in zip(table.rows, table.row_totals, strict=True)),
        *(("all", column, cell) for column, cell in zip(table.columns, table.column_totals, strict=True)),
        ("all", "all", table.total),
    ]  # fmt: skip
    about = f"Each cell, then each group of one with all of the other. Too few: under {LEAST} samples."
    return Table(f"{stem}_cells", f"{title}: cells", about, head, list(starmap(_cross_row, lines)))


def _cross_row(row: str, column: str, cell: CrossCell) -> list[Cell]:
    return [row, column, cell.n, cell.value, cell.low, cell.high, "yes" if cell.few else "no"]


def _mix_table(table: CrossTable, stem: str, title: str) -> Table:
    head = [_title(table.a), "as it is", "low", "high", "same mix", "same low", "same high"]
    head += ["by mix", "by mix low", "by mix high", "mix in cells that are large enough %"]
    rows: list[list[Cell]] = [
        [s.key, *_three(s.value), *_three(s.same_mix), *_three(s.by_mix), 100 * s.mix_covered]
        for s in table.standardised
    ]
    about = "As it is = same mix + by mix. By mix is what a group owes to its own mix."
    return Table(f"{stem}_mix", f"{title}: with one mix", about, head, rows)


def _three(found: Bounded) -> list[Cell]:
    return [found.value, found.low, found.high]
