"""`foveate grounders`: what methods there are."""

from __future__ import annotations

from typing import Annotated

import typer


def grounders(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """List the grounding methods, what they need, and what they cannot do."""
    from foveate import plugins
    from foveate.cli._output import print_json
    from foveate.core.cards import GrounderCard

    cards: list[GrounderCard] = [plugins.load("grounders", name).CARD for name in plugins.modules("grounders")]
    if as_json:
        print_json(
            [
                {
                    "name": c.name,
                    "summary": c.summary,
                    "reference": c.reference,
                    "needs_image": c.needs_image,
                    "answers": c.answers,
                    "regions": c.regions,
                    "weights": list(c.weights),
                    "limits": c.limits,
                }
                for c in cards
            ]
        )
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("name", "what it does", "its limits"):
        table.add_column(title)
    for card in cards:
        table.add_row(card.name, card.summary, card.limits)
    Console().print(table)
