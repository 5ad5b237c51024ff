"""Asking about a photo in a real browser: by keyboard and ear, on a phone, and without a script at 400 per cent."""

from __future__ import annotations

import json
import re
from pathlib import Path

import PIL.Image
import PIL.ImageDraw
import pytest
from playwright.sync_api import Page, Route, expect

from tests.app.browser.conftest import OpenAs, Visits
from tests.app.browser.looks import axe, by_keyboard, each_look, fits

# Looks at nothing, and so is quick; it has a place to tell and no words.
QUICK, WORDS = "centre_box", "I have no words for it, only its place."
PLACE = "Middle of the photo, about "
# What a screen reader is given to say, in its order: the live region, and alerts as they come.
_LISTEN = """() => {
  window.heard = [];
  new MutationObserver(changes => {
    for (const change of changes) {
      const region = change.target.parentElement?.closest('#live') ?? change.target.closest?.('#live');
      if (region && region.textContent) window.heard.push(['polite', region.textContent]);
      for (const node of change.addedNodes) {
        if (node.matches?.('[role=alert]')) window.heard.push(['alert', node.textContent.trim()]);
      }
    }
  }).observe(document.body, { childList: true, characterData: true, subtree: true });
}"""


# A browser without a microphone and without a voice would do neither.
_EARS_AND_VOICE = """
  window.webkitSpeechRecognition = class extends EventTarget {
    start() {
      const heard = new Event('result');
      heard.results = [[{ transcript: ' What is this? ' }]];
      this.dispatchEvent(heard);
      this.dispatchEvent(new Event('end'));
    }
  };
  delete window.SpeechRecognition;
  window.aloud = [];
  speechSynthesis.speak = words => { window.aloud.push(words.text); };
"""


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    """A label to be read: dark letters on a light card, on a table."""
    picture = PIL.Image.new("RGB", (640, 480), (90, 70, 60))
    draw = PIL.ImageDraw.Draw(picture)
    draw.rectangle((130, 150, 510, 330), fill="white")
    draw.text((160, 180), "CREAMY TOMATO", fill="black", font_size=40)
    draw.text((160, 250), "BASIL SOUP", fill="black", font_size=40)
    path = tmp_path / "label.png"
    picture.save(path)
    return path


def heard(page: Page) -> list[list[str]]:
    found: list[list[str]] = page.evaluate("() => window.heard")
    return found


def tab_to(page: Page, label: str) -> None:
    """Presses Tab until something of that name has the focus."""
    for _press in range(60):
        page.keyboard.press("Tab")
        focus = page.locator(":focus")
        if focus.count() and label in (focus.evaluate(_NAME) or ""):
            return
    raise AssertionError(f"Tab does not reach {label}")


_NAME = (
    "element => element.labels?.[0]?.textContent.trim() || element.getAttribute('aria-label') || element.textContent"
)


def looked_at(page: Page) -> None:
    """Looks at a page in every theme, wide and narrow."""

    def look(shown: Page) -> None:
        axe(shown)
        fits(shown)

    each_look(page, look)


def glanced_at(page: Page) -> None:
    """Looks at a page that is made of the same parts as one that was looked at, on a phone."""
    page.set_viewport_size({"width": 320, "height": 900})
    axe(page)
    fits(page)


