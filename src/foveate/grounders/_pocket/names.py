"""What a photo shows: its main thing by name, with the text that tells it from others of its sort."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from foveate.core.boxes import box_area
from foveate.core.explanations import Evidence
from foveate.core.overlap import box_iou
from foveate.core.regions import Box, Mask, Region, Shape, Sides
from foveate.grounders._pocket.finding import Finding, as_evidence
from foveate.grounders._pocket.listing import shortened
from foveate.grounders._pocket.meant import GUESS
from foveate.grounders._pocket.places import apart, sides, whole
from foveate.grounders._pocket.reasons import missing
from foveate.grounders._pocket.seen import Seen
from foveate.grounders._pocket.texts import read_all
from foveate.grounders._pocket.things import MOST_CANDIDATES, main_boxes, prominence
from foveate.perception.phrase_book import display_name, phrase_book, whole_book
from foveate.perception.plain_names import plain_names
from foveate.perception.questions import Asked
from foveate.perception.words import stem, words

# From here ImageNet's name was right for nearly every photo (design/pocket-names.md).
SURE_NAME = 0.4
# Who asks which animal this is has said that it is one; chosen on dev photos (design/pocket-names.md).
_SURE_IN_GROUP = 0.08
# Of the sure names without a box of the detector, about half were right by eye.
_RIGHT_BEYOND = 0.55
_WORTH_A_LOOK = 0.05
# Of other names that people are told.
_MOST_NAMES = 3
# ImageNet has no people, and names what they wear and hold.
_LARGE_PERSON = 0.1
# These are told from others of their sort by what stands on them.
_LABELLED = frozenset(
    {"bottle", "book", "box", "jar", "drink can", "packet", "medicine", "lotion", "shampoo", "letter", "menu", "wine"}
)
PERSON = "person"
_THIS = frozenset({"this", "that", "these", "those", "it"})
_NOT_SURE = "pocket is not sure what this is, and there is no text that it can read; it took what stands out."
_NOT_SURE_NO_TEXT = missing("pocket is not sure of any thing in this photo, and there is no text that it can read.")
_NOBODY = missing("pocket is not sure of any person in this photo.", PERSON)
_NOT_WHO = "pocket cannot tell who it is."
_STANDS_OUT = "The name is that of the photo as a whole; the place is what stands out most in it."

_OF_THE_WHOLE = "The name is that of the photo as a whole; pocket cannot tell the place."
# Of the detector's boxes, from here on one that holds its kind; and one that shows what stands out.
_LIKELY, _SAME_THING = 0.25, 0.5


@dataclass(frozen=True, slots=True)
class Guess:
    """What the main thing may be.

    Attributes:
        said: In plain words.
        thing: The phrase book's name of it; empty where the book has none.
        score: 0 to 1, not calibrated.
        box: Where the detector sees that kind; None where it does not.
        named: How likely the name is by ImageNet's names alone; None where the detector alone gave it.
        detected: How sure the detector alone is of that kind; None where it does not see it.
    """

    said: str
    thing: str
    score: float
    box: Box | None = None
    named: float | None = None
    detected: float | None = None


def find(seen: Seen, asked: Asked) -> Finding:
    """Returns the main thing of the photo, or of the group that the question names; else the text, or why nothing."""
    if words(asked.text)[:1] in {("who",), ("whos",)}:
        return _person(seen)
    group = group_of(asked)
    guess = main_thing(seen, group)
    if guess is None:
        if group:
            return Finding(reason=missing(f"pocket is not sure of any {asked.about} in this photo.", asked.about))
        return read_all(seen, asked.text) or _unnamed(seen)
    guess = guess if guess.box else replace(guess, score=_RIGHT_BEYOND * guess.score)
    region = Region(_outline(seen, guess), guess.score, guess.said)
    regions = (region, *_others(seen, group, guess, region))[:MOST_CANDIDATES]
    placed = _STANDS_OUT if isinstance(region.shape, Mask) else _OF_THE_WHOLE
    read = _text_on(seen, guess, region)
    answer = f"{guess.said}: {shortened(read.answer or '')}" if read else guess.said
    rests_on = (*named_as(guess, region), *(read.evidence[:1] if read else ()))
    others = _other_names(seen, group, guess, regions[1:])
    return Finding(answer, regions, None if guess.box else placed, guess.score, rests_on, others)


def named_as(guess: Guess, region: Region | None = None) -> tuple[Evidence, ...]:
    """Returns what a name rests on: ImageNet's names, the detector, or both.

    Args:
        guess: The name.
        region: Where it is shown, if it is.
    """
    box = Region(guess.box, guess.detected) if guess.box else None
    if guess.named is None:
        return (Evidence("thing", guess.said, guess.detected, region or box),)
    name = Evidence("name", guess.said, guess.named, region or box)
    return (name, Evidence("thing", display_name(guess.thing), guess.detected, box)) if box else (name,)


def _other_names(seen: Seen, group: str, guess: Guess, regions: Sequence[Region]) -> tuple[Evidence, ...]:
    """Returns what else it may be: the things at other places, and the next of ImageNet's names."""
    further = [other for other in _named(seen, group, {}) if not {other.said, other.thing} & {guess.said, guess.thing}]
    likely = sorted((other for other in further if other.score >= _WORTH_A_LOOK), key=lambda other: -other.score)
    names = [Evidence("name", other.said, other.score) for other in likely[:_MOST_NAMES]]
    return tuple(sorted((*map(as_evidence, regions), *names), key=lambda other: -(other.score or 0.0)))


