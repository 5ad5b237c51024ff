"""What nobody needs any more is removed from the disk: uploads that were given up, refused files, what no row names."""

from __future__ import annotations

import shutil
import time
from datetime import datetime, timedelta
from pathlib import Path

from django.db.models import Q
from django.utils import timezone

from foveate.app.challenges import tasks
from foveate.app.challenges.models import Entry, EntryEvent, Job, Phase, Upload
from foveate.app.challenges.services import entry_files, finding, kits, uploading

# So long the file of an entry that was refused, or withdrawn before it was scored, is kept for its team.
KEPT = timedelta(days=7)
# A folder without a row may be one whose row is just being written, or one that a restore brings the row of.
_ORPHAN_S = 24 * 3600
# A worker that has lost its job may write for a moment more.
_SCRATCH_S = 3600
_EVERY_S = 600.0
_last = [-_EVERY_S]


def tidy_now_and_then() -> None:
    """Tidies where this process has not done so for ten minutes; page views and workers call it."""
    if time.monotonic() - _last[0] >= _EVERY_S:
        _last[0] = time.monotonic()
        tidy(timezone.now())


def tidy(now: datetime) -> dict[str, int]:
    """Removes what is not needed; returns how much: uploads, files of entries, folders of no row, data of no phase."""
    found = {"uploads": uploading.expire(now), "files": _forget(now), "folders": _orphans(now), "packs": _packs(now)}
    return found | {"scratch": _scratch(now), "kits": _kits(now)}


def _forget(now: datetime) -> int:
    """Removes the files of entries that were never scored and never will be; returns how many."""
    over = Q(state="refused") | Q(state="withdrawn", main__isnull=True)
    rows = Entry.objects.filter(over, ended_at__lt=now - KEPT).exclude(file="")
    count = 0
    for entry in rows:
        # The row first: a crash between the two leaves a folder of no row.
        if Entry.objects.filter(over, pk=entry.pk, file=entry.file).update(file=""):
            EntryEvent.objects.create(entry=entry, at=now, what="file_removed")
            entry_files.remove(entry_files.folder_of(entry.file))
            count += 1
    return count


def _orphans(now: datetime) -> int:
    root = entry_files.path_of(entry_files.FOLDER)
    if not root.is_dir():
        return 0
    old = {path.name for path in root.iterdir() if _age(path, now) > _ORPHAN_S}
    if not old:
        return 0
    # Folders first, rows after: a row that came meanwhile keeps its folder.
    known = {identity.hex for identity in Upload.objects.values_list("pk", flat=True)}
    known |= {entry_files.folder_of(file) for file in Entry.objects.exclude(file="").values_list("file", flat=True)}
    lost = sorted(old - known)
    for name in lost:
        entry_files.remove(name)
    return len(lost)


def _packs(now: datetime) -> int:
    """Removes the data of loadings that no phase has any more, and what a crash has left of some; returns how many."""
    root = finding.packs()
    # A loading touches the data that it takes, so that new ones are those of a row that is just being written.
    old = {path.name for path in root.iterdir() if _age(path, now) > _ORPHAN_S} if root.is_dir() else set()
    if not old:
        return 0
    rows = Phase.objects.values_list("pack", "fingerprint")
    lost = sorted(old - {Path(pack).name for pack, _fingerprint in rows} - {fingerprint for _pack, fingerprint in rows})
    for name in lost:
        shutil.rmtree(root / name, ignore_errors=True)
    return len(lost)


def _kits(now: datetime) -> int:
    """Removes starter kits and questions that nobody can ask for any more; returns how many."""
    root = kits.place()
    old = [path for path in root.iterdir() if _age(path, now) > _ORPHAN_S] if root.is_dir() else []
    return kits.tidy(old, now) if old else 0


def _scratch(now: datetime) -> int:
    """Removes what workers wrote for jobs that ended without them, being killed; returns how many folders."""
    root = tasks.scratch_root()
    old = {path.name for path in root.iterdir() if _age(path, now) > _SCRATCH_S} if root.is_dir() else set()
    if not old:
        return 0
    lost = sorted(old - {tasks.scratch_path(job).name for job in Job.objects.filter(state="running")})
    for name in lost:
        shutil.rmtree(root / name, ignore_errors=True)
    return len(lost)


def _age(path: Path, now: datetime) -> float:
    try:
        return now.timestamp() - path.stat().st_mtime
    except FileNotFoundError:
        return 0.0
