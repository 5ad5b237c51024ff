"""Yes or no about the photo itself: sharp, dark, bright, tilted, without colours; and about the light in it."""

from __future__ import annotations

import re
from collections.abc import Callable

from foveate.core.regions import Region
from foveate.grounders._pocket.finding import Finding
from foveate.grounders._pocket.negations import stated
from foveate.grounders._pocket.places import whole
from foveate.grounders._pocket.seen import Seen
from foveate.perception.photo_quality import PhotoQuality
from foveate.perception.questions import Asked
from foveate.perception.split_questions import unwrapped

Judge = Callable[[PhotoQuality], bool | None]

_PHOTO = r"^(?:is|was|did|does) (?:the |this |that |my )?(?:picture|photo|image|photograph|pic|shot|camera|lens)"
_IT = r"^(?:is|was) (?:it|this|everything)"
_MUCH = r" (?:too |very |really |a bit |a little |completely |totally |rather |still |at all )*"
_ROOM = r"(?: (?:in )?here| in (?:the|this|my) room| inside)?$"
# "It" may be a thing as well: this knife is sharp, that tie black and white. Blurred and dark are photos.
_JUDGES: tuple[tuple[re.Pattern[str], Judge], ...] = tuple(
    (re.compile(pattern), judge)
    for pattern, judge in (
        (rf"({_PHOTO}|{_IT}){_MUCH}(blurry|blurred|fuzzy|out of focus|unfocused)\b", lambda q: q.blurred),
        (
            rf"{_PHOTO}{_MUCH}(sharp|clear)( enough)?$|({_PHOTO}|{_IT}){_MUCH}(in focus|focused)$",
            lambda q: not q.blurred,
        ),
        (rf"({_PHOTO}|{_IT}){_MUCH}(dark|underexposed){_ROOM}", lambda q: q.dark),
        (rf"{_PHOTO}{_MUCH}(overexposed|blown out)$|({_PHOTO}|{_IT}) too bright$", lambda q: q.bright),
        (rf"{_PHOTO}{_MUCH}(black and white|without colou?rs?)$", lambda q: q.grey),
        (rf"{_PHOTO}{_MUCH}(in colou?r|colou?red)$", lambda q: not q.grey),
        (rf"{_PHOTO}{_MUCH}(tilted|crooked|slanted)$", lambda q: _tilted(q)),
        (rf"{_PHOTO}{_MUCH}(straight|level)$", lambda q: None if _tilted(q) is None else not q.tilted),
    )
)
_WAY_UP = re.compile(rf"{_PHOTO} .*\b(upside down|right (side|way) up|the right way)\b")
# These in questions of the type `scene` alone: a shirt is light or dark too.
_LAMPS = re.compile(r"\blights? (\w+ )?(on|off)\b|\blights\b")
_LEVEL = re.compile(
    r"\blight level\b|\bhow (\w+ )?(light|bright|dark)\b|\b(?P<one>light|bright|dark) or (?P<other>light|bright|dark)\b"
)
_LIT = re.compile(r"\bis it (\w+ )*?(?P<claim>light|bright|dark)\b")
_UP_UNKNOWN = "pocket cannot tell which way up a photo is."
_NO_LINES = "There are no lines in this photo that would tell."
_LAMP = "The photo is {}; whether a lamp is on, pocket cannot tell."


def find(seen: Seen, asked: Asked) -> Finding | None:
    """Returns what a question about the photo itself or its light is answered with, or None for any other question."""
    plain, denied = stated(unwrapped(asked.text))
    photo = (whole(seen.size_hw),)
    if _WAY_UP.search(plain):
        return Finding(None, photo, _UP_UNKNOWN)
    judge = next((judge for pattern, judge in _JUDGES if pattern.search(plain)), None)
    if judge is None:
        return _light(seen.quality, plain, photo) if asked.type == "scene" else None
    verdict = judge(seen.quality)
    if verdict is None:
        return Finding(None, photo, _NO_LINES)
    if denied:
        # A bare yes or no means both.
        said = re.sub(rf"(?:{_PHOTO}|{_IT}){_MUCH}", "", plain)
        return Finding(said if verdict else f"not {said}", photo)
    return Finding("yes" if verdict else "no", photo)


def _light(quality: PhotoQuality, plain: str, photo: tuple[Region, ...]) -> Finding | None:
    """Returns how light it is in the photo, where that is asked for."""
    if _LAMPS.search(plain):
        return Finding(None, photo, _LAMP.format("dark" if quality.dark else "not dark"))
    level, lit = _LEVEL.search(plain), _LIT.search(plain)
    if level:
        offered = {level["one"], level["other"]} - {None, "dark"}
        light = "very bright" if quality.bright else "light"
        return Finding("dark" if quality.dark else offered.pop() if len(offered) == 1 else light, photo)
    return Finding("yes" if quality.dark == (lit["claim"] == "dark") else "no", photo) if lit else None


def _tilted(quality: PhotoQuality) -> bool | None:
    return None if quality.tilted_degrees is None else quality.tilted
