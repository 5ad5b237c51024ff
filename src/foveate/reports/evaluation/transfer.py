"""The chapter on transfer: trained on A, tested on B."""

from __future__ import annotations

from collections.abc import Sequence

from foveate.evaluation.transfer import Transfer, Trial
from foveate.reports._text import prose
from foveate.reports.sections.parts import Cell, Figure, Section, Table
from foveate.reports.sections.style import INK, SHEET, WIDTH, drawn, figure, house, named

KEY, TITLE = "transfer", "Trained on one, tested on another"
# Inches: a row of cells, what stands above and below.
_ROW, _AROUND = 0.62, 1.0
_LONGEST = 30


def transfer_section(found: Transfer | None) -> Section | None:
    """Returns the chapter; None without runs."""
    if found is None or not found.cells:
        return None
    return Section(KEY, TITLE, _lead(found), [_figure(found), _table(found)])


def _lead(found: Transfer) -> str:
    seen = [cell for cell in found.cells.values() if cell.seen == "yes"]
    others = [cell for cell in found.cells.values() if cell.seen == "no" and cell.row.fingerprint]
    said = f"{len(found.cells):,} runs: rows are what a method was trained on, columns what it was tested on."
    if seen:
        said += " A star marks the samples that it was trained on: what it remembers, not what it can do."
    for column in found.columns:
        best = max((c for c in others if c.tested_on == column), key=_value, default=None)
        if best is not None:
            said += (
                f"\nOn {column} the best that had not seen it is {best.row.method}, trained on {best.row.trained_on}: "
                f"{_value(best):.3f}."
            )
    return said


def _value(cell: Trial) -> float:
    return -1.0 if cell.value.value is None else cell.value.value


def _figure(found: Transfer) -> Figure:
    rows, columns = found.rows, found.columns
    values = [_value(cell) for cell in found.cells.values()]
    top = max(max(values), 1e-9)
    with house():
        from matplotlib import colormaps
        from matplotlib.patches import Rectangle

        fig, axes = figure(max(WIDTH, 2.2 + 1.5 * len(columns)), _ROW * len(rows) + _AROUND)
        axes.set(xlim=(0, len(columns)), ylim=(len(rows), 0))
        axes.grid(visible=False)
        shades = colormaps["Blues"]
        for (row, column), cell in found.cells.items():
            x, y = columns.index(column), rows.index(row)
            depth = 0.85 * max(0.0, _value(cell)) / top
            axes.add_patch(Rectangle((x, y), 1, 1, facecolor=shades(depth), edgecolor=SHEET, linewidth=2))
            dark = depth > 0.55
            axes.text(
                x + 0.5, y + 0.5, _told(cell), ha="center", va="center", color=SHEET if dark else INK, fontsize=9.5
            )
        for x in range(len(columns)):
            for y in range(len(rows)):
                if (rows[y], columns[x]) not in found.cells:
                    axes.text(x + 0.5, y + 0.5, "—", ha="center", va="center", color=INK)
        axes.set_xticks([n + 0.5 for n in range(len(columns))], [_broken(column) for column in columns])
        axes.set_yticks(
            [n + 0.5 for n in range(len(rows))],
            [f"{named(row.method, _LONGEST)}\n{_broken(row.trained_on)}" for row in rows],
        )
        axes.tick_params(length=0, labelsize=9)
        axes.set_xlabel("tested on")
        axes.set_ylabel("method, trained on")
    about = f"{prose(found.metric)} with its 95 % interval; the deeper the higher; — where there is no run."
    return drawn("transfer_matrix", "Trained on, tested on", about, fig)


def _told(cell: Trial) -> str:
    mark = {"no": "", "yes": " *", "perhaps": " ?"}[cell.seen]
    value = "n/a" if cell.value.value is None else f"{cell.value.value:.3f}"
    low, high = cell.value.low, cell.value.high
    return f"{value}{mark}" + ("" if low is None or high is None else f"\n{low:.3f} to {high:.3f}")


def _broken(name: str) -> str:
    """Returns a data set's name with its split on a line of its own."""
    base, colon, split = name.partition(":")
    return f"{named(base, _LONGEST)}:\n{named(split, _LONGEST)}" if colon else named(base, _LONGEST)


def _table(found: Transfer) -> Table:
    rows: list[Sequence[Cell]] = [
        [
            cell.row.method,
            cell.row.trained_on,
            cell.tested_on,
            cell.value.value,
            cell.value.low,
            cell.value.high,
            cell.value.n,
            {"no": "", "yes": "the same samples", "perhaps": "the same split, other questions"}[cell.seen],
        ]
        for cell in found.cells.values()
    ]
    head = ["method", "trained on", "tested on", prose(found.metric), "low", "high", "n", "seen in training"]
    return Table("transfer", "Every run", "What a method was trained on, its runs' headers tell.", head, rows)
