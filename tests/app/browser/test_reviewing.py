"""Reviewing in a real browser: by keys alone, told to screen readers, and nothing said to be stored that is not."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Page, Route, expect

from tests.app.browser.conftest import Visits
from tests.app.live import LiveFoveate

ADDRESS = "/annotate/screenings/tins/several_questions/"


def heading(page: Page, name: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile(re.escape(name)))


def test_a_round_is_gone_through_by_keys(live_foveate: LiveFoveate, visits: Visits) -> None:
    assert json.loads(live_foveate.run("tests.app.browser.make_screening")) == {"slug": "tins"}
    page = visits.open(live_foveate, "annotator")
    page.goto(ADDRESS)
    expect(page.locator("body[data-ready=yes]")).to_be_attached()
    heading(page, "What colour is it?")
    page.keyboard.press("n")
    heading(page, "What is this?")
    # Said aloud, the focus on what is asked now, and an address of its own.
    expect(page.locator("#live")).to_have_text(re.compile("1 of 5 answered. What is this?"))
    assert page.evaluate("document.activeElement.id") == "asked"
    page.keyboard.press("ArrowLeft")
    heading(page, "What colour is it?")
    expect(page.get_by_text("Your answer: no.")).to_be_visible()
    # Changed, with a note; letters of a note are no answers.
    page.get_by_label("Note").fill("any")
    page.get_by_role("button", name="Yes").click()
    heading(page, "What is this?")
    page.reload()
    heading(page, "What is this?")
    _what_fails_is_told(page, visits)
    page.keyboard.press("y")
    heading(page, "How many tins are there?")
    page.get_by_label("Answer by keys").uncheck()
    page.get_by_role("heading", level=1).focus()
    page.keyboard.press("y")
    page.get_by_label("Answer by keys").check()
    heading(page, "How many tins are there?")
    for name in ("Is there a cat?", "Who is that?", "Tins & cats"):
        page.keyboard.press("n")
        heading(page, name)
    expect(page.get_by_role("heading", name="You are through")).to_be_visible()
    page.go_back()
    heading(page, "Who is that?")
    expect(page.get_by_text("Your answer: no.")).to_be_visible()
    _without_javascript(live_foveate, visits)


def _without_javascript(live: LiveFoveate, visits: Visits) -> None:
    """Answers by a form of the page alone."""
    page = visits.open(live, "organiser", java_script_enabled=False)
    page.goto(ADDRESS)
    page.get_by_role("button", name="No").click()
    heading(page, "What is this?")
    expect(page.get_by_text("1 of 5 answered").first).to_be_visible()
    expect(page.get_by_label("Answer by keys")).to_be_hidden()


def _what_fails_is_told(page: Page, visits: Visits) -> None:
    """Answers while the server cannot be reached: the sample stays, and it is said."""

    def away(route: Route) -> None:
        if route.request.method == "POST":
            route.abort()
        else:
            route.continue_()

    visits.watches[page].allow("net::ERR_FAILED")
    expect(page.locator("body[data-ready=yes]")).to_be_attached()
    page.route("**/several_questions/**", away)
    page.keyboard.press("y")
    expect(page.get_by_role("alert")).to_contain_text("Not stored")
    heading(page, "What is this?")
    page.unroute("**/several_questions/**")
