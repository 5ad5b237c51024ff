from __future__ import annotations

from collections.abc import Mapping

import PIL.Image
import pytest

from foveate.assist import _fonts


class Drawn:
    """A font that has some letters; the others it draws as a box of its own."""

    def __init__(self, letters: str) -> None:
        self._letters = letters

    def getmask(self, letter: str) -> object:
        shade = self._letters.index(letter) + 1 if letter in self._letters else 255
        return PIL.Image.new("L", (3, 3), shade).im


def install(monkeypatch: pytest.MonkeyPatch, fonts: Mapping[str, str]) -> list[str]:
    """Puts fonts, each with its letters, on the computer; returns the list of the names that are looked for."""
    made = {name: Drawn(letters) for name, letters in fonts.items()}
    asked: list[str] = []

    def load(name: str, size: int) -> Drawn | None:
        asked.append(name)
        return made.get(name)

    monkeypatch.setattr(_fonts, "_load", load)
    monkeypatch.setattr("PIL.ImageFont.load_default", lambda size: Drawn("abc"))
    return asked


def letters_of(text: str) -> str:
    font = _fonts.font_for(text, 16)
    assert isinstance(font, Drawn)
    return font._letters


def test_a_text_in_latin_letters_looks_for_no_other_font(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = install(monkeypatch, {"DejaVuSans.ttf": "abc", "NotoSansCJK-Regular.ttc": "abc日本"})
    assert letters_of("a b\nc\x00") == "abc"
    assert asked == ["DejaVuSans.ttf"]


def test_a_text_in_other_letters_gets_the_font_that_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, {"DejaVuSans.ttf": "abc", "NotoSansJP-Regular.ttf": "ab日", "ARIALUNI.TTF": "abc日本"})
    assert letters_of("日本 a") == "abc日本"
    assert letters_of("日 a") == "ab日"


def test_where_no_font_has_all_letters_the_best_or_else_the_usual_one_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, {"Arial.ttf": "abc", "NotoSansCJK-Regular.ttc": "日", "NotoEmoji-Regular.ttf": "☕"})
    assert letters_of("abc日") == "abc"
    assert letters_of("日日本☕ ")[0] == "日"
    assert letters_of("что") == "abc"


def test_a_computer_without_fonts_has_pillows_own(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, {})
    assert letters_of("abc") == "abc"


def test_a_name_that_no_font_has_is_no_error() -> None:
    assert _fonts._load("no such font.ttf", 16) is None
    assert _fonts.font_for("What is it?", 16).getlength("What is it?") > 0
