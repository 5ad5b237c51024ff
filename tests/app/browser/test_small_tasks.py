"""Asking about a photo in a real browser: picked by keyboard, saved while it is written, sent, and nothing lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.app.annotate.made import photo_folder
from tests.app.browser.conftest import Visits
from tests.app.live import LiveFoveate


@pytest.fixture
def photos(live_foveate: LiveFoveate, tmp_path: Path) -> LiveFoveate:
    """A server with an open box collection of three photos."""
    folder = photo_folder(tmp_path / "photos", questions=False)
    new = ("new", "bikes", "--dataset", "folder", "--root", str(folder), "--kind", "box_collection", "--title", "Bikes")
    live_foveate.foveate("annotate", *new)
    live_foveate.foveate("annotate", "open", "bikes")
    return live_foveate


def picked(page: Page) -> None:
    """Goes from the first page of Annotate to the second photo, by keyboard alone."""
    page.goto("/annotate/")
    page.get_by_role("link", name="Pick a photo").focus()
    page.keyboard.press("Enter")
    photo = page.get_by_role("button", name="photo1.png")
    page.keyboard.press("Tab")
    for _ in range(30):
        if photo.evaluate("it => it === document.activeElement"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#small[data-ready=yes]")).to_be_attached()


def saved(page: Page) -> None:
    expect(page.locator("#save-status")).to_contain_text("Saved")


def test_a_question_is_saved_while_it_is_written_and_survives(photos: LiveFoveate, visits: Visits) -> None:
    page = visits.open(photos, "annotator")
    visits.watches[page].allow("ERR_INTERNET_DISCONNECTED|status of 409")
    picked(page)
    page.get_by_role("textbox", name="Question").fill("What rings?")
    saved(page)
    page.reload()
    expect(page.get_by_role("textbox", name="Question")).to_have_value("What rings?")

    # The connection is lost: it is told, and what is written meanwhile is there when it is back, the page reloaded too.
    expect(page.locator("#small[data-ready=yes]")).to_be_attached()
    page.route("**/draft", lambda route: route.abort("internetdisconnected"))
    page.get_by_label("Answer").fill("the bell")
    expect(page.locator("#save-status")).to_contain_text("Not saved: no connection")
    page.reload()
    expect(page.get_by_label("Answer")).to_have_value("the bell")
    expect(page.locator("#save-status")).to_contain_text("Not saved: no connection")
    page.unroute("**/draft")
    saved(page)
    page.get_by_label("Yes, I ask this question").check()
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("Sent. Thank you.")).to_be_visible()
    shown = json.loads(photos.foveate("annotate", "show", "bikes", "--json"))
    assert shown["sent"] == 1
    assert {stage["name"]: stage["open"] for stage in shown["stages"]} == {"ask": 2, "box": 1}


def test_two_tabs_are_told_and_the_person_chooses(photos: LiveFoveate, visits: Visits) -> None:
    first = visits.open(photos, "annotator")
    picked(first)
    second = visits.another(first.context)
    visits.watches[second].allow("status of 409")
    second.goto(first.url)
    expect(second.locator("#small[data-ready=yes]")).to_be_attached()
    first.get_by_role("textbox", name="Question").fill("of the first")
    saved(first)
    second.get_by_role("textbox", name="Question").fill("of the second")
    expect(second.locator("#save-status")).to_contain_text("Another tab or computer has saved this task")
    second.get_by_role("button", name="Save for now").click()
    expect(second.get_by_role("alert")).to_contain_text("Another tab or computer has saved")
    expect(second.get_by_role("textbox", name="Question")).to_have_value("of the second")
    with second.expect_navigation():
        second.get_by_role("button", name="Keep what is here").click()
    first.reload()
    expect(first.get_by_role("textbox", name="Question")).to_have_value("of the second")


def test_without_javascript_it_is_the_same_by_buttons(photos: LiveFoveate, visits: Visits) -> None:
    page = visits.open(photos, "annotator", java_script_enabled=False)
    visits.watches[page].allow("status of 422")
    page.goto("/annotate/projects/bikes/photos/")
    page.get_by_role("button", name="photo0.png").click()
    page.get_by_role("textbox", name="Question").fill("What")
    page.get_by_role("button", name="Save for now").click()
    expect(page.get_by_role("textbox", name="Question")).to_have_value("What")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("Nothing is asked").first).to_be_visible()
    page.get_by_label("No, nothing in this photo").check()
    page.get_by_role("textbox", name="Question").fill("")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("Sent. Thank you.")).to_be_visible()
