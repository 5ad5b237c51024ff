"""Photos of every kind of file, drawn on in a real browser: what is seen at the outline's place is what is exported.

Each photo has a red part where the outline goes and is blue elsewhere (of one channel: light and dark), so that one
that is turned, mirrored or shifted shows the wrong colour there.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Browser, Page

from foveate.annotation.submissions import Submission, read_submissions
from foveate.core.rle import decode
from foveate.datasets._open import open_dataset
from tests.app import conftest as servers
from tests.app.browser import hand
from tests.app.browser.conftest import Visits
from tests.app.browser.drawing import Drawing
from tests.app.browser.people_drawing import opened, send, take
from tests.app.live import LiveFoveate

PIL.Image.init()
Pixels = NDArray[np.uint8]
Place = tuple[float, float]
Colour = tuple[int, int, int]
# What is seen where no photo is yet.
BENCH = (43, 47, 54)
RED, BLUE = (200, 40, 40), (40, 60, 200)
# The part, as shares of width and height: in the upper left, so that no turn or mirror leaves it in its place.
PART = ((0.10, 0.15), (0.45, 0.15), (0.45, 0.40), (0.25, 0.40), (0.25, 0.30), (0.10, 0.30))
INSIDE, OUTSIDE = ((0.35, 0.25), (0.15, 0.20)), ((0.15, 0.37), (0.60, 0.25), (0.35, 0.75), (0.80, 0.80))


def corners_of(size_hw: tuple[int, int]) -> hand.Corners:
    """Returns the part in whole pixels."""
    height, width = size_hw
    return [(float(round(x * width)), float(round(y * height))) for x, y in PART]


def scene(size_hw: tuple[int, int]) -> Pixels:
    """Returns the upright photo."""
    inside = hand.pixels_inside(corners_of(size_hw), size_hw)
    return np.where(inside[:, :, None], np.array(RED, np.uint8), np.array(BLUE, np.uint8))


def turned(turn: int) -> Callable[[Path, Pixels], None]:
    """Writes a JPEG stored in an orientation of EXIF, as a camera held so does."""

    def write(path: Path, upright: Pixels) -> None:
        # The turn that the tag asks for, the other way round.
        way = {
            2: PIL.Image.Transpose.FLIP_LEFT_RIGHT,
            3: PIL.Image.Transpose.ROTATE_180,
            4: PIL.Image.Transpose.FLIP_TOP_BOTTOM,
            5: PIL.Image.Transpose.TRANSPOSE,
            6: PIL.Image.Transpose.ROTATE_90,
            7: PIL.Image.Transpose.TRANSVERSE,
            8: PIL.Image.Transpose.ROTATE_270,
        }
        image = PIL.Image.fromarray(upright)
        stored = image.transpose(way[turn]) if turn in way else image
        exif = PIL.Image.Exif()
        exif[0x0112] = turn
        stored.save(path, "JPEG", quality=95, subsampling=0, exif=exif)

    return write


def grey(path: Path, upright: Pixels) -> None:
    PIL.Image.fromarray(upright[:, :, 0]).save(path)


def deep(path: Path, upright: Pixels) -> None:
    PIL.Image.fromarray((upright[:, :, 0].astype(np.uint16) << 8) + 99).save(path)


def transparent(path: Path, upright: Pixels) -> None:
    """Opaque red, and nothing at all around it, which is white."""
    alpha = np.where(upright[:, :, 0] == RED[0], 255, 0).astype(np.uint8)
    PIL.Image.fromarray(np.dstack([upright, alpha])).save(path)


def cmyk(path: Path, upright: Pixels) -> None:
    PIL.Image.fromarray(upright).convert("CMYK").save(path, "JPEG", quality=95)


def plain(path: Path, upright: Pixels) -> None:
    PIL.Image.fromarray(upright).save(path, quality=92)


@dataclass(frozen=True)
class Kind:
    """One photo: how its file is written, its upright size, and what is seen inside and outside of the part."""

    write: Callable[[Path, Pixels], None]
    size_hw: tuple[int, int]
    inside: Colour = RED
    outside: Colour = BLUE


GREY: dict[str, Any] = {"inside": (RED[0],) * 3, "outside": (BLUE[0],) * 3}
KINDS = {
    **{f"exif-{turn}.jpg": Kind(turned(turn), (300, 420)) for turn in range(1, 9)},
    "grey.png": Kind(grey, (300, 420), **GREY),
    "deep.png": Kind(deep, (300, 420), **GREY),
    "transparent.png": Kind(transparent, (300, 420), outside=(255, 255, 255)),
    "cmyk.jpg": Kind(cmyk, (300, 420)),
    "tiny.png": Kind(plain, (20, 20)),
    "large.jpg": Kind(plain, (3648, 5472)),
    "large-turned.jpg": Kind(turned(6), (5472, 3648)),
}
QUESTIONS = {f"Where is the red of {name}?": name for name in KINDS}
SIZES = {name: kind.size_hw for name, kind in KINDS.items()}


@dataclass
class Drawn:
    """What came of drawing on all of them: colours seen, submissions, and exports."""

    seen: dict[str, dict[Place, Colour]]
    sent: dict[str, Submission]
    exports: Path


@pytest.fixture(scope="module")
def drawn(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Drawn]:
    """Draws the red part of every photo by mouse."""
    folder, visits = tmp_path_factory.mktemp("kinds"), Visits(browser)
    for live in servers.running(LiveFoveate(folder / "live", servers.tests_database())):
        try:
            _project(live, folder / "photos")
            # Two pixels of the screen for each of CSS, as many screens have.
            page = visits.open(live, "annotator", device_scale_factor=2)
            take(page)
            seen = dict(_drawn(page) for _ in KINDS)
            yield _exported(live, folder, seen)
        finally:
            visits.close()


def _project(live: LiveFoveate, photos: Path) -> None:
    photos.mkdir()
    rows = ["image,question"]
    for name, kind in KINDS.items():
        kind.write(photos / name, scene(kind.size_hw))
        rows.append(f"{name},Where is the red of {name}?")
    (photos / "questions.csv").write_text("\n".join(rows) + "\n")
    of = ("--dataset", "folder", "--root", str(photos), "--kind", "reannotation", "--shape", "polygon")
    live.foveate("annotate", "new", "kinds", *of, "--submissions", "1")
    live.foveate("annotate", "open", "kinds")


def _drawn(page: Page) -> tuple[str, dict[Place, Colour]]:
    drawing, name = opened(page, SIZES, QUESTIONS)
    width, height = drawing.size_wh
    (left, top), (right, bottom) = drawing.on_screen((0, 0)), drawing.on_screen((width, height))
    places = {(x, y): (left + x * (right - left), top + y * (bottom - top)) for x, y in (*INSIDE, *OUTSIDE)}
    seen = _seen(page, places)
    scale = (right - left) / width
    corners = corners_of((height, width))
    for x, y in (*corners, corners[0]):
        page.mouse.click(left + x * scale, top + y * scale)
    drawing.facts("6 points · ")
    _correct(drawing, corners)
    send(page, lambda: page.click("#submit"))
    return name, seen


def _correct(drawing: Drawing, corners: hand.Corners) -> None:
    """Moves points by whole pixels of the photo, as one does where a pixel of the screen is many of those."""
    for (x, y), (wanted_x, wanted_y) in zip(drawing.polygon(6, closed=True), corners, strict=True):
        drawing.press("]")
        for by, less, more in ((wanted_x - x, "Left", "Right"), (wanted_y - y, "Up", "Down")):
            for _ in range(abs(round(by))):
                drawing.page.keyboard.press(f"Control+Arrow{more if by > 0 else less}")
    drawing.press("Escape")
    near_all = "value.every(([x, y], n) => Math.hypot(x - work.polygon[n][0], y - work.polygon[n][1]) < 0.75)"
    drawing.saved(near_all, [list(corner) for corner in corners])


def _seen(page: Page, places: dict[Place, Place]) -> dict[Place, Colour]:
    """Returns the colours at places of the window, once there is a photo at all of them and it comes to rest."""
    before = None
    for _ in range(300):
        with PIL.Image.open(io.BytesIO(page.screenshot())) as picture:
            pixels = np.array(picture.convert("RGB"))
        # The window has two pixels for each of CSS.
        found = {place: tuple(map(int, pixels[int(2 * y), int(2 * x)])) for place, (x, y) in places.items()}
        if found == before and BENCH not in found.values():
            return found  # type: ignore[return-value]
        before = found
        page.wait_for_timeout(100)
    raise AssertionError(f"the photo is not there: {before}")


def _exported(live: LiveFoveate, folder: Path, seen: dict[str, Any]) -> Drawn:
    names = {"submissions": "sent.jsonl", "jsonl": "samples.jsonl", "coco": "coco.json", "vizwiz": "vizwiz"}
    for form, name in names.items():
        live.foveate("annotate", "export", "kinds", "--to", form, "--lossy", "--out", str(folder / name))
    return Drawn(seen, {one.image_name: one for one in read_submissions(folder / "sent.jsonl")}, folder)


@pytest.mark.parametrize("name", KINDS)
def test_what_is_seen_at_the_outline_s_place_is_the_right_part(drawn: Drawn, name: str) -> None:
    kind = KINDS[name]
    for wanted, places in ((kind.inside, INSIDE), (kind.outside, OUTSIDE)):
        for place in places:
            far = np.abs(np.subtract(drawn.seen[name][place], wanted)).max()
            # CMYK has no red as strong as that of a screen; it is still no blue.
            assert far <= 30, (name, place, drawn.seen[name][place], wanted)


@pytest.mark.parametrize("name", KINDS)
def test_what_is_exported_is_the_hand_s_target_pixel_for_pixel(drawn: Drawn, name: str) -> None:
    size_hw = KINDS[name].size_hw
    assert drawn.sent[name].size_hw == size_hw
    wanted = hand.coco_pixels(corners_of(size_hw), size_hw)
    with PIL.Image.open(drawn.exports / "vizwiz" / "binary_masks_png" / "val" / f"{Path(name).stem}.png") as mask:
        np.testing.assert_array_equal(np.asarray(mask) > 0, wanted)
    for file in ("samples.jsonl", "coco.json"):
        data = open_dataset(str(drawn.exports / file)).truths()
        (truth,) = (truth for truth in data if truth.id.partition("#")[0] == name)
        np.testing.assert_array_equal(decode(truth.targets[0].shape.rle(size_hw)), wanted)
