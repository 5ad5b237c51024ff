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
from foveate.reports.stages import Stages

NOT_ASKED = "photos were left out"
NOT_HERE = "it is not below the root of the data set"


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
    def nowhere(self) -> int:
        """How many samples have no photo because none of its name is there."""
        return sum(why == NOT_HERE for why in self.absent.values())

    @property
    def distinct(self) -> list[Photo]:
        """Each photo once; several samples can be about one."""
        return list({photo.key: photo for photo in self.photos.values()}.values())


def album_of(data: Dataset, rows: Sequence[Row], side: int, *, wanted: bool, stages: Stages) -> Album:
    """Returns the photos of samples.

    Args:
        data: Where they are looked up.
        rows: The samples that are shown.
        side: The longer side in the page, at most, in pixels.
        wanted: Whether photos are to be shown at all.
        stages: Are told of each sample.
    """
    if not wanted:
        return Album({}, {row.truth.id: NOT_ASKED for row in rows})
    by_id = {row.truth.id: row for row in rows}
    images, why = _images(data, by_id)
    photos: dict[str, Photo] = {}
    absent: dict[str, str] = {}
    made: dict[str, Photo] = {}
    stages.begin("photos", len(by_id))
    for sample, row in by_id.items():
        try:
            problem = _problem(images[sample].size_hw, row.size_hw) if sample in images else why
            if problem:
                absent[sample] = problem
            else:
                photos[sample] = _made(images[sample], row.photo, side, made)
        except FoveateError as error:
            absent[sample] = error.problem
        stages.advance()
    return Album(photos, absent)


def _made(image: Image, name: str, side: int, made: dict[str, Photo]) -> Photo:
    """Returns a photo, made once for all samples that share it."""
    if name not in made:
        made[name] = Photo(f"photo-{len(made)}", photo_uri(image, side), image.size_hw)
    return made[name]


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
