"""The folder of a data set as a whole: what lies there that no split asks for, and what cannot be looked into."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from foveate.core.cards import DatasetCard
from foveate.datasets._check_photos import PhotoLook
from foveate.datasets._findings import Finding, first_of
from foveate.sources.folders import PHOTO_SUFFIXES, listing_of
from foveate.sources.listing import Listing
from foveate.sources.packed import OTHER_ARCHIVES, ZIP


def folder_findings(root: Path, look: PhotoLook, card: DatasetCard, *, whole: bool) -> Iterator[Finding]:
    """Yields what is to say of the folder.

    Args:
        root: The folder.
        look: Which photos were asked for.
        card: Of the data set.
        whole: Whether every split was read, so that what none asks for belongs to none.
    """
    listing = listing_of(root)
    if not listing.files and not listing.strange:
        yield Finding("", "missing", f"the folder {root} is empty", _get(card))
    yield from _extra(listing, look, whole=whole)
    yield from _strange(listing)
    for what, paths in (
        ("links lead to a folder that was looked into already", listing.circles),
        ("hidden files or folders (their name begins with a dot, or like __MACOSX) were passed over", listing.hidden),
        ("archives are not looked into; only zips are", list(listing.with_suffix(OTHER_ARCHIVES))),
    ):
        if paths:
            yield Finding("", "note", what, n=len(paths), examples=_relative(paths, root))
    zips = list(listing.with_suffix(ZIP))
    if zips:
        yield Finding(
            "", "note", "zips are here; nothing is read from inside them", "", len(zips), _relative(zips, root)
        )


def _extra(listing: Listing, look: PhotoLook, *, whole: bool) -> Iterator[Finding]:
    photos = [path for path in listing.with_suffix(PHOTO_SUFFIXES) if os.path.normpath(path) not in look.paths]
    known = {name.casefold() for name in look.names}
    copies: list[str] = []
    unnamed: list[str] = []
    for path in photos:
        (copies if os.path.basename(path).casefold() in known else unnamed).append(path)  # noqa: PTH119
    if unnamed:
        what = f"photos are there that {'no split names' if whole else 'no split that was read names'}"
        yield Finding("", "extra" if whole else "note", what, "", len(unnamed), _relative(unnamed, listing.root))
    if copies:
        what = "photos are further copies of one that was taken, or bear the name of one that is not"
        yield Finding("", "extra", what, "", len(copies), _relative(copies, listing.root))


def _strange(listing: Listing) -> Iterator[Finding]:
    groups: dict[str, list[str]] = defaultdict(list)
    for path, what in listing.strange:
        groups[what].append(path)
    for what, paths in groups.items():
        yield Finding(
            "",
            "broken",
            f"entries of the folder cannot be used: {what}",
            "Mend or remove it; look at links, disks and permissions.",
            len(paths),
            _relative(paths, listing.root),
        )


def _relative(paths: list[str], root: Path) -> tuple[str, ...]:
    return first_of(os.path.relpath(path, root) for path in paths[:3])


def _get(card: DatasetCard) -> str:
    return (
        f"Get the files from {card.homepage}." if card.homepage else "Put the table of questions and the photos there."
    )
