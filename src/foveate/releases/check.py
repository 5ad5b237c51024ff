"""Whether the files of a release are those that were released, and what a maker should mind of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from foveate.datasets.release import PHOTOS
from foveate.errors import FoveateError
from foveate.evaluation.wording import counted
from foveate.formats.release_json import Release, read_release
from foveate.releases.compare import read_samples
from foveate.releases.photos import places_told
from foveate.sources.sums import SUMS, differences, read_sums


@dataclass(frozen=True)
class Checked:
    """What was found.

    Attributes:
        release: What it says of itself.
        files: How many files have the sums that were released.
        faults: What is not as it was released, in sentences.
        warnings: What is, and should be minded.
    """

    release: Release
    files: int
    faults: Sequence[str]
    warnings: Sequence[str]


def check_release(folder: Path) -> Checked:
    """Returns whether every file of a release has its sum, none is missing or more, and counts are those it states.

    Raises:
        InputError: There is no release, or its sums cannot be read.
    """
    release = read_release(folder)
    sums = read_sums(folder)
    wrong = dict(differences(folder, sums))
    more = [name for name in _names(folder) if name not in sums and not _holds(name, sums)]
    faults = [f"{name}: {why}" for name, why in wrong.items()]
    faults += [f"{name}: it is not part of the release" for name in more]
    faults += _counts(folder, release)
    return Checked(release, len(sums) - len(wrong), faults, _warnings(folder, release))


def _names(folder: Path) -> Iterator[str]:
    """Yields whatever lies below a folder and is no folder of its own: files, and links wherever they lead."""
    for path in sorted(folder.rglob("*")):
        if path != folder / SUMS and (path.is_symlink() or not path.is_dir()):
            yield path.relative_to(folder).as_posix()


def _holds(name: str, sums: Iterable[str]) -> bool:
    """Returns whether files that were released are found over a link to a folder: photos may lie on another disk."""
    return any(one.startswith(f"{name}/") for one in sums)


def _counts(folder: Path, release: Release) -> list[str]:
    try:
        samples = read_samples(folder, release)
    except FoveateError as error:
        return [error.fault]
    stated = release.samples
    return [] if len(samples) == stated else [f"it has {counted(len(samples), 'sample')}, {stated:,} stated"]


def _warnings(folder: Path, release: Release) -> list[str]:
    said = []
    placed = list(places_told(folder / PHOTOS))
    if placed:
        said.append(
            f"{counted(len(placed), 'photo')} with the place where it was taken in the file (GPS), first {placed[0]}"
        )
    if release.leakage.get("groups_across"):
        said.append(
            f"photos that show the same are in several splits: {counted(release.leakage['groups_across'], 'group')}"
        )
    if release.private.get("not_reviewed"):
        said.append(f"nobody has looked at what seems private in {counted(release.private['not_reviewed'], 'photo')}")
    if not release.licence:
        said.append("the licence of the annotations is not known")
    return said
