"""The very first page, on a server that nobody has used yet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.app.browser.conftest import Visits
from tests.app.browser.looks import axe, by_keyboard, each_look, fits
from tests.app.conftest import running
from tests.app.live import LiveFoveate


class Unused(LiveFoveate):
    """A server without an admin, and without people of ours."""

    @property
    def environment(self) -> dict[str, str]:
        """The variables of its commands, but for those that make the admin."""
        return {name: value for name, value in super().environment.items() if not name.startswith("FOVEATE_ADMIN_")}

    def run(self, module: str) -> str:
        """Makes nobody."""
        return "{}"


@pytest.fixture
def unused(tmp_path: Path) -> Iterator[LiveFoveate]:
    yield from running(Unused(tmp_path / "unused"))


def test_the_first_admin_is_made_and_comes_to_a_page_that_says_how_to_begin(
    visits: Visits, unused: LiveFoveate
) -> None:
    page = visits.open(unused)
    page.goto(f"/accounts/setup/{(unused.data / 'setup.code').read_text().strip()}")

    def look(page: Page) -> None:
        axe(page)
        fits(page)

    each_look(page, look)
    by_keyboard(page)
    page.get_by_label("Your name for signing in").fill("first")
    page.get_by_label("Password", exact=True).fill("Correct-horse-7-battery")
    page.get_by_label("Password confirmation").fill("Correct-horse-7-battery")
    page.get_by_role("button", name="Make the admin").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Hello, first")
    expect(page.get_by_text("You are the first one here.")).to_be_visible()
    axe(page)
