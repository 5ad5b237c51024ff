"""Ways to ask: `pocket` that has not read the question before, priors that have not read it at all, and the best box.

What the networks see in a photo does not depend on the question; it is remembered, so that many variants of a method
can be asked about the same photos.
"""

from __future__ import annotations

import hashlib
import importlib
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache, wraps
from typing import Any
from unittest import mock

import numpy as np
from benchmarks._proxy import Sample
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.core.overlap import box_iou
from foveate.core.predictions import Prediction
from foveate.core.queries import Image, Query
from foveate.core.regions import Box, Region
from foveate.execution.map_queries import map_queries
from foveate.grounders import pocket
from foveate.grounders._protocol import Grounder
from foveate.perception import embed_image, propose
from foveate.perception.example_questions import example_questions
from foveate.perception.meaning import Phrases, stored_phrases
from foveate.perception.phrase_book import phrase_book
from foveate.perception.words import words

# What is called with the photo, and its options, alone; names that a version does not have are passed over.
_PERCEPTION = (
    "propose:propose",
    "read_text:read_text",
    "embed_image:embed_image",
    "name_things:name_things",
)


def asked(queries: Iterable[Query], grounder: Grounder) -> list[Prediction]:
    """Returns what a method says; the questions about one photo are asked together."""
    ordered = sorted(queries, key=lambda query: query.image_name)
    return list(map_queries([replace(each, image=_kept(each.image)) for each in ordered], grounder))


class Unread:
    """`pocket` whose phrase book has neither the question that is asked nor those about the cup's photos."""

    def prepare(self, image: Image | None, size_hw: SizeHW) -> None:
        """Takes the next photo."""
        self._photo = (image, size_hw)

    def ground(self, question: str) -> Prediction:
        """Returns what `pocket` says."""
        grounder = reading(without(question))
        grounder.prepare(*self._photo)
        return grounder.ground(question)


def reading(phrases: Phrases) -> Grounder:
    """Returns `pocket` with a phrase book of its own, where it reads one."""
    make: Callable[..., Grounder] = pocket.Grounder
    return make(phrases=phrases) if "phrases" in inspect.signature(make).parameters else make()


@lru_cache(maxsize=4)
def without(question: str) -> Phrases:
    """Returns the stored phrases without a question, by its words, and without those about the cup's photos."""
    own = _examples().get(_plain(question), frozenset())
    return _the_rest().take(np.array([row for row in range(len(_the_rest().texts)) if row not in own]))


@lru_cache(maxsize=1)
def _the_rest() -> Phrases:
    return stored_phrases().without(each.photo for each in example_questions() if each.photo)


@lru_cache(maxsize=1)
def _examples() -> dict[str, frozenset[int]]:
    """Returns the rows of the example questions, by their words."""
    found: dict[str, set[int]] = {}
    for row in np.flatnonzero(_the_rest().sort == 2).tolist():
        found.setdefault(_plain(_the_rest().texts[row]), set()).add(row)
    return {plain: frozenset(rows) for plain, rows in found.items()}


def _plain(question: str) -> str:
    return " ".join(words(question))


class MostConfident:
    """The detector's best box, whatever the question."""

    def prepare(self, image: Image | None, size_hw: SizeHW) -> None:
        """Looks at the photo."""
        things = propose.propose(image.load()) if image else None
        self._best = things.xyxy[0] if things and len(things) else None

    def ground(self, question: str) -> Prediction:
        """Returns the same box for every question about the photo."""
        return _one_box(self._best)


class Salient:
    """The box around what stands out by at least half as much as what stands out most, whatever the question."""

    def prepare(self, image: Image | None, size_hw: SizeHW) -> None:
        """Looks at the photo."""
        self._box = None
        if image:
            found = embed_image.embed_image(image.load()).saliency
            self._box = np.array(replace(found, values=found.values / found.values.max()).xyxy)

    def ground(self, question: str) -> Prediction:
        """Returns the same box for every question about the photo."""
        return _one_box(self._box)


def _one_box(xyxy: NDArray[np.float64] | None) -> Prediction:
    if xyxy is None:
        return Prediction("", "no_region", reason="nothing is seen")
    region = Region(Box(tuple(xyxy.tolist())), None)
    return Prediction("", "ok", final=region, candidates=(region,))


def best_boxes(samples: Sequence[Sample], *, of_kind: bool) -> list[Prediction]:
    """Returns, for each sample, the box of the detector that is nearest to the right one: what ranking could reach.

    Args:
        samples: Each with a target.
        of_kind: Only boxes of the right kind.
    """
    return [replace(_one_box(_best_box(sample, of_kind)), id=sample.query.id) for sample in samples]


def _best_box(sample: Sample, of_kind: bool) -> NDArray[np.float64] | None:
    image = _kept(sample.query.image)
    if image is None:
        return None
    things = propose.propose(image.load())
    kind = list(phrase_book().things).index(sample.kind)
    boxes = things.xyxy[things.kind == kind] if of_kind else things.xyxy
    right = np.array(sample.truth.targets[0].shape.xyxy)
    return boxes[box_iou(right, boxes, empty=0.0).argmax()] if len(boxes) else None


@dataclass(frozen=True)
class _Kept:
    """A photo that is decoded once; satisfies `foveate.core.queries.Image`."""

    image: Image

    @property
    def name(self) -> str:
        return self.image.name

    @property
    def size_hw(self) -> SizeHW:
        return self.image.size_hw

    def load(self) -> NDArray[np.uint8]:
        return _pixels(self)


def _kept(image: Image | None) -> _Kept | None:
    return _Kept(image) if image else None


@lru_cache(maxsize=4)
def _pixels(photo: _Kept) -> NDArray[np.uint8]:
    pixels = photo.image.load()
    # What is shared must not be drawn on.
    pixels.setflags(write=False)
    return pixels


@contextmanager
def remembered() -> Iterator[None]:
    """Lets each network look once at a photo, a crop of it or a size, however often it is asked."""
    with ExitStack() as patches:
        for place in _PERCEPTION:
            module, _, name = place.partition(":")
            owner = importlib.import_module(f"foveate.perception.{module}")
            if hasattr(owner, name):
                patches.enter_context(mock.patch.object(owner, name, _remembering(getattr(owner, name))))
        yield


def _remembering(function: Callable[..., Any]) -> Callable[..., Any]:
    kept: dict[tuple[object, ...], Any] = {}

    @wraps(function)
    def remembering(image: NDArray[np.uint8], *others: object, **options: object) -> Any:
        if any(not isinstance(each, int | float | str | tuple) for each in (*others, *options.values())):
            return function(image, *others, **options)
        picture = hashlib.sha256(image.tobytes()).hexdigest()
        key = (picture, image.shape, others, *sorted(options.items()))
        if key not in kept:
            kept[key] = function(image, *others, **options)
        return kept[key]

    return remembering
