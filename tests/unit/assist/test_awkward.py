from __future__ import annotations

import re
from pathlib import Path

import pytest

from foveate.assist import Asker, read_photo, reply, reply_object
from foveate.errors import InputError
from tests.helpers import REPOSITORY
from tests.unit.assist.awkward import MAKERS

NOTHING = "I cannot answer this from the photo: there is nothing to see in it."
SALT = "SALT. Middle of the photo, about a "
FIRST = "It holds several pictures; the first one was taken."
# What is said to "What does it say?", from its beginning; what stands in the notes.
ANSWERED: dict[str, tuple[str, tuple[str, ...]]] = {
    "dark": ("I cannot answer this from the photo: it is too dark. Turn on a light", ()),
    "blurred": (NOTHING, ()),
    "upside_down": (SALT, ()),
    "turned_by_exif": (SALT, ()),
    "mirrored": (SALT, ()),
    "panorama": ("SALT. Right side of the photo, halfway up, ", ()),
    "tiny": (NOTHING, ()),
    "one_pixel": (
        "I cannot answer this from the photo: it is much too bright. Turn away from the light, and try again.",
        (),
    ),
    "transparent": (SALT, ()),
    "transparent_palette": (SALT, ()),
    "grey_16_bit": (SALT, ()),
    "cmyk": (SALT, ("Its colours are for print (CMYK), and were converted.",)),
    "animated": (SALT, (FIRST,)),
    "animated_webp": (SALT, (FIRST,)),
    "heic": (SALT, ()),
    "avif": (SALT, ()),
    "noise": (NOTHING, ()),
    "one_colour": (NOTHING, ()),
}
REFUSED = {
    "floating": "its pixels have 32 bits, and nothing tells how bright the brightest is",
    "cut_off": "the photo is cut off or damaged",
    "cut_off_png": "the photo is cut off or damaged",
    "empty": "this is not a photo that can be read (the file is empty)",
    "letter": "this is not a photo that can be read (11 bytes of something else)",
    "bomb": "the photo is 50000 x 50000, 2,500 megapixels; the limit is 100",
}


@pytest.fixture(scope="module")
def asker() -> Asker:
    return Asker()


@pytest.mark.parametrize("name", ANSWERED)
def test_an_awkward_photo_is_answered_or_refused_in_words(name: str, asker: Asker, tmp_path: Path) -> None:
    said, notes = ANSWERED[name]
    asker.look(read_photo(MAKERS[name](tmp_path)))
    answered = asker.ask("What does it say?")
    words = reply(answered)
    assert words.said.startswith(said)
    # Who sent nothing that can be read hears why once, and one thing to do.
    assert said.startswith("SALT") or not words.advice
    assert words.notes == notes
    assert (reply_object(answered, words)["region"] is None) == (not said.startswith("SALT"))


def test_nobody_hears_no_of_a_blurred_photo_without_hearing_that_it_is_blurred(asker: Asker, tmp_path: Path) -> None:
    asker.look(read_photo(MAKERS["blurred"](tmp_path)))
    words = reply(asker.ask("Is there a dog?"))
    assert words.answer == "No."
    assert words.said.endswith("hold still, and try again.")
    asker.look(read_photo(MAKERS["heic"](tmp_path)))
    assert reply(asker.ask("Is there a dog?")).advice == ()


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_photo_is_one_sentence_with_what_to_do(name: str, tmp_path: Path) -> None:
    path = MAKERS[name](tmp_path)
    with pytest.raises(InputError) as refused:
        read_photo(path)
    assert refused.value.problem.startswith(REFUSED[name])
    assert refused.value.remedy
    # The bytes alone are refused as well: that is how the server gets them.
    with pytest.raises(InputError):
        read_photo(path.read_bytes())


def test_the_docs_show_all_of_them_as_they_are_answered() -> None:
    page = (REPOSITORY / "docs" / "assist-awkward.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \|.*\| ([^|]+) \|$", page, re.MULTILINE))
    assert rows.keys() == MAKERS.keys() == ANSWERED.keys() | REFUSED.keys()
    assert len(rows) >= 20
    for name, said in {**{name: said for name, (said, _) in ANSWERED.items()}, **REFUSED}.items():
        assert rows[name].startswith(said.strip()), name
