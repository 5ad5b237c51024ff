"""What is wrong with cached files, each found out without fetching anything."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from foveate.sources.converted import Conversion
from foveate.sources.hub import HubFile, cached_hub_path, hub_difference
from foveate.sources.pinned import cache_difference, cache_path
from foveate.sources.places import exists
from foveate.sources.weights import File

State = Literal["ok", "absent", "damaged"]


_ABSENT = "it is not in the cache"
NOT_MADE = "it is not made yet"


@dataclass(frozen=True, slots=True)
class Finding:
    """One file and what is known of it.

    Attributes:
        name: Its name.
        path: Where it lies, or will lie; None where only a fetch would tell.
        state: Whether it is there and as it should be.
        problem: What is wrong, without a full stop; empty where nothing is.
    """

    name: str
    path: Path | None
    state: State
    problem: str = ""


def look_at(file: File) -> Finding:
    """Returns what is known of a cached file, its hash read.

    Raises:
        UnavailableError: It is of a hub, and the library for hubs is not installed.
    """
    path = cached_hub_path(file) if isinstance(file, HubFile) else cache_path(file)
    absent = Finding(file.name, path, "absent", _ABSENT)
    if path is None:
        return absent
    try:
        differs = hub_difference(file, path) if isinstance(file, HubFile) else cache_difference(file)
    except FileNotFoundError:
        return absent
    except OSError as error:
        return Finding(file.name, path, "damaged", f"it cannot be read ({error.strerror or error})")
    return Finding(file.name, path, "damaged", f"it has {differs}") if differs else Finding(file.name, path, "ok")


def place_of(file: File) -> Finding:
    """Returns where a cached file lies, `ok` where anything is there; its hash is not read."""
    path = cached_hub_path(file) if isinstance(file, HubFile) else cache_path(file)
    there = path is not None and exists(path)
    return Finding(file.name, path, "ok") if there else Finding(file.name, path, "absent", _ABSENT)


def place_of_converted(conversion: Conversion) -> Finding:
    """Returns where a converted file lies, `ok` where anything is there; its hash is not read."""
    if exists(conversion.path):
        return Finding(conversion.name, conversion.path, "ok")
    return Finding(conversion.name, conversion.path, "absent", NOT_MADE)
