"""Tasks to draw on, on the shared server, each for one test."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from tests.app.browser.drawing import Drawing
from tests.app.live import LiveFoveate

Tasks = dict[str, Iterator[int]]
SQUARE = [(100.0, 100.0), (200.0, 100.0), (200.0, 200.0), (100.0, 200.0)]


@pytest.fixture(scope="session")
def tasks(shared_foveate: LiveFoveate) -> Tasks:
    """Assignments of the annotator by what they are of (`make_drawing.WANTED`)."""
    return made_on(shared_foveate)


def made_on(live: LiveFoveate) -> Tasks:
    """Makes the same on a server of a test's own."""
    made = json.loads(live.run("tests.app.browser.make_drawing"))
    return {name: iter(numbers) for name, numbers in made.items()}


@pytest.fixture
def drawing(annotator_page: Page, tasks: Tasks) -> Drawing:
    """An open task without steps, of which an outline is wanted."""
    return Drawing(annotator_page, next(tasks["polygon"])).open()


@pytest.fixture
def boxing(annotator_page: Page, tasks: Tasks) -> Drawing:
    """The same of a box."""
    return Drawing(annotator_page, next(tasks["box"])).open()


@pytest.fixture
def grounding(annotator_page: Page, tasks: Tasks) -> Drawing:
    """A task of three steps."""
    return Drawing(annotator_page, next(tasks["grounding"])).open()


def closed_square(drawing: Drawing) -> None:
    """Draws the square by mouse."""
    drawing.click(*SQUARE, SQUARE[0])
    drawing.facts("4 points · ")
