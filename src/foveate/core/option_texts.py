"""Options of plugins as they are typed on the command line, read by the annotation of the parameter that takes them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from foveate.errors import UsageError, did_you_mean

_YES_NO = {"yes": True, "true": True, "no": False, "false": False}


def option_value(where: str, text: str, hint: Any) -> Any:
    """Returns the value that a text stands for.

    Args:
        where: The option's full name, for messages.
        text: As it was typed.
        hint: The annotation: `bool`, `int`, `float`, `str` or a `Literal`; any other is a text too.

    Raises:
        UsageError: The text is none of the values.

    Example:
        >>> option_value("a.b", "yes", bool), option_value("a.b", "0.5", float), option_value("a.b", "0.5", str)
        (True, 0.5, '0.5')
    """
    if get_origin(hint) is Literal:
        choices = [str(choice) for choice in get_args(hint)]
        if text not in choices:
            raise UsageError(where, f"{text} is none of {', '.join(choices)}", did_you_mean(text, choices))
        return text
    if get_origin(hint) in (Union, UnionType):
        # None is what is left out; of several further types none is the one that is meant.
        kinds = [kind for kind in get_args(hint) if kind is not type(None)]
        return option_value(where, text, kinds[0]) if len(kinds) == 1 else text
    if hint is bool:
        if text.lower() not in _YES_NO:
            raise UsageError(where, f"{text} is neither yes nor no", "Write yes or no.")
        return _YES_NO[text.lower()]
    return _number(where, text, hint) if hint in (int, float) else text


def options_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Returns the annotation of each option of a plugin's function: its parameters that are given by name only."""
    hints = get_type_hints(function)
    parameters = inspect.signature(function).parameters.values()
    return {p.name: hints[p.name] for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY}


def _number(where: str, text: str, kind: type[int] | type[float]) -> int | float:
    try:
        value = kind(text)
    except ValueError as error:
        what = "whole number" if kind is int else "number"
        raise UsageError(where, f"{text} is no {what}", f"Write a {what}.") from error
    if not 0 <= value < float("inf"):
        raise UsageError(where, f"{text} is not 0 or more", "Write 0 or a number above it.")
    return value
