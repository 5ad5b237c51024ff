"""The way that `test_people_journey.py` looks at: who does what, in which order, and what is kept of it."""

from __future__ import annotations

import csv
import json
import re
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from playwright.sync_api import Page

from foveate.annotation.submissions import Submission, read_submissions
from tests.app.browser import hand
from tests.app.browser import people_walk as walk
from tests.app.browser.conftest import Visits
from tests.app.browser.hand import IDS
from tests.app.browser.people_walk import CANNOT, LENT_GOLD, TARGETS, Answer
from tests.app.live import LiveFoveate, Person

# "annotator" is careful, "by keys" (who has a mouse here) draws coarsely, "vanishing" is careless.
CAREFUL, COARSE, CARELESS = "annotator", "by keys", "vanishing"
ONE = {sample: hand.coarser(TARGETS[sample], 3) for sample in (*IDS, *LENT_GOLD)}
TWO = {sample: hand.coarser(TARGETS[sample], 6) for sample in (*IDS, *LENT_GOLD)}
# The coarse one takes another coin for the largest; the organiser picks it by mistake, so that the release has a fault.
FAULTY, MENDED, REJECTED = "coins#largest", "camera#film", "page#title"
TWO[FAULTY] = [(20.0, 20.0), (70.0, 20.0), (70.0, 70.0), (20.0, 70.0)]


