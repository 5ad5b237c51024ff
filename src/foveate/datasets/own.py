"""Your own annotated data, in any form that is known (`foveate.formats.sample_forms`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from foveate.core.boxes import SizeHW
from foveate.core.cards import DatasetCard
from foveate.core.queries import Image, Query
from foveate.core.regions import Box, Polygon
from foveate.core.truths import Target, Truth
from foveate.datasets._options import Options, needed_root
from foveate.datasets._tiny import TINY_BOXES, write_tiny_photos
from foveate.errors import InputError
from foveate.formats import samples_jsonl
from foveate.formats._sample_forms import Form, Reading, Sample
from foveate.formats.sample_forms import FORMS, find_form, form_named
from foveate.sources.embedded import EmbeddedImage
from foveate.sources.folders import PhotoFolder, files_below, folder_problem
from foveate.sources.images import max_megapixels
from foveate.sources.places import exists, is_folder

CARD = DatasetCard(
    name="own",
    title="Your own annotated data",
    summary="Questions, answers and regions in a file or folder of yours, of any form that is known.",
    licence="yours",
    citation=None,
    homepage=None,
    splits={"all": None},
    evaluate_as="mask",
    options={
        "form": f"what the root is of, where looking does not tell: {', '.join(FORMS)}",
        "photos": "the folder of the photos, where they do not lie beside the annotations",
        "split": "for YOLO and `datasets`: which part",
        "classes": "for YOLO without data.yaml: the names, separated by commas",
        "image": "for tables: the column of the photo",
        "question": "for tables: the column of the question",
        "answer": "for tables: the column of the answer",
        "id": "for tables: the column of the id",
    },
    facts={"(columns)": "every column of a table, and every key of a line, that has no meaning here"},
)


def queries(root: Path | None, split: str, options: Options) -> Iterator[Query]:
    """Yields the questions, in the order of the file.

    Raises:
        InputError: The form is not known or ambiguous, or the file is broken.
    """
    for sample, photo in _samples(root, options):
        yield replace(sample.query, image=photo)


def truths(root: Path | None, split: str, options: Options) -> Iterator[Truth]:
    """Yields answers and regions, in the order of the file.

    Raises:
        InputError: As for `queries`.
    """
    for sample, _ in _samples(root, replace(options, with_images=False)):
        yield sample.truth


def pairs(root: Path | None, split: str, options: Options) -> Iterator[tuple[Query, Truth]]:
    """Yields questions with their truths, from one reading of the file.

    Raises:
        InputError: As for `queries`.
    """
    for sample, photo in _samples(root, options):
        yield replace(sample.query, image=photo), sample.truth


def write_tiny(root: Path) -> None:
    """Writes three photos and `samples.jsonl` below the root: a box, a polygon, and a question without a region."""
    samples_jsonl.write(tiny_samples(write_tiny_photos(root / "photos")), root / "samples.jsonl")


def tiny_samples(names: Sequence[str]) -> list[Sample]:
    """Returns samples of three photos: a box, a polygon, and a question without a region."""
    shapes = (Box((8, 8, 24, 40)), Polygon((((16, 4), (60, 4), (38, 20)),)), None)
    return [
        Sample(
            Query(name, name, None, question, (48, 64)),
            Truth(name, ("red",), (Target(shape, "red"),) if shape else (), "single", bool(shape), (48, 64)),
        )
        for name, (_, question), shape in zip(names, TINY_BOXES, shapes, strict=True)
    ]


def form_of(root: Path, options: Options) -> tuple[Form, Path]:
    """Returns the form of the user's data, told or found, and the file or folder to read.

    Raises:
        UsageError: The told form is none.
        InputError: There is nothing there, or looking does not tell.
    """
    told = options.settings.get("form")
    if told == "hf" or (told and exists(root)):
        return form_named(told), root
    return find_form(root, files_below)


def _samples(root: Path | None, options: Options) -> Iterator[tuple[Sample, Image | None]]:
    path = needed_root(CARD.name, root)
    form, source = form_of(path, options)
    photos = _photos(path, source, form, options)

    def find(name: str) -> Image | None:
        return photos.find(name) if photos else None

    def size_of(name: str) -> SizeHW | None:
        photo = find(name)
        with suppress(InputError):  # A photo that cannot be read is reported before grounding, not here.
            return photo.size_hw if photo else None
        return None

    most = max_megapixels() * 1e6
    reading = Reading(options.settings, options.on_invalid, options.on_remark, size_of, files_below, most)
    for sample in form.read(source, reading):
        photo: Image | None = None
        if options.with_images:
            embedded = sample.photo
            photo = EmbeddedImage(embedded.name, embedded.where, embedded.read) if embedded else None
            photo = photo or find(sample.query.image_name)
        yield sample, photo


def _photos(path: Path, source: Path, form: Form, options: Options) -> PhotoFolder | None:
    told = options.settings.get("photos")
    problem = folder_problem(Path(told)) if told else None
    if problem:
        raise InputError(str(told), problem, "Give the folder of the photos with --option photos=DIR.")
    beside = path if is_folder(path) else source.parent
    if form.name == "yolo":  # Two photos of one name are told by their path from there.
        beside = source / form.photos / options.settings.get("split", "")
    folder = Path(told) if told else beside
    return PhotoFolder(folder) if told or is_folder(folder) else None
