"""Nothing is ever lost: reload, crash, lost network, two tabs, a server that restarts, a session that ends."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Dialog, Error, Page, Route, expect

from tests.app.browser.conftest import Visits
from tests.app.browser.drawing import Drawing
from tests.app.browser.drawing_fixtures import SQUARE, Tasks, closed_square, made_on
from tests.app.live import LiveFoveate

DRAFT = "**/api/v1/assignments/*/draft"


def version(drawing: Drawing) -> int:
    """Returns the newest version that the server has."""
    draft = drawing.page.request.get(f"/api/v1/assignments/{drawing.number}").json()["draft"]
    return int(draft["version"]) if draft else 0


def test_a_reload_brings_back_what_was_drawn(drawing: Drawing) -> None:
    closed_square(drawing)
    drawing.page.fill("#comment", "so it is")
    points = drawing.polygon(4, closed=True)
    drawing.saved("work.comment === 'so it is'")
    drawing.page.reload()
    drawing.wait().facts("4 points · ")
    assert drawing.page.input_value("#comment") == "so it is"
    drawing.is_saved(points)
    drawing.press("Control+z")
    drawing.says("nothing to undo")


def test_without_network_it_is_told_and_sent_when_it_is_back(drawing: Drawing, visits: Visits) -> None:
    visits.watches[drawing.page].allow("net::ERR_INTERNET_DISCONNECTED")
    drawing.click(SQUARE[0])
    drawing.polygon(1)
    drawing.page.context.set_offline(True)
    drawing.click(*SQUARE[1:])
    drawing.status("Not saved: no connection. It is kept on this computer")
    expect(drawing.page.locator("#said")).to_contain_text("no connection")
    drawing.click(SQUARE[0])
    drawing.page.context.set_offline(False)
    drawing.polygon(4, closed=True)
    drawing.status("Saved")


def test_a_crash_without_network_loses_nothing(drawing: Drawing, visits: Visits) -> None:
    page = drawing.page
    visits.watches[page].allow("ERR_INTERNET_DISCONNECTED")
    page.context.set_offline(True)
    closed_square(drawing)
    drawing.status("Not saved: no connection")
    page.close(run_before_unload=False)
    page.context.set_offline(False)
    again = Drawing(visits.another(page.context), drawing.number).open()
    again.facts("4 points · ")
    again.says("Taken from this computer")
    again.polygon(4, closed=True)
    again.status("Saved")
    assert again.page.evaluate("() => Object.keys(localStorage).filter(name => name.includes('draft'))") == []


def test_a_browser_that_forbids_to_keep_anything_draws_and_saves(
    annotator_page: Page, tasks: Tasks, visits: Visits
) -> None:
    page = annotator_page
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } })"
    )
    drawing = Drawing(page, next(tasks["polygon"])).open()
    drawing.click(SQUARE[0])
    drawing.polygon(1)
    drawing.status("Saved")
    visits.watches[page].allow("net::ERR_INTERNET_DISCONNECTED")
    page.context.set_offline(True)
    drawing.click(SQUARE[1])
    drawing.status("keep")
    page.context.set_offline(False)
    drawing.polygon(2)


def test_leaving_is_asked_about_only_while_something_is_unsent(drawing: Drawing, visits: Visits) -> None:
    page = drawing.page
    visits.watches[page].allow("ERR_FAILED")
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    page.route(DRAFT, lambda route: route.abort())
    closed_square(drawing)
    drawing.status("Not saved")
    with pytest.raises(Error, match="ERR_ABORTED"):
        page.goto("/")
    assert asked == ["beforeunload"]
    page.unroute(DRAFT)
    drawing.polygon(4, closed=True)
    drawing.status("Saved")
    page.goto("/")
    assert asked == ["beforeunload"]


def test_a_tab_without_changes_follows_the_other(drawing: Drawing, visits: Visits) -> None:
    other = Drawing(visits.another(drawing.page.context), drawing.number).open()
    expect(drawing.page.locator("#others")).to_be_visible()
    expect(other.page.locator("#others")).to_be_visible()
    closed_square(other)
    other.status("Saved")
    drawing.facts("4 points · ")
    drawing.says("Taken over from your other tab")
    before = version(other)
    drawing.page.fill("#comment", "from here")
    drawing.saved("work.comment === 'from here' && work.polygon.length === 4")
    expect(other.page.locator("#comment")).to_have_value("from here")
    assert version(drawing) > before
    other.page.close()
    expect(drawing.page.locator("#others")).to_be_hidden()


def _two_versions(drawing: Drawing, visits: Visits) -> Page:
    """Lets another person's hand save while this tab cannot, so that both have gone on; returns the dialog's page."""
    page = drawing.page
    visits.watches[page].allow("ERR_FAILED|status of 409")
    page.route(DRAFT, lambda route: route.abort())
    drawing.click(*SQUARE[:2])
    drawing.status("Not saved")
    _save_elsewhere(drawing, "by the other")
    page.unroute(DRAFT)
    expect(page.get_by_role("dialog", name="Another tab has saved this task")).to_be_visible()
    return page


def _save_elsewhere(drawing: Drawing, comment: str) -> None:
    """Saves as a browser elsewhere does, of which this one hears nothing."""
    cookies = {one["name"]: one["value"] for one in drawing.page.context.cookies()}
    work = {"stage": "polygon", "comment": comment, "polygon": [[1, 1], [9, 1], [9, 9]], "closed": True}
    answer = drawing.page.request.put(
        f"/api/v1/assignments/{drawing.number}/draft",
        data=json.dumps({"base": version(drawing), "tab": "elsewhere", "work": work}),
        headers={"Content-Type": "application/json", "X-CSRFToken": cookies["csrftoken"]},
    )
    assert answer.status == 200, answer.text()


def test_of_two_versions_mine_is_kept_on_top_of_the_other(drawing: Drawing, visits: Visits) -> None:
    page = _two_versions(drawing, visits)
    before = version(drawing)
    # Escape is no answer.
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Keep mine").click()
    drawing.polygon(2)
    assert version(drawing) == before + 1
    drawing.status("Saved")


def test_of_two_versions_the_other_is_taken_and_can_be_undone(drawing: Drawing, visits: Visits) -> None:
    page = _two_versions(drawing, visits)
    page.get_by_role("button", name="Take the other").click()
    drawing.facts("3 points · ")
    assert page.input_value("#comment") == "by the other"
    before = version(drawing)
    drawing.press("Control+z")
    drawing.polygon(2)
    assert version(drawing) == before + 1


def test_after_a_crash_both_versions_are_offered(drawing: Drawing, visits: Visits) -> None:
    page = drawing.page
    visits.watches[page].allow("ERR_INTERNET_DISCONNECTED")
    drawing.click(SQUARE[0])
    drawing.polygon(1)
    page.context.set_offline(True)
    drawing.click(*SQUARE[1:])
    drawing.status("Not saved")
    _save_elsewhere(drawing, "by the other")
    page.close(run_before_unload=False)
    page.context.set_offline(False)
    again = visits.another(page.context)
    again.goto(f"/annotate/work/{drawing.number}/")
    again.get_by_role("dialog", name="Two versions").get_by_role("button", name="This computer").click()
    Drawing(again, drawing.number).wait().polygon(4)


def test_a_server_that_restarts_amid_drawing(live_foveate: LiveFoveate, visits: Visits) -> None:
    page = visits.open(live_foveate, "annotator")
    visits.watches[page].allow("ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE")
    drawing = Drawing(page, next(made_on(live_foveate)["polygon"])).open()
    drawing.click(*SQUARE[:2])
    drawing.polygon(2)
    live_foveate.kill()
    drawing.click(*SQUARE[2:])
    drawing.status("Not saved: no connection")
    live_foveate.start()
    drawing.polygon(4)
    drawing.status("Saved")


def test_who_is_signed_out_signs_in_again_and_goes_on(drawing: Drawing, visits: Visits) -> None:
    page = drawing.page
    visits.watches[page].allow("status of 40[13]")
    session = next(one["value"] for one in page.context.cookies() if one["name"] == "sessionid")
    page.context.clear_cookies(name="sessionid")
    closed_square(drawing)
    drawing.status("Not saved: you are signed out")
    link = page.get_by_role("link", name="Sign in (in a new tab)")
    expect(link).to_be_visible()
    assert link.get_attribute("target") == "_blank"
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": page.url.partition("/annotate")[0]}])
    drawing.polygon(4, closed=True)
    expect(link).to_be_hidden()


def test_a_task_that_went_to_somebody_else_leaves_the_work_to_be_copied(drawing: Drawing, visits: Visits) -> None:
    page = drawing.page
    visits.watches[page].allow("status of 409")

    def over(route: Route) -> None:
        error = {"code": "lease_over", "message": "The task went to somebody else.", "remedy": "", "details": {}}
        route.fulfill(status=409, json={"error": error})

    page.route(DRAFT, over)
    drawing.click(*SQUARE[:3])
    dialog = page.get_by_role("dialog", name="cannot be saved any more")
    expect(dialog).to_contain_text("The task went to somebody else.")
    dialog.get_by_role("button", name="Copy my work").click()
    expect(page.locator("#copied")).not_to_have_value("")
    copied = json.loads(page.input_value("#copied"))
    assert len(copied["polygon"]) == 3
    drawing.click((300, 250))
    drawing.says("Nothing can be drawn just now")
    kept = page.evaluate("() => Object.entries(localStorage).filter(([name]) => name.includes('draft')).length")
    assert kept == 1


def test_seconds_are_of_attention(drawing: Drawing, tasks: Tasks) -> None:
    drawing.click(SQUARE[0])
    first = drawing.saved("work.polygon.length === 1")["seconds"]
    assert 0 < first < 60
    drawing.page.reload()
    drawing.wait().click(SQUARE[1])
    assert drawing.saved("work.polygon.length === 2")["seconds"] > first
