"""Libraries of an extra: loaded when a file needs them, and named with the command where they are absent."""

from __future__ import annotations

import importlib
from types import ModuleType

from foveate.errors import UnavailableError


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
