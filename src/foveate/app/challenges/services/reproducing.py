"""Entries that are programs: what their job is told beside that of a file, and where their logs lie."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from django.conf import settings

from foveate.app.challenges.models import Entry
from foveate.app.challenges.services import finding
from foveate.challenges.reproduction.engines import best_here
from foveate.challenges.said import to_said

# Which engine runs them (docker, podman or process), and from which registries images may be fetched, with commas.
ENGINE, REGISTRIES = "FOVEATE_REPRODUCE", "FOVEATE_REPRODUCE_REGISTRIES"


def engine_name() -> str:
    """Returns the engine that this machine uses: the one that the environment names, else the first that works."""
    return os.environ.get(ENGINE, "").strip() or best_here()


def registries() -> tuple[str, ...]:
    """Returns the registries from which images may be fetched; none unless the environment names them."""
    return tuple(name.strip() for name in os.environ.get(REGISTRIES, "").split(",") if name.strip())


def told(entry: Entry) -> dict[str, Any]:
    """Returns what the job of an entry that is a program is told, as `reproduction.work.reproduce_entry` takes it."""
    challenge = finding.definition(entry.phase.challenge)
    data = challenge.data[finding.phase_said(entry.phase).data]
    photos = data.images or data.root
    return {
        "container": entry.container,
        "reproduction": to_said(challenge.reproduction),
        "images": str(photos) if photos else "",
        "engine": engine_name(),
        "registries": list(registries()),
        "work": f"entry-{entry.pk}",
        "log": str(log_path(entry)),
    }


def log_path(entry: Entry) -> Path:
    """Returns where the log of an entry's program lies, which only organisers may read."""
    return Path(settings.MEDIA_ROOT) / "challenges" / "logs" / f"{entry.pk}.log"


def log_of(entry: Entry) -> str | None:
    """Returns what an entry's program printed, its middle left out; None where it has not run."""
    try:
        return log_path(entry).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
