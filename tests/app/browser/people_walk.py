"""What people of the second journey do: apply, qualify, work, check, decide. Each is a visit through the pages."""

from __future__ import annotations

import json
import re
from pathlib import Path
from shutil import copyfile
from typing import Any, cast

import numpy as np
from playwright.sync_api import Page, expect

from foveate.core.regions import Polygon
from foveate.datasets._open import open_dataset
from tests.app.browser import hand
from tests.app.browser.hand import IDS, Corners
from tests.app.browser.people_drawing import by_mouse, opened, send

# What is lent as gold among the others, and what the first gold question of the qualification is.
LENT_GOLD = ("rocket#fly", "hopper#hat")
SAUCER, SEVERAL, ABSENT = "saucer", "several", "absent"
_EXTRA = (*LENT_GOLD, "coffee#saucer")
_REGIONS = {
    query.id: (query, truth.targets[0].shape)
    for query, truth in open_dataset("photos").pairs(with_images=False)
    if query.id in {*IDS, *_EXTRA}
}
TARGETS: dict[str, Corners] = {
    sample: [(float(x), float(y)) for x, y in cast(Polygon, shape).parts[0]] for sample, (_, shape) in _REGIONS.items()
}
TARGETS[SAUCER] = TARGETS.pop("coffee#saucer")
SIZES: dict[str, tuple[int, int]] = {sample: cast(Any, query.size_hw) for sample, (query, _) in _REGIONS.items()}
SIZES |= {SAUCER: (400, 600), SEVERAL: (300, 400), ABSENT: (191, 384)}
GOLD = {
    SAUCER: "Which plate does the cup stand on?",
    SEVERAL: "What time is it, and who made the clock?",
    ABSENT: "When does this expire?",
}
QUESTIONS = {query.question: sample for sample, (query, _) in _REGIONS.items()} | {v: k for k, v in GOLD.items()}
# A triangle in the photo's corner, which is no answer of anything.
BAD: Corners = [(12.0, 12.0), (60.0, 12.0), (60.0, 60.0)]
SEVERAL_QUESTIONS, CANNOT = "several questions", "cannot draw"
Answer = Corners | str


def write_gold(photos: Path, folder: Path) -> None:
    """Writes the gold questions of the qualification as a data set of one's own, one of each sort."""
    folder.mkdir()
    names = {SAUCER: "coffee.png", SEVERAL: "clock_motion.png", ABSENT: "page.png"}
    rows = []
    for sample, question in GOLD.items():
        copyfile(photos / names[sample], folder / names[sample])
        row: dict[str, Any] = {"id": sample, "image": names[sample], "question": question}
        if sample == SAUCER:
            row["targets"] = [{"polygon": [TARGETS[SAUCER]]}]
        else:
            row["targets"] = []
            row["no_target"] = "several_questions" if sample == SEVERAL else "cannot_draw"
        rows.append(json.dumps(row))
    (folder / "gold.jsonl").write_text("\n".join(rows) + "\n")


def set_up(page: Page, gold: Path) -> None:
    """Makes the admission on its page: three gold questions, a trial of two tasks, no waiting; and opens it."""
    page.goto("/annotate/projects/journey/admission/set-up/")
    page.get_by_label("Its name", exact=False).fill("own")
    page.get_by_label("Folder on the server").fill(str(gold))
    page.get_by_label("Which samples").fill("\n".join(GOLD))
    page.get_by_label("Tasks of the trial").fill("2")
    page.get_by_label("Where people must be").fill("KE, US")
    page.get_by_label("Minutes between two attempts").fill("0")
    page.get_by_role("button", name="Make the admission").click()
    expect(page.get_by_role("heading", level=1, name="Admission")).to_be_visible()
    page.get_by_role("button", name="Let people apply").click()
    expect(page.get_by_text("Annotators see now that they can apply.")).to_be_visible()


