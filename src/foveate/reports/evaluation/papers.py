"""The chapter with a paper's tables: published and measured values, each in columns of its own."""

from __future__ import annotations

from collections.abc import Sequence

from foveate.evaluation.papers import PaperReport
from foveate.evaluation.telling_papers import VALUES_HEAD, about, undefined, values, wide
from foveate.reports.sections.parts import Cell, Section, Table

KEY = "papers"


def papers_section(found: PaperReport) -> Section:
    """Returns the chapter."""
    parts = [_wide(found, n) for n, table in enumerate(found.tables) if table.rows]
    rows: list[Sequence[Cell]] = list(values(found))
    told = "“published” and “measured” are never of one source; “of which samples” says of which each value is."
    parts.append(Table(f"{found.paper.name}_values", "Every value with its source", told, VALUES_HEAD, rows, digits=5))
    how: list[Sequence[Cell]] = [[one.method, ", ".join(one.splits), line] for one in found.how for line in one.lines]
    if how:
        told = "What would measure the values that were not measured here; DIR is the folder of the data set."
        parts.append(
            Table(f"{found.paper.name}_how", "How to measure the rest", told, ("method", "splits", "what"), how)
        )
    notes = " ".join(f"{note}." for note in (*found.notes, *undefined(found)))
    lead = f"{found.paper.citation}. Published values stand beside measured ones, each under its name. {notes}"
    return Section(KEY, f"Tables of the paper: {found.paper.title}", lead.strip(), parts)


def _wide(found: PaperReport, number: int) -> Table:
    table = found.tables[number]
    head, rows = wide(table)
    return Table(f"{found.paper.name}_{table.table.key}", table.table.title, about(table), head, rows, digits=4)
