"""The assistant in another language: all that is said can be translated, and ordered otherwise."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from foveate.assist import texts
from foveate.assist.advice import before
from foveate.assist.placing import STYLES, Style, told
from foveate.assist.replies import reply
from foveate.assist.texts import DOMAIN, LOCALES, in_language, sentence
from foveate.core.explanations import REFUSAL_KINDS, Refusal
from foveate.core.regions import Box, Mask
from foveate.core.rle import encode
from foveate.perception.photo_quality import PhotoQuality
from tests.unit.assist.made import answered
from tests.unit.assist.test_placing import three_parts

KEYWORDS = {**DEFAULT_KEYWORDS, "marked": None, "p_marked": ((1, "c"), 2)}
TEMPLATE = LOCALES / f"{DOMAIN}.pot"
PLACES = re.compile(r"\{\w+\}")


@pytest.fixture
def made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every sentence in a language that says its places the other way round, in Greek letters."""
    with TEMPLATE.open("rb") as file:
        catalogue = read_po(file)
    made = Catalog(locale="el", domain=DOMAIN)
    for message in catalogue:
        if message.id:
            made.add(message.id, _strings(message), context=message.context)
    place = tmp_path / "el" / "LC_MESSAGES" / f"{DOMAIN}.mo"
    place.parent.mkdir(parents=True)
    with place.open("wb") as file:
        write_mo(file, made)
    monkeypatch.setattr(texts, "LOCALES", tmp_path)
    return tmp_path


def _strings(message: Message) -> str | tuple[str, ...]:
    if isinstance(message.id, str):
        return _turned(message.id)
    return tuple(_turned(each) for each in message.id)


def _turned(text: str) -> str:
    """Returns a sentence with its places in the other order and Greek for all Latin letters."""
    places = PLACES.findall(text)
    words = [re.sub("[A-Z]", "Σ", re.sub("[a-z]", "σ", each)) for each in PLACES.split(text)]
    return "".join(word + place for word, place in zip(words, [*places[::-1], ""], strict=True))


def test_the_template_for_translators_has_every_sentence() -> None:
    """If this fails, run `make texts` and commit what it writes."""
    found = {(context, message) for _, _, message, _, context in extract_from_dir(LOCALES.parent, keywords=KEYWORDS)}
    with TEMPLATE.open("rb") as file:
        written = {(message.context, message.id) for message in read_po(file) if message.id}
    assert found == written
    assert len(found) > 90
    assert {("place", said) for said in ("middle of the photo", "almost the whole photo")} <= found


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize("style", STYLES)
def test_all_that_is_said_is_translated(style: Style) -> None:
    worst = PhotoQuality(0.0, 0.1, 0.9, 0.1, 20.0, True)
    shapes: list[Box | Mask] = [three_parts_shape(), *(Box(xyxy) for xyxy in EVERYWHERE)]
    found = [answered("1", shape, "What does it say?", quality=worst) for shape in shapes]
    found += [answered("1", shape, "What color is it?", quality=worst) for shape in shapes[:1]]
    found += [answered(None, None, refusal=Refusal(kind, each)) for kind in REFUSAL_KINDS for each in ("", "2")]
    found += [answered(None, JAR_LIKE), answered("0", None)]
    for each in found:
        said = reply(each, style, "el-GR")
        assert not re.search("[A-Za-z]", said.said + said.alt), said.said
        assert re.search("[A-Za-z]", reply(each, style, "sq").said)
    with in_language("el"):
        assert not re.search("[A-Za-z]", "".join(each.said for each in before(worst)))


EVERYWHERE = [(x, y, x + 10.0, y + 10.0) for x in (0.0, 45.0, 90.0) for y in (0.0, 45.0, 90.0)] + [
    (0.0, 0.0, 100.0, 20.0),
    (0.0, 0.0, 20.0, 100.0),
    (0.0, 0.0, 92.0, 92.0),
    (0.0, 0.0, 100.0, 99.0),
    (0.0, 0.0, 100.0, 100.0),
]
JAR_LIKE = Box((30, 60, 70, 90))


def three_parts_shape() -> Mask:
    import numpy as np

    mask = np.zeros((100, 100), dtype=bool)
    mask[10:20, 10:20] = mask[80:90, 80:90] = mask[45:55, 45:55] = True
    return Mask(encode(mask))


@pytest.mark.usefixtures("made_up")
def test_another_language_orders_otherwise() -> None:
    with in_language("el"):
        plain, per_cent = told(three_parts()), told(three_parts(), "metric")
    # "In {count} parts: {sides}; together {size}." with its places the other way round.
    assert len(plain.split(": ")[0]) > len("In three parts")
    assert re.findall(r"\d+", per_cent) == re.findall(r"\d+", told(three_parts(), "metric"))[::-1]


def test_a_language_without_a_catalogue_and_a_wicked_name_are_english() -> None:
    for name in (None, "", "tlh", "../../../etc", "el\0", "a" * 5000, "-", "_"):
        assert reply(answered(), language=name).answer == "Creamy tomato basil."
    assert texts.languages() == ("en",)


@pytest.mark.usefixtures("made_up")
def test_the_language_holds_where_it_is_said_and_no_longer() -> None:
    assert texts.languages() == ("el", "en")
    with in_language("el"):
        with in_language(None):
            assert texts.language() == "el"
        with in_language("en"):
            assert texts.gettext("The whole photo.") == "The whole photo."
        assert texts.gettext("The whole photo.") == "Σσσ σσσσσ σσσσσ."
    assert texts.gettext("The whole photo.") == "The whole photo."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("what?", "What?"),
        ("a\n b", "A b."),
        ('he said "stop."', 'He said "stop."'),
        ("", ""),
        ("éclair…", "Éclair…"),
        ("iPhone 12", "iPhone 12."),
        ("止まれ。", "止まれ。"),
    ],
)
def test_a_text_becomes_a_sentence(text: str, said: str) -> None:
    assert sentence(text) == said
