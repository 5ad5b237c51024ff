"""Which photos must stay in one split: those that show the same, by name, by bytes, or to the eye."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec

from foveate.analysis.near_duplicates import NearDuplicates, near_duplicates
from foveate.analysis.photo_work import Settings
from foveate.core.queries import Image
from foveate.evaluation.wording import counted
from foveate.execution.ground import RunProgress
from foveate.formats.photo_names import image_name

CRITERIA = ("name", "coco", "photo")
_COCO = re.compile(r"(?:^|_)(\d{12})\.\w+$")


@dataclass(frozen=True)
class Grouped:
    """Photos in groups.

    Attributes:
        groups: Of names, all photos, each in one group; groups and names sorted.
        how: How photos were compared, in a sentence.
        looked: How many photos were looked at.
    """

    groups: Sequence[tuple[str, ...]]
    how: str
    looked: int


@dataclass(frozen=True)
class Overlap:
    """Photos that an older data set has, too.

    Attributes:
        names: Of the photos here.
        by: How many by each criterion; one photo may be found by several.
        old: The older data set.
    """

    names: Sequence[str]
    by: Mapping[str, int] = field(default_factory=dict)
    old: str = ""


def group_photos(
    names: Iterable[str], photos: Mapping[str, Image], settings: Settings, progress: RunProgress | None = None
) -> Grouped:
    """Returns photos in groups of which each must stay together.

    Args:
        names: Of all photos.
        photos: Those of them that are there.
        settings: How photos are worked on.
        progress: Is told how far it is.

    Raises:
        OutputError: What was made of photos cannot be kept.
    """
    every = sorted(set(names))
    sets = [[name, *others] for name, *others in _by(every, coco_number).values() if others]
    if not photos:
        how = "by their names and COCO's numbers in them; no photo was there to look at"
        return Grouped(joined(every, sets), how, 0)
    if find_spec("imagehash") is None:
        how = "by their names and COCO's numbers in them; near-duplicates need pip install 'foveate[analysis]'"
        return Grouped(joined(every, sets), how, 0)
    same = near_duplicates({"": dict(sorted(photos.items()))}, settings, progress=progress)
    sets += [[same.photos[number].name for number in group] for group in same.groups]
    how = (
        f"by their names, COCO's numbers in them, and of {counted(len(photos), 'photo')} by equal bytes and "
        f"near-duplicates (hashes at most {same.distance} bits apart, similarity at least {same.likeness})"
    )
    return Grouped(joined(every, sets), how, len(photos))


def overlapping(
    photos: Mapping[str, Image | None],
    old: Mapping[str, Image | None],
    settings: Settings,
    *,
    criteria: Sequence[str] = CRITERIA,
    name: str = "",
    progress: RunProgress | None = None,
) -> Overlap:
    """Returns which photos an older data set has, too.

    Args:
        photos: By name; None for one that is not there.
        old: Those of the older data set, likewise.
        settings: How photos are worked on.
        criteria: Of `CRITERIA`: the same file `name`, the same number of COCO in the name, the same `photo` to the eye.
        name: Of the older data set.
        progress: Is told how far it is.

    Raises:
        UnavailableError: Photos are to be compared, and what that needs is not installed.
        OutputError: What was made of photos cannot be kept.
    """
    found: dict[str, list[str]] = {}
    if "name" in criteria:
        found["name"] = _shared(photos, old, image_name)
    if "coco" in criteria:
        found["coco"] = _shared(photos, old, coco_number)
    here, there = (_present(some) for some in (photos, old))
    if "photo" in criteria and here and there:
        same = near_duplicates({"here": here, "old": there}, settings, progress=progress)
        found["photo"] = _across(same)
    together = {one for names in found.values() for one in names}
    return Overlap(sorted(together), {criterion: len(names) for criterion, names in found.items()}, name)


def coco_number(name: str) -> str | None:
    """Returns COCO's number of a photo where its file name has one, whatever stands before it; else None.

    Example:
        >>> coco_number("COCO_val2014_000000000042.jpg"), coco_number("000000000042.jpg"), coco_number("42.jpg")
        ('000000000042', '000000000042', None)
    """
    match = _COCO.search(image_name(name))
    return match[1] if match else None


def joined(names: Sequence[str], sets: Iterable[Sequence[str]]) -> list[tuple[str, ...]]:
    """Returns all names in groups: those that are together in any of the sets, directly or over others.

    Example:
        >>> joined(["a", "b", "c", "d"], [["a", "c"], ["d", "c"]])
        [('a', 'c', 'd'), ('b',)]
    """
    above: dict[str, str] = {name: name for name in names}

    def top(name: str) -> str:
        while above[name] != name:
            above[name] = above[above[name]]
            name = above[name]
        return name

    for members in sets:
        least = min(top(name) for name in members)
        for name in members:
            above[top(name)] = least
    together: dict[str, list[str]] = {}
    for name in sorted(names):
        together.setdefault(top(name), []).append(name)
    return [tuple(group) for group in together.values()]


def _by(names: Iterable[str], key: Callable[[str], str | None]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in names:
        value = key(name)
        if value is not None:
            found.setdefault(value, []).append(name)
    return found


def _shared(names: Iterable[str], others: Iterable[str], key: Callable[[str], str | None]) -> list[str]:
    known = {key(name) for name in others} - {None}
    return [name for name in names if key(name) in known]


def _present(photos: Mapping[str, Image | None]) -> dict[str, Image]:
    return {name: photo for name, photo in sorted(photos.items()) if photo is not None}


def _across(same: NearDuplicates) -> list[str]:
    found: list[str] = []
    for group in filter(same.across, same.groups):
        found += [same.photos[number].name for number in group if same.photos[number].dataset == "here"]
    return found
