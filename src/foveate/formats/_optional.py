"""Libraries of an extra: loaded when a file needs them, and named with the command where they are absent."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from foveate.errors import FoveateError, InputError, UnavailableError


def needed(module: str, what: str, extra: str = "data") -> ModuleType:
    """Returns a module of an extra.

    Args:
        module: Its dotted name.
        what: What needs it, for the message.
        extra: Which one of pyproject.toml brings it.

    Raises:
        UnavailableError: It is not installed.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise UnavailableError(
            what,
            f"it needs the package {module.partition('.')[0]}, which is not installed",
            f"Install it: pip install 'foveate[{extra}]'",
        ) from error


@contextmanager
def damage_told(where: str) -> Iterator[None]:
    """Turns what a library raises over a damaged file into one sentence.

    Raises:
        InputError: The library raised anything but an error of ours.
    """
    try:
        yield
    except FoveateError:
        raise
    except Exception as error:  # Libraries raise of every kind over bytes that are not what they should be.
        why = str(error).partition("\n")[0][:120] or type(error).__name__
        raise InputError(where, f"the file is damaged ({why})", "Take it again from where it came from.") from error
