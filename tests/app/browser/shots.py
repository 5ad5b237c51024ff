"""Takes pictures of every page, to be looked at by people: `python -m tests.app.browser.shots OUT [PART-OF-A-NAME]`.

Each page as its first role sees it, light, dark and in high contrast on a desk, light and dark on a phone.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.app.live import LiveFoveate

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.app.settings")

LOOKS = (
    ("desk-light", "light", 1280),
    ("desk-dark", "dark", 1280),
    ("desk-contrast", "contrast", 1280),
    ("phone-light", "light", 360),
    ("phone-dark", "dark", 360),
)


def main(out: Path, part: str = "") -> None:
    """Writes `PAGE-LOOK.png` of each page whose name has a part."""
    import django

    django.setup()
    from tests.app.browser.conftest import OPTIONS, chromium

    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        live = LiveFoveate(Path(folder) / "live")
        live.start()
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(OPTIONS))
        try:
            _take(browser, live, out, part)
        finally:
            browser.close()
            live.stop()


def _take(browser: Browser, live: LiveFoveate, out: Path, part: str) -> None:
    from tests.app.browser.conftest import Visits
    from tests.app.browser.pages import NOBODY, PAGES

    world, visits = json.loads(live.run("tests.app.browser.make_world")), Visits(browser)
    for shown in (page for page in PAGES if part in page.label):
        role = shown.roles[0]
        page = visits.open(live, None if role == NOBODY else role)
        page.goto(shown.entry(world))
        page.wait_for_load_state("networkidle")
        for look, theme, width in LOOKS:
            page.set_viewport_size({"width": width, "height": 900})
            page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
            page.screenshot(path=out / f"{shown.label}-{look}.png", full_page=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])
