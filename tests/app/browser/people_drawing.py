"""How people of the journey draw: one by mouse, one by keys alone."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.app.browser.drawing import Drawing
from tests.app.browser.hand import Corners

# What no keyboard makes; a button that Enter presses has a "click" too, so that is not among them.
_MOUSE = ("mousedown", "mouseup", "mousemove", "pointerdown", "pointermove", "touchstart", "wheel")


def opened(page: Page, sizes: dict[str, tuple[int, int]], questions: dict[str, str]) -> tuple[Drawing, str]:
    """Returns the task that a page shows, and the sample it is of."""
    page.wait_for_url(re.compile(r"/annotate/work/\d+/$"))
    number = int(page.url.rstrip("/").rpartition("/")[2])
    sample = questions[page.request.get(f"/api/v1/assignments/{number}").json()["task"]["question"]]
    height, width = sizes[sample]
    return Drawing(page, number, (width, height)).wait(), sample


def take(page: Page) -> None:
    """Takes a task by mouse."""
    page.goto("/annotate/")
    page.get_by_role("button", name="Take a task").click()


def by_mouse(drawing: Drawing, corners: Corners) -> None:
    """Answers both steps and draws an outline; it is not sent."""
    drawing.answer_no()
    # The page does not scroll between clicks, so that it is asked where it is only once.
    (left, top), (right, _) = drawing.on_screen((0, 0)), drawing.on_screen((drawing.size_wh[0], 0))
    scale = (right - left) / drawing.size_wh[0]
    for x, y in (*corners, corners[0]):
        drawing.page.mouse.click(left + x * scale, top + y * scale)
    drawing.facts(f"{len(corners)} points · ")


def send(page: Page, submit: Callable[[], None]) -> None:
    """Submits, and waits for the page that comes next."""
    before = page.url
    submit()
    page.wait_for_url(lambda url: url != before)


def no_mouse(page: Page) -> list[str]:
    """Returns a list that every event of a mouse or finger on the page's documents is added to."""
    seen: list[str] = []
    page.expose_function("sawMouse", lambda name: seen.append(name))
    page.add_init_script(
        f"for (const name of {list(_MOUSE)}) addEventListener(name, () => window.sawMouse(name), true);"
    )
    return seen


def tab_to(page: Page, wanted: str) -> None:
    """Goes on by Tab until what is wanted (a CSS selector) has the focus."""
    for _ in range(150):
        if page.evaluate("wanted => document.activeElement.matches(wanted)", wanted):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never comes to {wanted}")


def take_by_keys(page: Page) -> None:
    """Takes a task by keyboard alone."""
    page.goto("/annotate/")
    tab_to(page, "form[action$='/take/'] button")
    page.keyboard.press("Enter")


def by_keys(drawing: Drawing, corners: Corners) -> None:
    """The same by keyboard alone: the crosshair begins in the photo's upper left corner, and counts pixels."""
    page = drawing.page
    tab_to(page, "#canvas")
    # One pixel of the screen is one of the photo, so that a far step is ten of both.
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    drawing.says("Crosshair at")
    width, height = drawing.size_wh
    x, y = _walk(page, (float(width), float(height)), (0.0, 0.0), more=1)
    for corner in corners if _answers_by_keys(drawing) else ():
        x, y = _walk(page, (x, y), corner)
        page.keyboard.press("Enter")
    page.keyboard.press("c")
    drawing.facts(f"{len(corners)} points · ")


def submit_by_keys(page: Page) -> None:
    """Goes to the button and presses it."""
    tab_to(page, "#submit")
    page.keyboard.press("Enter")


def _answers_by_keys(drawing: Drawing) -> bool:
    page = drawing.page
    for name in ("several_questions", "several_regions"):
        tab_to(page, f"input[name={name}]")
        page.keyboard.press("ArrowRight")
        if not page.is_checked(f"input[name={name}][value=no]"):
            page.keyboard.press("ArrowRight")
    expect(page.locator("input[name=several_regions][value=no]")).to_be_checked()
    tab_to(page, "#canvas")
    page.keyboard.press("Enter")
    return True


def _walk(page: Page, here: tuple[float, float], there: tuple[float, float], more: int = 0) -> tuple[float, float]:
    """Moves the crosshair by far steps and single pixels; `more` far steps beyond, to be stopped by the edge."""
    for axis, (less, greater) in enumerate((("ArrowLeft", "ArrowRight"), ("ArrowUp", "ArrowDown"))):
        by = round(there[axis] - here[axis])
        key = greater if by > 0 else less
        far, single = divmod(abs(by), 10)
        for _ in range(far + more):
            page.keyboard.press(f"Shift+{key}")
        for _ in range(single):
            page.keyboard.press(f"Control+{key}")
    return there
