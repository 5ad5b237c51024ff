"""What looks private: where it is, what is hidden of it, and what is left since it is the answer."""

from __future__ import annotations

import numpy as np
import PIL.Image
import PIL.ImageDraw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from foveate.assist import Photo, find_private, hide_private
from foveate.assist._fonts import font_for
from foveate.assist.private import KINDS, Found, Kind, of_lines
from foveate.core.regions import Box, Region
from foveate.datasets._open import open_dataset
from foveate.errors import UsageError
from foveate.perception.text_lines import TextLine, text_line
from foveate.sources.images import FileImage
from tests.helpers import SHARED, needs_shared

NOISE = np.random.default_rng(2).integers(0, 256, (200, 300, 3), dtype=np.uint8)
Sides = tuple[float, float, float, float]
# Of COCO: a laptop, left, top, width and height as its annotators outlined it.
LAPTOP = ("000000516008.jpg", (255.71, 34.11, 270.74, 261.95))
MISSES = "This is automatic and misses things: have the picture looked at before you share it."


def found(kind: Kind, box: Sides) -> Found:
    return Found(kind, Region(Box(box), 0.9), 0.9, "it")


def line(text: str, x: float, y: float, height: float = 20.0) -> TextLine:
    x1, y1 = x + 10.0 * len(text), y + height
    made = text_line(text, 0.9, np.array([(x, y), (x1, y), (x1, y1), (x, y1)]), (1000, 1000))
    assert made is not None
    return made


@pytest.mark.parametrize(
    ("answer", "hidden", "left"),
    [
        (None, True, False),
        ((200, 100, 260, 160), True, False),
        # Half of the thing, 100 x 50 of 100 x 100, is in the answer: it is the answer. A hair less, and it is not.
        ((50, 50, 250, 100), False, True),
        ((50, 51, 300, 100), True, False),
        # A whole person with the face.
        ((0, 0, 300, 200), False, True),
    ],
)
def test_what_is_the_answer_stays(answer: Sides | None, hidden: bool, left: bool) -> None:
    one = found("face", (50, 50, 150, 150))
    picture = hide_private(Photo("a", NOISE), answer and Box(answer), found=[one])
    assert (picture.hidden, picture.left) == ((one,) if hidden else (), (one,) if left else ())
    same = (picture.pixels == NOISE).all(axis=2)
    assert same.all() if left else not same[50:150, 50:150].any()
    # 4 pixels of margin, straight and across the corner.
    assert (not same[46:154, 50:150].any() and same[:45].all() and same[45, :45].all()) or left
    assert picture.notes == (
        "1 face is left, since it is the answer." if left else "1 face is hidden.",
        MISSES,
    )


def test_an_answer_on_a_screen_stays_and_the_rest_of_the_screen_goes() -> None:
    screen, face = found("screen", (20, 20, 220, 180)), found("face", (100, 90, 140, 130))
    picture = hide_private(Photo("a", NOISE), Box((60, 60, 90, 80)), found=[screen])
    same = (picture.pixels == NOISE).all(axis=2)
    assert same[56:84, 60:90].all()
    assert not same[20:55, 20:220].any()
    assert not same[85:180, 20:220].any()
    assert picture.notes[0] == "1 screen is hidden."
    # A face that reaches a little into the answer is hidden whole.
    both = hide_private(Photo("a", NOISE), Box((60, 60, 110, 100)), found=[screen, face])
    assert not (both.pixels == NOISE).all(axis=2)[90:130, 100:140].any()
    assert both.notes == ("1 face is hidden.", "1 screen is hidden.", MISSES)
    assert both.alt == "The photo with what looks private hidden."


@settings(max_examples=12)
@given(st.lists(st.tuples(st.integers(0, 250), st.integers(0, 150), st.integers(1, 50)), max_size=4), st.booleans())
def test_nothing_of_what_is_hidden_is_in_the_file(places: list[tuple[int, int, int]], with_answer: bool) -> None:
    things = [found("letter", (x, y, x + side, y + side)) for x, y, side in places]
    answer = Box((100, 50, 180, 120)) if with_answer else None
    first = hide_private(Photo("a", NOISE), answer, found=things)
    assert len(first.hidden) + len(first.left) == len(things)
    gone = np.zeros((200, 300), dtype=bool)
    for one in first.hidden:
        x0, y0, x1, y1 = map(int, one.region.shape.xyxy)
        gone[y0:y1, x0:x1] = True
    if with_answer:
        gone[46:124, 96:184] = False  # Answer and margin may stay.
    other = np.where(gone[:, :, None], 255 - NOISE, NOISE)
    assert first.encode() == hide_private(Photo("b", other), answer, found=things).encode()
    assert (first.pixels[gone] == 128).all()