def _unnamed(seen: Seen) -> Finding:
    """Returns what stands out, without a name: it can be made larger, and asked about; or why there is nothing."""
    if seen.standing_out is None:
        return Finding(reason=_NOT_SURE_NO_TEXT)
    return Finding(None, (Region(seen.standing_out, GUESS),), _NOT_SURE)


def _person(seen: Seen) -> Finding:
    """Returns the largest person: "who is this?" is about nobody's bottle."""
    found = [region for region in main_boxes(seen) if region.label == PERSON]
    if not found:
        return Finding(reason=_NOBODY)
    best = replace(found[0], shape=seen.outline(found[0].shape.xyxy, close=True))
    return Finding(PERSON, (best, *found[1:]), _NOT_WHO, best.score)


def group_of(asked: Asked) -> str:
    """Returns the stem of the group that a question asks the name in ("what animal is this?"), or nothing."""
    last = words(asked.text)[-1:]
    about = words(asked.about)
    if len(about) != 1 or not (last and last[0] in _THIS):
        return ""
    known = frozenset[str]().union(*(thing.groups for thing in whole_book().things.values()))
    return stem(about[0]) if stem(about[0]) in known else ""


def main_thing(seen: Seen, group: str = "") -> Guess | None:
    """Returns the main thing where its name is sure: by the detector, by ImageNet's names, or by both together.

    Args:
        seen: The photo.
        group: The stem of a wider word ("animal"): only what belongs to it counts, and less is enough.
    """
    detected = _detected(seen, group)
    named = _named(seen, group, detected)
    if group:
        return _best([*named, *detected.values()], _SURE_IN_GROUP)
    sure = main_boxes(seen)
    first = _of_region(sure[0]) if sure else None
    name = None if _person_is_large(seen, sure) else _best(named, SURE_NAME)
    # A name of the photo as a whole, beside a thing that is surely there, is of what lies around it.
    if first and name and not name.box:
        return first
    return max((guess for guess in (first, name) if guess), key=lambda guess: guess.score, default=None)


def _outline(seen: Seen, guess: Guess) -> Shape:
    """Returns the pixels of the main thing; where only its name is known, of what stands out; else the whole photo.

    What stands out is not that where the detector sees something else there.
    """
    if guess.box:
        return seen.outline(guess.box.xyxy, close=True)
    shape = seen.standing_out
    return whole(seen.size_hw).shape if shape is None or _is_another(seen, shape) else shape


