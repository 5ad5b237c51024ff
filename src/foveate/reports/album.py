"""The photos of the samples that are shown: each once, those that are not here told with the reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from foveate.core.boxes import SizeHW, size_difference
from foveate.core.queries import Image
from foveate.datasets._open import Dataset
from foveate.errors import FoveateError
from foveate.reports.photos import photo_uri
from foveate.reports.rows import Row

NOT_ASKED = "photos were left out"
NOT_HERE = "photo not here"


@dataclass(frozen=True, slots=True)
class Photo:
    """A photo in the page.

    Attributes:
        key: Its id there.
        uri: The photo, made smaller.
        size_hw: Of the upright photo itself.
    """

    key: str
    uri: str
    size_hw: SizeHW


@dataclass(frozen=True)
class Album:
    """Photos of samples.

    Attributes:
        photos: By the sample's id.
        absent: By the id of a sample whose photo is not shown: why.
    """

    photos: Mapping[str, Photo]
    absent: Mapping[str, str]

    @property
    def distinct(self) -> list[Photo]:
        """Each photo once; several samples can be about one."""
        return list({photo.key: photo for photo in self.photos.values()}.values())


def album_of(data: Dataset, rows: Sequence[Row], side: int, *, wanted: bool) -> Album:
    """Returns the photos of samples.

    Args:
        data: Where they are looked up.
        rows: The samples that are shown.
        side: The longer side in the page, at most, in pixels.
        wanted: Whether photos are to be shown at all.
    """
    if not wanted:
        return Album({}, {row.truth.id: NOT_ASKED for row in rows})
    by_id = {row.truth.id: row for row in rows}
    images, why = _images(data, by_id)
    photos: dict[str, Photo] = {}
    absent: dict[str, str] = {}
    made: dict[str, Photo] = {}
    for sample, row in by_id.items():
        image = images.get(sample)
        if image is None:
            absent[sample] = why
            continue
        try:
            problem = _problem(image.size_hw, row.size_hw)
            if problem:
                absent[sample] = problem
                continue
            if row.photo not in made:
                made[row.photo] = Photo(f"photo-{len(made)}", photo_uri(image, side), image.size_hw)
        except FoveateError as error:
            absent[sample] = error.problem
        else:
            photos[sample] = made[row.photo]
    return Album(photos, absent)


def _images(data: Dataset, by_id: Mapping[str, Row]) -> tuple[dict[str, Image], str]:
    """Returns the photos that are there, and why the others are not."""
    found: dict[str, Image] = {}
    why = NOT_HERE
    try:
        for query in data.queries(with_images=True):
            if query.id in by_id and query.image is not None:
                found[query.id] = query.image
    except FoveateError as error:
        why = error.problem
    return found, why


def _problem(found: SizeHW, wanted: SizeHW | None) -> str | None:
    difference = size_difference(found, wanted) if wanted else None
    return f"the photo is {difference}" if difference else None
