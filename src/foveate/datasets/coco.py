"""COCO's instances as questions: where is the chair, where are the people; the captions come as facts."""

from __future__ import annotations

import json
from array import array
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from foveate.core.cards import DatasetCard
from foveate.core.queries import Query
from foveate.core.regions import Polygon, Shape
from foveate.core.truths import Fact, Target, Truth
from foveate.datasets._kinds import where_question
from foveate.datasets._official import chosen, optional_file, photo_of
from foveate.datasets._options import Options, needed_root, official_file
from foveate.datasets._tiny import TINY_BOXES, write_tiny_photos
from foveate.errors import InputError, some
from foveate.formats.coco import FIX, CocoFile, CocoImage, read_captions, read_coco
from foveate.formats.photo_names import image_name
from foveate.sources.folders import PhotoFolder

CARD = DatasetCard(
    name="coco",
    title="COCO instances",
    summary="A question for each photo of MS COCO and kind of thing in it; the targets are all its instances.",
    licence="annotations CC BY 4.0; photos: as their owners at Flickr state (the file names the licence of each)",
    citation="Lin and others: Microsoft COCO: Common Objects in Context. ECCV 2014",
    homepage="the web site of COCO, section Download: train/val annotations of 2014 and 2017, and the photos",
    splits={"train2014": None, "val2014": None, "train2017": None, "val2017": None},
    evaluate_as="mask",
    options={
        "crowd": "leave_out (the default: no question where a photo has a crowd of the kind) or keep: its mask counts"
    },
    facts={
        "captions": "what people wrote about the photo, where captions_SPLIT.json is there",
        "instances": "how many single instances there are",
        "crowd": "whether there is a crowd of the kind too",
    },
)

_CROWD = ("leave_out", "keep")
_Outlines = tuple["array[float]", ...]


def queries(root: Path | None, split: str, options: Options) -> Iterator[Query]:
    """Yields a question for each photo and kind of thing in it: photos as the file has them, kinds as it numbers them.

    The id is `PHOTO#KIND`, `000000000139.jpg#chair`: it stays the same when other annotations or kinds come or go, as
    a running number would not. The photos may lie anywhere below the root, or be absent.

    Raises:
        InputError: The file of instances is missing or broken.
    """
    folder = PhotoFolder(needed_root(CARD.name, root))
    file = read_coco(official_file(folder.root, f"instances_{split}.json"), options.on_invalid)
    for image, kind, group in _kept(file, options, [], with_shapes=False):
        name = image_name(image.file_name)
        photo = photo_of(folder, name, f"{image.id:012d}.jpg") if options.with_images else None
        question = where_question(kind, several=group.singles > 1 or group.crowds > 0)
        yield Query(_id(image, kind), name, photo, question, image.size_hw)


def truths(root: Path | None, split: str, options: Options) -> Iterator[Truth]:
    """Yields the kind as the answer and its instances as targets, whose union counts; no photo is needed.

    Raises:
        InputError: A file is missing or broken.
    """
    folder = needed_root(CARD.name, root)
    file = read_coco(official_file(folder, f"instances_{split}.json"), options.on_invalid)
    path = optional_file(folder, f"captions_{split}.json")
    captions = read_captions(path, options.on_invalid) if path else {}
    crowded: list[str] = []
    for image, kind, group in _kept(file, options, crowded, with_shapes=True):
        targets = tuple(Target(_unpacked(shape), kind) for shape in group.shapes)
        facts: dict[str, Fact] = {"instances": group.singles, "crowd": group.crowds > 0}
        if image.id in captions:
            facts["captions"] = captions[image.id]
        yield Truth(_id(image, kind), (kind,), targets, "union", size_hw=image.size_hw, polled=False, facts=facts)
    if crowded:
        options.on_remark(f"questions left out because of a crowd of the kind: {len(crowded):,}, {some(crowded)}")


def write_tiny(root: Path) -> None:
    """Writes three photos, instances and captions of every split in the official layout below the root."""
    names = write_tiny_photos(root / "images")
    kinds = ("chair", "couch", "cup")
    images = [{"id": n, "file_name": name, "width": 64, "height": 48} for n, name in enumerate(names)]
    instances = []
    for n, ((x0, y0, x1, y1), _) in enumerate(TINY_BOXES):
        outline = [x0, y0, x1, y0, x1, y1, x0, y1]
        box = [x0, y0, x1 - x0, y1 - y0]
        area = (x1 - x0) * (y1 - y0)
        instances.append(
            {"id": n, "image_id": n, "category_id": n, "iscrowd": 0, "bbox": box, "area": area}
            | {"segmentation": [outline]}
        )
    categories = [{"id": n, "name": kind, "supercategory": "thing"} for n, kind in enumerate(kinds)]
    captions = [{"id": n, "image_id": n, "caption": f"A red {kind}."} for n, kind in enumerate(kinds)]
    for split in CARD.splits:
        _write(root / f"instances_{split}.json", images=images, annotations=instances, categories=categories)
        _write(root / f"captions_{split}.json", images=images, annotations=captions)


@dataclass
class _Group:
    """The instances of one kind in one photo."""

    singles: int = 0
    crowds: int = 0
    shapes: list[_Outlines | Shape] = field(default_factory=list)


def _kept(
    file: CocoFile, options: Options, crowded: list[str], *, with_shapes: bool
) -> Iterator[tuple[CocoImage, str, _Group]]:
    """Yields what becomes a question, and notes in `crowded` what does not because of a crowd."""
    leave_out = chosen(CARD.name, options, "crowd", _CROWD) == "leave_out"
    groups = _groups(file, options, with_shapes=with_shapes)
    for image in file.images.values():
        for number, category in file.categories.items():
            group = groups.get((image.id, number))
            if group is None:
                continue
            if group.crowds and leave_out:
                crowded.append(_id(image, category.name))
            else:
                yield image, category.name, group


def _groups(file: CocoFile, options: Options, *, with_shapes: bool) -> dict[tuple[int, int], _Group]:
    """Returns the instances by photo and kind; the file has them in any order, so that all must be read."""
    groups: dict[tuple[int, int], _Group] = defaultdict(_Group)
    for found, row in file.annotations(options.on_invalid):
        try:
            shape, _ = found.shape(file.images[found.image_id].size_hw)
        except ValueError as error:
            options.on_invalid(InputError(row.where, str(error), FIX))
            continue
        group = groups[found.image_id, found.category_id]
        group.crowds += found.crowd
        group.singles += not found.crowd
        if with_shapes:
            group.shapes.append(_packed(shape))
    return groups


def _packed(shape: Shape) -> _Outlines | Shape:
    """Returns a polygon in a seventh of its memory: those of a whole file are kept together."""
    if not isinstance(shape, Polygon):
        return shape
    return tuple(array("d", (side for point in part for side in point)) for part in shape.parts)


def _unpacked(shape: _Outlines | Shape) -> Shape:
    if not isinstance(shape, tuple):
        return shape
    return Polygon(tuple(tuple(zip(part[::2], part[1::2], strict=True)) for part in shape))


def _id(image: CocoImage, kind: str) -> str:
    return f"{image_name(image.file_name)}#{kind}"


def _write(path: Path, **parts: object) -> None:
    path.write_text(json.dumps(parts), encoding="utf-8")