def _is_another(seen: Seen, shape: Shape) -> bool:
    """Returns whether the detector sees a thing at a place, be it faintly; it has not the name of the photo."""
    likely = seen.things.xyxy[seen.chances >= _LIKELY]
    return bool(len(likely) and box_iou(np.array(shape.xyxy), likely, empty=0.0).max() >= _SAME_THING)


def _others(seen: Seen, group: str, guess: Guess, region: Region) -> list[Region]:
    """Returns what else may be meant, of the group if one is named: at other places and no likelier, best first."""
    taken = Region(guess.box or region.shape, guess.score)
    others = _in_group(seen, group) if group else main_boxes(seen)
    return [other for other in apart([taken, *others])[1:] if (other.score or 0.0) <= guess.score]


def _in_group(seen: Seen, group: str) -> list[Region]:
    return [Region(other.box, other.score, other.said) for other in _detected(seen, group).values() if other.box]


def _detected(seen: Seen, group: str) -> dict[str, Guess]:
    """Returns the best box of each kind of the group, scored as `main_things` does, where it is worth a look at all."""
    found: dict[str, Guess] = {}
    book = list(phrase_book().things.values())
    scores = prominence(seen)
    for row in np.argsort(-scores, kind="stable"):
        thing = book[int(seen.things.kind[row])]
        if seen.chances[row] >= _WORTH_A_LOOK and thing.name not in found and (not group or group in thing.groups):
            box = Box(sides(seen.things.xyxy[row]))
            score = float(scores[row])
            found[thing.name] = Guess(thing.display, thing.name, score, box, detected=score)
    return found


def _named(seen: Seen, group: str, detected: Mapping[str, Guess]) -> list[Guess]:
    """Returns ImageNet's names for the photo, those of one thing as one, with what the detector says of that thing."""
    chances: dict[str, dict[str, float]] = {}
    things: dict[str, str] = {}
    for name, chance in seen.named:
        plain = plain_names()[name]
        if not group or group in plain.groups:
            key = plain.thing or plain.said
            things[key] = plain.thing
            said = chances.setdefault(key, {})
            said[plain.said] = said.get(plain.said, 0.0) + chance
    return [_together(things[key], said, detected.get(key)) for key, said in chances.items()]


def _together(thing: str, said: Mapping[str, float], detected: Guess | None) -> Guess:
    """Returns one guess: the finer name where that is sure by itself, else the thing's."""
    best = max(said, key=lambda name: said[name])
    name = best if not thing or said[best] >= SURE_NAME else display_name(thing)
    chance = min(sum(said.values()), 1.0)
    if detected is None:
        return Guess(name, thing, chance, named=chance)
    return replace(detected, said=name, score=1 - (1 - chance) * (1 - detected.score), named=chance)


def _best(guesses: list[Guess], least: float) -> Guess | None:
    best = max(guesses, key=lambda guess: guess.score, default=None)
    return best if best and best.score >= least else None


def _of_region(region: Region) -> Guess:
    score = region.score or 0.0
    return Guess(region.label or "", "", score, Box(region.shape.xyxy), detected=score)


def _person_is_large(seen: Seen, regions: Sequence[Region]) -> bool:
    least = _LARGE_PERSON * seen.size_hw[0] * seen.size_hw[1]
    return any(region.label == PERSON and box_area(region.shape.xyxy) >= least for region in regions)


def _text_on(seen: Seen, guess: Guess, region: Region) -> Finding | None:
    """Returns what stands on the thing, so that it can be read aloud, "bottle: Tomato and basil"; or None."""
    if not {guess.said, guess.thing} & _LABELLED:
        return None
    read = read_all(seen, "What does it say?")
    is_on = read is not None and read.answer and _on(read.regions[0].shape.xyxy, region.shape.xyxy)
    return read if is_on else None


def _on(text: Sides, thing: Sides) -> bool:
    """Returns whether the middle of the text lies on the thing."""
    x, y = (text[0] + text[2]) / 2, (text[1] + text[3]) / 2
    return thing[0] <= x <= thing[2] and thing[1] <= y <= thing[3]
