"""Where Foveate keeps what it has fetched, and whether it may fetch at all."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_cache_path

_YES = frozenset({"1", "true", "yes"})


def home() -> Path:
    """Returns the folder of everything fetched: ``$FOVEATE_HOME``, else the user's cache folder.

    The folder need not exist yet. It is read anew at each call, so that a test or a notebook can set the variable.
    """
    chosen = os.environ.get("FOVEATE_HOME", "").strip()
    return Path(chosen).expanduser().absolute() if chosen else user_cache_path("foveate", appauthor=False)


def offline() -> bool:
    """Returns whether ``$FOVEATE_OFFLINE`` forbids to fetch: 1, true or yes, in any case."""
    return os.environ.get("FOVEATE_OFFLINE", "").strip().lower() in _YES
