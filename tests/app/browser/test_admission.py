"""A refused attempt at a gold question, as its annotator sees it: said once and plainly, and the drawing stays."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.app.browser.conftest import Visits
from tests.app.browser.drawing import Drawing
from tests.app.live import LiveFoveate

WRONG = [(200.0, 150.0), (300.0, 150.0), (300.0, 250.0)]


def test_a_refused_attempt_is_shown_and_the_drawing_stays(visits: Visits, live_foveate: LiveFoveate) -> None:
    number = int(live_foveate.run("tests.app.browser.make_admission"))
    page = visits.open(live_foveate, "annotator")
    visits.watches[page].allow("status of 4(04|09|22)")
    drawing = Drawing(page, number).open()
    drawing.answer_no()
    drawing.click(*WRONG)
    drawing.press("c")
    before = drawing.polygon(3, closed=True)
    page.click("#submit")
    problems = page.locator("#problems")
    expect(problems).to_be_focused()
    expect(problems).to_contain_text("This does not follow the instructions yet. Read the instructions again")
    expect(problems).to_contain_text("You have 1 more attempt at it.")
    # At no field: that would tell which step is wrong.
    expect(page.locator("#steps [data-error]:visible, #steps [aria-invalid]")).to_have_count(0)
    assert drawing.polygon(3, closed=True) == before
    # The last attempt: it is said, nothing is lost, and what the page tells then is where one stands.
    page.check("input[name=several_questions][value=yes]")
    page.click("#submit")
    page.locator("#dialog-send button[value=send]").click()
    expect(problems).to_contain_text("There are no more attempts in this qualification")
    page.goto("/annotate/")
    page.locator("section[aria-labelledby=offers-over] a").click()
    expect(page.locator("main")).to_contain_text("The attempts of the qualification are used up")
