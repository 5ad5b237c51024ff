"""Drawing by fingers, on the screen of a phone."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from playwright.sync_api import expect

from tests.app.browser.conftest import OpenAs
from tests.app.browser.drawing import Drawing, Place, near
from tests.app.browser.drawing_fixtures import SQUARE, Tasks

PHONE = {"has_touch": True, "is_mobile": True, "viewport": {"width": 360, "height": 640}}


class Fingers:
    """Fingers on an open task; places are in the window."""

    def __init__(self, drawing: Drawing) -> None:
        self.drawing = drawing
        self._session = drawing.page.context.new_cdp_session(drawing.page)

    def tap(self, *places: Place) -> None:
        """Taps at pixels of the photo."""
        for place in places:
            self.drawing.page.touchscreen.tap(*self.drawing.on_screen(place))

    def down(self, *places: Place) -> None:
        """Puts fingers down, one after the other."""
        for count in range(1, len(places) + 1):
            self._send("touchStart", places[:count])

    def move(self, starts: Sequence[Place], ends: Sequence[Place]) -> None:
        """Moves them in steps."""
        for step in range(1, 9):
            part = step / 8
            ways = [(a + (c - a) * part, b + (d - b) * part) for (a, b), (c, d) in zip(starts, ends, strict=True)]
            self._send("touchMove", ways)

    def up(self, *left: Place) -> None:
        """Lifts one of them, then all."""
        self._send("touchEnd", left)
        if left:
            self._send("touchEnd", ())

    def _send(self, kind: str, places: Sequence[Place]) -> None:
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


@pytest.fixture
def fingers(open_as: OpenAs, tasks: Tasks) -> Fingers:
    """An open task of which an outline is wanted, on a phone."""
    return Fingers(Drawing(open_as("annotator", **PHONE), next(tasks["polygon"])).open())


def test_two_fingers_zoom_and_move_the_view_and_draw_nothing(fingers: Fingers) -> None:
    drawing = fingers.drawing
    fingers.tap(*SQUARE, SQUARE[0])
    points = drawing.polygon(4, closed=True)
    near(points, SQUARE, 1.5)
    (x, y), zoom = drawing.on_screen((200, 150)), drawing.page.locator("#zoom-now")
    before = zoom.inner_text()
    apart = [(x - 60, y), (x + 60, y)]
    fingers.down((x - 20, y), (x + 20, y))
    fingers.move([(x - 20, y), (x + 20, y)], apart)
    fingers.up(apart[0])
    expect(zoom).not_to_have_text(before)
    closer = int(zoom.inner_text().rstrip(" %"))
    assert closer > 2 * int(before.rstrip(" %"))
    line, start = drawing.line(), [(x - 40, y - 20), (x + 40, y - 20)]
    fingers.down(*start)
    fingers.move(start, [(x - 40, y + 30), (x + 40, y + 30)])
    fingers.up((x - 40, y + 30))
    path = re.compile(rf"^M{line[0][0]:.2f} {line[0][1]:.2f}L".replace(".", r"\."))
    expect(drawing.page.locator("svg.drawn path.line.over")).not_to_have_attribute("d", path)
    assert drawing.line()[0][1] - line[0][1] == pytest.approx(50, abs=3)
    drawing.is_saved(points)


def test_a_second_finger_takes_back_what_the_first_began(fingers: Fingers) -> None:
    drawing = fingers.drawing
    fingers.tap(*SQUARE, SQUARE[0])
    points = drawing.polygon(4, closed=True)
    (x, y) = drawing.on_screen(SQUARE[2])
    fingers.down((x, y))
    fingers.move([(x, y)], [(x + 30, y + 15)])
    moved = drawing.line()[2]
    fingers.down((x + 30, y + 15), (x - 90, y))
    fingers.up((x + 30, y + 15))
    drawing.says("nothing was changed")
    assert drawing.line()[2] != moved
    drawing.is_saved(points)
    expect(drawing.page.locator("[data-command=redo]")).to_have_attribute("aria-disabled", "true")


def test_a_tap_of_two_fingers_sets_no_point(fingers: Fingers) -> None:
    drawing = fingers.drawing
    places = [drawing.on_screen((100, 100)), drawing.on_screen((300, 200))]
    fingers.down(*places)
    fingers.up(places[0])
    # The next tap is heard, and its point is the first.
    fingers.tap(SQUARE[1])
    near(drawing.polygon(1), [SQUARE[1]], 1.5)


@pytest.mark.parametrize("window", [(360, 640), (375, 667)])
def test_photo_and_tools_are_seen_at_once_on_a_phone(open_as: OpenAs, tasks: Tasks, window: tuple[int, int]) -> None:
    page = open_as("annotator", **{**PHONE, "viewport": {"width": window[0], "height": window[1]}})
    Drawing(page, next(tasks["polygon"])).open()
    photo, tools = page.locator("#photo").bounding_box(), page.locator(".toolbar").bounding_box()
    assert photo is not None
    assert tools is not None
    assert photo["y"] + photo["height"] <= tools["y"]
    assert tools["y"] + tools["height"] <= window[1]
    rest = page.get_by_role("button", name="Move whole")
    expect(rest).to_be_hidden()
    page.get_by_role("button", name="More tools").click()
    expect(page.get_by_role("button", name="More tools")).to_have_attribute("aria-expanded", "true")
    expect(rest).to_be_visible()


@pytest.mark.parametrize("window", [(320, 256), (640, 360)])
def test_a_photo_never_fills_the_window_so_that_one_can_scroll(
    open_as: OpenAs, tasks: Tasks, window: tuple[int, int]
) -> None:
    page = open_as("annotator", viewport={"width": window[0], "height": window[1]})
    Drawing(page, next(tasks["polygon"])).open()
    photo = page.locator("#photo").bounding_box()
    assert photo is not None
    assert photo["height"] <= 0.75 * window[1]
