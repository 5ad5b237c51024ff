"""Drawing an outline and a box in a real browser, by mouse, by keys and by touch."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.app.browser.conftest import OpenAs, Visits
from tests.app.browser.drawing import Drawing, near
from tests.app.browser.drawing_fixtures import SQUARE, Tasks, closed_square
from tests.app.live import LiveFoveate


def test_an_outline_by_mouse_is_saved_in_pixels_of_the_photo(drawing: Drawing) -> None:
    closed_square(drawing)
    near(drawing.polygon(4, closed=True), SQUARE)
    assert drawing.saved("work.outcome === 'polygon'")["stage"] == "polygon"
    expect(drawing.page.locator("#save-status")).to_have_text(re.compile(r"^Saved \d\d:\d\d:\d\d$"))
    facts = drawing.page.inner_text("#facts")
    assert abs(int(facts.split(" · ")[1].split(" ")[0].replace(",", "")) - 10_000) < 150
    assert facts.endswith("8.3 % of the photo") or facts.endswith("8.4 % of the photo")


def test_a_double_click_closes_at_its_place(drawing: Drawing) -> None:
    drawing.click(*SQUARE[:2])
    drawing.page.mouse.dblclick(*drawing.on_screen(SQUARE[2]))
    near(drawing.polygon(3, closed=True), SQUARE[:3])


def test_points_are_moved_put_in_and_removed(drawing: Drawing) -> None:
    closed_square(drawing)
    drawing.drag(SQUARE[1], (230, 80), (250, 60))
    near([drawing.saved("work.polygon[1][0] > 240")["polygon"][1]], [(250, 60)])
    drawing.click((150, 200))
    near([drawing.polygon(5)[3]], [(150, 200)])
    drawing.press("Delete")
    near(drawing.polygon(4), [SQUARE[0], (250, 60), *SQUARE[2:]])
    drawing.page.keyboard.down("Shift")
    drawing.drag((150, 150), (160, 170))
    drawing.page.keyboard.up("Shift")
    near(drawing.saved("work.polygon[0][0] > 105")["polygon"], [(110, 120), (260, 80), (210, 220), (110, 220)], 1.2)


def test_all_is_undone_and_done_again_and_escape_discards_nothing(drawing: Drawing) -> None:
    closed_square(drawing)
    drawing.drag(SQUARE[1], (250, 60))
    drawing.page.click("button[data-command=clear]")
    drawing.facts("Nothing drawn")
    drawing.press("Control+z")
    drawing.facts("4 points · ")
    drawing.press("Escape", "Escape")
    drawing.facts("4 points · ")
    drawing.press(*["Control+z"] * 6)
    drawing.facts("Nothing drawn")
    drawing.press("Control+z")
    drawing.says("nothing to undo")
    drawing.press(*["Control+y"] * 3, *["Control+Shift+Z"] * 3)
    near([drawing.saved("work.closed && work.polygon[1][0] > 240")["polygon"][1]], [(250, 60)])


def test_what_cannot_be_is_refused_with_its_reason(drawing: Drawing) -> None:
    said = drawing.page.locator("#said")
    drawing.click((100, 100))
    expect(drawing.page.locator("#facts")).to_have_text("1 point")
    drawing.click((200, 200))
    drawing.press("c")
    drawing.says("2 different points, an outline needs 3")
    drawing.click((200, 100), (100, 220))
    drawing.says("side 1 and side 3 would meet")
    expect(said).to_contain_text("side 1 and side 3 would meet")
    drawing.facts("3 points, not closed")
    drawing.press("c")
    drawing.facts("3 points · ")
    drawing.click((185, 130))
    drawing.says("holes are not drawn")
    drawing.click((350, 250))
    drawing.says("one outline only")
    assert len(drawing.polygon(3, closed=True)) == 3


def test_a_side_that_would_cross_is_shown_before_it_is_set(drawing: Drawing) -> None:
    drawing.click((100, 100), (200, 200), (200, 100))
    drawing.page.mouse.move(*drawing.on_screen((100, 220)))
    expect(drawing.page.locator("svg.drawn.warned")).to_have_count(1)
    drawing.page.mouse.move(*drawing.on_screen((150, 60)))
    expect(drawing.page.locator("svg.drawn.warned")).to_have_count(0)


def test_a_drag_into_a_crossing_is_put_back(drawing: Drawing) -> None:
    closed_square(drawing)
    drawing.drag(SQUARE[0], (300, 150))
    drawing.says("Put back: side")
    # A save on the way may hold the point where it was dragged to.
    near(drawing.saved("work.polygon.length === 4 && work.polygon[0][0] < 200")["polygon"], SQUARE)


def test_points_beyond_the_edge_are_on_it(drawing: Drawing) -> None:
    closed_square(drawing)
    drawing.drag(SQUARE[2], (390, 290), (399, 340))
    (x, y) = drawing.saved("work.polygon[2][1] === 300 && work.polygon[2][0] > 398")["polygon"][2]
    assert y == 300
    assert 398 < x <= 400


def test_the_corners_of_the_photo_are_reached_by_mouse(drawing: Drawing) -> None:
    drawing.canvas.scroll_into_view_if_needed()
    # The last places that are still on the photo.
    for x, y in ((0, 0), (400, 0), (400, 300), (0, 300)):
        left, top = drawing.on_screen((x, y))
        drawing.page.mouse.click(left + (1 if x == 0 else -1), top + (1 if y == 0 else -1))
    drawing.is_saved([(0, 0), (400, 0), (400, 300), (0, 300)])


def test_the_whole_photo_stays_in_a_window_that_changes(drawing: Drawing) -> None:
    drawing.click(SQUARE[0])
    page = drawing.page
    page.set_viewport_size({"width": 500, "height": 700})
    canvas, zoom = drawing.canvas.bounding_box(), page.locator("#zoom-now")
    assert canvas is not None
    percent = int(100 * min(canvas["width"] / 400, canvas["height"] / 300))
    expect(zoom).to_have_text(re.compile(rf"^({percent}|{percent + 1}) %$"))
    drawing.click(*SQUARE[1:])
    near(drawing.polygon(4), SQUARE, 0.8)


def test_by_keys_alone(drawing: Drawing) -> None:
    page = drawing.page
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.id") == "canvas":
            break
    page.keyboard.press("Enter")
    drawing.says("Crosshair at 200, 150 of 400 by 300 pixels.")
    for keys in (["Control+ArrowLeft"] * 50, ["Control+ArrowDown"] * 30, ["Control+ArrowRight"] * 70):
        page.keyboard.press("Enter")
        for key in keys:
            page.keyboard.press(key)
    page.keyboard.press("Enter")
    # The crosshair is 50 to the left and 30 below the first, and 70 to the right of that.
    drawing.facts("4 points, not closed")
    page.keyboard.press("c")
    assert drawing.polygon(4, closed=True) == [(200, 150), (150, 150), (150, 180), (220, 180)]
    expect(page.locator("#said")).to_contain_text("Outline closed: 4 points")


def test_points_are_chosen_moved_put_in_and_removed_by_keys(drawing: Drawing) -> None:
    closed_square(drawing)
    before = drawing.polygon(4, closed=True)
    drawing.press("]", "]", "Control+ArrowRight", "Control+ArrowRight", "Control+ArrowUp")
    moved = drawing.saved(f"work.polygon[1][0] === {before[1][0] + 2}")["polygon"]
    assert moved[1] == [before[1][0] + 2, before[1][1] - 1]
    drawing.press("i")
    drawing.says("Point 3 put in; 5 points.")
    drawing.press("Delete", "Escape", "g", "Control+ArrowDown", "Control+ArrowDown", "Escape")
    down = drawing.saved(f"work.polygon.length === 4 && work.polygon[0][1] === {before[0][1] + 2}")["polygon"]
    assert down[3] == [before[3][0], before[3][1] + 2]


def test_tab_goes_through_the_points_and_leads_off_the_photo(drawing: Drawing) -> None:
    closed_square(drawing)
    focused = "() => document.activeElement.id"
    drawing.press("]", "Tab", "Tab", "Tab")
    drawing.says("Point 4 of 4")
    assert drawing.page.evaluate(focused) == "canvas"
    drawing.page.keyboard.press("Tab")
    assert drawing.page.evaluate(focused) != "canvas"


def test_a_key_held_is_one_step_to_undo(drawing: Drawing) -> None:
    closed_square(drawing)
    before = drawing.polygon(4, closed=True)
    drawing.press("]")
    drawing.page.keyboard.down("Control")
    for _ in range(8):
        drawing.page.keyboard.down("ArrowLeft")
    drawing.page.keyboard.up("ArrowLeft")
    drawing.page.keyboard.up("Control")
    drawing.saved(f"work.polygon[0][0] === {before[0][0] - 8}")
    drawing.press("Control+z")
    assert drawing.saved(f"work.polygon[0][0] === {before[0][0]}")["polygon"][0] == list(before[0])


def test_zoom_has_32_pixels_a_pixel_and_changes_no_geometry(drawing: Drawing) -> None:
    closed_square(drawing)
    before = drawing.polygon(4, closed=True)
    drawing.press("]", "+")
    drawing.press(*["+"] * 12)
    expect(drawing.page.locator("#zoom-now")).to_have_text("3,200 %")
    (x0, y0), (x1, _), *_ = drawing.line()
    assert abs((x1 - x0) - (before[1][0] - before[0][0]) * 32) < 1
    box = drawing.canvas.bounding_box()
    assert box is not None
    assert 0 <= x0 <= box["width"]
    assert 0 <= y0 <= box["height"]
    # One pixel of the screen is a thirty-second of a pixel of the photo.
    drawing.press("ArrowRight")
    moved = drawing.saved(f"work.polygon[0][0] > {before[0][0]}")["polygon"]
    assert abs(moved[0][0] - before[0][0] - 1 / 32) < 0.011
    drawing.press("Control+z", "1")
    expect(drawing.page.locator("#zoom-now")).to_have_text("100 %")
    drawing.press("0")
    drawing.page.set_viewport_size({"width": 900, "height": 700})
    drawing.is_saved(before)


def test_the_view_is_moved_without_drawing(drawing: Drawing) -> None:
    closed_square(drawing)
    before = drawing.polygon(4, closed=True)
    drawing.press("+", "+")
    expect(drawing.page.locator("#zoom-now")).not_to_have_text("100 %")
    at = drawing.line()[0]
    drawing.press("Alt+ArrowRight")
    _moved(drawing, at)
    at = drawing.line()[0]
    drawing.drag((200, 250), (230, 270), button="middle")
    _moved(drawing, at)
    at = drawing.line()[0]
    drawing.page.keyboard.down("Space")
    drawing.drag((200, 250), (180, 230))
    drawing.page.keyboard.up("Space")
    _moved(drawing, at)
    drawing.facts("4 points · ")
    drawing.is_saved(before)


def _moved(drawing: Drawing, at: tuple[float, float]) -> None:
    path = drawing.page.locator("svg.drawn path.line.over")
    start = re.compile(rf"^M{at[0]:.2f} {at[1]:.2f}L".replace(".", r"\."))
    expect(path).not_to_have_attribute("d", start)


@pytest.mark.parametrize("density", [1, 2, 3])
def test_dense_and_small_windows_draw_the_same(open_as: OpenAs, tasks: Tasks, density: int) -> None:
    page = open_as("annotator", device_scale_factor=density, viewport={"width": 700, "height": 600})
    drawing = Drawing(page, next(tasks["polygon"])).open()
    closed_square(drawing)
    near(drawing.polygon(4, closed=True), SQUARE, 0.8)


def test_by_touch(open_as: OpenAs, tasks: Tasks) -> None:
    page = open_as("annotator", has_touch=True, is_mobile=True, viewport={"width": 360, "height": 740})
    drawing = Drawing(page, next(tasks["polygon"])).open()
    for place in [*SQUARE, SQUARE[0]]:
        page.touchscreen.tap(*drawing.on_screen(place))
    near(drawing.polygon(4, closed=True), SQUARE, 1.5)
    small = page.evaluate(
        """() => [...document.querySelectorAll('.toolbar button')].map(button => button.getBoundingClientRect())
          .filter(({ width }) => width > 0).filter(({ width, height }) => width < 44 || height < 44).length"""
    )
    assert small == 0


def test_a_box_by_drag_and_its_handles(boxing: Drawing) -> None:
    boxing.drag((100, 50), (200, 100), (300, 150))
    # A slow drag is saved on its way too.
    near([boxing.saved("work.box && work.box[2] > 290")["box"]], [(100, 50, 300, 150)])
    boxing.drag((300, 100), (350, 120))
    near([boxing.saved("work.box[2] > 340")["box"]], [(100, 50, 350, 150)])
    boxing.drag((200, 100), (210, 130))
    near([boxing.saved("work.box[1] > 70")["box"]], [(110, 80, 360, 180)], 1.2)
    boxing.click((20, 20))
    boxing.says("one box only")
    boxing.facts("Box · ")


def test_a_box_by_keys(boxing: Drawing) -> None:
    boxing.press("Enter", "Enter", *["Control+ArrowRight"] * 40, *["Control+ArrowDown"] * 20, "Enter")
    assert boxing.saved("work.box")["box"] == [200, 150, 240, 170]
    boxing.press("]", "Control+ArrowLeft", "Control+ArrowUp")
    assert boxing.saved("work.box[0] === 199")["box"] == [199, 149, 240, 170]


def test_a_photo_that_lies_on_its_side_is_drawn_on_upright(annotator_page: Page, tasks: Tasks) -> None:
    drawing = Drawing(annotator_page, next(tasks["rotated"]), (200, 300)).open()
    drawing.drag((20, 30), (100, 150), (180, 270))
    near([drawing.saved("work.box && work.box[2] > 170")["box"]], [(20, 30, 180, 270)])
    expect(annotator_page.locator("#photo-failed")).to_be_hidden()


def test_a_photo_of_few_pixels(annotator_page: Page, tasks: Tasks) -> None:
    drawing = Drawing(annotator_page, next(tasks["tiny"]), (6, 4)).open()
    drawing.click((1, 1), (4, 1), (4, 3), (1, 1))
    near(drawing.polygon(3, closed=True), [(1, 1), (4, 1), (4, 3)], 0.02)


def test_a_photo_in_tiles(annotator_page: Page, tasks: Tasks) -> None:
    seen: list[str] = []
    annotator_page.on("response", lambda response: seen.append(response.url) if "/tiles/" in response.url else None)
    drawing = Drawing(annotator_page, next(tasks["large"]), (4608, 3072)).open()
    drawing.click((1000, 1000), (3000, 1000), (3000, 2000), (1000, 1000))
    near(drawing.polygon(3, closed=True), [(1000, 1000), (3000, 1000), (3000, 2000)], 5)
    assert seen
    expect(annotator_page.locator("#photo-failed")).to_be_hidden()


def test_brightness_is_for_the_eye_only(drawing: Drawing) -> None:
    page = drawing.page
    page.click("summary:has-text('Brightness')")
    page.fill("#brightness", "200")
    lit = "() => [...document.querySelectorAll('#photo canvas')].map(canvas => canvas.style.filter).join()"
    assert page.evaluate(lit) == "brightness(200%) contrast(100%)"
    page.click("#light-reset")
    assert page.evaluate(lit) == ""
    assert page.input_value("#brightness") == "100"


def test_keys_and_instructions_are_one_key_away_and_text_fields_are_left_alone(drawing: Drawing) -> None:
    page = drawing.page
    closed_square(drawing)
    drawing.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog).to_be_visible()
    assert dialog.locator("tbody tr").count() > 20
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    page.focus("#comment")
    page.keyboard.type("cgi0?[]")
    page.keyboard.press("Control+z")
    drawing.facts("4 points · ")
    page.keyboard.press("Control+z")
    page.fill("#comment", "as I see it")
    drawing.saved("work.comment === 'as I see it' && work.polygon.length === 4 && work.closed")
    page.focus("#submit")
    page.keyboard.press("F1")
    expect(page.get_by_role("dialog", name="Instructions")).to_contain_text("Draw closely.")


def test_without_javascript_the_page_says_what_is_wrong(
    visits: Visits, shared_foveate: LiveFoveate, tasks: Tasks
) -> None:
    page = visits.open(shared_foveate, "annotator", java_script_enabled=False)
    page.goto(f"/annotate/work/{next(tasks['polygon'])}/")
    expect(page.get_by_text("drawing needs JavaScript")).to_be_visible()
