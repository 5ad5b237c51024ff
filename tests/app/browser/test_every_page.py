"""Every page, for everybody who may see it: axe in every look, nothing wider than the window, all of it by keyboard."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.app.browser.conftest import Windows
from tests.app.browser.looks import NARROW, axe, by_keyboard, each_look, fits
from tests.app.browser.pages import NOBODY, OTHERS, PAGES, Shown, World, names
from tests.app.live import LiveFoveate


def test_every_address_of_the_site_is_in_the_table() -> None:
    ours = {name for name in names() if not name.startswith("admin:")}
    listed = {shown.name for shown in PAGES if not shown.name.startswith("admin:")}
    assert ours == listed | set(OTHERS)
    assert not listed & set(OTHERS)


@pytest.fixture(scope="module")
def world(shared_foveate: LiveFoveate) -> World:
    made: World = json.loads(shared_foveate.run("tests.app.browser.make_world"))
    return made


@pytest.fixture(scope="module")
def opened(browser: Browser, shared_foveate: LiveFoveate) -> Iterator[Windows]:
    windows = Windows(browser, shared_foveate)
    yield windows
    windows.close()


@pytest.fixture
def windows(opened: Windows) -> Iterator[Windows]:
    yield opened
    opened.check()


@pytest.mark.parametrize("shown", [pytest.param(shown, id=shown.label) for shown in PAGES])
def test_every_page(shown: Shown, windows: Windows, shared_foveate: LiveFoveate, world: World) -> None:
    for role in shown.roles:
        page = windows.of(None if role == NOBODY else role)
        response = page.goto(shown.entry(world))
        assert response is not None
        assert response.status == 200, role
        assert page.url == shared_foveate.url + shown.path(world), f"{role} was sent elsewhere"
        _look(page, shown, every=role == shown.roles[0])


def _look(page: Page, shown: Shown, *, every: bool) -> None:
    def check(page: Page) -> None:
        axe(page, without=shown.without)
        fits(page)

    if every:
        each_look(page, check)
        by_keyboard(page)
        return
    # What differs between people is mostly the links on top, and those have least room here.
    page.set_viewport_size({"width": NARROW, "height": 900})
    check(page)
