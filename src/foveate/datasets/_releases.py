"""Where releases lie, and which one a name means: `NAME`, `NAME@VERSION`, or the path of a release's folder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from foveate.errors import InputError, UsageError, did_you_mean
from foveate.formats.release_json import FILE, NAME, VERSION, Release, read_release, version_key
from foveate.sources.home import home
from foveate.sources.places import is_file, is_folder

_NAMED = re.compile(f"({NAME.pattern})(?:@(.+))?")


def releases_folder() -> Path:
    """Returns the folder in which releases are found by name: `releases` below Foveate's home."""
    return home() / "releases"


def is_release(folder: Path) -> bool:
    """Returns whether a folder holds a release."""
    return is_file(folder / FILE)


def versions_of(name: str) -> list[str]:
    """Returns the versions of a release that are here, the newest last."""
    folder = releases_folder() / name
    if not NAME.fullmatch(name) or not is_folder(folder):
        return []
    found = [path.name for path in folder.iterdir() if VERSION.fullmatch(path.name) and is_release(path)]
    return sorted(found, key=version_key)


def all_releases() -> Iterator[tuple[str, str, Path]]:
    """Yields name, version and folder of every release here, by name, the oldest version first."""
    folder = releases_folder()
    names = sorted(path.name for path in folder.iterdir() if path.is_dir()) if is_folder(folder) else []
    for name in names:
        for version in versions_of(name):
            yield name, version, folder / name / version


def find_release(text: str) -> Path | None:
    """Returns the folder of the release that a text means; None if it means none.

    Args:
        text: `NAME` (the newest version of it) or `NAME@VERSION`, or the path of a folder.

    Raises:
        UsageError: There are versions of this name, but not the one that is asked for.
    """
    match = _NAMED.fullmatch(text)
    versions = versions_of(match[1]) if match else []
    if match and versions:
        version = match[2] or versions[-1]
        if version not in versions:
            raise UsageError(f"release {text}", "there is no such version here", did_you_mean(version, versions))
        return releases_folder() / match[1] / version
    return Path(text) if is_release(Path(text)) else None


def release_folder(text: str, folder: Path | None = None) -> Path:
    """Returns the folder of a release that must be there.

    Args:
        text: As for `find_release`.
        folder: The folder itself, which goes before the name.

    Raises:
        InputError: The folder holds no release.
        UsageError: There is none of this name, or not this version.
    """
    if folder is not None:
        if not is_release(folder):
            raise InputError(str(folder), f"it is no folder of a release: it has no {FILE}", "Name one that has.")
        return folder
    found = find_release(text)
    if found is None:
        known = list(dict.fromkeys(f"{name}@{version}" for name, version, _ in all_releases()))
        raise UsageError(f"release {text}", "there is none of this name here", did_you_mean(text, known))
    return found


def checked_name(text: str, folder: Path) -> Release:
    """Returns the release in a folder, if it is the one that a name means.

    Raises:
        InputError: The folder holds no release.
        UsageError: It holds another one.
    """
    release = read_release(folder)
    if text not in {release.name, release.full_name}:
        problem = f"{folder} is {release.full_name}"
        raise UsageError(f"release {text}", problem, f"Name {release.full_name}, or another --root.")
    return release
