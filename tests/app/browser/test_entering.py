"""A large file is sent in a real browser: the line breaks, the page is loaded anew, and it goes on where it stopped."""

from __future__ import annotations

import os
from pathlib import Path

from playwright.sync_api import Route, expect

from tests.app.browser.conftest import Visits
from tests.app.live import LiveFoveate

PART = 8 * 2**20


def test_a_file_goes_on_after_a_broken_line_a_pause_and_a_reload(
    live_foveate: LiveFoveate, visits: Visits, tmp_path: Path
) -> None:
    live_foveate.run("tests.app.challenges.make_cup")
    file = tmp_path / "boxes.csv"
    file.write_bytes(os.urandom(3 * PART + 5))
    page = visits.open(live_foveate, "participant")
    visits.watches[page].allow("ERR_FAILED")
    sent: list[str] = []

    broken = True

    def put(route: Route) -> None:
        sent.append(route.request.url.partition("offset=")[2])
        # The second part is lost once; the third never comes through before the page is loaded anew.
        lost = sent == ["0", str(PART)] or sent[-1] == str(2 * PART)
        if broken and lost:
            route.abort()
        else:
            route.continue_()

    page.route("**/uploads/*offset=*", put)
    page.goto("/challenges/cup/evaluation/enter/")
    expect(page.locator("#enter[data-ready=yes]")).to_be_attached()
    page.get_by_label("File").set_input_files(file)
    page.get_by_label("Method").fill("Owl")
    page.get_by_role("button", name="Send", exact=True).press("Enter")
    expect(page.get_by_role("progressbar")).to_have_attribute("value", "66")
    expect(page.locator("#sent-said")).to_contain_text("It is tried again in")
    page.get_by_role("button", name="Pause").press("Enter")
    expect(page.locator("#sent-said")).to_have_text("Paused")
    assert sent[:3] == ["0", str(PART), str(PART)]
    broken = False
    page.reload()
    expect(page.get_by_text("You had begun to send boxes.csv.")).to_be_visible()
    sent.clear()
    page.get_by_label("File").set_input_files(file)
    page.get_by_label("Method").fill("Owl")
    page.get_by_role("button", name="Send", exact=True).press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Entry 1 of evaluation")
    # Nothing that was there was sent again.
    assert sent == [str(2 * PART), str(3 * PART)]
    stored = list((live_foveate.data / "media" / "challenges" / "entries").glob("*/entry.csv"))
    assert [path.read_bytes() for path in stored] == [file.read_bytes()]
    expect(page.locator("#entry")).to_have_attribute("data-state", "waiting")
    # The page follows what becomes of it: another tab withdraws it.
    other = visits.another(page.context)
    other.goto(page.url)
    other.get_by_text("Withdraw it").press("Enter")
    other.get_by_role("button", name="Withdraw").press("Enter")
    expect(other.locator("#entry")).to_have_attribute("data-state", "withdrawn")
    expect(page.locator("#entry")).to_have_attribute("data-state", "withdrawn")
