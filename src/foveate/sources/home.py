"""Where Foveate keeps what it has fetched, and whether it may fetch at all."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_cache_path

from foveate.errors import UnavailableError, UsageError

_YES = frozenset({"1", "true", "yes", "y", "on"})
_NO = frozenset({"", "0", "false", "no", "n", "off"})


def home() -> Path:
    """Returns the folder of everything fetched: ``$FOVEATE_HOME``, else the user's cache folder; an absolute path.

    The folder need not exist yet. The variable is read anew at each call, so that a test or a notebook can set it; it
    may begin with ``~``, and a relative path counts from the current folder.

    Raises:
        UnavailableError: It depends on the user's home folder, and this user has none.
    """
    chosen = os.environ.get("FOVEATE_HOME", "").strip()
    try:
        folder = Path(chosen).expanduser().absolute() if chosen else user_cache_path("foveate", appauthor=False)
    except (RuntimeError, OSError) as error:
        raise _no_home(chosen) from error
    if not folder.is_absolute():
        # Older platformdirs leave the `~` of a user without a home as it is.
        raise _no_home(chosen)
    return folder


def offline() -> bool:
    """Returns whether ``$FOVEATE_OFFLINE`` forbids to fetch: 1, true, yes or on, in any case.

    Raises:
        UsageError: It says neither yes nor no.
    """
    said = os.environ.get("FOVEATE_OFFLINE", "")
    if said.strip().lower() not in _YES | _NO:
        raise UsageError("FOVEATE_OFFLINE", f"{said} is neither yes nor no", "Set it to 1 or to 0.")
    return said.strip().lower() in _YES


def _no_home(chosen: str) -> UnavailableError:
    begins = f"FOVEATE_HOME={chosen} begins with a home folder that cannot be found"
    unset = "FOVEATE_HOME is not set, and this user has no home folder"
    return UnavailableError(
        "the cache of fetched files",
        begins if chosen else unset,
        "Set FOVEATE_HOME to the full path of a folder that you may write in.",
    )
