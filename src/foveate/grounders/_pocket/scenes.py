"""The whole of a photo: what is in it and what place it shows. The region is always the whole photo.

How light it is, `photo_itself` tells.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from foveate.core.boxes import box_area
from foveate.core.explanations import Evidence
from foveate.core.overlap import box_overlap
from foveate.core.regions import Region
from foveate.grounders._pocket.finding import Finding, as_evidence, of_the_photo
from foveate.grounders._pocket.listing import counted, listed, shortened, with_article
from foveate.grounders._pocket.names import main_thing, named_as
from foveate.grounders._pocket.places import whole
from foveate.grounders._pocket.seen import Seen
from foveate.grounders._pocket.texts import read_all
from foveate.grounders._pocket.things import each_of
from foveate.perception.phrase_book import display_name, phrase_book
from foveate.perception.questions import Asked
from foveate.perception.words import words

# How often a question that is taken for one about the whole is one (design/understanding-questions.md, `scene`).
_ABOUT_THE_WHOLE = 0.87
_SAME_PLACE = 0.6
_WEATHER = re.compile(r"\b(weather|sunny|cloudy|clouds?|rain\w*|storm|snowing|sky)\b")
_TIME = re.compile(r"\b(day|daytime|night|nighttime|morning|evening)\b")
_PLACE = re.compile(r"\b(where (am|are) (i|we)|where i am|(what|which) ((kind|type|sort) of )?(room|place))\b")
# What stands in no other room, the surest first.
_ROOMS = {
    "toilet": "bathroom",
    "bathtub": "bathroom",
    "bed": "bedroom",
    "oven": "kitchen",
    "microwave": "kitchen",
    "refrigerator": "kitchen",
    "sofa": "living room",
}
_NOTHING_SURE = "pocket is not sure of any thing in this photo, and there is no text that it can read."
_NO_PLACE = "pocket sees nothing that tells the place."
_NO_WEATHER = "pocket cannot tell the weather."
_NO_TIME = "pocket cannot tell the time of day: a photo may be dark by day and light at night."
_GUESSED = "The room is guessed from one thing that stands in it."


def find(seen: Seen, asked: Asked) -> Finding:
    """Returns what a question about the whole of the photo asks for, where pocket can tell it, and why not."""
    plain = " ".join(words(asked.text))
    if _WEATHER.search(plain):
        return _whole(seen, None, _NO_WEATHER)
    if _TIME.search(plain):
        return _whole(seen, None, _NO_TIME)
    if _PLACE.search(plain):
        room, tells = room_of(seen)
        return _whole(seen, room, _GUESSED if room else _NO_PLACE, tells)
    told, rests_on = described(seen)
    return _whole(seen, told, None if told else _NOTHING_SURE, rests_on)


def described(seen: Seen) -> tuple[str | None, tuple[Evidence, ...]]:
    """Returns the things that are surely there, the largest first, then the main thing's name and the text, or None.

    Example: "at least two people, a dog and a frisbee". Beside it, what it rests on.
    """
    counts = surely_there(seen)
    told = [counted(name, least) for name, least in counts.items()]
    rests_on = [as_evidence(region) for region in _surely(seen)]
    main = main_thing(seen)
    if main and not {main.said, main.thing and display_name(main.thing)} & counts.keys():
        told.append(with_article(main.said))
        rests_on += named_as(main)
    read = read_all(seen, "What does it say?")
    if read and read.answer:
        told.append(f"text: {shortened(read.answer)}")
        rests_on += read.evidence[:1]
    return (listed(told), tuple(rests_on)) if told else (None, ())


def surely_there(seen: Seen) -> dict[str, int]:
    """Returns how many of each kind are surely there, at least, by what people call it; that of most area first.

    A box that lies in a better one of its kind is part of the same thing, and one that lies where a better one of
    another kind does is that thing.
    """
    kept = _surely(seen)
    area: dict[str, float] = defaultdict(float)
    for region in kept:
        area[region.label or ""] += float(box_area(region.shape.xyxy))
    counts = Counter(region.label or "" for region in kept)
    return {name: counts[name] for name in sorted(area, key=lambda name: -area[name])}


def room_of(seen: Seen) -> tuple[str | None, tuple[Evidence, ...]]:
    """Returns the sort of room, by a thing that stands in no other, or None; and that thing."""
    main = main_thing(seen)
    there = {main.thing: named_as(main)} if main else {}
    for kind in _ROOMS:
        found = each_of(seen, kind) if kind in phrase_book().things else ()
        if found:
            there[kind] = (as_evidence(found[0]),)
    return next(((room, there[thing]) for thing, room in _ROOMS.items() if thing in there), (None, ()))


def _surely(seen: Seen) -> list[Region]:
    """Returns the boxes of the things that are surely there, each once, best first."""
    found = [region for kind in phrase_book().things for region in each_of(seen, kind)]
    kept: list[Region] = []
    for region in sorted(found, key=lambda region: -(region.score or 0.0)):
        if not any(_same(region, other) for other in kept):
            kept.append(region)
    return kept


def _whole(seen: Seen, answer: str | None, reason: str | None = None, rests_on: tuple[Evidence, ...] = ()) -> Finding:
    region = whole(seen.size_hw, _ABOUT_THE_WHOLE)
    return Finding(answer, (region,), reason, rests_on=(of_the_photo(region), *rests_on))


def _same(region: Region, other: Region) -> bool:
    shared, union = box_overlap(region.shape.xyxy, other.shape.xyxy)
    if region.label != other.label:
        return float(shared / union) >= _SAME_PLACE
    smaller = min(float(box_area(each.shape.xyxy)) for each in (region, other))
    return float(shared) >= _SAME_PLACE * smaller
