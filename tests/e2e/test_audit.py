"""The page of an audit as a browser shows it: keys judge labels, a button saves what was judged."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from foveate.datasets._open import open_dataset
from foveate.evaluation.verdicts import wrong_ids
from foveate.reports.audit.audit import audit_data
from tests.e2e.test_report import needs_chromium, shown
from tests.helpers import write
from tests.unit.reports.made import Page, write_table

# The first and the last are names that every object of the browser has.
NAMES = ["__proto__", 'b, "quoted"', "constructor"]
# What a person would press, and what the button would save, laid open where a test can see it.
HANDS = """<script>
addEventListener("load", () => {
  URL.createObjectURL = (blob) => { blob.text().then((text) => { document.body.dataset.saved = text; }); return "#"; };
  URL.revokeObjectURL = () => {};
  HTMLAnchorElement.prototype.click = () => {};
  for (const key of "jwjrjjkw") document.dispatchEvent(new KeyboardEvent("keydown", { key }));
  document.getElementById("export").click();
});
</script></body>"""


def page_of(tmp_path: Path) -> str:
    rows: list[Any] = [(name, "Where?", (n, 0, n + 1, 1), "") for n, name in enumerate(NAMES)]
    table = write_table(tmp_path / "photos", rows)
    return audit_data(open_dataset("folder", table.parent, questions=table))[1]["index.html"].decode()


@needs_chromium
def test_the_script_works_under_the_pages_own_policy(tmp_path: Path) -> None:
    page = shown(write(tmp_path / "r.html", page_of(tmp_path)), "", tmp_path / "profile")
    assert "0 of 3 judged: 0 wrong, 0 right, 0 unsure" in page.text
    assert not any("hidden" in element for element in page.of_class("verdict"))


@needs_chromium
def test_keys_judge_and_the_button_saves(tmp_path: Path) -> None:
    text = re.sub(r"<meta http-equiv[^>]*>", "", page_of(tmp_path)).replace("</body>", HANDS)
    page: Page = shown(write(tmp_path / "r.html", text), "", tmp_path / "profile")
    # j w: the first is wrong; j r: the second is right; j, j beyond the last, k w: the second is wrong after all.
    assert "2 of 3 judged: 2 wrong, 0 right, 0 unsure" in page.text
    assert [one.get("data-verdict") for one in page.of_class("suspect")] == ["wrong", "wrong", None]
    saved = write(tmp_path / "verdicts.csv", dict(page.elements)["body"]["data-saved"])
    assert wrong_ids(saved, NAMES, "made") == NAMES[:2]


@needs_chromium
def test_a_verdict_that_is_focused_keeps_the_focus(tmp_path: Path) -> None:
    look = (
        'document.querySelector("#label-2 input").focus(); document.body.dataset.saved = document.activeElement.name;'
    )
    text = re.sub(r"<meta http-equiv[^>]*>", "", page_of(tmp_path)).replace(
        "</body>", f"<script>{look}</script></body>"
    )
    page: Page = shown(write(tmp_path / "r.html", text), "", tmp_path / "profile")
    assert dict(page.elements)["body"]["data-saved"] == "verdict-2"
    assert ["at" in str(one["class"]).split() for one in page.of_class("suspect")] == [False, True, False]


@needs_chromium
def test_a_narrow_window_shows_all(tmp_path: Path) -> None:
    page = shown(write(tmp_path / "r.html", page_of(tmp_path)), "", tmp_path / "profile", 500)
    assert len(page.of_class("suspect")) == 3
