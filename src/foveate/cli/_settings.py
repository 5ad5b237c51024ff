"""Options of data sets (`--option NAME=VALUE`) and of methods (`--set NAME=VALUE`), once for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from foveate.errors import UsageError

Settings = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="An option of the data set.", show_default=False),
]


MethodOptions = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="An option of the method.", show_default=False),
]


def settings_of(given: Sequence[str] | None, option: str = "--option") -> dict[str, str]:
    """Returns the options by name.

    Args:
        given: As they were typed.
        option: What they follow, for messages.

    Raises:
        UsageError: One has no `=`, or is given twice.
    """
    settings: dict[str, str] = {}
    for text in given or ():
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise UsageError(f"{option} {text}", "it is not of the form NAME=VALUE", f"Write it as {option} votes=3.")
        if name in settings:
            raise UsageError(f"{option} {text}", f"{name} was {settings[name]} before", "Give each option once.")
        settings[name] = value
    return settings
