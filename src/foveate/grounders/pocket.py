"""The default: a small detector, a phrase book and a text reader, on any computer, without a model hub."""

from __future__ import annotations

from collections.abc import Callable

from foveate.core.boxes import SizeHW
from foveate.core.cards import GrounderCard
from foveate.core.predictions import Prediction
from foveate.core.queries import Image
from foveate.errors import InputError
from foveate.grounders._pocket import names, pointing, scenes, spots, texts, things
from foveate.grounders._pocket.finding import Finding
from foveate.grounders._pocket.seen import Seen
from foveate.perception.matching import match_kinds
from foveate.perception.meaning import look_for
from foveate.perception.questions import Asked, QuestionType, understand

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

_NOT_ABOUT_PHOTO = "A photo cannot answer this question."


class Grounder:
    """Answers each sort of question in its own way; looks at a photo when a question first needs it, and once."""

    def __init__(self) -> None:
        self._seen: Seen | None = None

    def prepare(self, image: Image | None, size_hw: SizeHW) -> None:
        """Takes the next photo and forgets what was seen in the last one; decodes nothing yet.

        Raises:
            InputError: There is no photo.
        """
        if image is None:
            raise InputError(
                "pocket", "there is no photo to look at", "Give the photo, or use a prior such as centre_box."
            )
        self._seen = Seen(image, size_hw)

    def ground(self, question: str) -> Prediction:
        """Returns what answers the question, with at most five candidates, or why there is nothing."""
        if self._seen is None:
            raise InputError("pocket", "no photo was prepared", "Call prepare before ground.")
        asked = understand(question)[0]
        found = _ROUTES[asked.type](self._seen, asked)
        if not found.regions:
            return Prediction("", "no_region", found.answer, size_hw=self._seen.size_hw, reason=found.reason)
        return Prediction(
            "",
            "ok",
            found.answer,
            found.answer_score,
            found.regions[0],
            found.regions,
            self._seen.size_hw,
            reason=found.reason,
        )


def _find(seen: Seen, asked: Asked) -> Finding:
    """A thing by name or use, of the detector's kinds or beyond; else words of the question that stand in the photo."""
    if names.group_of(asked):
        return names.find(seen, asked)
    wanted = look_for(asked)
    # What is named is not looked for by its use: a helmet is no motorcycle.
    beyond = spots.named(wanted)
    found = things.find(seen, asked)
    if found.regions and not beyond:
        return found
    spotted = spots.find(seen, wanted)
    if spotted and spotted.regions:
        return spotted
    missing = spotted if spotted and (beyond or not match_kinds(asked.text)) else found
    return texts.find_said(seen, asked.text) or missing


_ROUTES: dict[QuestionType, Callable[[Seen, Asked], Finding]] = {
    "object": _find,
    "text": texts.find,
    "colour": pointing.find,
    "count": pointing.find,
    "yes_no": pointing.find,
    "attribute": pointing.find,
    "what_is_this": names.find,
    "scene": scenes.find,
    "not_about_photo": lambda seen, asked: Finding(reason=_NOT_ABOUT_PHOTO),
}
