"""`foveate grounders`: what methods there are."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from foveate.core.cards import GrounderCard


def grounders(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """List the grounding methods, what they need, and what they cannot do."""
    from foveate import plugins
    from foveate.cli._output import print_json, remark
    from foveate.errors import FoveateError

    cards: list[GrounderCard] = []
    for name in plugins.modules("grounders"):
        try:
            cards.append(plugins.load("grounders", name).CARD)
        except FoveateError as error:
            remark(str(error))  # One method that is not whole must not hide the others.
    if as_json:
        print_json([asdict(card) for card in cards])
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("name", "what it does", "its limits"):
        table.add_column(title)
    for card in cards:
        table.add_row(card.name, card.summary, card.limits)
    Console().print(table)
