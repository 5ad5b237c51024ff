"""Looking at a page as people do: in every theme, wide and narrow, by axe's rules, and by keyboard."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

THEMES = ("light", "dark", "contrast")
WIDE, NARROW = 1280, 320
# A theme sets colours and nothing else, so these can differ in it; all rules are looked at in the first, at each width.
COLOURS = ("color-contrast", "link-in-text-block")
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")

Check = Callable[[Page], None]


@cache
def _script() -> str:
    return str(AXE_SCRIPT)


def axe(page: Page, *, within: str | None = None, without: tuple[str, ...] = ()) -> None:
    """Fails where axe finds anything.

    Args:
        page: A page that is there.
        within: A selector of the part to look at.
        without: Rules to leave out.
    """
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(_script())
    only_colours = page.evaluate("() => window.onlyColours === true")
    options = {
        "runOnly": _only(COLOURS, without) if only_colours else {"type": "tag", "values": list(TAGS)},
        "rules": {} if only_colours else {rule: {"enabled": False} for rule in without},
        "resultTypes": ["violations"],
        "preload": False,
    }
    found = page.evaluate("([within, options]) => axe.run(within ?? document, options)", [within, options])
    lines = [line for violation in found["violations"] for line in _told(violation)]
    assert not lines, "\n".join([f"axe on {page.url}, {_look(page)}:", *lines])


def _only(rules: tuple[str, ...], without: tuple[str, ...]) -> dict[str, Any]:
    return {"type": "rule", "values": [rule for rule in rules if rule not in without]}


def _told(violation: dict[str, Any]) -> list[str]:
    head = f"{violation['id']} ({violation['impact']}): {violation['help']}"
    summaries = ((node["html"][:160], node["failureSummary"].replace("\n", " ")) for node in violation["nodes"])
    return [head, *(f"    {html}\n        {summary}" for html, summary in summaries)]


def _look(page: Page) -> str:
    theme = page.evaluate("() => document.documentElement.dataset.theme")
    return f"theme {theme}, {page.evaluate('() => innerWidth')} px wide"


def fits(page: Page) -> None:
    """Fails where the page is wider than its window, so that each line needs scrolling to the side."""
    inside, window = page.evaluate("() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert inside <= window, f"{page.url}, {_look(page)}: {inside} px of content in {window}: {page.evaluate(_WIDEST)}"


def each_look(page: Page, check: Check) -> None:
    """Does a check in every theme, narrow and wide; the page stays loaded, and has its own look again after it."""
    own = page.evaluate("() => document.documentElement.dataset.theme")
    for width in (NARROW, WIDE):
        page.set_viewport_size({"width": width, "height": 900})
        for theme in THEMES:
            page.evaluate(_WEAR, [theme, theme != THEMES[0]])
            check(page)
    page.evaluate(_WEAR, [own, False])


def by_keyboard(page: Page) -> None:
    """Fails where Tab does not reach something that can be used, or where it is not seen that it has the focus."""
    names: list[str] = page.evaluate(_MARK)
    for _ in range(2):
        for _press in range(len(names) + 2):
            page.keyboard.press("Tab")
        if not page.evaluate("() => window.tabbed.size < window.tabbable.length"):
            break
    seen = page.evaluate("() => [[...window.tabbed], [...window.unseen]]")
    missed = [name for number, name in enumerate(names) if number not in seen[0]]
    assert not missed, f"{page.url}: Tab does not reach {missed}"
    assert not seen[1], f"{page.url}: nobody sees that these have the focus: {[names[number] for number in seen[1]]}"


_WEAR = """([theme, onlyColours]) => {
  document.documentElement.dataset.theme = theme;
  window.onlyColours = onlyColours;
}"""

_WIDEST = """() => [...document.body.querySelectorAll('*')]
  .filter(element => element.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
  .slice(0, 5).map(element => element.outerHTML.slice(0, 120))"""

# Of a group of radio buttons Tab reaches one only, the arrows the others.
_MARK = """() => {
  const wanted = 'a[href], button, input:not([type=hidden]), select, textarea, summary, iframe, [tabindex]';
  const radios = new Set();
  const first = element => {
    if (element.type !== 'radio') return true;
    const group = `${element.form?.action} ${element.name}`;
    const alone = !document.querySelector(`input[type=radio][name="${CSS.escape(element.name)}"]:checked`);
    if (!alone) return element.checked;
    return !radios.has(group) && Boolean(radios.add(group));
  };
  const looks = element => {
    const style = getComputedStyle(element);
    return [style.outlineStyle, style.outlineWidth, style.boxShadow, style.borderColor, style.backgroundColor].join();
  };
  const usable = element => element.tabIndex >= 0 && !element.matches(':disabled') && !element.closest('[inert]')
    && element.checkVisibility({ visibilityProperty: true });
  document.activeElement?.blur();
  window.tabbable = [...document.querySelectorAll(wanted)].filter(usable).filter(first);
  const before = window.tabbable.map(looks);
  window.tabbed = new Set();
  window.unseen = new Set();
  document.addEventListener('focusin', event => {
    let number = window.tabbable.indexOf(event.target);
    if (event.target.type === 'radio') {
      number = window.tabbable.findIndex(other => other.type === 'radio' && other.name === event.target.name
        && other.form === event.target.form);
    }
    if (number < 0) return;
    window.tabbed.add(number);
    if (event.target === window.tabbable[number] && looks(event.target) === before[number]) window.unseen.add(number);
  });
  return window.tabbable.map(element => element.outerHTML.replace(/\\s+/g, ' ').slice(0, 120));
}"""
