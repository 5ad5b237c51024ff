"""The three steps, what is wrong in them, submitting, and giving back."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.app.browser.conftest import Visits
from tests.app.browser.drawing import Drawing, near
from tests.app.browser.drawing_fixtures import SQUARE, closed_square


def sent(page: Page, number: int) -> dict[str, object]:
    """Returns what was submitted."""
    work: dict[str, object] = page.request.get(f"/api/v1/assignments/{number}/submission").json()["work"]
    return work


def test_drawing_begins_after_two_noes_and_is_submitted(grounding: Drawing) -> None:
    page = grounding.page
    grounding.click(SQUARE[0])
    grounding.says("Answer steps 1 and 2 first")
    expect(page.locator("#several_regions")).to_be_disabled()
    page.check("input[name=several_questions][value=no]")
    expect(page.locator("#outcome")).to_be_disabled()
    page.check("input[name=several_regions][value=no]")
    closed_square(grounding)
    expect(page.locator("input[name=outcome][value=polygon]")).to_be_checked()
    page.fill("#comment", "easy")
    page.click("#submit")
    page.wait_for_url(lambda url: f"/work/{grounding.number}/" not in url)
    assert re.search(r"/annotate/work/\d+/$", page.url)
    work = sent(page, grounding.number)
    near(work["polygon"], SQUARE)
    assert (work["several_questions"], work["outcome"], work["comment"]) == (False, "polygon", "easy")
    assert float(str(work["seconds"])) > 0
    left = "number => Object.keys(localStorage).filter(name => name.includes(`.${number}.`))"
    assert page.evaluate(left, grounding.number) == []


def test_yes_ends_the_task_and_asks_before_a_drawing_is_left_out(grounding: Drawing) -> None:
    page = grounding.page
    grounding.answer_no()
    closed_square(grounding)
    page.check("input[name=several_regions][value=yes]")
    expect(page.locator("#ended")).to_contain_text("ends this task")
    grounding.click((300, 250))
    grounding.says("Nothing is to be drawn")
    # The draft keeps it, in case the answer was a slip.
    assert len(grounding.saved("work.several_regions === true")["polygon"]) == 4
    page.click("#submit")
    dialog = page.get_by_role("dialog", name="Submit without what you have drawn?")
    dialog.get_by_role("button", name="Go on working").click()
    expect(dialog).to_be_hidden()
    assert f"/work/{grounding.number}/" in page.url
    page.click("#submit")
    dialog.get_by_role("button", name="Submit without it").click()
    page.wait_for_url(lambda url: f"/work/{grounding.number}/" not in url)
    work = sent(page, grounding.number)
    assert (work["several_regions"], work["outcome"], work["polygon"]) == (True, None, [])


def test_what_is_missing_is_told_at_its_field_and_has_the_focus(grounding: Drawing) -> None:
    page = grounding.page
    page.click("#submit")
    summary = page.locator("#problems")
    expect(summary).to_be_focused()
    expect(summary).to_contain_text("Step 1 is not answered. Answer yes or no.")
    expect(page.locator("#error-several_questions")).to_contain_text("Step 1 is not answered")
    summary.get_by_role("link").click()
    expect(page.locator("#several_questions")).to_be_focused()
    grounding.answer_no()
    page.click("#submit")
    expect(page.locator("#error-several_questions")).to_be_hidden()
    expect(page.locator("#error-outcome")).to_contain_text("Nothing is drawn or chosen")
    page.check("input[name=outcome][value=cannot_draw]")
    page.select_option("#reason", "answer_wrong")
    page.click("#submit")
    expect(page.locator("#error-reason_text")).to_contain_text("The reason needs a word")
    page.fill("#reason_text", "it is a cup")
    page.click("#submit")
    page.wait_for_url(lambda url: f"/work/{grounding.number}/" not in url)
    work = sent(page, grounding.number)
    assert (work["outcome"], work["reason"], work["reason_text"]) == ("cannot_draw", "answer_wrong", "it is a cup")


def test_a_missing_outline_is_no_problem_any_more_once_it_is_there(grounding: Drawing) -> None:
    page = grounding.page
    grounding.answer_no()
    page.check("input[name=outcome][value=polygon]")
    page.click("#submit")
    expect(page.locator("#problems")).to_contain_text("There is no outline")
    grounding.click(*SQUARE)
    expect(page.locator("#problems")).not_to_contain_text("There is no outline")
    expect(page.locator("#problems")).to_be_visible()
    grounding.press("c")
    expect(page.locator("#problems")).to_be_hidden()
    expect(page.locator("#error-outcome")).to_be_hidden()
    expect(page.locator("#canvas")).to_be_focused()


def test_what_only_the_server_finds_wrong_is_told_as_well(grounding: Drawing, visits: Visits) -> None:
    page = grounding.page
    visits.watches[page].allow("status of 422")
    grounding.answer_no()
    page.check("input[name=outcome][value=cannot_draw]")
    page.select_option("#reason", "blurred")
    # A reason that the page offers and the server does not know, as after an update.
    page.evaluate(
        "() => { const option = document.querySelector('#reason option:checked'); option.value = 'unheard_of'; }"
    )
    page.locator("#reason").dispatch_event("change")
    page.click("#submit")
    expect(page.locator("#problems")).to_be_focused()
    expect(page.locator("#error-reason")).to_contain_text("unheard_of")
    grounding.status("Saved")


def test_drawing_and_the_whole_image_exclude_each_other(grounding: Drawing) -> None:
    page = grounding.page
    grounding.answer_no()
    page.check("input[name=outcome][value=whole_image]")
    grounding.click(SQUARE[0])
    grounding.says("choose “Draw”")
    page.click("#submit")
    page.wait_for_url(lambda url: f"/work/{grounding.number}/" not in url)
    assert sent(page, grounding.number)["outcome"] == "whole_image"


def test_by_keys_alone_from_the_first_step_to_the_end(grounding: Drawing) -> None:
    page = grounding.page
    page.focus("input[name=several_questions][value=yes]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    grounding.saved("work.several_questions === false && work.several_regions === false")
    grounding.press("Enter", "Enter", *["Shift+ArrowRight"] * 9, "Enter", *["Shift+ArrowDown"] * 9, "Enter", "c")
    grounding.facts("3 points · ")
    while page.evaluate("() => document.activeElement.id") != "submit":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: f"/work/{grounding.number}/" not in url)
    assert sent(page, grounding.number)["closed"] is True


def test_a_task_is_given_back_with_a_word(grounding: Drawing) -> None:
    page = grounding.page
    page.click("#give-back")
    dialog = page.get_by_role("dialog", name="Give this task back?")
    dialog.get_by_label("Why").fill("no light")
    dialog.get_by_role("button", name="Give back").click()
    page.wait_for_url(lambda url: "/work/" not in url)
    assert page.request.get(f"/api/v1/assignments/{grounding.number}").json()["state"] == "returned"
