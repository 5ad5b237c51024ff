"""Totals and differences as a section, for the forms that have no page: CSV and LaTeX."""

from __future__ import annotations

from collections.abc import Sequence

from foveate.reports.sections.parts import Cell, Section, Table
from foveate.reports.study import Study

KEY = "totals"


def totals_section(study: Study) -> Section:
    """Returns the values of all runs with their intervals, and how the runs differ from the first."""
    parts = [_totals(study), *([_differences(study)] if study.differences else [])]
    return Section(KEY, f"Totals on {study.data.name}", "", parts)


def _totals(study: Study) -> Table:
    names = [run.name for run in study.runs]
    head = ["metric", "better", *(title for name in names for title in (name, f"{name} low", f"{name} high")), "over"]
    rows: list[Sequence[Cell]] = []
    for metric in study.metrics:
        values = [run.evaluation.metrics.get(metric.name) for run in study.runs]
        cells = [cell for v in values for cell in ((v.value, v.low, v.high) if v is not None else (None, None, None))]
        if any(cell is not None for cell in cells):
            over = {value.n for value in values if value is not None}
            rows.append([metric.name, metric.card.better, *cells, over.pop() if len(over) == 1 else None])
    about = "The value with its 95 % interval; over: how many samples it is made from, where that is one for all runs."
    return Table("totals", "Totals", about, head, rows, digits=4)


def _differences(study: Study) -> Table:
    head = ("run", "metric", "difference", "difference low", "difference high", "p", "p (Holm)")
    rows = [[d.second, d.metric, d.difference, d.low, d.high, d.p, d.p_holm] for d in study.differences]
    about = f"Each run minus {study.runs[0].name}, paired by sample; p by permutation, adjusted for all of the table."
    return Table("differences", f"Differences from {study.runs[0].name}", about, head, rows, digits=4)