def test_papers_are_hidden_as_a_whole_and_addresses_by_themselves() -> None:
    letter = [line("Dear Mrs. Lee,", 100, 100), line("the results are here.", 100, 140), line("Yours, Ann", 100, 180)]
    sign = [line("71 SOUTH WACKER DRIVE", 600, 100), line("OPEN TODAY", 600, 700)]
    one, two = of_lines([*letter, *sign], (1000, 1000))
    assert (one.kind, one.region.shape.xyxy) == ("letter", (100, 100, 310, 200))
    assert (two.kind, two.region.shape.xyxy) == ("letter", (600, 100, 810, 120))
    # Number and date of one card are one card; what is said of it shows no number.
    card = [line("4111 1111 1111 1111", 100, 100), line("VALID THRU 09/27", 100, 140)]
    (only,) = of_lines(card, (1000, 1000))
    assert (only.kind, only.said, only.score) == ("card", "41…11", 0.9)
    assert of_lines([line("Chicken soup", 0, 0)], (1000, 1000)) == []
    assert of_lines([], (1000, 1000)) == []


def test_what_is_refused_and_what_is_said_of_several() -> None:
    photo = Photo("a", NOISE)
    with pytest.raises(UsageError, match="share"):
        hide_private(photo, answer_share=0.0, found=[])
    with pytest.raises(UsageError, match="face, screen, card, letter"):
        find_private(NOISE, ["tattoo"])  # type: ignore[list-item]
    nothing = hide_private(photo, found=[])
    assert nothing.notes == ("Nothing was found that looks private.", MISSES)
    assert np.array_equal(nothing.pixels, NOISE)
    assert "nothing in it is hidden" in nothing.alt
    for kind in KINDS:
        two = [found(kind, (5, 5, 20, 20)), found(kind, (40, 40, 60, 60))]
        assert hide_private(photo, found=two).notes[0].startswith("2 ")
        assert hide_private(photo, Box((0, 0, 300, 200)), found=two).notes[0].endswith("since they are the answer.")


def test_a_real_face_is_hidden_unless_it_is_asked_for() -> None:
    """Eileen Collins in scikit-image's astronaut.png; the box around her face was measured by hand."""
    queries = open_dataset("photos").queries()
    pixels = next(q.image.load() for q in queries if q.image and q.image_name == "astronaut.png")
    photo = Photo("astronaut", pixels)
    picture = hide_private(photo, kinds=["face"])
    assert [one.kind for one in picture.hidden] == ["face"]
    assert (picture.pixels[62:198, 174:272] == 128).all()
    assert np.array_equal(picture.pixels[350:, :100], pixels[350:, :100])
    asked = hide_private(photo, Box((150, 20, 300, 250)), kinds=["face"])
    assert np.array_equal(asked.pixels, pixels)
    assert find_private(np.zeros((1, 1, 3), dtype=np.uint8), ["face", "screen"]) == ()


@needs_shared
def test_a_real_screen_is_found() -> None:
    """A laptop that COCO's annotators outlined."""
    name, (x, y, width, height) = LAPTOP
    seen = find_private(FileImage(SHARED / "coco" / "images" / name).load(), ["screen"])
    middle = (x + width / 2, y + height / 2)
    assert any(_holds(one.region.shape.xyxy, middle) for one in seen)
    assert all(one.kind == "screen" for one in seen)


def _holds(box: Sides, point: tuple[float, float]) -> bool:
    return box[0] < point[0] < box[2] and box[1] < point[1] < box[3]


def test_a_drawn_letter_is_read_and_hidden() -> None:
    page = PIL.Image.new("RGB", (640, 320), "white")
    draw = PIL.ImageDraw.Draw(page)
    for row, words in enumerate(("Dear Mrs. Lee,", "Amount due: $412.00", "Account no 55512")):
        draw.text((40, 40 + 60 * row), words, fill="black", font=font_for(words, 36))
    photo = Photo("a", np.array(page, dtype=np.uint8))
    picture = hide_private(photo, kinds=["card", "letter"])
    assert {one.kind for one in picture.hidden} == {"letter"}
    assert _darkest(picture.pixels) >= 128
    assert _darkest(photo.pixels) == 0


def _darkest(pixels: NDArray[np.uint8]) -> int:
    return int(pixels.min())
