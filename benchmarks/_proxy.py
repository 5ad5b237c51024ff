"""Questions about COCO's photos whose right box is known, in three wordings, and questions for what is not there.

A kind of thing that stands alone in a photo has one right box, so that a question for the kind has one too: easier than
the WSDM Cup, and only about the kinds that the detector knows. `ours` are the 110 questions of `coco/questions.csv`,
written from templates. `real` are people's own questions from the cup's train sample that ask for the kind, asked of
other photos than they were written for. `named` say the kind's name, so that nothing is left to understand. All photos
fall into the same two halves; nothing may be chosen or tuned by what is measured on the photos that are held out.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal

from foveate.core.boxes import SizeHW
from foveate.core.queries import Query
from foveate.core.regions import Box, Polygon, Sides
from foveate.core.truths import Target, Truth
from foveate.perception.example_questions import ExampleQuestion, example_questions
from foveate.perception.phrase_book import phrase_book, thing_of_name
from foveate.perception.words import stem, words
from foveate.sources.images import FileImage

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
MOST_QUESTIONS = 3
# Absent kinds a photo: of a group that something in the photo belongs to (a fork beside a knife), and of others.
NEAR, FAR = 2, 3
BEYOND = 8
# Kinds that a photo shows, or may show, although COCO's annotators drew none, or whose questions something else in it
# answers too (a bicycle carries one or two people, as a motorcycle does); found by looking at photos and questions.
SHOWN: dict[str, tuple[str, ...]] = {
    "000000000092.jpg": ("diningtable",),
    "000000000308.jpg": ("bottle",),
    "000000000450.jpg": ("bottle",),
    "000000005001.jpg": ("motorbike",),
    "000000060623.jpg": ("chair",),
    "000000084284.jpg": ("tvmonitor",),
    "000000111076.jpg": ("cup",),
    "000000165518.jpg": ("car",),
    "000000168974.jpg": ("tvmonitor",),
    "000000174632.jpg": ("oven", "bird"),
    "000000184324.jpg": ("traffic light", "motorbike"),
    "000000231460.jpg": ("motorbike",),
    "000000253955.jpg": ("bench",),
    "000000359219.jpg": ("microwave",),
    "000000360452.jpg": ("truck",),
    "000000397133.jpg": ("pizza",),
    "000000401416.jpg": ("handbag",),
    "000000412151.jpg": ("laptop", "cup", "keyboard"),
    "000000433998.jpg": ("cup",),
    "000000511321.jpg": ("car",),
    "000000516008.jpg": ("tvmonitor",),
    "000000555009.jpg": ("cell phone",),
}
_PLURAL = frozenset({"skis", "scissors"})

Wording = Literal["ours", "real", "named"]


@dataclass(frozen=True, slots=True)
class Instance:
    """One thing that COCO's annotators drew: its kind by the detector's name, its box and outline (None: a crowd)."""

    kind: str
    xyxy: Sides
    outline: Polygon | None


@dataclass(frozen=True)
class Photo:
    """A photo with all that was drawn in it."""

    path: Path
    size_hw: SizeHW
    instances: tuple[Instance, ...]

    @property
    def name(self) -> str:
        """The file name."""
        return self.path.name

    @cached_property
    def alone(self) -> tuple[Instance, ...]:
        """The things that are the only ones of their kind, in the annotators' order; a crowd is not one thing."""
        count = Counter(each.kind for each in self.instances)
        return tuple(each for each in self.instances if count[each.kind] == 1 and each.outline)


@dataclass(frozen=True, slots=True)
class Sample:
    """A question about a photo with what is right.

    Attributes:
        query: The question.
        truth: Its box; no target where the kind is absent.
        kind: What it asks for, by the detector's name; empty where the detector does not know it.
        wording: Who wrote it.
        outline: The thing's outline, where it is there.
        near: Whether the absent kind is of one group with something in the photo.
    """

    query: Query
    truth: Truth
    kind: str
    wording: Wording
    outline: Polygon | None = None
    near: bool = False


