"""A real Chromium, and pages in it that are signed in as somebody.

Playwright's loop runs in the test's own thread, so a test with these fixtures never asks Django's database itself: what
it needs is set up by requests or by commands in another process (`LiveFoveate.foveate`, `LiveFoveate.run`).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.app.browser.drawing_fixtures import boxing, drawing, grounding, tasks
from tests.app.browser.watch import Watch
from tests.app.live import LiveFoveate

__all__ = ["boxing", "drawing", "grounding", "tasks"]

# Where Debian puts it; first the one without a window's own parts, which are pages too, made anew with each window.
USUAL = ("/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "chromium")
# No name is looked up, so that nothing can leave this machine even by mistake.
OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)

# A busy machine may take its time; what is waited for comes, or it does not.
expect.set_options(timeout=20_000)

OpenAs = Callable[..., Page]


def chromium() -> str | None:
    """Returns where Chromium is: `FOVEATE_CHROMIUM`, else where Debian puts it, else on the path."""
    chosen = os.environ.get("FOVEATE_CHROMIUM")
    return next(filter(None, map(shutil.which, (*([chosen] if chosen else []), *USUAL))), None)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The browser, one for all tests of a file: as long as it is open, Django's database refuses this thread."""
    path = chromium()
    if path is None:
        pytest.skip("no Chromium here: install the package chromium, or say where it is by FOVEATE_CHROMIUM")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(OPTIONS))
        yield browser
        browser.close()


def sign_in(context: BrowserContext, live: LiveFoveate, role: str | None) -> None:
    """Gives a context the cookie of the person of a role; none for nobody."""
    if role is not None:
        context.add_cookies([{"name": "sessionid", "value": live.people[role].session, "url": live.url}])


class Visits:
    """Opens pages, and knows what each is watched by."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self.watches: dict[Page, Watch] = {}

    def open(self, live: LiveFoveate, role: str | None = None, **options: Any) -> Page:
        """Returns a page in a context of its own, signed in as the person of a role where one is given.

        Args:
            live: The server; addresses such as `page.goto("/")` are its.
            role: One of `live.people`.
            options: More of Playwright's for a context.
        """
        usual = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce", "base_url": live.url}
        context = self._browser.new_context(**{**usual, **options})
        context.set_default_timeout(15_000)
        self._contexts.append(context)
        sign_in(context, live, role)
        return self.another(context)

    def another(self, context: BrowserContext) -> Page:
        """Returns one more page (a tab) of a context."""
        page = context.new_page()
        self.watches[page] = Watch(page)
        return page

    def close(self) -> None:
        """Closes all, and fails where a page did what none may."""
        for context in self._contexts:
            context.close()
        for watch in self.watches.values():
            watch.check()


class Windows:
    """One page of each person for many tests: to open a window takes longer than to look at what is in it.

    `check` fails where a page did what none may, and leaves each as one that was just opened, so that no test finds
    what another stored.
    """

    def __init__(self, browser: Browser, live: LiveFoveate) -> None:
        self._visits, self._live = Visits(browser), live
        self._pages: dict[str | None, Page] = {}
        self._used: list[str | None] = []

    def of(self, role: str | None) -> Page:
        """Returns the page of the person of a role; of nobody who is signed in for None."""
        if role not in self._pages:
            self._pages[role] = self._visits.open(self._live, role)
        self._used.append(role)
        return self._pages[role]

    def check(self) -> None:
        """Ends a test."""
        for role in self._used:
            page = self._pages[role]
            page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
            # Whatever the page does as it is left is seen now.
            page.goto("about:blank")
            page.set_viewport_size({"width": 1280, "height": 900})
            self._note_session(page, role)
            page.context.clear_cookies()
            sign_in(page.context, self._live, role)
        self._used.clear()
        for watch in self._visits.watches.values():
            watch.check()

    def _note_session(self, page: Page, role: str | None) -> None:
        """Remembers a person's session, which has a new key after a link that gave something."""
        found = [one["value"] for one in page.context.cookies() if one["name"] == "sessionid"]
        if role is not None and found:
            self._live.people[role].session = found[0]

    def close(self) -> None:
        """Closes all."""
        self._visits.close()


@pytest.fixture
def visits(browser: Browser) -> Iterator[Visits]:
    """Pages on any server: `visits.open(live_foveate, "annotator")`; `visits.watches[page].allow("status of 404")`."""
    visits = Visits(browser)
    yield visits
    visits.close()


@pytest.fixture
def open_as(visits: Visits, shared_foveate: LiveFoveate) -> OpenAs:
    """Pages on the shared server: `open_as("organiser")`, `open_as()` for nobody who is signed in."""

    def opened(role: str | None = None, **options: Any) -> Page:
        return visits.open(shared_foveate, role, **options)

    return opened


@pytest.fixture
def page(open_as: OpenAs) -> Page:
    """A page of somebody who is not signed in."""
    return open_as()


@pytest.fixture
def admin_page(open_as: OpenAs) -> Page:
    """A page of an admin."""
    return open_as("admin")


@pytest.fixture
def organiser_page(open_as: OpenAs) -> Page:
    """A page of an organiser."""
    return open_as("organiser")


@pytest.fixture
def annotator_page(open_as: OpenAs) -> Page:
    """A page of an annotator."""
    return open_as("annotator")


@pytest.fixture
def participant_page(open_as: OpenAs) -> Page:
    """A page of a participant."""
    return open_as("participant")
