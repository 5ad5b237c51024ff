"""The drawing page as a test uses it: places are pixels of the photo, whatever is on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Locator, Page, expect

Place = tuple[float, float]


class Drawing:
    """One open task."""

    def __init__(self, page: Page, number: int, size_wh: tuple[int, int] = (400, 300)) -> None:
        self.page, self.number, self.size_wh = page, number, size_wh

    def open(self) -> Drawing:
        """Opens it, and waits until one can draw."""
        self.page.goto(f"/annotate/work/{self.number}/")
        return self.wait()

    def wait(self) -> Drawing:
        """Waits until the photo and the work are there."""
        expect(self.page.locator("#draw[data-ready=yes][aria-busy=false]")).to_be_visible()
        return self

    @property
    def canvas(self) -> Locator:
        """What is drawn on."""
        return self.page.locator("#canvas")

    def on_screen(self, place: Place) -> Place:
        """Returns where a pixel of the photo is in the window, while the whole photo is shown."""
        self.canvas.scroll_into_view_if_needed()
        box = self.canvas.bounding_box()
        assert box is not None
        (width, height) = self.size_wh
        scale = min(box["width"] / width, box["height"] / height)
        left = box["x"] + (box["width"] - width * scale) / 2
        top = box["y"] + (box["height"] - height * scale) / 2
        return left + place[0] * scale, top + place[1] * scale

    def click(self, *places: Place, **options: Any) -> None:
        """Clicks at pixels of the photo."""
        for place in places:
            self.page.mouse.click(*self.on_screen(place), **options)

    def drag(self, start: Place, *ways: Place, button: Any = "left") -> None:
        """Presses at a pixel, goes over others, and lets go at the last."""
        self.page.mouse.move(*self.on_screen(start))
        self.page.mouse.down(button=button)
        for way in ways:
            self.page.mouse.move(*self.on_screen(way), steps=4)
        self.page.mouse.up(button=button)

    def press(self, *keys: str) -> None:
        """Presses keys on the photo."""
        self.canvas.focus()
        for key in keys:
            self.page.keyboard.press(key)

    def says(self, text: str) -> None:
        """Waits until the line under the photo says something."""
        expect(self.page.locator("#notice")).to_contain_text(text)

    def facts(self, text: str) -> None:
        """Waits until the line of facts says something."""
        expect(self.page.locator("#facts")).to_contain_text(text)

    def status(self, text: str) -> None:
        """Waits until the line on saving says something."""
        expect(self.page.locator("#save-status")).to_contain_text(text)

    def line(self) -> list[Place]:
        """Returns where the outline's points are, in CSS pixels of the photo's frame."""
        path = self.page.locator("svg.drawn path.line.over").get_attribute("d") or ""
        return [tuple(map(float, one.split())) for one in path.strip("MZ").split("L") if one]  # type: ignore[misc]

    def saved(self, wanted: str, value: Any = None) -> dict[str, Any]:
        """Waits until the server has a draft for which a condition holds, and returns its work.

        Args:
            wanted: JavaScript of `work` and `value`.
            value: What it is compared with.
        """
        found = self.page.evaluate(_ASKED.replace("WANTED", wanted), [self.number, value])
        assert found[0], f"the server has not what was wanted ({wanted}), but {found[1]}"
        work: dict[str, Any] = found[1]
        return work

    def polygon(self, count: int, *, closed: bool | None = None) -> list[Place]:
        """Waits until an outline of so many points is saved, and returns it."""
        condition = f"work.polygon.length === {count}"
        if closed is not None:
            condition += f" && work.closed === {str(closed).lower()}"
        return [(x, y) for x, y in self.saved(condition)["polygon"]]

    def is_saved(self, points: Sequence[Place]) -> None:
        """Waits until just this outline is saved."""
        same = "JSON.stringify(work.polygon) === JSON.stringify(value)"
        self.saved(same, [list(point) for point in points])

    def answer_no(self) -> None:
        """Answers the first two steps, so that one may draw."""
        for name in ("several_questions", "several_regions"):
            self.page.check(f"input[name={name}][value=no]")


def near(found: Any, wanted: Any, by: float = 0.6) -> None:
    """Fails where numbers differ by more than a mouse's whole pixels explain."""
    assert len(found) == len(wanted), (found, wanted)
    for one, other in zip(found, wanted, strict=True):
        for a, b in zip(one, other, strict=True):
            assert abs(a - b) <= by, (found, wanted)


_ASKED = """async ([number, value]) => {
  let work = null;
  for (const end = performance.now() + 10000; performance.now() < end;) {
    const { draft } = await (await fetch(`/api/v1/assignments/${number}`, { cache: 'no-store' })).json();
    work = draft?.work ?? null;
    if (work && (WANTED)) return [true, work];
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  return [false, work];
}"""