def test_by_keyboard_and_ear(open_as: OpenAs, visits: Visits, photo: Path) -> None:
    page = open_as("annotator")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.add_init_script(_EARS_AND_VOICE)
    visits.watches[page].allow("status of 422")
    page.goto("/ask/")
    expect(page.locator("html[data-ready=yes]")).to_be_attached()
    page.evaluate(_LISTEN)

    # Nothing is there yet: what to do is said at once, beside each field, and the first of them has the focus.
    tab_to(page, "Your question")
    page.keyboard.press("Enter")
    expect(page.locator("#id_question_error")).to_be_visible()
    alerts = [said for how, said in heard(page) if how == "alert"]
    assert alerts == [
        "There is no photo yet: take one, or choose one.",
        'Ask something, such as "What is this?"',
    ]
    focus = page.locator(":focus")
    assert focus.get_attribute("name") == "file"
    assert focus.get_attribute("aria-describedby") == f"{focus.get_attribute('id')}_error"
    looked_at(page)

    tab_to(page, "Choose a photo")
    page.get_by_label("Choose a photo").set_input_files(photo)
    expect(page.locator("#id_file_error")).not_to_be_attached()
    tab_to(page, "Speak the question")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Your question")).to_have_value("What is this?")
    expect(page.get_by_label("Your question")).to_be_focused()
    tab_to(page, "Method, and how places")
    page.keyboard.press("Enter")
    tab_to(page, "Method")
    for _press in range(30):
        if page.locator(":focus").input_value() != QUICK:
            page.keyboard.press("ArrowDown")
    assert page.locator(":focus").input_value() == QUICK

    # The server is slow today, as the page is told.
    states = [
        {"state": "waiting", "said": "You are third in line.", "about": "It takes about 9 seconds."},
        {"state": "waiting", "said": "You are third in line.", "about": "It takes about 8 seconds."},
        {"state": "waiting", "said": "You are next.", "about": "It takes about 4 seconds."},
        {"state": "working", "said": "Looking at the photo.", "about": ""},
    ]

    def state(route: Route) -> None:
        # The last one stays until it was heard, since the answer takes the place of what still waits to be said.
        if len(states) > 1 or ["polite", states[0]["said"]] not in heard(page):
            now = states.pop(0) if len(states) > 1 else states[0]
            route.fulfill(body=json.dumps(now), content_type="application/json")
        else:
            route.continue_()

    page.route("**/state", state)
    tab_to(page, "Ask")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text(WORDS)
    assert re.search(r"/ask/answers/[^/]+/$", page.url)
    assert page.title().startswith(WORDS)
    assert page.locator(":focus").evaluate("element => element.tagName") == "H1"
    # The heading is heard because it has the focus; the live region says what comes after it, and nothing of it again.
    page.wait_for_function("start => document.getElementById('live').textContent.startsWith(start)", arg=PLACE)
    said = [said for how, said in heard(page) if how == "polite"]
    order = ["Sending the photo.", "You are third in line.", "You are next.", "Looking at the photo."]
    assert [each for each in said if each in order] == order
    assert said[-1].startswith(PLACE)
    assert sum(each.startswith(PLACE) for each in said) == 1
    assert not any(WORDS in each for each in said)
    tree = page.get_by_role("main").aria_snapshot()
    for part in (
        f'- heading "{WORDS}" [level=1]',
        f'- img "The photo with the answer outlined. {WORDS} Middle of the photo',
        '- link "Larger"',
        '- link "Hide the rest"',
        '- link "Read the text in it"',
        '- link "Why?"',
        '- button "Copy the answer"',
        '- textbox "Your question"',
        '- button "Ask again"',
        '- combobox "Method"',
        '- button "Forget this photo now"',
    ):
        assert part in tree, f"{part}\n{tree}"
    looked_at(page)
    by_keyboard(page)
    page.get_by_role("button", name="Copy the answer").press("Enter")
    expect(page.locator("#live")).to_have_text("The answer is copied.")
    whole = f"{WORDS} {said[-1]}"
    assert page.evaluate("() => navigator.clipboard.readText()") == whole
    page.get_by_role("button", name="Say it aloud").press("Enter")
    assert page.evaluate("() => window.aloud") == [whole]
    expect(page.get_by_role("button", name="Stop")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Stop").press("Enter")
    expect(page.get_by_role("button", name="Say it aloud")).to_be_visible()
    page.unroute("**/state")
    _is_looked_at_closer(page)

    # The same photo again: it is not sent anew, and the question has a page of its own, to which one can go back.
    page.evaluate(_LISTEN)
    first = page.url
    page.get_by_label("Your question").fill("And that?")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url != first)
    expect(page.get_by_text(f"You asked {QUICK}: And that?")).to_be_visible()
    assert heard(page)[0] == ["polite", "Asking."]
    page.go_back()
    expect(page.get_by_text(f"You asked {QUICK}: What is this?")).to_be_visible()
    assert page.url == first
    page.get_by_role("button", name="Forget this photo now").press("Enter")
    expect(page.get_by_text("The photo is forgotten, with all that was asked about it.")).to_be_visible()
    visits.watches[page].allow("status of 404")
    page.goto(first)
    expect(page.locator("h1")).to_have_text("It is not here any more")
    glanced_at(page)