def apply(page: Page, tasks: int = 600) -> None:
    """Applies from the first page, and says of oneself what is asked."""
    page.goto("/annotate/")
    page.locator("section[aria-labelledby=offers-apply] a").click()
    page.get_by_label("How many tasks have you done").fill(str(tasks))
    page.get_by_label("How many of them were accepted").fill(str(tasks - 3))
    page.get_by_label("In which country are you").fill("ke")
    page.get_by_label("This is true").check()
    page.get_by_role("button", name="Apply").click()


def answer(page: Page, answers: dict[str, Answer]) -> str:
    """Does the task that a page shows, sends it, and returns its sample."""
    drawing, sample = opened(page, SIZES, QUESTIONS)
    said = answers[sample]
    if said == SEVERAL_QUESTIONS:
        page.check("input[name=several_questions][value=yes]")
    elif said == CANNOT:
        drawing.answer_no()
        page.check("input[name=outcome][value=cannot_draw]")
        page.select_option("#reason", "blurred")
    else:
        by_mouse(drawing, cast(Corners, said))
    send(page, lambda: page.click("#submit"))
    return sample


def fail_once(page: Page) -> dict[str, Any]:
    """Sends a bad outline for the first gold question, and returns what the page tells, and what is left of it."""
    drawing, sample = opened(page, SIZES, QUESTIONS)
    by_mouse(drawing, BAD)
    before = drawing.polygon(len(BAD), closed=True)
    with page.expect_response(lambda one: one.url.endswith("/submission")) as answered:
        page.click("#submit")
    expect(page.locator("#problems")).to_be_focused()
    found = {
        "sample": sample,
        "number": drawing.number,
        "refused": answered.value.json(),
        "told": page.locator("#problems").inner_text(),
        "marked": page.locator("#steps [data-error]:visible, #steps [aria-invalid]").count(),
        "kept": drawing.polygon(len(BAD), closed=True) == before,
    }
    drawing.press("Shift+Delete")
    return found


def qualify(page: Page, saucer: Corners, *, failing: bool = False) -> dict[str, Any]:
    """Goes from having applied to having finished the trial; returns what came of a first attempt that fails."""
    found: dict[str, Any] = {}
    page.get_by_role("button", name="Begin the qualification").click()
    if failing:
        found = fail_once(page)
    answers: dict[str, Answer] = {SAUCER: saucer, SEVERAL: SEVERAL_QUESTIONS, ABSENT: CANNOT}
    found["order"] = [answer(page, answers) for _ in GOLD]
    page.goto("/annotate/projects/journey/admission/")
    expect(page.get_by_text("You have sent 0 of 2 tasks of the trial")).to_be_visible()
    page.get_by_role("button", name="Begin the trial").click()
    found["trial"] = [answer(page, {sample: hand.coarser(TARGETS[sample], 6) for sample in IDS}) for _ in range(2)]
    page.goto("/annotate/projects/journey/admission/")
    expect(page.get_by_text("All is done. The organiser looks at your work")).to_be_visible()
    return found


def admit(page: Page, name: str, reason: str) -> str:
    """Admits somebody, as an organiser; returns the table of their attempts, as it is read on the page."""
    page.goto("/annotate/projects/journey/admission/people/")
    page.get_by_role("link", name=name, exact=True).click()
    attempts = page.locator("table", has_text="Attempts by question").inner_text()
    page.get_by_label("Admit: they become a member").check()
    page.get_by_label("What they are told").fill(reason)
    page.get_by_role("button", name="Decide").click()
    expect(page.locator("main .badge", has_text="Admitted").first).to_be_visible()
    return attempts


def work(page: Page, answers: dict[str, Answer], most: int = 99, slug: str = "journey") -> list[str]:
    """Takes a task and goes on as long as there are some, `most` at most; returns the samples in their order."""
    page.goto("/annotate/")
    page.locator(f"form[action$='/{slug}/take/'] button").click()
    done: list[str] = []
    while len(done) < most:
        done.append(answer(page, answers))
        if "/work/" not in page.url:
            break
    return done


