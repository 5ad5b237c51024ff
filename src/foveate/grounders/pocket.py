"""The default: a small detector, a phrase book and a text reader, on any computer, without a model hub."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW, box_area, size_difference
from foveate.core.cards import GrounderCard
from foveate.core.predictions import Prediction
from foveate.core.queries import Image
from foveate.core.regions import Box, Region
from foveate.errors import InputError
from foveate.grounders._lines import Reading, find_words, read_out
from foveate.perception.matching import match_kinds
from foveate.perception.phrase_book import display_name
from foveate.perception.propose import Proposals, kinds, propose
from foveate.perception.questions import QuestionType, question_type, text_wish
from foveate.perception.read_text import TextLine, read_text
from foveate.perception.words import words

CARD = GrounderCard(
    name="pocket",
    summary="Finds one of 80 kinds of thing by its name or use, or the text that is asked for; runs on any computer.",
    reference=(
        "Foveate. Things: Redmon, Farhadi, YOLOv3, 2018 (the tiny network). Text: PP-OCR of PaddlePaddle through "
        "RapidOCR 3.10. Questions: a phrase book of our own (design/pocket-first-form.md)."
    ),
    needs_image=True,
    answers=True,
    regions="box",
    weights=("yolov3_tiny",),
    limits=(
        "Knows 80 kinds of things (people, vehicles, animals, food, furniture, kitchen and sports things) and printed "
        "text, in English; misses small things, and names what it sees wrongly at times. Gives boxes, no masks yet. "
        "Shows where it would look for a colour, a number of things or a yes or no, but does not answer these yet. "
        "The open vocabulary of the WSDM Cup (helmets, towers, badges, kettles) is out of its reach. "
        "The score of a thing is the detector's and that of text the reader's: they are on different scales, and "
        "neither is calibrated."
    ),
)

MOST_CANDIDATES = 5
_THIS = frozenset({"this", "these", "that", "it"})
# A kind that fits worse than this share of the best is looked for too, but to name it would only puzzle.
_WORTH_NAMING = 0.7
_NO_KIND = "None of the 80 kinds of thing that pocket knows fits this question; it understands English."
_NOT_YET = "pocket does not answer colours, numbers or yes and no yet; this is where it would look."
_NOT_SURE = "pocket is not sure of any thing in this photo."
_NOT_SURE_NO_TEXT = "pocket is not sure of any thing in this photo, and there is no text that it can read."
_NOT_ABOUT_PHOTO = "A photo cannot answer this question."
_NO_TEXT = "There is no text that pocket can read in this photo."


class Grounder:
    """Answers with a thing or with text; looks at a photo when a question first needs it, once for each of the two.

    Args:
        threshold: A thing counts as found when the detector's score times the question's fit is at least this.
        sure: The detector's score from which a thing may answer "What is this?".
    """

    def __init__(self, *, threshold: float = 0.01, sure: float = 0.25) -> None:
        self._threshold = threshold
        self._sure = sure
        self._current: _Photo | None = None

    def prepare(self, image: Image | None, size_hw: SizeHW) -> None:
        """Takes the next photo and forgets what was seen in the last one; decodes nothing yet.

        Raises:
            InputError: There is no photo.
        """
        if image is None:
            raise InputError(
                "pocket", "there is no photo to look at", "Give the photo, or use a prior such as centre_box."
            )
        self._current = _Photo(image, size_hw)

    def ground(self, question: str) -> Prediction:
        """Returns the thing or text that answers the question, with at most five candidates, or why there is none."""
        routes: dict[QuestionType, Callable[[str], Prediction]] = {
            "text": self._read,
            "what_is_this": self._name,
            "scene": self._name,
            "colour": self._point,
            "count": self._point,
            "yes_no": self._point,
            "attribute": self._point,
            "object": self._find,
            "not_about_photo": lambda _: self._nothing(_NOT_ABOUT_PHOTO),
        }
        return routes[question_type(question)](question)

    def _find(self, question: str) -> Prediction:
        """A thing by name or use; where there is none, words of the question that stand in the photo."""
        strengths = match_kinds(question)
        regions = self._matching(strengths)
        if regions:
            return self._found(regions, regions[0].label)
        hit = find_words(self._photo.lines, question)
        if hit:
            return self._reading(hit)
        return self._nothing(_missing(strengths) if strengths else _NO_KIND)

    def _point(self, question: str) -> Prediction:
        """The thing that a question about a colour, a number or a yes or no is about, without answering it."""
        strengths = match_kinds(question)
        if not strengths and _THIS & set(words(question)):
            regions, reason = self._main_things(), _NOT_SURE
        else:
            regions, reason = self._matching(strengths), _missing(strengths) if strengths else _NO_KIND
        return replace(self._found(regions, answer=None), reason=_NOT_YET) if regions else self._nothing(reason)

    def _name(self, question: str) -> Prediction:
        """The main thing of the photo; text where the detector is not sure of any."""
        regions = self._main_things()
        if regions:
            return self._found(regions, regions[0].label)
        reading = read_out(self._photo.lines, "all", question)
        return self._reading(reading) if reading else self._nothing(_NOT_SURE_NO_TEXT)

    def _read(self, question: str) -> Prediction:
        lines, wish = self._photo.lines, text_wish(question)
        # "Where does it say exit?" tells the words and wants their place.
        hit = find_words(lines, question) if words(question)[:1] == ("where",) else None
        reading = hit or read_out(lines, wish, question)
        if reading:
            return self._reading(reading)
        return self._nothing("pocket reads text in this photo, but no number." if lines else _NO_TEXT)

    def _main_things(self) -> list[Region]:
        """Returns what the detector is sure of, larger things before smaller ones: "this" is seldom on the shelf."""
        things = self._photo.things
        sure = things.take(np.flatnonzero(things.score >= self._sure))
        share = box_area(sure.xyxy) / (self._photo.size_hw[0] * self._photo.size_hw[1])
        return self._regions(replace(sure, score=sure.score * share**0.25), 0.0)

    def _matching(self, strengths: Mapping[str, float]) -> list[Region]:
        if not strengths:
            return []
        things = self._photo.things
        best = max(strengths.values())
        # A kind that fits half as well as the best counts an eighth, lest a large second-best thing win by its looks.
        fit = np.array([strengths.get(kind, 0.0) ** 3 / best**2 for kind in kinds()])[things.kind]
        return self._regions(replace(things, score=things.score * fit), self._threshold)

    def _regions(self, things: Proposals, least: float) -> list[Region]:
        """Returns the best five things of at least a score, as regions; equal scores keep their order."""
        order = np.argsort(-things.score, kind="stable")[:MOST_CANDIDATES]
        names = kinds()
        return [
            Region(
                Box(tuple(things.xyxy[row].tolist())), float(things.score[row]), display_name(names[things.kind[row]])
            )
            for row in order
            if things.score[row] >= least
        ]

    def _found(self, regions: list[Region], answer: str | None) -> Prediction:
        score = None if answer is None else regions[0].score
        return Prediction("", "ok", answer, score, regions[0], tuple(regions), self._photo.size_hw)

    def _reading(self, reading: Reading) -> Prediction:
        return self._found(list(reading.regions[:MOST_CANDIDATES]), reading.answer)

    def _nothing(self, reason: str) -> Prediction:
        return Prediction("", "no_region", size_hw=self._photo.size_hw, reason=reason)

    @property
    def _photo(self) -> _Photo:
        if self._current is None:
            raise InputError("pocket", "no photo was prepared", "Call prepare before ground.")
        return self._current


class _Photo:
    """One photo and what was seen in it; each is worked out when it is first asked for, and kept."""

    def __init__(self, image: Image, size_hw: SizeHW) -> None:
        self._image = image
        self.size_hw = size_hw

    @cached_property
    def things(self) -> Proposals:
        return propose(self._pixels)

    @cached_property
    def lines(self) -> tuple[TextLine, ...]:
        return read_text(self._pixels)

    @cached_property
    def _pixels(self) -> NDArray[np.uint8]:
        photo = self._image.load()
        height, width = photo.shape[:2]
        difference = size_difference((height, width), self.size_hw)
        if difference:
            raise InputError(
                self._image.name, f"the photo is {difference}", "Its file changed, or the sizes belong to another copy."
            )
        return photo


def _missing(strengths: Mapping[str, float]) -> str:
    """Returns which things were looked for in vain, those that fit about as well as the best, best first."""
    least = _WORTH_NAMING * max(strengths.values())
    ordered = sorted((kind for kind in strengths if strengths[kind] >= least), key=lambda kind: -strengths[kind])
    names = [display_name(kind) for kind in ordered[:3]]
    looked = " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
    if len(ordered) > 3:
        return f"pocket looked for {', '.join(names)} and {len(ordered) - 3} other kinds of thing and did not find any."
    return f"pocket looked for {looked} and did not find {'one' if len(names) == 1 else 'any'}."
