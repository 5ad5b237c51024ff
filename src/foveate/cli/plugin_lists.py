"""`foveate grounders`, `foveate metrics`, `foveate aggregators`: what methods, metrics and aggregators there are."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from foveate.plugins import Kind

# So much room a text has in a table, whatever stands beside it.
_ROOM = 24

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


def grounders(as_json: Json = False) -> None:
    """List the grounding methods: what they do and cannot do, their speed and licence, and where the photo goes."""
    from foveate.cli._output import print_json

    found = cards("grounders")
    if as_json:
        print_json(found)
        return
    print_rows(["name", "what", "in words"], [row for card in found for row in _grounder_rows(card)])


def _grounder_rows(card: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Returns the rows of one method; what its card does not tell is said to be unknown."""
    goes = f"is sent to {card['sends_to']}" if card["sends_to"] else "stays on this machine"
    told = {
        "does": card["summary"],
        "limits": card["limits"] or "not told",
        "speed": card["speed"] or "not measured",
        "licence": card["licence"] or "its package's own",
        "the photo": goes,
    }
    return [(str(card["name"]) if row == 0 else "", what, text) for row, (what, text) in enumerate(told.items())]


def metrics(as_json: Json = False) -> None:
    """List the metrics; one with a parameter is called NAME@VALUE."""
    print_cards("metrics", {"name": "name", "what it measures": "summary", "after @": "parameter"}, as_json)


def aggregators(as_json: Json = False) -> None:
    """List the rules that make one region of several people's, what they do, and what they cannot do."""
    print_cards("aggregators", {"name": "name", "what it takes": "summary", "its limits": "limits"}, as_json)


def cards(kind: Kind) -> list[dict[str, Any]]:
    """Returns the cards of a kind as plain values; says beside them which plugins are not whole."""
    from foveate import plugins
    from foveate.cli._output import remark

    found, errors = plugins.load_all(kind)
    for error in errors:
        remark(str(error))
    return [asdict(module.CARD) for module in found.values()]


def print_cards(kind: Kind, columns: Mapping[str, str], as_json: bool) -> None:
    """Prints the cards of a kind, as JSON or as a table with some of their fields."""
    from foveate.cli._output import print_json

    found = cards(kind)
    if as_json:
        print_json(found)
        return
    print_rows(list(columns), [[str(card[field] or "") for field in columns.values()] for card in found])


def print_rows(titles: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str] = ()) -> None:
    """Prints a table for a person; the columns in `right` hold numbers."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    numbers = [title in right for title in titles]
    heads = [_in_lines(title) if number else _readable(title) for title, number in zip(titles, numbers, strict=True)]
    cells = [[_readable(cell) for cell in row] for row in rows]
    table = Table(box=None, pad_edge=False, header_style="bold")
    for head, number in zip(heads, numbers, strict=True):
        table.add_column(escape(head), justify="right" if number else "left", no_wrap=number, overflow="fold")
    for row in cells:
        table.add_row(*map(escape, row))
    # On a very narrow terminal a line breaks, in a file it is as long as it must be; nothing is ever cut.
    here = Console()
    needed = sum(
        _needed(column, number) + 2 for column, number in zip(zip(heads, *cells, strict=True), numbers, strict=True)
    )
    console = Console(width=max(here.width, 70 if here.is_terminal else 160, needed), emoji=False)
    with console.capture() as printed:
        console.print(table)
    sys.stdout.write("\n".join(line.rstrip(" ") for line in printed.get().split("\n")))


def _needed(column: Sequence[str], number: bool) -> int:
    """Returns how wide a column must be: numbers are never parted, and a text is not left without room beside them."""
    from rich.cells import cell_len

    widest = max(cell_len(line) for cell in column for line in cell.split("\n"))
    return widest if number else min(widest, _ROOM)


def _in_lines(title: str) -> str:
    """Returns the title of a column of numbers, a long one (a name from outside) in lines."""
    from textwrap import wrap

    return "\n".join(wrap(_readable(title), _ROOM)) or title


def _readable(cell: str) -> str:
    """Returns a cell, which may have lines of its own, without what would drive the terminal or turn the text."""
    from foveate.reports._text import plain

    lines = cell.split("\n")
    return "\n".join(line[: len(line) - len(line.lstrip(" "))] + plain(line) for line in lines)