def look(page: Page, name: str) -> dict[str, str]:
    """Has the flagged batch of somebody done again, and pauses them; returns what the pages told before and after."""
    page.goto("/annotate/projects/journey/checks/")
    row = page.locator("tbody tr", has=page.get_by_role("link", name=name, exact=True))
    told = {"queue": row.inner_text()}
    row.get_by_role("link", name=re.compile("^Batch 1")).click()
    told["batch"] = page.locator("section[aria-labelledby=why]").inner_text()
    for box in page.locator("input[name=submissions]").all():
        box.check()
    page.get_by_role("textbox", name="Why").fill("Please look at the whole thing")
    page.get_by_role("button", name="Have it done again").click()
    page.goto("/annotate/projects/journey/checks/?looked=yes")
    told["looked"] = page.locator("main tbody").inner_text()
    page.get_by_role("link", name=name, exact=True).first.click()
    told["annotator"] = page.locator("section[aria-labelledby=figures]").inner_text()
    page.get_by_role("button", name="Pause them").click()
    expect(page.locator("main .badge", has_text="Paused")).to_be_visible()
    return told


def deciding(page: Page, slug: str) -> tuple[int, str]:
    """Waits for a task to decide on; returns its number and sample."""
    page.wait_for_url(re.compile(rf"/annotate/projects/{slug}/adjudicate/\d+/"))
    expect(page.locator("#adjudicate[data-ready=yes]")).to_be_visible()
    number = int(cast(Any, re.search(r"/adjudicate/(\d+)/", page.url))[1])
    return number, QUESTIONS[page.request.get(f"/api/v1/tasks/{number}/adjudication").json()["task"]["question"]]


def letter_of(page: Page, number: int, corners: Corners) -> str:
    """Returns the letter of the drawing that is nearest to an outline; letters are dealt anew for each task."""
    told = page.request.get(f"/api/v1/tasks/{number}/adjudication").json()
    drawn = {one["letter"]: one["work"]["polygon"] for one in told["candidates"] if one["how"] == "picked"}
    apart: dict[str, Any] = {
        letter: np.abs(np.subtract(polygon, corners)).max() if len(polygon) == len(corners) else np.inf
        for letter, polygon in drawn.items()
    }
    nearest: str = min(apart, key=lambda letter: float(apart[letter]))
    return nearest


def decide(page: Page, plan: dict[str, Corners], mended: str, rejected: str) -> list[tuple[int, str]]:
    """Decides on every task of the queue by keys; returns numbers and samples in the order in which they came."""
    page.goto("/annotate/projects/journey/adjudicate/")
    page.get_by_role("link", name="Begin").press("Enter")
    seen: list[tuple[int, str]] = []
    keys, said = page.keyboard, page.locator("#said")
    for left in reversed(range(len(IDS))):
        number, sample = deciding(page, "journey")
        seen.append((number, sample))
        if sample == rejected:
            keys.press("r")
            page.get_by_label("Why there is no one region").select_option("blurred")
            page.get_by_role("button", name="Choose this").press("Enter")
            expect(said).to_contain_text("Chosen: rejected")
            keys.press("Enter")
        else:
            letter = letter_of(page, number, plan[sample])
            keys.press(letter.lower())
            expect(said).to_contain_text(f"Chosen: {letter}")
            if sample == mended:
                keys.press("m")
                expect(said).to_contain_text(f"You are changing {letter}")
                keys.press("]")
                expect(said).to_contain_text("Point 1 of")
                for _ in range(5):
                    keys.press("Control+ArrowRight")
                keys.press("Control+s")
            else:
                keys.press("Enter")
        if left:
            page.wait_for_url(lambda url, number=number: f"/adjudicate/{number}/" not in url)  # type: ignore[misc]
    return seen
