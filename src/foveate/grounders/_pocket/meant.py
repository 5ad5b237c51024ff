"""Which thing a question about a colour, or about anything else of a thing, means, and its pixels."""

from __future__ import annotations

import re

from foveate.core.regions import Mask, Region
from foveate.core.rle import MaskArray, decode
from foveate.grounders._pocket import spots
from foveate.grounders._pocket.colour_words import colours_in, is_colour_word
from foveate.grounders._pocket.finding import MEASURED_THING
from foveate.grounders._pocket.instances import instances
from foveate.grounders._pocket.named import Named, last_named, named
from foveate.grounders._pocket.places import whole
from foveate.grounders._pocket.reasons import missing, not_found, unknown
from foveate.grounders._pocket.seen import Seen
from foveate.grounders._pocket.things import first_of, main_things, sought
from foveate.perception.matching import names_its_thing
from foveate.perception.phrase_book import display_name, phrase_book
from foveate.perception.questions import Asked
from foveate.perception.split_questions import unwrapped
from foveate.perception.words import words

# A thing that only stands out is a guess.
GUESS = 0.1
_POINTS_AT = r"\b(this|these|that|those|my|our)\b"
_THIS = frozenset({"this", "that", "these", "those", "it", "they"})
_WHOLE = "pocket is not sure what is meant, and nothing stands out in the photo; it took the whole of it."
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
    return spotted(seen, thing, asked.text)


def measure_of(asked: Asked) -> str | None:
    """Returns the table under which the score of the first region of `meant` was measured: that of a named thing."""
    return named_measure(named(thing_words(asked)))


def named_measure(thing: Named) -> str | None:
    """Returns the same for `of_named`; of a group, whose boxes are chosen otherwise, nothing was measured."""
    return MEASURED_THING if len(thing.kinds) == 1 else None


def spotted(seen: Seen, thing: Named, said: str) -> tuple[tuple[Region, ...], str]:
    """Returns where a named thing is that the detector does not know but ImageNet does; and why not, if nowhere.

    Args:
        seen: The photo.
        thing: What was named.
        said: The question, for the reason.
    """
    called = as_said(thing.head, said)
    found = spots.find(seen, first_of(names_its_thing(thing.head))) if thing.head else None
    if found is None:
        return (), unknown(called)
    return found.regions, "" if found.regions else not_found([called])


def thing_words(asked: Asked) -> str:
    """Returns the words for the thing that a question is about; empty for "this"."""
    plain = unwrapped(asked.text)
    subject = re.search(r"^\w+ (he|she)\b", plain)
    said = (asked.about, subject[1] if subject else "", last_named(plain))
    return next((thing for thing in said if thing and not _is_colour(thing, plain)), "")


def _is_colour(about: str, plain: str) -> bool:
    """Returns whether what a question seems to be about is a colour: "is this green"."""
    return bool(_THIS & set(words(plain))) and bool(colours_in(plain)) and all(map(is_colour_word, words(about)))


def of_named(seen: Seen, thing: Named) -> tuple[tuple[Region, ...], str]:
    """Returns where things are that were named, best first, and why not, where there are none."""
    if len(thing.kinds) > 1:
        found = instances(seen, thing.kinds)
        missed = f"pocket looked for {len(thing.kinds)} kinds of {thing.head} and did not find any."
        return found, "" if found else missing(missed, thing.head)
    name = display_name(thing.kinds[0])
    found, _ = sought(seen, name)
    return found, "" if found else not_found([name])


def as_said(phrase: str, said: str) -> str:
    """Returns the words for a thing as they stand in the question, with "'s", and never the detector's own for it.

    Example:
        >>> as_said("person shirt", "What color is the person's shirt?"), as_said("diningtable", "a diningtable")
        ("person's shirt", 'dining table')
    """
    if phrase in phrase_book().things:
        return display_name(phrase)
    found = re.search(r"(?:['’]s?)?\s+".join(map(re.escape, phrase.split())), said, re.IGNORECASE)
    return found[0].lower() if found else phrase


def pixels_of(seen: Seen, region: Region) -> MaskArray:
    """Returns the pixels of the thing in a region, ``bool (H, W)``, at least one."""
    shape = region.shape if isinstance(region.shape, Mask) else seen.outline(region.shape.xyxy)
    return decode(shape.encoded)


def _standing_out(seen: Seen, note: str) -> tuple[tuple[Region, ...], str]:
    """Returns what stands out, as one region; the whole photo if nothing does."""
    if seen.standing_out is None:
        return (whole(seen.size_hw, GUESS),), _WHOLE
    return (Region(seen.standing_out, GUESS),), note
