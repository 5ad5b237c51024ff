"""How commands print slices and cross-tables, and the options that ask for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from foveate.cli._output import say
from foveate.errors import shown

if TYPE_CHECKING:
    from foveate.evaluation.crossed import Cell, CrossTable
    from foveate.evaluation.in_slices import InSlices
    from foveate.evaluation.slice_differences import SlicedComparison
    from foveate.evaluation.slices import Sliced

By = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="Part the samples: coverage, question_prefix, quality, … or all; once for each.",
        show_default=False,
    ),
]
Cross = Annotated[
    tuple[str, str] | None,
    typer.Option(
        metavar="NAME NAME",
        help="Cross two of them: what is compared, and whose mix is then held equal.",
        show_default=False,
    ),
]
# Of more slices than this the terminal shows the first; JSON has more.
SHOWN = 20


def print_sliced(found: InSlices, n: int) -> None:
    """Prints each slicing as a table."""
    for sliced in found.slices.values():
        note = f"; {sliced.note}" if sliced.note else ""
        say(f"\nBy {sliced.name}: known of {sliced.known:,} of {n:,} samples{note}")
        _print_slices(sliced)
        more = len(sliced.slices) - SHOWN + sliced.more if len(sliced.slices) > SHOWN else sliced.more
        if more:
            say(f"{more:,} more, not shown")
    if found.slices:
        say("\nagainst the rest: the value minus that of all other samples; without region: of those with a target")


def _print_slices(sliced: Sliced) -> None:
    from foveate.cli.plugin_lists import print_rows
    from foveate.evaluation.wording import digits, interval

    titles = [sliced.name, "samples", "metric", "value", "95 % interval", "against the rest", "95 % interval "]
    titles += ["IoU quartiles", "without region"]
    rows = []
    for one in sliced.slices[:SHOWN]:
        iou = " ".join("n/a" if q is None else f"{q:.2f}" for q in (one.iou.q1, one.iou.median, one.iou.q3))
        without = "n/a" if one.without_region is None else f"{100 * one.without_region:.1f} %"
        for place, (name, v) in enumerate(one.values.items()):
            first = place == 0
            told = [digits(v.value), interval(v.low, v.high)]
            told += [digits(v.difference, sign=True), interval(v.difference_low, v.difference_high, sign=True)]
            ends = [iou, without] if first else ["", ""]
            rows.append([shown(one.key) if first else "", f"{one.n:,}" if first else "", name, *told, *ends])
    print_rows(titles, rows, right=[title for title in titles if title not in {sliced.name, "metric"}])


def print_crossed(found: InSlices) -> None:
    """Prints the cross-table of each metric, and what the mix explains."""
    from foveate.errors import some
    from foveate.evaluation.slices import LEAST

    for name, table in found.cross.items():
        say(f"\n{name}: {table.a} by {table.b}, {table.n:,} samples of which both are known (n in brackets)")
        _print_cells(table)
        mix = [f"{key} {100 * share:.1f} %" for key, share in zip(table.columns, table.mix, strict=True)]
        say(f"same mix: with the mix of {table.b} that all have ({some(mix, 6)}); by mix: value minus that")
        if any(cell.few for row in table.cells for cell in row):
            say(f"few: under {LEAST} samples, left out of `same mix`, which is then of so much of the mix")
        if any(table.more):
            say(f"left out: {table.more[0]:,} more of {table.a}, {table.more[1]:,} more of {table.b}")
        say(table.finding())


def _print_cells(table: CrossTable) -> None:
    from foveate.cli.plugin_lists import print_rows
    from foveate.evaluation.crossed import part_of_mix
    from foveate.evaluation.wording import digits, interval

    titles = [
        shown(table.a),
        *map(shown, table.columns),
        "all",
        "same mix",
        "95 % interval",
        "by mix",
        "95 % interval ",
    ]
    rows = []
    for cells, total, same in zip(table.cells, table.row_totals, table.standardised, strict=True):
        mixed, owed = same.same_mix, same.by_mix
        told = [f"{digits(mixed.value)} {part_of_mix(same.mix_covered)}".strip(), interval(mixed.low, mixed.high)]
        told += [digits(owed.value, sign=True), interval(owed.low, owed.high, sign=True)]
        rows.append([shown(same.key), *map(_cell, [*cells, total]), *told])
    rows.append(["all", *map(_cell, [*table.column_totals, table.total]), "", "", "", ""])
    print_rows(titles, rows, right=titles[1:])


def _cell(cell: Cell) -> str:
    from foveate.evaluation.wording import digits

    if not cell.n:
        return "-"
    return f"{digits(cell.value)} ({cell.n:,}{', few' if cell.few else ''})"


def print_slice_differences(found: SlicedComparison) -> None:
    """Prints how runs differ in each slice, by slicing and pair."""
    from itertools import groupby

    from foveate.cli.plugin_lists import print_rows
    from foveate.evaluation.slices import LEAST
    from foveate.evaluation.wording import digits, interval

    titles = ["samples", "metric", "value", "against", "difference", "95 % interval", "p", "p (Holm)"]
    # Stable, so that slices stay in their order within a slicing and a pair of runs.
    of = sorted(found.slices, key=lambda s: (list(found.left_out).index(s.by), s.difference.second, s.difference.first))
    for (by, second, first), slices in groupby(of, key=lambda s: (s.by, s.difference.second, s.difference.first)):
        say(f"\nBy {by}: {second} against {first}")
        rows, last = [], None
        for one in slices:
            d = one.difference
            same, last = one.key == last, one.key
            rows.append(
                [
                    *(["", ""] if same else [shown(one.key), f"{one.n:,}"]),
                    d.metric,
                    digits(d.value_second),
                    digits(d.value_first),
                    digits(d.difference, sign=True),
                    interval(d.low, d.high, sign=True),
                    digits(d.p),
                    digits(d.p_holm),
                ]
            )
        print_rows([by, *titles], rows, right=[title for title in titles if title != "metric"])
        if found.left_out[by]:
            say(f"{found.left_out[by]:,} more slices are not compared: under {LEAST} samples, or beyond the largest")
