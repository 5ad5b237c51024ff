"""The page of runs that were scored on two versions of a release, and its rows, which the terminal shows too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from foveate.evaluation.wording import counted, digits, interval
from foveate.releases.ranks import Ranked, order_told, ranks_of
from foveate.releases.rescore import Rescored
from foveate.reports.heads import versions as made_with
from foveate.reports.sections.keys import apart
from foveate.reports.sections.page import html
from foveate.reports.sections.parts import Cell, Section, Table
from foveate.reports.sections.write import RESCORED, Written, check_place, write_folder
from foveate.runs.provenance import provenance

HEAD = ("metric", "before", "n before", "after", "n after", "change", "change of the same", "95 % interval")
SAMPLES = ("sample", "before", "after", "change")
PAGE = "rescored.html"
_PAIRED = (
    "The change of the same is that on the samples which both versions have; its interval resamples photos, both "
    "versions alike. Where samples have left, the first change is also theirs."
)


def check_out(out: Path) -> None:
    """Refuses a folder that the page could not be written to.

    Raises:
        OutputError: There is something else.
    """
    check_place(out, kind=RESCORED)


def rows_of(found: Rescored) -> list[list[str]]:
    """Returns one row a metric, as texts: both values with how many samples they are over, and the change."""
    rows = []
    for name, before, n_before, after, n_after, change, same, low, high in _cells(found):
        values = [digits(before), f"{n_before:,}", digits(after), f"{n_after:,}"]
        changes = [digits(change, sign=True), digits(same, sign=True), interval(low, high, sign=True)]
        rows.append([name, *values, *changes])
    return rows


def _cells(found: Rescored) -> Iterator[tuple[Any, ...]]:
    """Yields the same as numbers, None for what is not known: the interval is two of them."""
    paired = {change.metric: change for change in found.changes}
    for name, before in found.before.metrics.items():
        after, same = found.after.metrics[name], paired.get(name)
        change = None if None in (before.value, after.value) else (after.value or 0.0) - (before.value or 0.0)
        of_same = (same.difference, same.low, same.high) if same else (None, None, None)
        yield name, before.value, before.n, after.value, after.n, change, *of_same


def told_of(found: Rescored) -> str:
    """Returns a sentence: how many samples moved, left, and were not asked."""
    return (
        f"{counted(len(found.moved), 'sample')} of {found.common:,} in both have another IoU; {len(found.removed):,} "
        f"are no more there; the run was not asked {len(found.not_asked):,} that are new"
    )


def write_rescored(names: Sequence[str], found: Sequence[Rescored], out: Path) -> Written:
    """Writes the folder of the page; an earlier one is replaced.

    Args:
        names: The two versions, as `NAME@VERSION`.
        found: Runs on both.
        out: The folder.

    Raises:
        OutputError: The folder holds something else, or cannot be written.
    """
    ranks = ranks_of(found)
    sections = apart([*([_order(ranks)] if ranks else []), *(_run(n, one) for n, one in enumerate(found, start=1))])
    title, lead = f"{names[0]} and {names[1]}", f"{counted(len(found), 'run')}, scored before and after the mending."
    page = html(title, lead, sections, [f"{made_with(provenance())}."])
    return write_folder(out, page.encode("utf-8", "backslashreplace"), sections, name=PAGE, kind=RESCORED)


def _order(ranks: Sequence[Ranked]) -> Section:
    rows = [[one.source, one.split, one.metric, one.before, one.after] for one in ranks]
    table = Table("ranks", "Ranks", "Equal values have one rank.", ("run", "split", "metric", "before", "after"), rows)
    return Section("order", "The order of the runs", f"{'. '.join(order_told(ranks))}.", [table])


def _run(number: int, found: Rescored) -> Section:
    scores = Table(f"scores_{number}", "Scores", _PAIRED, (*HEAD[:-1], "low", "high"), list(_cells(found)), 4)
    moved: list[list[Cell]] = [[one.id, one.before, one.after, one.after - one.before] for one in found.moved]
    about = "IoU of the prediction with the old and the new target, the largest change first."
    samples = Table(f"samples_{number}", "Samples that moved", about, SAMPLES, moved)
    left = Table(f"left_{number}", "Samples that left", "", ("sample",), [[name] for name in found.removed])
    parts = [scores, *([samples] if moved else []), *([left] if found.removed else [])]
    return Section(f"run_{number}", f"{found.source}, {found.split}", f"{told_of(found)}.", parts)
