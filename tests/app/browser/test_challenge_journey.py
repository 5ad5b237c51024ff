"""The whole way of a participant in a real browser, by keys alone, on a server whose worker scores.

One signs up from the challenge's page, makes a team, sends a file, watches it until it is scored and sees its rank; a
second comes into the team by a link, is told what is wrong with a file, and lets a worse one rank, which the first
withdraws; somebody who is nobody sees the leaderboard. Each page on the way is looked at by axe. The values are known
beforehand: a box that is a quarter of the true one overlaps it by a quarter.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from foveate.datasets._tiny import TINY_BOXES
from tests.app import conftest as servers
from tests.app.browser.conftest import Visits
from tests.app.browser.looks import axe, fits
from tests.app.browser.people_drawing import no_mouse, tab_to
from tests.app.live import LiveFoveate

PASSWORD = "Seven-owls-in-a-tree"
BOARD = "a[href$='/leaderboard/']"


@pytest.fixture
def live(tmp_path: Path) -> Iterator[LiveFoveate]:
    yield from servers.running(LiveFoveate(tmp_path / "live", servers.tests_database(), workers=1))


def press(page: Page, wanted: str, heading: str, *, look: bool = True) -> None:
    """Goes to something by Tab and presses Enter; the page that comes has a heading, and nothing is wrong with it."""
    tab_to(page, wanted)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    if look:
        axe(page)
        fits(page)


def typed(page: Page, name: str, words: str) -> None:
    tab_to(page, f"[name={name}]")
    page.keyboard.type(words)


def signed_up(page: Page, name: str, heading: str) -> None:
    """Fills in the form of a new account, with the rules accepted."""
    for field, words in (("username", name), ("password1", PASSWORD), ("password2", PASSWORD)):
        typed(page, field, words)
    tab_to(page, "[name=rules]")
    page.keyboard.press("Space")
    press(page, "main form button.primary", heading)


def sent(page: Page, file: Path, method: str, number: int, state: str) -> None:
    """Sends a file from the page of entries, and watches it until it has come to an end."""
    press(page, "a[href$='/enter/']", "Send an entry")
    expect(page.locator("#enter[data-ready=yes]")).to_be_attached()
    tab_to(page, "[name=file]")
    # Not by the dialog that a key opens: on a bare page of one input, too, Chromium now and then tells of none.
    page.locator("[name=file]:focus").set_input_files(file)
    typed(page, "method", method)
    press(page, "#enter button.primary", f"Entry {number} of evaluation")
    expect(page.locator(f"#entry[data-state={state}]")).to_be_attached()
    axe(page)


def boxes(folder: Path, name: str, photos: list[str], share: float) -> Path:
    """Writes an entry of the left share of each true box: just that share is its overlap."""
    lines = ["image,left,top,right,bottom"]
    for photo, ((left, top, right, bottom), _) in zip(photos, TINY_BOXES, strict=True):
        lines.append(f"{photo},{left},{top},{left + share * (right - left)},{bottom}")
    file = folder / name
    file.write_text("\n".join(lines) + "\n")
    return file


def told_of_own_place(page: Page, sentence: str, rows: list[str]) -> None:
    """Looks at the leaderboard: what one's own team is told, and who is in it with which value."""
    press(page, BOARD, "Leaderboard: Evaluation")
    expect(page.locator(".notice.info")).to_contain_text(sentence)
    assert standing(page) == rows


def standing(page: Page) -> list[str]:
    """Returns the place, the team and the main value of each row of the leaderboard."""
    cells = ("td:first-child", "th a", "data >> nth=0")
    rows = page.locator("table.board tbody tr").all()
    return [" ".join(row.locator(cell).inner_text() for cell in cells) for row in rows]


def test_a_participant_goes_the_whole_way_by_keys(live: LiveFoveate, visits: Visits, tmp_path: Path) -> None:
    photos = json.loads(live.run("tests.app.browser.make_challenge_journey"))
    right, quarter = (boxes(tmp_path, f"{share}.csv", photos, share) for share in (1, 0.25))
    wrong = tmp_path / "wrong.csv"
    wrong.write_text(right.read_text().replace(photos[1], "nowhere.jpg"))
    ada = visits.open(live)
    mice = [no_mouse(ada)]
    ada.goto("/challenges/cup/")
    press(ada, "a[href$='/join/']", "Take part")
    signed_up(ada, "ada", "Your team")
    typed(ada, "name", "Night Owls")
    press(ada, "button[value=make]", "Night Owls")
    press(ada, "button[value=invite]", "Night Owls")
    link = ada.locator(".secret").inner_text()
    press(ada, "a[href$='/cup/entries/']", "Your team’s entries")
    sent(ada, right, "Exact", 2, "scored")
    scores = ada.get_by_role("table", name="Scores").get_by_role("row", name="mean_iou")
    expect(scores).to_contain_text("100.00")
    told_of_own_place(ada, "Your team has place 1.", ["1 Night Owls 100.00", "2 Owls 50.00"])

    bob = visits.open(live)
    mice.append(no_mouse(bob))
    bob.goto(link)
    press(bob, "main a.primary[href$='/join/']", "Take part")
    signed_up(bob, "bob", "Join Night Owls")
    press(bob, "main form button.primary", "Night Owls")
    expect(bob.get_by_role("table", name="Who is in it").get_by_role("row")).to_have_count(3)
    press(bob, "a[href$='/cup/entries/']", "Your team’s entries")
    left = bob.locator("main .cards").inner_text()
    sent(bob, wrong, "Wrong", 3, "refused")
    problems = bob.get_by_role("table", name="What the check found")
    expect(problems).to_contain_text("nowhere.jpg")
    expect(problems).to_contain_text(photos[1])
    press(bob, "a[href$='/cup/entries/']", "Your team’s entries")
    assert bob.locator("main .cards").inner_text() == left
    sent(bob, quarter, "A quarter", 4, "scored")

    # What is chosen counts, be it worse.
    _chosen(bob, 4)
    told_of_own_place(bob, "Your team has place 2.", ["1 Owls 50.00", "2 Night Owls 25.00"])
    _opened(ada, 4)
    tab_to(ada, "#entry ~ details summary")
    ada.keyboard.press("Enter")
    press(ada, "button[value=withdraw]", "Entry 4 of evaluation")
    expect(ada.locator("#entry[data-state=withdrawn]")).to_be_attached()
    told_of_own_place(ada, "Your team has place 1.", ["1 Night Owls 100.00", "2 Owls 50.00"])
    _chosen(ada, 2)

    nobody = visits.open(live)
    mice.append(no_mouse(nobody))
    nobody.goto("/challenges/cup/")
    press(nobody, BOARD, "Leaderboard: Evaluation")
    assert standing(nobody) == ["1 Night Owls 100.00", "2 Owls 50.00"]
    press(nobody, "tbody th a", "Night Owls")
    expect(nobody.get_by_role("table", name="Entries").get_by_role("row")).to_have_count(2)
    assert mice == [[], [], []]


def _opened(page: Page, number: int) -> None:
    press(page, "a[href$='/cup/entries/']", "Your team’s entries", look=False)
    press(page, f"a[href$='/entries/{number}/']", f"Entry {number} of evaluation", look=False)


def _chosen(page: Page, number: int) -> None:
    _opened(page, number)
    press(page, "button[value=choose]", f"Entry {number} of evaluation")
    expect(page.locator("#entry .badge", has_text="Chosen")).to_be_visible()
