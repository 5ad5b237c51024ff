"""The font for a text: one that has its letters, of those that this computer has."""

from __future__ import annotations

from functools import lru_cache

import PIL.ImageFont

Font = PIL.ImageFont.FreeTypeFont | PIL.ImageFont.ImageFont

_LATIN = ("DejaVuSans.ttf", "NotoSans-Regular.ttf", "Arial.ttf", "Helvetica.ttc")
# Looked for only where those lack a letter: on most systems each name costs a walk through the folders of fonts.
_WIDER = (
    "NotoSansCJK-Regular.ttc",
    "NotoSansCJKjp-Regular.otf",
    "NotoSansJP-Regular.ttf",
    "NotoSansJP-Regular.otf",
    "ipaexg.ttf",
    "Arial Unicode.ttf",
    "ARIALUNI.TTF",
    "Hiragino Sans GB.ttc",
    "msgothic.ttc",
    "msyh.ttc",
    "malgun.ttf",
    "wqy-microhei.ttc",
    "NotoSansArabic-Regular.ttf",
    "NotoSansHebrew-Regular.ttf",
    "NotoSansDevanagari-Regular.ttf",
    "NotoSansThai-Regular.ttf",
    "NotoEmoji-Regular.ttf",
    "Symbola.ttf",
    "seguiemj.ttf",
)
_NO_LETTER = "\U0010ffff"


def font_for(text: str, size: int) -> Font:
    """Returns the first font that has every letter of a text, else the one that lacks the fewest, the usual one first.

    Args:
        text: One line.
        size: In pixels.
    """
    usual = next((font for name in _LATIN if (font := _load(name, size))), None) or PIL.ImageFont.load_default(size)
    letters = frozenset(letter for letter in text if letter.isprintable() and not letter.isspace())
    fewest, best = _lacks(usual, letters), usual
    for name in (*_LATIN, *_WIDER) if fewest else ():
        font = _load(name, size)
        lacks = _lacks(font, letters) if font else fewest
        if font and lacks < fewest:
            fewest, best = lacks, font
        if not fewest:
            break
    return best


@lru_cache(maxsize=64)
def _load(name: str, size: int) -> PIL.ImageFont.FreeTypeFont | None:
    try:
        return PIL.ImageFont.truetype(name, size)
    except OSError:
        # There is no such font, or it is one of pictures in other sizes.
        return None


def _lacks(font: Font, letters: frozenset[str]) -> int:
    """Returns how many letters a font draws as it draws one that no font has: Pillow has no other way to ask it."""
    box = _drawn(font, _NO_LETTER)
    return sum(_drawn(font, letter) == box for letter in letters)


def _drawn(font: Font, letter: str) -> tuple[tuple[int, int], bytes]:
    mask = font.getmask(letter)
    return mask.size, bytes(mask)