def held_out(photo: str) -> bool:
    """Returns whether a photo is kept for the last measurement."""
    return int(Path(photo).stem) % 2 == 1


def photos(data: Path = DATA) -> tuple[Photo, ...]:
    """Returns the photos that have annotations, by name."""
    found = json.loads((data / "coco" / "instances.json").read_text(encoding="utf-8"))
    kinds = {each["id"]: kind_of(each["name"]) for each in found["categories"]}
    drawn: dict[int, list[Instance]] = {each["id"]: [] for each in found["images"]}
    for each in found["annotations"]:
        drawn[each["image_id"]].append(_instance(each, kinds[each["category_id"]]))
    made = [
        Photo(_place(data, Path(each["file_name"]).name), (each["height"], each["width"]), tuple(drawn[each["id"]]))
        for each in found["images"]
    ]
    return tuple(sorted(made, key=lambda photo: photo.name))


@lru_cache(maxsize=1)
def groups(data: Path = DATA) -> dict[str, str]:
    """Returns COCO's group of each kind ("kitchen")."""
    found = json.loads((data / "coco" / "instances.json").read_text(encoding="utf-8"))
    return {kind_of(each["name"]): each["supercategory"] for each in found["categories"]}


def kind_of(coco_name: str) -> str:
    """Returns the detector's name of a kind by COCO's name of it.

    Example:
        >>> kind_of("tv"), kind_of("motorcycle")
        ('tvmonitor', 'motorbike')
    """
    return thing_of_name()[tuple(stem(word) for word in words(coco_name))]


def present(found: Sequence[Photo], wording: Wording) -> tuple[Sample, ...]:
    """Returns the questions for what stands alone of its kind, photo by photo."""
    if wording == "ours":
        by_name = {photo.name: photo for photo in found}
        return tuple(_of_ours(row, by_name[row["image"]]) for row in ours() if row["image"] in by_name)
    return tuple(
        _sample(photo, instance.kind, wording, number, question, instance)
        for photo in found
        for instance in photo.alone
        for number, question in enumerate(_asked_in(wording, photo.name, instance.kind))
    )


def absent(found: Sequence[Photo], wording: Wording) -> tuple[Sample, ...]:
    """Returns questions for five kinds a photo that it does not show, one a kind in a wording, where there is one."""
    return tuple(
        _sample(photo, kind, wording, 0, question, near=near)
        for photo in found
        for kind, near in absent_kinds(photo)
        for question in _asked_in(wording, photo.name, kind, sure=True)[:1]
    )


def beyond(found: Sequence[Photo]) -> tuple[Sample, ...]:
    """Returns eight questions a photo for things that the detector does not know; whatever it finds is wrong."""
    others = [each.question for each in example_questions() if each.thing and not each.kind]
    return tuple(
        _sample(photo, "", "real", number, question)
        for photo in found
        for number, question in enumerate(sorted(others, key=lambda each: _draw(photo.name, each))[:BEYOND])
    )


def absent_kinds(photo: Photo, group_of: Mapping[str, str] | None = None) -> list[tuple[str, bool]]:
    """Returns five kinds that a photo does not show, each with whether it is near: of a group that the photo shows.

    Drawn by a hash of both names, among the kinds that a sure question of people asks for.

    Args:
        photo: The photo.
        group_of: COCO's groups by default.
    """
    group_of = group_of or groups()
    there = {each.kind for each in photo.instances} | set(SHOWN.get(photo.name, ()))
    shown = {group_of[each.kind] for each in photo.instances}
    free = [kind for kind in phrase_book().things if kind not in there and any(each.sure for each in real(kind))]
    free.sort(key=lambda kind: _draw(photo.name, kind))
    near = [kind for kind in free if group_of[kind] in shown]
    far = [kind for kind in free if group_of[kind] not in shown]
    fewer = min(NEAR, len(near))
    return [*((kind, True) for kind in near[:fewer]), *((kind, False) for kind in far[: NEAR + FAR - fewer])]


