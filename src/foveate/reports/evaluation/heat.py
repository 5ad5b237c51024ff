"""A cross-table as a drawing: one cell a pair of groups, the darker the higher, with its number and n in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from foveate.evaluation.crossed import Cell, CrossTable, part_of_mix
from foveate.reports.sections.numbers import text
from foveate.reports.sections.style import COLOURS, INK, SHEET, SOFT, WIDTH, figure, house, named

# Inches: a row, the titles above the columns, and the room between cells and totals as a share of a cell.
_ROW, _TITLES, _APART = 0.52, 0.85, 0.15
# The darkest cell still carries dark letters on white and light letters on black.
_DARKEST = 0.55
_LABEL_LENGTH = 20
TOTAL, SAME_MIX = "all", "same mix"


def heat_table(table: CrossTable) -> Any:
    """Returns the figure: groups of `a` down, of `b` across; then whole rows, as they are and with one mix."""
    values = [cell.value for row in [*table.cells, table.row_totals] for cell in row if cell.value is not None]
    highest = max([*values, 1e-9])
    rows, columns = [*table.rows, TOTAL], [*table.columns, TOTAL, SAME_MIX]
    with house():
        fig, axes = figure(WIDTH, _TITLES + _ROW * (len(rows) + _APART) + 0.1)
        x_of, y_of = _places(len(table.columns), 2), _places(len(table.rows), 1)
        lines = [*zip(table.cells, table.row_totals, strict=True), (table.column_totals, table.total)]
        for y, (cells, total) in zip(y_of, lines, strict=True):
            for x, cell in zip(x_of, [*cells, total], strict=False):
                _cell(axes, x, y, cell, highest)
        for y, row in zip(y_of, table.standardised, strict=False):
            covered = row.mix_covered
            _box(axes, x_of[-1], y, row.same_mix.value, highest, text(row.same_mix.value, 2), part_of_mix(covered))
        _axes(axes, x_of, y_of, columns, rows)
    return fig


def _places(count: int, apart: int) -> list[float]:
    """Returns the middles of so many cells, and of some totals that stand a little apart."""
    return [n + 0.5 for n in range(count)] + [count + n + 0.5 + _APART for n in range(apart)]


def _cell(axes: Any, x: float, y: float, cell: Cell, highest: float) -> None:
    if not cell.n:
        _box(axes, x, y, None, highest, "", "none")
    elif cell.few:
        _box(axes, x, y, None, highest, "", f"few: {cell.n:,}")
    else:
        _box(axes, x, y, cell.value, highest, text(cell.value, 2), f"n {cell.n:,}")


def _box(axes: Any, x: float, y: float, value: float | None, highest: float, large: str, small: str) -> None:
    from matplotlib.patches import Rectangle

    shade = 0.0 if value is None else _DARKEST * max(value, 0.0) / highest
    # The sheet first: the shade lies on it, in the light and on a dark screen.
    for colour, opacity in ((SHEET, 1.0), (COLOURS[0], shade)):
        axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=colour, alpha=opacity, edgecolor="none"))
    axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor="none", edgecolor=SOFT, linewidth=0.6))
    if large:
        axes.text(x, y - (0.14 if small else 0), large, ha="center", va="center", color=INK, fontsize=11)
    if small:
        axes.text(x, y + (0.24 if large else 0), small, ha="center", va="center", color=INK, fontsize=8)


def _axes(axes: Any, x_of: Sequence[float], y_of: Sequence[float], columns: Sequence[str], rows: Sequence[str]) -> None:
    axes.set_xlim(0, x_of[-1] + 0.5)
    axes.set_ylim(y_of[-1] + 0.5, 0)
    axes.grid(visible=False)
    axes.tick_params(length=0)
    axes.xaxis.tick_top()
    labels = [named(label, _LABEL_LENGTH, place) for place, label in enumerate(columns, start=1)]
    axes.set_xticks(list(x_of), labels, rotation=30, ha="left", rotation_mode="anchor")
    axes.set_yticks(list(y_of), [named(label, _LABEL_LENGTH, place) for place, label in enumerate(rows, start=1)])
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)