class Requests:
    """Plain requests of somebody, with what their browser has."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def post(self, path: str, body: dict[str, Any], *, form: bool = False) -> Any:
        """Posts JSON, or a form."""
        token = next(one["value"] for one in self.page.context.cookies() if one.get("name") == "csrftoken")
        headers = {"X-CSRFToken": str(token)}
        if form:
            return self.page.request.post(path, form=body, headers=headers)
        return self.page.request.post(path, data=body, headers=headers)

    def send(self, number: int, work: dict[str, Any]) -> Any:
        """Sends something for a task."""
        return self.post(f"/api/v1/assignments/{number}/submission", {"key": str(uuid.uuid4()), "work": work})


ROUGH = {sample: hand.coarser(TARGETS[sample], 5) for sample in (*IDS, *LENT_GOLD)}


@dataclass
class World:
    """What became of it."""

    live: LiveFoveate
    folder: Path
    home: Path
    told: dict[str, Any] = field(default_factory=dict)

    def foveate(self, *words: Any, expect: int = 0) -> str:
        """Runs a command beside the server, with releases in a folder of their own."""
        return self.live.foveate(*map(str, words), expect=expect)

    def json(self, *words: Any) -> Any:
        """Returns what a command prints as JSON, after its remarks."""
        said = self.foveate(*words, "--json")
        return json.loads(said[cast(re.Match[str], re.search(r"^[\[{]", said, re.MULTILINE)).start() :])

    def sent(self, name: str) -> list[Submission]:
        return read_submissions(self.folder / f"{name}.jsonl")


def let_in(world: World, visits: Visits) -> None:
    live, photos = world.live, world.folder / "photos"
    hand.write_photos(photos)
    walk.write_gold(photos, world.folder / "gold")
    (world.folder / "ids.txt").write_text("\n".join((*IDS, *LENT_GOLD)) + "\n")
    (world.folder / "lent.txt").write_text("\n".join(LENT_GOLD) + "\n")
    of = ("--dataset", "photos", "--root", photos, "--ids", world.folder / "ids.txt", "--kind", "grounding")
    world.foveate("annotate", "new", "journey", *of, "--submissions", 2, "--seed", 1, "--gold-every", 2)
    given = ("--ids", world.folder / "lent.txt", "--from", "photos", "--root", photos)
    assert "2 gold questions" in world.foveate("annotate", "gold", "journey", *given)
    for name, values in json.loads(live.run("tests.app.browser.make_more_annotators")).items():
        live.people[name] = Person(**values)
    organiser = world.told["organiser"] = visits.open(live, "organiser")
    walk.set_up(organiser, world.folder / "gold")
    world.foveate("annotate", "open", "journey")
    saucer = hand.coarser(TARGETS[walk.SAUCER], 4)
    for name in (CAREFUL, COARSE, CARELESS):
        page = world.told[name] = visits.open(live, name)
        if name == COARSE:
            visits.watches[page].allow("status of 4(04|09|22)")
        walk.apply(page)
        world.told[f"{name} came"] = walk.qualify(page, saucer, failing=name == COARSE)
        world.told[f"{name} attempts"] = walk.admit(organiser, name, "Welcome")
    world.told["report"] = world.json("annotate", "admission", "report", "journey")
    world.told["trying"] = visits.open(live, "trying")
    walk.apply(world.told["trying"])


def worked(world: World, visits: Visits) -> None:
    told = world.told
    # Three points for everything that is drawn, and for the rest a word.
    tiny: dict[str, Answer] = {sample: walk.BAD for sample in (*IDS, *LENT_GOLD)}
    told["careless did"] = walk.work(told[CARELESS], tiny, most=4)
    tiny = dict.fromkeys(tiny, CANNOT)
    told["careless did"] += [walk.answer(told[CARELESS], tiny)]
    world.foveate("annotate", "check", "journey")
    told["looked"] = walk.look(told["organiser"], CARELESS)
    told[CARELESS].goto("/annotate/")
    told["paused"] = told[CARELESS].locator("main").inner_text()
    # A sixth was lent to them, of which nothing is saved: it went back when they were paused.
    assert world.live.run("tests.app.browser.make_leases_over") == "0"
    for name, drawn in ((CAREFUL, ONE), (COARSE, TWO)):
        told[f"{name} did"] = walk.work(told[name], dict(drawn))
    told["organiser"].goto("/annotate/projects/journey/agreement/")
    told["agreement page"] = told["organiser"].locator("main").inner_text()
    plan = {**ONE, FAULTY: TWO[FAULTY]}
    told["decided"] = walk.decide(told["organiser"], plan, MENDED, REJECTED)
    world.foveate("annotate", "export", "journey", "--to", "submissions", "--out", world.folder / "journey.jsonl")


def released(world: World) -> None:
    """Releases what stands, and makes runs on it: two of methods that see the photo well, one that never looks."""
    folder, review = world.folder, world.folder / "private.csv"
    of = (folder / "journey.jsonl", "--root", folder / "photos")
    world.foveate("release", "private", *of, "--out", review)
    rows = _rows(review)
    with review.open("w", newline="") as file:
        table = csv.DictWriter(file, ["image", "reasons", "decision", "note"])
        table.writeheader()
        table.writerows({**row, "decision": "keep"} for row in rows)
    put = ("--photos", "copy", "--private-review", review, "--split", "val=1", "--licence", "CC-BY-4.0")
    world.told["release"] = world.json("release", "new", *of, "--name", "tens", "--version", "1.0.0", *put)
    for name, drawn in (("fine", TARGETS), ("rough", ROUGH)):
        lines = [json.dumps({"id": sample, "polygon": [drawn[sample]]}) for sample in IDS]
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
    world.foveate("ground", "tens@1.0.0:val", "--grounder", "centre_box", "--out", folder / "centre")


def mended(world: World, visits: Visits) -> None:
    """Audits the release, has what is wrong drawn anew, decides on it, and releases the mended one."""
    folder, told = world.folder, world.told
    runs = [folder / name for name in ("fine.jsonl", "rough.jsonl", "centre")]
    world.foveate("audit", "tens@1.0.0:val", *runs, "--out", folder / "audit")
    rows = _rows(folder / "audit" / "audit.csv")
    told["audit"] = [row["id"] for row in rows]
    with (folder / "verdicts.csv").open("w", newline="") as file:
        table = csv.DictWriter(file, ["id", "verdict"])
        table.writeheader()
        table.writerow({"id": rows[0]["id"], "verdict": "wrong"})
    applied = ("--apply", folder / "verdicts.csv", "--out", folder / "wrong.txt")
    world.foveate("audit", "tens@1.0.0:val", *applied)
    again = ("--dataset", "tens@1.0.0:val", "--ids", folder / "wrong.txt", "--kind", "grounding", "--submissions", 1)
    world.foveate("annotate", "new", "again", *again)
    world.foveate("annotate", "open", "again")
    told["again did"] = walk.work(told[CAREFUL], dict(ONE), slug="again")
    page = told["organiser"]
    page.goto("/annotate/projects/again/adjudicate/")
    page.get_by_role("link", name="Begin").press("Enter")
    number, _ = walk.deciding(page, "again")
    page.keyboard.press(walk.letter_of(page, number, ONE[FAULTY]).lower())
    page.keyboard.press("Enter")
    page.wait_for_function("() => fetch('/api/v1/projects/again/adjudications/next').then(one => one.status === 204)")
    world.foveate("annotate", "export", "again", "--to", "submissions", "--out", folder / "again.jsonl")
    mend = ("--with", folder / "again.jsonl", "--version", "1.0.1", "--why", "another coin is the largest")
    world.foveate("release", "patch", "tens@1.0.0", *mend)


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))
