"""Deciding in a browser: by keys alone, by two people at once, and without a script."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.app.browser.conftest import OpenAs, Visits
from tests.app.browser.looks import axe
from tests.app.live import LiveFoveate

Tasks = dict[str, list[int]]


@pytest.fixture(scope="module")
def drawn(shared_foveate: LiveFoveate) -> Tasks:
    """Tasks by their project; the last is the least alike."""
    made: Tasks = json.loads(shared_foveate.run("tests.app.browser.make_adjudication"))
    return made


def ready(page: Page, slug: str, task: int) -> None:
    page.wait_for_url(re.compile(rf"/annotate/projects/{slug}/adjudicate/{task}/"))
    expect(page.locator("#adjudicate[data-ready=yes]")).to_be_visible()


def says(page: Page, text: str) -> None:
    expect(page.locator("#said")).to_contain_text(text)


def told(page: Page, task: int) -> dict[str, Any]:
    found: dict[str, Any] = page.request.get(f"/api/v1/tasks/{task}/adjudication").json()
    return found


def test_picking_mending_rejecting_and_going_on_by_keys_alone(open_as: OpenAs, visits: Visits, drawn: Tasks) -> None:
    page, tasks = open_as("organiser"), drawn["by-key"][::-1]
    page.goto("/annotate/projects/by-key/adjudicate/")
    page.get_by_role("link", name="Begin").press("Enter")
    # Least alike first.
    ready(page, "by-key", tasks[0])
    axe(page)
    keys = page.keyboard
    keys.press("Enter")
    says(page, "Choose first")
    keys.press("g")
    says(page, "needs an answer")
    keys.press("Shift+A")
    says(page, "A is hidden.")
    keys.press("b")
    says(page, "Chosen: B, Polygon with 4 points.")
    axe(page)
    keys.press("Enter")
    ready(page, "by-key", tasks[1])
    says(page, "Decided: 3.")
    first = told(page, tasks[0])
    assert first["standing"]["how"] == "picked"
    assert first["standing"]["picked"] == first["candidates"][1]["number"]
    # Mended: the first corner of A goes five pixels to the right, by keys.
    keys.press("a")
    says(page, "Chosen: A")
    keys.press("m")
    says(page, "You are changing A")
    keys.press("]")
    says(page, "Point 1 of 4")
    for _ in range(5):
        keys.press("Control+ArrowRight")
    says(page, "Point 1 at")
    axe(page)
    keys.press("Control+s")
    ready(page, "by-key", tasks[2])
    mended, before = told(page, tasks[1]), told(page, tasks[1])["candidates"][0]
    assert (mended["standing"]["how"], mended["standing"]["picked"]) == ("mended", before["number"])
    points = before["work"]["polygon"]
    assert mended["standing"]["work"]["polygon"] == [[points[0][0] + 5, points[0][1]], *points[1:]]
    # Rejected, with a reason.
    keys.press("r")
    axe(page, within="#dialog-reject")
    page.get_by_label("Why there is no one region").select_option("blurred")
    page.get_by_role("button", name="Choose this").press("Enter")
    says(page, "Chosen: rejected, The photo is too blurred")
    keys.press("Enter")
    ready(page, "by-key", tasks[3])
    assert told(page, tasks[2])["standing"]["work"]["reason"] == "blurred"
    # Taken back: the last one, to which it leads; then decided anew, and made gold.
    keys.press("u")
    ready(page, "by-key", tasks[2])
    says(page, "taken back")
    assert told(page, tasks[2])["standing"] is None
    keys.press("1")
    keys.press("Enter")
    ready(page, "by-key", tasks[3])
    page.goto(f"/annotate/projects/by-key/adjudicate/{tasks[2]}/?decided=any")
    ready(page, "by-key", tasks[2])
    keys.press("g")
    says(page, "is a gold question now")
    assert told(page, tasks[2])["gold"]
    keys.press("n")
    ready(page, "by-key", tasks[3])
    # Gold is compared with nobody, and in the queue no more.
    keys.press("p")
    ready(page, "by-key", tasks[1])


def test_two_reviewers_do_not_decide_over_one_another(open_as: OpenAs, visits: Visits, drawn: Tasks) -> None:
    one, two, task = open_as("organiser"), open_as("admin"), drawn["by-two"][-1]
    for page in (one, two):
        page.goto(f"/annotate/projects/by-two/adjudicate/{task}/")
        ready(page, "by-two", task)
    one.get_by_role("button", name="Choose A").click()
    one.get_by_label("Note for other reviewers").fill("A is tighter")
    one.get_by_role("button", name="Confirm").click()
    ready(one, "by-two", drawn["by-two"][-2])
    visits.watches[two].allow("status of 409")
    two.keyboard.press("b")
    two.keyboard.press("Enter")
    dialog = two.get_by_role("dialog", name="Somebody else has decided")
    expect(dialog).to_contain_text("organiser has decided meanwhile: picked.")
    expect(dialog).to_contain_text("A is tighter")
    axe(two, within="#dialog-meanwhile")
    dialog.get_by_role("button", name="Theirs").click()
    expect(two.locator("#standing")).to_contain_text("Picked, organiser")
    # Having seen it, the second may decide otherwise.
    ready(two, "by-two", task)
    two.keyboard.press("b")
    two.keyboard.press("Enter")
    two.wait_for_url(re.compile(rf"/adjudicate/{drawn['by-two'][-2]}/"))
    found = told(two, task)
    assert found["standing"]["picked"] == found["candidates"][1]["number"]
    # Letters can be switched off for who dictates; on the photo they still work.
    ready(two, "by-two", drawn["by-two"][-2])
    two.keyboard.press("?")
    two.get_by_label("Single letters work on the whole page").uncheck()
    two.get_by_role("dialog", name="Keys").get_by_role("button", name="Close").click()
    two.get_by_role("button", name="Reject").focus()
    two.keyboard.press("a")
    expect(two.locator("#choice")).to_have_text("Nothing is chosen yet.")
    two.locator("#canvas").focus()
    two.keyboard.press("a")
    expect(two.locator("#choice")).to_contain_text("Chosen: A")


def test_without_a_script_one_picks_by_forms(open_as: OpenAs, drawn: Tasks) -> None:
    page, tasks = open_as("organiser", java_script_enabled=False), drawn["by-forms"][::-1]
    page.goto(f"/annotate/projects/by-forms/adjudicate/{tasks[0]}/")
    expect(page.get_by_alt_text("The photo with each region outlined")).to_be_visible()
    page.get_by_role("button", name="Pick A").click()
    page.wait_for_url(re.compile(rf"/adjudicate/{tasks[1]}/"))
    expect(page.get_by_text("Decided: 3.")).to_be_visible()
