"""What is wrong with a photo where it matters, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from foveate.assist.certainty import Word
from foveate.assist.place import Place
from foveate.assist.texts import gettext, marked
from foveate.perception.photo_quality import PhotoQuality
from foveate.perception.photo_quality import Side as Edge
from foveate.perception.questions import understand

AdviceKind = Literal["dark", "nothing", "blurred", "grey", "cut_off", "bright", "tilted"]
MOST = 2
# Nobody turns a camera by a single degree.
_STEP = 5
_SAID: Mapping[AdviceKind, str] = {
    "dark": marked("The photo is very dark; turn on a light or the flash, and try again."),
    "nothing": marked(
        "Nothing can be made out in the photo; see that nothing covers the lens, hold still, and try again."
    ),
    "blurred": marked("The photo is very blurred; hold still and try again."),
    "bright": marked("The photo is much too bright; turn away from the light, and try again."),
    "grey": marked("The photo has no colours, so that none can be told from it."),
}
_TILTED = (
    marked("The photo is tilted by about {degrees} degrees; turn the top of the camera to the right."),
    marked("The photo is tilted by about {degrees} degrees; turn the top of the camera to the left."),
)
# What is shown at the left edge goes on at the left: the camera has to see more of that side.
_MORE: Mapping[tuple[Edge, ...], str] = {
    ("left",): marked("To get all of it in, turn the camera a little to the left."),
    ("top",): marked("To get all of it in, turn the camera a little up."),
    ("right",): marked("To get all of it in, turn the camera a little to the right."),
    ("bottom",): marked("To get all of it in, turn the camera a little down."),
    ("left", "top"): marked("To get all of it in, turn the camera a little up and to the left."),
    ("top", "right"): marked("To get all of it in, turn the camera a little up and to the right."),
    ("left", "bottom"): marked("To get all of it in, turn the camera a little down and to the left."),
    ("right", "bottom"): marked("To get all of it in, turn the camera a little down and to the right."),
}
_BACK = marked("To get all of it in, move the camera a little back.")


@dataclass(frozen=True, slots=True)
class Advice:
    """One thing that is wrong with a photo.

    Attributes:
        kind: What it is.
        said: It and what to do, as a sentence in the language that was spoken.
    """

    kind: AdviceKind
    said: str


@dataclass(frozen=True, slots=True)
class Wants:
    """What the answer to a question needs of a photo.

    Attributes:
        text: Whether it is read.
        colour: Whether colours are told.
    """

    text: bool
    colour: bool


def before(quality: PhotoQuality) -> tuple[Advice, ...]:
    """Returns the advice about a photo of which nothing was asked yet, the weightiest first, at most two.

    A photo in which no edge can be seen is not called blurred, too: it is dark, or bright, or there is nothing in it.
    """
    return _advice({"dark", "nothing", "blurred", "bright", "tilted"}, quality)[:MOST]


def after(wants: Wants, quality: PhotoQuality, *, missing: bool, word: Word, place: Place | None) -> tuple[Advice, ...]:
    """Returns the advice that matters to an answer, the weightiest first, at most two.

    Light and sharpness matter where text is read and where the answer is missing, doubtful or unmeasured; tilt to text;
    colours to what is told of them; a region that the photo's edge cuts off to text, and to whatever is not very sure.

    Args:
        wants: What the question needs.
        quality: What was measured of the photo.
        missing: Whether nothing was found: there are no words, or they are that nothing is there ("no", "0").
        word: How sure the answer is.
        place: Where it is; None where it is nowhere.
    """
    kinds: set[AdviceKind] = set()
    if wants.text or missing or word in {"not", "guess", "unmeasured"}:
        kinds |= {"dark", "blurred", "bright"}
    # A cloth that fills the photo has a colour all the same.
    if wants.text or missing:
        kinds.add("nothing")
    if wants.text:
        kinds.add("tilted")
    if wants.colour:
        kinds.add("grey")
    found = list(_advice(kinds, quality))
    if place is not None and place.touched and place.side != "whole" and (wants.text or word != "very"):
        # Worse than glare and tilt; of no use while the photo itself shows nothing.
        at = sum(each.kind in {"dark", "nothing", "blurred", "grey"} for each in found)
        found.insert(at, Advice("cut_off", gettext(_MORE.get(place.touched, _BACK))))
    return tuple(found[:MOST])


def wants_of(question: str) -> Wants:
    """Returns what the answer to a question needs of a photo.

    Example:
        >>> wants_of("What does the label say?")
        Wants(text=True, colour=False)
    """
    asked = understand(question)
    return Wants(
        text=any(each.type == "text" or "text" in each.skills for each in asked),
        colour=any(each.type == "colour" or "colour" in each.skills for each in asked),
    )


def _advice(kinds: set[AdviceKind], quality: PhotoQuality) -> tuple[Advice, ...]:
    """Returns those of some kinds that are true of a photo, the weightiest first."""
    holds: Mapping[AdviceKind, bool] = {
        "dark": quality.dark,
        "nothing": quality.featureless and not (quality.dark or quality.bright),
        "blurred": quality.blurred and not quality.featureless,
        "grey": quality.grey,
        "bright": quality.bright,
        "tilted": quality.tilted,
    }
    return tuple(Advice(kind, _said(kind, quality)) for kind, is_so in holds.items() if kind in kinds and is_so)


def _said(kind: AdviceKind, quality: PhotoQuality) -> str:
    if kind != "tilted":
        return gettext(_SAID[kind])
    turned = quality.tilted_degrees or 0.0
    # Lines that are turned clockwise come from a camera that was turned the other way.
    text = _TILTED[0] if turned > 0 else _TILTED[1]
    return gettext(text).format(degrees=max(_STEP, round(abs(turned) / _STEP) * _STEP))
