"""How the drawing page looks and reads: axe in every theme, wide and narrow, everything by keyboard."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.app.browser.conftest import OpenAs
from tests.app.browser.drawing import Drawing
from tests.app.browser.drawing_fixtures import Tasks, closed_square
from tests.app.browser.looks import axe, by_keyboard, each_look, fits


def _checked(page: Page) -> None:
    axe(page)
    fits(page)


def test_the_page_in_every_look(grounding: Drawing) -> None:
    page = grounding.page
    each_look(page, _checked)
    grounding.answer_no()
    closed_square(grounding)
    page.check("input[name=outcome][value=cannot_draw]")
    page.click("#submit")
    expect(page.locator("#problems")).to_be_focused()
    page.click("summary:has-text('Brightness')")
    each_look(page, _checked)


@pytest.mark.parametrize("key", ["?", "F1"])
def test_the_dialogs_in_every_look(boxing: Drawing, key: str) -> None:
    boxing.press(key)
    expect(boxing.page.locator("dialog[open]")).to_be_visible()
    each_look(boxing.page, _checked)
    boxing.page.keyboard.press("Escape")
    boxing.page.click("#give-back")
    each_look(boxing.page, _checked)


def test_everything_by_keyboard(grounding: Drawing) -> None:
    grounding.answer_no()
    by_keyboard(grounding.page)


def test_lines_keep_their_colours_where_colours_are_forced(open_as: OpenAs, tasks: Tasks) -> None:
    page = open_as("annotator", forced_colors="active")
    drawing = Drawing(page, next(tasks["polygon"])).open()
    closed_square(drawing)
    stroke = "([layer]) => getComputedStyle(document.querySelector(`svg.drawn path.line.${layer}`)).stroke"
    assert page.evaluate(stroke, ["over"]) == "rgb(255, 225, 77)"
    assert page.evaluate(stroke, ["under"]) == "rgb(0, 0, 0)"
    axe(page)


def test_what_is_beside_each_other_begins_at_one_line(grounding: Drawing) -> None:
    page = grounding.page
    photo, step, brand, heading = (
        page.locator(one).bounding_box() for one in ("#photo", "#step-1", ".top .brand img", ".asked h1")
    )
    assert photo is not None
    assert step is not None
    assert brand is not None
    assert heading is not None
    assert (photo["y"], brand["x"]) == pytest.approx((step["y"], heading["x"]), abs=1)
