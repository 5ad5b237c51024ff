"""What a child is told of a job, and what is kept of what it leaves behind."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings

from foveate.app.challenges.models import Entry, Job, Phase
from foveate.app.challenges.services import reproducing
from foveate.app.challenges.services.entry_files import answer_path, columns_path
from foveate.challenges.definition import Challenge
from foveate.challenges.jobs import ANSWER
from foveate.challenges.nursing import Limits
from foveate.challenges.said import of_said

# Seconds by the clock that the check and the scoring of a file may take; a container has its own on top.
SECONDS = 1800.0
_MARGIN = 600.0


def scratch_path(job: Job) -> Path:
    """Returns the folder that a child writes into; its name is of this lease only, and it is in no backup."""
    return scratch_root() / f"job-{job.pk}-{job.lease}"


def scratch_root() -> Path:
    """Returns where those folders lie."""
    folder: Path = settings.CONFIG.folder
    return folder / "scratch"


def task_of(job: Job) -> dict[str, Any]:
    """Returns what a child is told, as JSON holds it."""
    phase = job.entry.phase if job.entry is not None else job.reference.phase if job.reference is not None else None
    if phase is None:
        raise ValueError(f"job {job.pk} is of nothing")
    scratch = scratch_path(job)
    said: dict[str, Any] = {
        "kind": job.kind,
        "pack": str(Path(settings.MEDIA_ROOT) / phase.pack),
        "phase": phase.said,
        "scratch": str(scratch),
        "columns": str(scratch / "columns.npz"),
    }
    return said | (_of_entry(job.entry, job.kind) if job.entry is not None else _of_reference(job))


def _of_entry(entry: Entry, kind: str) -> dict[str, Any]:
    said: dict[str, Any] = {"file": str(Path(settings.MEDIA_ROOT) / entry.file), "name": entry.file_name}
    if kind == "interval":
        said["columns"] = str(columns_path(entry))
    if kind == "reproduce":
        said |= reproducing.told(entry)
    return said


def _of_reference(job: Job) -> dict[str, Any]:
    said: Mapping[str, Any] = job.reference.said if job.reference is not None else {}
    file = said.get("file")
    # A file that was taken over when the challenge was loaded is named from the media folder.
    return {"grounder": said.get("grounder"), "file": str(Path(settings.MEDIA_ROOT) / file) if file else None}


def limits_of(job: Job, usual: Limits) -> tuple[float, Limits | None]:
    """Returns how long a job may take by the clock, and what its child may use; of a container its sandbox decides."""
    if job.kind != "reproduce" or job.entry is None:
        return SECONDS, usual
    return _definition(job.entry.phase).reproduction.seconds + SECONDS + _MARGIN, None


def keep(job: Job) -> None:
    """Puts what a child has written where it stays: the columns, and what the program of an entry answered."""
    scratch = scratch_path(job)
    if job.entry is None:
        return
    if (written := scratch / "columns.npz").exists():
        _move(written, columns_path(job.entry))
    for answer in sorted((scratch / ANSWER).glob("*")):
        _move(answer, answer_path(job.entry, answer.name))


def _move(path: Path, kept: Path) -> None:
    kept.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    shutil.move(path, kept)


def _definition(phase: Phase) -> Challenge:
    return of_said(Challenge, phase.challenge.said, phase.challenge.slug)
