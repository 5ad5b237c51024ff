"""Which thing a question about a colour, or about anything else of a thing, means, and its pixels."""

from __future__ import annotations

import re
from typing import cast

import numpy as np
from numpy.typing import NDArray

from foveate.core.regions import Box, Mask, Region
from foveate.core.rle import decode
from foveate.core.soft_maps import HALF
from foveate.grounders._pocket.instances import instances
from foveate.grounders._pocket.named import Named, last_named, named
from foveate.grounders._pocket.seen import Seen
from foveate.grounders._pocket.things import main_things, sought
from foveate.perception.phrase_book import display_name
from foveate.perception.questions import Asked
from foveate.perception.split_questions import unwrapped
from foveate.perception.words import words

Pixels = NDArray[np.bool_]
# A thing that only stands out is a guess.
GUESS = 0.1
# "This" fills more: of VizWiz-VQA-Grounding's outlines 6 % are smaller.
_LEAST_SHARE = 0.02
_CENTRAL = 0.25
_POINTS_AT = r"\b(this|these|that|those|my|our)\b"
_WHOLE = "pocket is not sure what is meant, and nothing stands out in the photo; it took the middle of it."
_TAKEN = 'pocket does not know "{}"; it took what stands out in the photo.'
_STANDS_OUT = "pocket is not sure what this is; it took what stands out in the photo."


def meant(seen: Seen, asked: Asked) -> tuple[tuple[Region, ...], str]:
    """Returns where the thing is that a question is about, best first; and why not, or what should be known of it.

    Where the question names a thing, it is that one or nothing, never something else. "This" is the main thing, or
    what stands out; so is "this shirt", which the detector does not know, but which is held up to the camera.
    """
    words_for = thing_words(asked)
    if not words_for:
        main = main_things(seen)
        return (main, "") if main else _standing_out(seen, _STANDS_OUT)
    thing = named(words_for)
    if thing.kinds:
        return of_named(seen, thing)
    if re.search(_POINTS_AT + rf" (\w+ )?{re.escape(thing.head)}\b", " ".join(words(asked.text))):
        return _standing_out(seen, _TAKEN.format(thing.head))
    return (), unknown(thing)


def thing_words(asked: Asked) -> str:
    """Returns the words for the thing that a question is about; empty for "this"."""
    plain = unwrapped(asked.text)
    if asked.about:
        return asked.about
    subject = re.search(r"^\w+ (he|she)\b", plain)
    return subject[1] if subject else last_named(plain)


def of_named(seen: Seen, thing: Named) -> tuple[tuple[Region, ...], str]:
    """Returns where things are that were named, best first, and why not, where there are none."""
    if len(thing.kinds) > 1:
        found = instances(seen, thing.kinds)
        return found, f"pocket looked for {len(thing.kinds)} kinds of {thing.head} and did not find any."
    return sought(seen, display_name(thing.kinds[0]))


def unknown(thing: Named) -> str:
    """Returns the reason why a thing cannot be found."""
    return f'"{thing.head}" is none of the 80 kinds of thing that pocket finds.'


def pixels_of(seen: Seen, region: Region) -> Pixels:
    """Returns the pixels of the thing in a region, ``bool (H, W)``, at least one: of a box, its central part."""
    height, width = seen.size_hw
    if isinstance(region.shape, Mask):
        return cast(Pixels, decode(region.shape.encoded).astype(bool))
    x0, y0, x1, y1 = region.shape.xyxy
    mask = np.zeros(seen.size_hw, dtype=bool)
    inset_x, inset_y = (x1 - x0) * _CENTRAL, (y1 - y0) * _CENTRAL
    left, top = min(int(x0 + inset_x), width - 1), min(int(y0 + inset_y), height - 1)
    mask[top : max(round(y1 - inset_y), top + 1), left : max(round(x1 - inset_x), left + 1)] = True
    return mask


def _standing_out(seen: Seen, note: str) -> tuple[tuple[Region, ...], str]:
    """Returns the largest connected part of what stands out, as one region; the whole photo if nothing does."""
    import cv2

    mask = (seen.tokens.saliency.on(seen.size_hw) >= HALF).astype(np.uint8)
    count, _, boxes, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    largest = boxes[1:, cv2.CC_STAT_AREA].argmax() if count > 1 else -1
    x, y, width, height, area = boxes[1 + int(largest)].tolist()
    if largest < 0 or area < _LEAST_SHARE * mask.size:
        return whole(seen, GUESS), _WHOLE
    return (Region(Box((x, y, x + width, y + height)), GUESS),), note


def whole(seen: Seen, score: float | None = None) -> tuple[Region, ...]:
    """Returns the whole photo as the one region."""
    height, width = seen.size_hw
    return (Region(Box((0, 0, width, height)), score),)