@lru_cache(maxsize=128)
def real(kind: str) -> tuple[ExampleQuestion, ...]:
    """Returns the questions of people that ask for a kind by no narrower word: a surfer is not every person."""
    thing = phrase_book().things[kind]
    plain = {kind, thing.display, thing.called[0], thing.display.split()[-1]}
    return tuple(each for each in example_questions() if each.kind == kind and each.wanted in plain)


@lru_cache(maxsize=1)
def ours(data: Path = DATA) -> tuple[dict[str, str], ...]:
    """Returns the rows of our own questions."""
    with (data / "coco" / "questions.csv").open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


@lru_cache(maxsize=1)
def _ours_by_kind() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    by_name = {photo.name: photo for photo in photos()}
    for row in ours():
        found.setdefault(_nearest(row, by_name[row["image"]]).kind, []).append(row["question"])
    return found


def _asked_in(wording: Wording, photo: str, kind: str, *, sure: bool = False) -> list[str]:
    """Returns the questions for a kind in one wording, in an order that is drawn for each photo, sure ones first."""
    display = phrase_book().things[kind].display
    if wording == "named":
        return [f"Where {'are' if kind in _PLURAL else 'is'} the {display}?"]
    if wording == "ours":
        return sorted(set(_ours_by_kind().get(kind, ())), key=lambda question: _draw(photo, question))
    asked = [each for each in real(kind) if each.sure or not sure]
    asked.sort(key=lambda each: (not each.sure, _draw(photo, each.question)))
    return [each.question for each in asked[:MOST_QUESTIONS]]


def _draw(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _sample(
    photo: Photo,
    kind: str,
    wording: Wording,
    number: int,
    question: str,
    instance: Instance | None = None,
    near: bool = False,
) -> Sample:
    name = f"{photo.name}#{kind}#{wording}{number}"
    targets = (Target(Box(instance.xyxy), kind),) if instance else ()
    query = Query(name, photo.name, FileImage(photo.path), question, photo.size_hw)
    truth = Truth(name, targets=targets, answerable=bool(targets), size_hw=photo.size_hw)
    return Sample(query, truth, kind, wording, instance.outline if instance else None, near)


def _of_ours(row: dict[str, str], photo: Photo) -> Sample:
    nearest = _nearest(row, photo)
    query = Query(row["id"], photo.name, FileImage(photo.path), row["question"], photo.size_hw)
    truth = Truth(row["id"], targets=(Target(Box(_sides(row)), nearest.kind),), size_hw=photo.size_hw)
    return Sample(query, truth, nearest.kind, "ours", nearest.outline)


def _nearest(row: dict[str, str], photo: Photo) -> Instance:
    sides = _sides(row)
    return min(
        photo.instances,
        key=lambda each: max(abs(one - other) for one, other in zip(each.xyxy, sides, strict=True)),
    )


def _sides(row: dict[str, str]) -> Sides:
    return float(row["left"]), float(row["top"]), float(row["right"]), float(row["bottom"])


def _instance(raw: dict[str, Any], kind: str) -> Instance:
    left, top, width, height = raw["bbox"]
    outline = None if raw["iscrowd"] else Polygon(tuple(_points(flat) for flat in raw["segmentation"]))
    return Instance(kind, (left, top, left + width, top + height), outline)


def _points(flat: Sequence[float]) -> tuple[tuple[float, float], ...]:
    return tuple(zip(flat[::2], flat[1::2], strict=True))


def _place(data: Path, name: str) -> Path:
    return next(path for path in _places(data, name) if path.is_file())


def _places(data: Path, name: str) -> Iterator[Path]:
    yield data / "coco" / "images" / name
    yield data / "toloka" / "images" / name
