"""Yes or no about the photo itself: sharp, dark, bright, tilted, without colours; and about the light in it."""

from __future__ import annotations

import re
from collections.abc import Callable

from foveate.grounders._pocket.finding import Finding, of_the_photo
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
# What these judge, for people who ask why.
_SHARPNESS, _LIGHT, _COLOURS = "how sharp its edges are", "how light it is", "whether it has colours"
_LINES = "how its straight lines lie"
_ROOM = r"(?: (?:in )?here| in (?:the|this|my) room| inside)?$"
# "It" may be a thing as well: this knife is sharp, that tie black and white. Blurred and dark are photos.
_JUDGES: tuple[tuple[re.Pattern[str], Judge, str], ...] = tuple(
    (re.compile(pattern), judge, looks_at)
    for pattern, judge, looks_at in (
        (rf"({_PHOTO}|{_IT}){_MUCH}(blurry|blurred|fuzzy|out of focus|unfocused)\b", lambda q: q.blurred, _SHARPNESS),
        (
            rf"{_PHOTO}{_MUCH}(sharp|clear)( enough)?$|({_PHOTO}|{_IT}){_MUCH}(in focus|focused)$",
            lambda q: not q.blurred,
            _SHARPNESS,
        ),
        (rf"({_PHOTO}|{_IT}){_MUCH}(dark|underexposed){_ROOM}", lambda q: q.dark, _LIGHT),
        (rf"{_PHOTO}{_MUCH}(overexposed|blown out)$|({_PHOTO}|{_IT}) too bright$", lambda q: q.bright, _LIGHT),
        (rf"{_PHOTO}{_MUCH}(black and white|without colou?rs?)$", lambda q: q.grey, _COLOURS),
        (rf"{_PHOTO}{_MUCH}(in colou?r|colou?red)$", lambda q: not q.grey, _COLOURS),
        (rf"{_PHOTO}{_MUCH}(tilted|crooked|slanted)$", lambda q: _tilted(q), _LINES),
        (rf"{_PHOTO}{_MUCH}(straight|level)$", lambda q: None if _tilted(q) is None else not q.tilted, _LINES),
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
    if _WAY_UP.search(plain):
        return _photo(seen, None, _LINES, _UP_UNKNOWN)
    found = next(((judge, looks_at) for pattern, judge, looks_at in _JUDGES if pattern.search(plain)), None)
    if found is None:
        return _light(seen, plain) if asked.type == "scene" else None
    judge, looks_at = found
    verdict = judge(seen.quality)
    if verdict is None:
        return _photo(seen, None, looks_at, _NO_LINES)
    if denied:
        # A bare yes or no means both.
        said = re.sub(rf"(?:{_PHOTO}|{_IT}){_MUCH}", "", plain)
        return _photo(seen, said if verdict else f"not {said}", looks_at)
    return _photo(seen, "yes" if verdict else "no", looks_at)


def _photo(seen: Seen, answer: str | None, looks_at: str, reason: str | None = None) -> Finding:
    region = whole(seen.size_hw)
    return Finding(answer, (region,), reason, rests_on=(of_the_photo(region, looks_at),))


def _light(seen: Seen, plain: str) -> Finding | None:
    """Returns how light it is in the photo, where that is asked for."""
    quality = seen.quality
    if _LAMPS.search(plain):
        return _photo(seen, None, _LIGHT, _LAMP.format("dark" if quality.dark else "not dark"))
    level, lit = _LEVEL.search(plain), _LIT.search(plain)
    if level:
        offered = {level["one"], level["other"]} - {None, "dark"}
        light = "very bright" if quality.bright else "light"
        said = "dark" if quality.dark else offered.pop() if len(offered) == 1 else light
        return _photo(seen, said, _LIGHT)
    return _photo(seen, "yes" if quality.dark == (lit["claim"] == "dark") else "no", _LIGHT) if lit else None


def _tilted(quality: PhotoQuality) -> bool | None:
    return None if quality.tilted_degrees is None else quality.tilted
