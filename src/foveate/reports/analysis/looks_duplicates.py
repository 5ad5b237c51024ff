"""The chapter on near-duplicate photos."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from foveate.analysis.near_duplicates import FLAT, NearDuplicates, Pair
from foveate.core.queries import Image
from foveate.errors import FoveateError
from foveate.evaluation.wording import counted
from foveate.reports._text import cut
from foveate.reports.analysis.looks_pictures import beside, small
from foveate.reports.analysis.looks_shares import unread
from foveate.reports.sections.parts import Album, Cell, Photo, Section, Table

KEY, TITLE = "near_duplicates", "Near-duplicate photos"
_FOLD = "More tables: every pair, and the groups"
_SHOWN_GROUPS = 12
_SHOWN_PHOTOS = 4
_SIDE = 240


def duplicates_section(found: NearDuplicates, images: Mapping[str, Mapping[str, Image]]) -> Section:
    """Returns the chapter.

    Args:
        found: The near-duplicates.
        images: The photos by name, by the name of their data set.
    """
    if not found.photos:
        return Section(KEY, TITLE, "None of the photos is here, so that none could be compared.", ())
    lead = _lead(found)
    if not (found.groups or found.refused):
        return Section(KEY, TITLE, lead, ())
    tables = [_counts(found), _pairs(found), *([_groups(found)] if found.groups else [])]
    return Section(KEY, TITLE, lead, (*tables, *([_album(found, images)] if found.groups else [])))


def _lead(found: NearDuplicates) -> str:
    photos, many = f"{counted(len(found.photos) - len(found.unread), 'photo')} here", sum(map(len, found.groups))
    across = sum(found.across(group) for group in found.groups)
    sets = len({place.dataset for place in found.photos})
    said = f"Of {photos} no two are near-duplicates."
    if found.groups:
        said = f"{many:,} of {photos} are in {counted(len(found.groups), 'group')} of the same photo"
        said += f", {across:,} of them with photos of several data sets." if sets > 1 else "."
    said += f" Not confirmed: {counted(len(found.refused), 'further pair')} of near hashes." if found.refused else ""
    flat = f" {counted(len(found.flat), 'photo')} without contrast (standard deviation under {FLAT:g} of 255)"
    said += f"{flat}, compared by their bytes only." if found.flat else ""
    return f"{said}{unread(list(found.unread.values()))}"


def _counts(found: NearDuplicates) -> Table:
    """Returns how many pairs and groups lie in one data set, or across two."""
    same = Counter(_between(found, a, b) for group in found.identical for a, b in _first_with_rest(group))
    near = Counter(_between(found, pair.first, pair.second) for pair in found.pairs)
    refused = Counter(_between(found, pair.first, pair.second) for pair in found.refused)
    rows: list[Sequence[Cell]] = [
        [first, second, same[first, second], near[first, second], refused[first, second]]
        for first, second in sorted({*same, *near, *refused})
    ]
    about = (
        f"Candidates differ in at most {found.distance} of 64 bits of their perceptual hash; a second look confirms "
        f"those whose structural similarity as small grey pictures is at least {found.likeness:g}. Of photos with "
        "equal bytes the first stands for all in further pairs."
    )
    head = ("data set", "and", "equal bytes", "near-duplicates", "not confirmed")
    return Table("near_duplicates", "Pairs by where they are", about, head, rows)


def _pairs(found: NearDuplicates) -> Table:
    told = [(pair, "yes") for pair in found.pairs] + [(pair, "no") for pair in found.refused]
    rows = [_pair(found, pair, confirmed) for pair, confirmed in told]
    head = ("data set", "photo", "and of", "photo too", "bits that differ", "similarity", "confirmed")
    return Table(
        "near_duplicate_pairs", "Pairs of near hashes", "All candidates, with the second look.", head, rows, fold=_FOLD
    )


def _pair(found: NearDuplicates, pair: Pair, confirmed: str) -> list[Cell]:
    first, second = found.photos[pair.first], found.photos[pair.second]
    return [first.dataset, first.name, second.dataset, second.name, pair.distance, pair.likeness, confirmed]


def _groups(found: NearDuplicates) -> Table:
    rows: list[Sequence[Cell]] = [
        [number, found.photos[place].dataset, found.photos[place].name]
        for number, group in enumerate(found.groups, start=1)
        for place in group
    ]
    about = "Photos that are connected by near-duplicates or equal bytes."
    return Table("near_duplicate_groups", "Groups", about, ("group", "data set", "photo"), rows, fold=_FOLD)


def _album(found: NearDuplicates, images: Mapping[str, Mapping[str, Image]]) -> Album:
    groups = sorted(enumerate(found.groups, start=1), key=lambda told: (not found.across(told[1]), told[0]))
    photos = [photo for number, group in groups[:_SHOWN_GROUPS] for photo in _photo(found, number, group, images)]
    about = f"Up to {_SHOWN_GROUPS} groups, those across data sets first; up to {_SHOWN_PHOTOS} photos of each."
    return Album("near_duplicate_photos", "Groups of the same photo", about, photos)


def _photo(
    found: NearDuplicates, number: int, group: Sequence[int], images: Mapping[str, Mapping[str, Image]]
) -> list[Photo]:
    places = [found.photos[place] for place in group]
    try:
        pictures = [small(images[place.dataset][place.name].load(), _SIDE) for place in places[:_SHOWN_PHOTOS]]
    except FoveateError:
        return []  # It was there when it was hashed; the table still names it.
    names = ", ".join(f"{place.name} ({place.dataset})" for place in places)
    return [Photo(f"Group {number}: {counted(len(group), 'photo')}", cut(names, 300), beside(pictures))]


def _between(found: NearDuplicates, a: int, b: int) -> tuple[str, str]:
    first, second = sorted((found.photos[a].dataset, found.photos[b].dataset))
    return first, second


def _first_with_rest(group: Sequence[int]) -> list[tuple[int, int]]:
    return [(group[0], other) for other in group[1:]]
