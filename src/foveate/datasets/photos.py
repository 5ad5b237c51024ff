"""Four real photographs with questions and boxes of ours: for the demo, and to try a method without any data at hand.

The photos come out of a pinned scikit-image wheel, through the same door as weights; scikit-image is not installed.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from foveate.core.cards import DatasetCard
from foveate.core.queries import Query
from foveate.core.regions import Box
from foveate.core.truths import Match, Target, Truth
from foveate.datasets._options import Options
from foveate.datasets._tiny import write_tiny_photos
from foveate.errors import InputError
from foveate.sources.folders import PhotoFolder
from foveate.sources.images import FileImage
from foveate.sources.pinned import Member, PinnedFile, fetch

CARD = DatasetCard(
    name="photos",
    title="Demo photographs",
    summary="Four photographs, nine questions with boxes drawn by us; for trying out, too small to compare methods.",
    licence="questions and boxes Apache-2.0; photos CC0 or public domain, but the motorcycle (none stated), see NOTICE",
    citation=None,
    homepage="the photos: scikit-image's sample data",
    splits={"all": 9},
    evaluate_as="box",
    needs_root=False,
)

_WHEEL = PinnedFile(
    project="scikit-image",
    version="0.26.0",
    filename="scikit_image-0.26.0-cp311-cp311-manylinux_2_24_x86_64.manylinux_2_28_x86_64.whl",
    sha256="74aa5518ccea28121f57a95374581d3b979839adc25bb03f289b1bc9b99c58af",
    bytes=13711217,
    licence="BSD-3-Clause",
)


def queries(root: Path | None, split: str, options: Options) -> Iterator[Query]:
    """Yields the nine questions; fetches the photos on first use unless a root with them is given.

    Raises:
        InputError: A root is given that lacks a photo.
        UnavailableError: The photos are not cached and cannot be fetched.
    """
    places = _photos(root) if options.with_images else {}
    for photo in _declared():
        image = places.get(photo["file"])
        for question in photo["questions"]:
            size_hw = image.size_hw if image else None
            yield Query(question["id"], photo["file"], image, question["question"], size_hw)


def truths(root: Path | None, split: str, options: Options) -> Iterator[Truth]:
    """Yields answers and boxes; no photo is needed."""
    for photo in _declared():
        for question in photo["questions"]:
            targets = tuple(Target(Box(tuple(xyxy))) for xyxy in question["boxes"])
            match: Match = "any" if len(targets) > 1 else "single"
            yield Truth(question["id"], tuple(question["answers"]), targets, match, answerable=bool(targets))


def members() -> tuple[Member, ...]:
    """Returns the photos as pinned files."""
    return tuple(Member(_WHEEL, f"skimage/data/{p['file']}", p["sha256"], p["bytes"]) for p in _declared())


def write_tiny(root: Path) -> None:
    """Writes plain pictures under the photos' names, large enough for the boxes; nothing is fetched."""
    names = write_tiny_photos(root, size_hw=(520, 760))
    for photo in _declared():
        (root / photo["file"]).write_bytes((root / names[0]).read_bytes())


@cache
def _declared() -> tuple[dict[str, Any], ...]:
    text = files("foveate.datasets").joinpath("photos.toml").read_text(encoding="utf-8")
    return tuple(tomllib.loads(text)["photo"])


def _photos(root: Path | None) -> dict[str, FileImage]:
    if root is None:
        return {member.name: FileImage(path) for member, path in fetch(members()).items()}
    folder = PhotoFolder(root)
    found = {photo["file"]: folder.find(photo["file"]) for photo in _declared()}
    for name, image in found.items():
        if image is None:
            raise InputError(
                f"{root}, {name}", "the photo is not there", "Leave --root out, or say folder for your own photos."
            )
    return {name: image for name, image in found.items() if image is not None}