def _is_looked_at_closer(page: Page) -> None:
    """Goes through what can be had of an answer, and back."""
    answer = page.url
    page.get_by_role("link", name="Larger").press("Enter")
    pane = page.get_by_role("region", name="The picture, to be moved")
    pane.focus()
    before = pane.evaluate("element => [element.scrollWidth, element.clientWidth]")
    assert before[0] == before[1]
    for key in ("+", "+", "+"):
        page.keyboard.press(key)
    assert pane.evaluate("element => element.scrollWidth / element.clientWidth") == pytest.approx(3, abs=0.02)
    left = pane.evaluate("element => element.scrollLeft")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("left => document.getElementById('pane').scrollLeft > left", arg=left)
    page.keyboard.press("0")
    # All of it, whatever its shape and the window's.
    whole = "element => [element.scrollWidth / element.clientWidth, element.scrollHeight / element.clientHeight]"
    assert pane.evaluate(whole) == [1, 1]
    looked_at(page)
    page.get_by_role("button", name="More contrast").press("Enter")
    expect(page.get_by_text("The contrast is enhanced.")).to_be_visible()
    for path in ("hide/rest/", "hide/screen/", "hide/private/", "why/?map=1"):
        page.goto(answer + path)
        page.wait_for_load_state("networkidle")
        glanced_at(page)
    page.goto(f"{answer}text/")
    expect(page.locator(".ask-text")).to_be_visible(timeout=60_000)
    glanced_at(page)
    page.get_by_role("link", name="Back to the answer").press("Enter")


def test_on_a_phone_the_button_is_under_the_thumb_and_covers_nothing(open_as: OpenAs) -> None:
    page = open_as(viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True)
    page.goto("/ask/")
    expect(page.get_by_label("Take a photo")).to_have_attribute("capture", "environment")
    expect(page.get_by_label("Take a photo")).to_be_visible()
    bar = page.get_by_role("button", name="Ask", exact=True).bounding_box()
    assert bar is not None
    assert bar["y"] + bar["height"] > 740 - 40
    page.get_by_text("Method, and how places").tap()
    for _press in range(25):
        page.keyboard.press("Tab")
        focus = page.locator(":focus")
        if focus.count():
            assert not focus.evaluate(_COVERED), focus.evaluate("element => element.outerHTML")
    small = page.evaluate(_SMALL)
    assert not small, small
    # How far it is stands with the button, in sight.
    asked = {"answer": "/ask/answers/x/", "state": "/ask/answers/x/state", "advice": []}
    third = {"state": "waiting", "said": "You are third in line.", "about": "It takes about 9 seconds."}
    page.route("**/ask/", lambda route: route.fulfill(json=asked))
    page.route("**/state", lambda route: route.fulfill(json=third))
    page.get_by_role("button", name="Ask", exact=True).tap()
    expect(page.locator("[data-said]", has_text="You are third in line.")).to_be_in_viewport(ratio=1)


_COVERED = """element => {
  const box = element.getBoundingClientRect();
  const above = y => document.elementFromPoint(box.x + box.width / 2, y)?.closest('.ask-bar');
  return !element.closest('.ask-bar') && [box.top + 1, box.bottom - 1].some(y => y > 0 && y < innerHeight && above(y));
}"""
_SMALL = """() => [...document.querySelectorAll('main :is(button, .button, input, select, summary)')]
  .filter(element => !element.matches('[type=hidden], [type=radio]'))
  .filter(element => element.checkVisibility() && element.getBoundingClientRect().height < 48)
  .map(element => element.outerHTML.slice(0, 120))"""


def test_without_a_script_at_four_hundred_per_cent(open_as: OpenAs, photo: Path) -> None:
    # A window of 1280 x 1024 at 400 per cent.
    page = open_as(java_script_enabled=False, viewport={"width": 320, "height": 256})
    page.goto("/ask/")
    page.get_by_label("Choose a photo").set_input_files(photo)
    page.get_by_label("Your question").fill("What does it say?")
    fits(page)
    page.get_by_role("button", name="Ask", exact=True).click()
    # The page looks again by itself until pocket has loaded its networks.
    page.wait_for_url("**/ask/answers/*/")
    expect(page.locator("h1")).to_contain_text("Creamy tomato", ignore_case=True, timeout=60_000)
    expect(page.locator(".ask-rest")).to_contain_text("of the photo")
    fits(page)
    assert not page.evaluate(_SMALL)
    expect(page.get_by_role("button", name="Copy the answer")).not_to_be_attached()
    page.get_by_role("link", name="Read the text in it").click()
    expect(page.locator(".ask-text")).to_contain_text("BASIL SOUP", timeout=60_000)
    fits(page)
    page.get_by_role("link", name="Back to the answer").click()
    page.get_by_role("link", name="Larger").click()
    page.get_by_role("button", name="Made straight").click()
    expect(page.locator("h1")).to_have_text("Straight and larger", timeout=60_000)
    page.get_by_role("button", name="Zoom in").click()
    expect(page.locator("#pane img")).to_have_attribute("data-zoom", "150")
    fits(page)
