"""Yes or no about the photo itself: sharp, dark, bright, tilted, without colours; and about the light in it."""

from __future__ import annotations

import re
from collections.abc import Callable

from foveate.grounders._pocket.finding import Finding
from foveate.grounders._pocket.meant import whole
from foveate.grounders._pocket.seen import Seen
from foveate.perception.photo_quality import PhotoQuality
from foveate.perception.questions import Asked
from foveate.perception.split_questions import unwrapped

Judge = Callable[[PhotoQuality], bool | None]

_PHOTO = r"(picture|photo|image|photograph|pic|shot|camera|lens|it|this|that|everything)"
_IS_PHOTO = rf"^(is|was|did|does|has) (the |this |that |my )?{_PHOTO}\b"
_MUCH = r"(too |very |really |a bit |a little |completely |totally |rather |still |at all )*"
_LIGHT = re.compile(r"\blights?\b( \w+)? (on|off)\b")
# The photo is judged only when nothing else is named: "is this photo sharp", not "is the knife sharp".
_JUDGES: tuple[tuple[re.Pattern[str], Judge], ...] = tuple(
    (re.compile(pattern), judge)
    for pattern, judge in (
        (rf"{_IS_PHOTO} {_MUCH}(blurry|blurred|fuzzy|out of focus|unfocused|unsharp)\b", lambda q: q.blurred),
        (rf"{_IS_PHOTO} {_MUCH}(sharp|in focus|focused|clear)( enough)?$", lambda q: not q.blurred),
        (
            rf"{_IS_PHOTO} {_MUCH}(dark|underexposed)( (in )?here| in (the|this|my) room| inside)?$",
            lambda q: q.dark,
        ),
        (rf"{_IS_PHOTO} {_MUCH}(overexposed|blown out)$|{_IS_PHOTO} {_MUCH}too bright$", lambda q: q.bright),
        (rf"{_IS_PHOTO} {_MUCH}(black and white|without colou?rs?)$", lambda q: q.grey),
        (rf"{_IS_PHOTO} {_MUCH}(in colou?r|colou?red)$", lambda q: not q.grey),
        (
            rf"{_IS_PHOTO} {_MUCH}(tilted|crooked|slanted)$",
            lambda q: None if q.tilted_degrees is None else q.tilted,
        ),
        (
            rf"{_IS_PHOTO} {_MUCH}(straight|level)$",
            lambda q: None if q.tilted_degrees is None else not q.tilted,
        ),
    )
)
_WAY_UP = re.compile(rf"{_IS_PHOTO} .*\b(upside down|right (side|way) up|the right way)\b")
_LIGHT_OR_DARK = re.compile(r"\b(light or dark|dark or light|bright or dark|dark or bright)\b")
_UP_UNKNOWN = "pocket cannot tell which way up a photo is."
_NO_LINES = "There are no lines in this photo that would tell."
_LAMP = "The photo is {}; whether that comes from a lamp, pocket cannot tell."


def find(seen: Seen, asked: Asked) -> Finding | None:
    """Returns what a question about the photo itself or its light is answered with, or None for any other question."""
    plain = unwrapped(asked.text)
    if _LIGHT.search(plain):
        light = "dark" if seen.quality.dark else "not dark"
        return Finding(None, whole(seen), _LAMP.format(light))
    if _LIGHT_OR_DARK.search(plain):
        return Finding("dark" if seen.quality.dark else "light", whole(seen))
    if _WAY_UP.search(plain):
        return Finding(None, whole(seen), _UP_UNKNOWN)
    judge = next((judge for pattern, judge in _JUDGES if pattern.search(plain)), None)
    if judge is None:
        return None
    verdict = judge(seen.quality)
    if verdict is None:
        return Finding(None, whole(seen), _NO_LINES)
    return Finding("yes" if verdict else "no", whole(seen))
