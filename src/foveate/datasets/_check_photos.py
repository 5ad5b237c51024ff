"""The photos of a split, looked over: absent, not to be told apart, unreadable, of another size, damaged."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, cast

from foveate.core.boxes import size_difference
from foveate.core.queries import Image, Query
from foveate.datasets._findings import Finding, Kind, first_of
from foveate.datasets._open import Dataset
from foveate.errors import FoveateError
from foveate.formats.photo_names import image_name
from foveate.sources.folders import PHOTO_SUFFIXES, Survey, listing_of
from foveate.sources.packed import ZIP, names_in_zips, zips_with

if TYPE_CHECKING:
    from foveate.datasets._check import Steps

_TAKE_AGAIN = "Look at their permissions, or copy them again from where they came."


@dataclass
class PhotoLook:
    """How photos are looked at, and which were asked for.

    Attributes:
        folder: Where they are looked for, or None.
        decode: Whether they are decoded as a whole.
        progress: Told how far it is.
        names: The file names that were asked for.
        paths: The photos that were found for them.
    """

    folder: Path | None
    decode: bool
    progress: Steps
    names: set[str] = field(default_factory=set)
    paths: set[str] = field(default_factory=set)


@dataclass
class _Faults:
    closed: list[str] = field(default_factory=list)
    sizes: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)


def photo_findings(data: Dataset, queries: Sequence[Query], survey: Survey, look: PhotoLook) -> Iterator[Finding]:
    """Yields what is to say of a split's photos; reads their headers, and decodes them only if asked to."""
    asked = _asked(queries)
    look.names |= {image_name(name) for name in asked}
    there = {name: query.image for name, query in asked.items() if query.image is not None}
    paths = {name: _path(photo) for name, photo in there.items()}
    look.paths |= {os.path.normpath(path) for path in paths.values() if path}
    doubtful = {name: survey.differing[name] for name in asked if name in survey.differing}
    absent = [name for name in asked if name not in there and name not in doubtful]
    faults = _looked_at(data, {name: asked[name] for name in there}, look)
    yield from _good(data, there, absent, faults, look)
    if absent:
        yield _absent(data, absent, len(asked), look)
    if doubtful:
        sentences = first_of(error.fault for error in doubtful.values())
        what = "photos cannot be told from their name: different files have it"
        yield Finding(data.split, "broken", what, "Point --root at the folder that is meant.", len(doubtful), sentences)
    yield from _broken(data.split, faults)
    yield from _oddly_placed(data, paths, survey, look)


def _asked(queries: Sequence[Query]) -> dict[str, Query]:
    """Returns the first query of each photo, of those that state its size if any does."""
    asked: dict[str, Query] = {}
    for query in queries:
        known = asked.get(query.image_name)
        if known is None or (known.size_hw is None and query.size_hw is not None):
            asked[query.image_name] = query
    return asked


def _looked_at(data: Dataset, there: dict[str, Query], look: PhotoLook) -> _Faults:
    faults = _Faults()
    if there:
        look.progress.begin(f"{data.name}: photos", len(there), 0)
    for query in there.values():
        _look_at(query, faults, look.decode)
        look.progress.advance()
    return faults


def _look_at(query: Query, faults: _Faults, decode: bool) -> None:
    photo = cast(Image, query.image)
    try:
        size_hw = photo.size_hw
    except FoveateError as error:
        faults.closed.append(error.fault)
        return
    difference = size_difference(size_hw, query.size_hw) if query.size_hw else None
    if difference:
        faults.sizes.append(f"{query.image_name}: the photo is {difference}")
    if not decode:
        return
    try:
        photo.load()
    except FoveateError as error:
        faults.damaged.append(error.fault)


def _good(
    data: Dataset, there: dict[str, Image], absent: list[str], faults: _Faults, look: PhotoLook
) -> Iterator[Finding]:
    good = len(there) - len(faults.closed) - len(faults.sizes) - len(faults.damaged)
    how = "decoded" if look.decode else "header read"
    if there:
        yield Finding(data.split, "fine", f"of {len(there) + len(absent):,} photos are there and good ({how})", n=good)


def _absent(data: Dataset, absent: list[str], n: int, look: PhotoLook) -> Finding:
    if not data.card.has_photos:
        what = f"of {n:,} photos are named and are not part of it"
        return Finding(data.split, "note", what, "", len(absent), first_of(absent))
    what = f"of {n:,} photos are named and not there"
    remedy = (look.folder and _where_else(absent, look.folder)) or (
        "Put them below --root, in any folder; what needs no photo (scores, analysis of regions) goes without."
    )
    return Finding(data.split, "missing", what, remedy, len(absent), first_of(absent))


def _where_else(absent: list[str], root: Path) -> str:
    """Returns what to do where absent photos are packed, or there under nearly their name; else an empty text."""
    listing = listing_of(root)
    names = {image_name(name) for name in absent}
    packed = zips_with(names, names_in_zips(listing.with_suffix(ZIP)))
    if packed:
        told = ", ".join(f"{n:,} in {path}" for path, n in packed.items())
        return f"They are still packed: {told}. Unpack it: unzip {next(iter(packed))}"
    folded = {name.casefold() for name in names}
    near = [path for path in listing.with_suffix(PHOTO_SUFFIXES) if os.path.basename(path).casefold() in folded]  # noqa: PTH119
    if not near:
        return ""
    same = sum(os.path.basename(path) in names for path in near)  # noqa: PTH119
    how = "in another folder than the one named" if same else "with other capitals in its name"
    return f"{len(near):,} of them are there {how}, the first {near[0]}. Rename or move them if they are the ones."


def _broken(split: str, faults: _Faults) -> Iterator[Finding]:
    own = "Take the photos in their own size, as the data set has them."
    for what, found, remedy in (
        ("photos cannot be read", faults.closed, _TAKE_AGAIN),
        ("photos have another size than the data set states", faults.sizes, own),
        ("photos are cut off or damaged", faults.damaged, _TAKE_AGAIN),
    ):
        if found:
            yield Finding(split, "broken", what, remedy, len(found), first_of(found))


def _oddly_placed(data: Dataset, paths: dict[str, str], survey: Survey, look: PhotoLook) -> Iterator[Finding]:
    capitals = [f"{name}: {survey.other_case[name].name}" for name in paths if name in survey.other_case]
    kind: Kind = "note"
    if capitals:
        what = "photos have their suffix in other letters than the data set names it, and were taken"
        yield Finding(data.split, kind, what, n=len(capitals), examples=first_of(capitals))
    others = set(data.card.splits) - {data.split}
    apart = [path for path in paths.values() if path and look.folder and _in_folder_of(path, look.folder, others)]
    if apart:
        what = "photos of this split lie in the folder of another one, and were taken"
        yield Finding(data.split, kind, what, "Make sure that they are the right ones.", len(apart), first_of(apart))


def _in_folder_of(path: str, root: Path, splits: set[str]) -> bool:
    return not splits.isdisjoint(Path(os.path.relpath(path, root)).parts[:-1])


def _path(photo: Image) -> str:
    return str(getattr(photo, "path", ""))
