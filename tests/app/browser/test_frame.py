"""The frame of every page, used as people use it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.app.browser.conftest import OpenAs, Visits
from tests.app.browser.looks import axe, by_keyboard, each_look, fits
from tests.app.live import LiveFoveate

GROUND = "() => getComputedStyle(document.body).backgroundColor"


def test_components_hold_in_every_look(admin_page: Page) -> None:
    admin_page.goto("/style/")

    def look(page: Page) -> None:
        axe(page)
        fits(page)

    each_look(admin_page, look)
    by_keyboard(admin_page)


def test_what_axe_finds_fails(page: Page) -> None:
    page.goto("/")
    page.evaluate(
        "() => document.querySelector('main').insertAdjacentHTML('beforeend', '<img src=/static/frame/icon.svg>')"
    )
    with pytest.raises(AssertionError, match="image-alt"):
        axe(page)


def test_a_page_that_is_too_wide_fails(page: Page) -> None:
    page.goto("/")
    page.evaluate("() => { document.querySelector('h1').style.width = '3000px' }")
    with pytest.raises(AssertionError, match="3000"):
        fits(page)


def test_what_tab_does_not_reach_and_what_shows_no_focus_fails(page: Page) -> None:
    page.goto("/")
    page.evaluate("() => document.querySelector('.brand').addEventListener('focus', event => event.target.blur())")
    page.evaluate(
        "() => document.querySelector('.brand').addEventListener('focusin', e => e.stopImmediatePropagation(), true)"
    )
    page.evaluate("() => { document.querySelector('.brand').style.outline = 'none' }")
    with pytest.raises(AssertionError, match=r"Tab does not reach|nobody sees"):
        by_keyboard(page)


def test_what_a_page_says_in_the_console_fails(visits: Visits, shared_foveate: LiveFoveate) -> None:
    page = visits.open(shared_foveate)
    page.goto("/no-such-page/")
    with pytest.raises(AssertionError, match="404"):
        visits.watches[page].check()
    visits.watches[page].allow("status of 404")
    page.evaluate("() => document.body.setAttribute('onclick', 'alert(1)')")
    with pytest.raises(AssertionError, match="Content Security Policy"):
        visits.watches[page].check()
    visits.watches[page].allow("Content Security Policy")


def test_a_heading_and_its_buttons_stand_in_one_line(visits: Visits, shared_foveate: LiveFoveate) -> None:
    page = visits.open(shared_foveate, "organiser")
    page.goto("/")
    heading, buttons = page.locator("#running").bounding_box(), page.locator("#running + .row").bounding_box()
    assert heading is not None
    assert buttons is not None
    middles = [box["y"] + box["height"] / 2 for box in (heading, buttons)]
    assert middles[0] == pytest.approx(middles[1], abs=3)


def test_on_a_phone_a_row_keeps_its_name_while_its_table_scrolls(admin_page: Page) -> None:
    admin_page.set_viewport_size({"width": 360, "height": 900})
    admin_page.goto("/accounts/people/")
    table, name = admin_page.locator(".table"), admin_page.locator("tbody th").first
    before = name.bounding_box()
    table.evaluate("table => { table.scrollLeft = table.scrollWidth }")
    assert table.evaluate("table => table.scrollLeft") > 50
    assert name.bounding_box() == before
    expect(admin_page.locator("tbody tr:first-child td:last-child")).to_be_in_viewport(ratio=1)


def test_the_skip_link_is_first_and_leads_to_the_content(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    expect(page.locator(".skip")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


def test_a_theme_is_chosen_without_a_script_and_stays(visits: Visits, shared_foveate: LiveFoveate) -> None:
    page = visits.open(shared_foveate, java_script_enabled=False)
    page.goto("/accounts/login/?next=/accounts/profile/")
    page.get_by_role("button", name="Appearance").click()
    page.get_by_role("button", name="High contrast").click()
    expect(page).to_have_url(f"{shared_foveate.url}/accounts/login/?next=/accounts/profile/")
    expect(page.locator("html")).to_have_attribute("data-theme", "contrast")
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("data-theme", "contrast")


def test_a_theme_is_kept_in_the_account(visits: Visits, live_foveate: LiveFoveate) -> None:
    first = visits.open(live_foveate, "annotator")
    first.goto("/")
    light = first.evaluate(GROUND)
    first.get_by_role("button", name="Appearance").click()
    first.get_by_role("button", name="Dark", exact=True).click()
    expect(first.locator("html")).to_have_attribute("data-theme", "dark")
    assert first.evaluate(GROUND) != light
    elsewhere = visits.open(live_foveate, "annotator")
    elsewhere.goto("/")
    expect(elsewhere.locator("html")).to_have_attribute("data-theme", "dark")


def test_the_device_is_followed_where_nothing_is_chosen(open_as: OpenAs) -> None:
    grounds = set()
    for scheme in ("light", "dark"):
        page = open_as(color_scheme=scheme)
        page.goto("/")
        grounds.add(page.evaluate(GROUND))
    assert len(grounds) == 2


def test_menus_close_by_escape_and_give_the_focus_back(annotator_page: Page) -> None:
    annotator_page.goto("/")
    button = annotator_page.get_by_role("button", name="annotator")
    button.focus()
    annotator_page.keyboard.press("Enter")
    expect(annotator_page.get_by_role("button", name="Sign out")).to_be_visible()
    axe(annotator_page)
    annotator_page.keyboard.press("Tab")
    expect(annotator_page.get_by_role("link", name="Profile")).to_be_focused()
    annotator_page.keyboard.press("Escape")
    expect(annotator_page.get_by_role("button", name="Sign out")).to_be_hidden()
    expect(button).to_be_focused()


def test_menus_stay_inside_a_narrow_window(open_as: OpenAs) -> None:
    page = open_as("admin", viewport={"width": 320, "height": 600})
    page.goto("/")
    for name in ("Appearance", "admin"):
        page.get_by_role("button", name=name).click()
        menu = page.locator(".menu:popover-open")
        box = menu.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 320
        fits(page)
        page.keyboard.press("Escape")


def test_errors_of_a_form_have_the_focus_and_lead_to_their_fields(page: Page) -> None:
    page.goto("/accounts/login/")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    summary = page.locator(".summary")
    expect(summary).to_be_focused()
    expect(summary.get_by_role("heading")).to_have_text("Something is not right yet")
    summary.get_by_role("link").first.click()
    name = page.locator("#id_username")
    expect(name).to_be_focused()
    expect(name).to_have_attribute("aria-invalid", "true")
    expect(name).to_have_accessible_description("This field is required.")
    each_look(page, axe)


@pytest.mark.parametrize("status", [400, 403, 404, 405, 413, 429, 500, 503])
def test_error_pages_hold_in_every_look(admin_page: Page, visits: Visits, status: int) -> None:
    visits.watches[admin_page].allow(f"status of {status}")
    response = admin_page.goto(f"/style/{status}/")
    assert response is not None
    assert response.status == status
    axe(admin_page)
    admin_page.set_viewport_size({"width": 320, "height": 800})
    fits(admin_page)
    axe(admin_page)


def test_pages_bear_larger_spacing_of_letters_and_larger_letters(admin_page: Page) -> None:
    """WCAG 1.4.12 and 1.4.4: nothing is cut off when lines, words and letters move apart, or at twice the size."""
    admin_page.set_viewport_size({"width": 640, "height": 900})
    admin_page.goto("/style/")
    admin_page.evaluate(
        """() => { const sheet = new CSSStyleSheet();
        sheet.replaceSync(`* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
          word-spacing: 0.16em !important } p { margin-bottom: 2em !important } html { font-size: 200% }`);
        document.adoptedStyleSheets = [sheet]; }"""
    )
    fits(admin_page)


def test_forced_colours_keep_focus_and_states_visible(open_as: OpenAs) -> None:
    page = open_as("admin", forced_colors="active")
    page.goto("/style/")
    axe(page)
    by_keyboard(page)
