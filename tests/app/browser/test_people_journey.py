"""From letting people in to a release that is mended: the second whole way, through pages and commands alone.

Three people apply for a project of ten demo photos, qualify (one fails first), do their trial and are admitted. One
is careless, is flagged, and their work is done again. Ten photos are drawn twice; what stands is decided by keys,
released, scored, audited, drawn anew where the audit finds a wrong target, and released again. Then somebody tries to
get at gold. Witnesses are pycocotools, shapely and a few lines of arithmetic. A qualification of three and a trial of
two tasks without waiting are set instead of the paper's ten and twenty, so that it takes a minute.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from foveate.annotation.submissions import Submission
from foveate.annotation.work import GroundingWork
from foveate.core.regions import Polygon
from foveate.datasets._open import open_dataset
from tests.app import conftest as servers
from tests.app.browser import hand
from tests.app.browser import people_walk as walk
from tests.app.browser.conftest import Visits
from tests.app.browser.hand import IDS, Corners
from tests.app.browser.people_journey import (
    CAREFUL,
    CARELESS,
    COARSE,
    FAULTY,
    MENDED,
    ONE,
    REJECTED,
    TWO,
    Requests,
    World,
    let_in,
    mended,
    released,
    worked,
)
from tests.app.browser.people_walk import LENT_GOLD, SIZES, TARGETS
from tests.app.live import LiveFoveate


@pytest.fixture(scope="module")
def world(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """Goes the whole way once; the tests then look at what came of it."""
    folder, visits = tmp_path_factory.mktemp("people"), Visits(browser)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FOVEATE_HOME", str(folder / "home"))
        for live in servers.running(LiveFoveate(folder / "live", servers.tests_database())):
            try:
                made = World(live, folder, folder / "home")
                let_in(made, visits)
                worked(made, visits)
                released(made)
                mended(made, visits)
                yield made
            finally:
                visits.close()


def overlap(one: Any, other: Any, sample: str) -> float:
    """Returns the IoU of two outlines by pycocotools' pixels."""
    return hand.overlap(hand.coco_pixels(one, SIZES[sample]), hand.coco_pixels(other, SIZES[sample]))


def drawn(world: World) -> dict[str, tuple[Any, Any]]:
    """Returns the two outlines of each of the ten samples that count, the careful one's first."""
    found: dict[str, dict[str, Any]] = {sample: {} for sample in IDS}
    for one in world.sent("journey"):
        if not (one.adjudicated or one.set_aside or one.gold):
            assert isinstance(one.work, GroundingWork)
            found[one.task][one.annotator] = one.work.polygon
    for two in found.values():
        assert len(two) == 2
    return {sample: _careful_first(list(two.values()), ONE[sample]) for sample, two in found.items()}


def _careful_first(two: list[Any], meant: Corners) -> tuple[Any, Any]:
    first, second = sorted(two, key=lambda one: float(np.abs(_padded(one, meant)).max()))
    return first, second


def _padded(one: Any, other: Corners) -> Any:
    return np.subtract(one, other) if len(one) == len(other) else np.array([1e9])


def test_a_bad_outline_is_refused_in_one_sentence_and_stays(world: World) -> None:
    came = world.told[f"{COARSE} came"]
    assert came["sample"] == walk.SAUCER
    assert "This does not follow the instructions yet" in came["told"]
    assert "You have 2 more attempts at it" in came["told"]
    assert came["kept"]
    assert came["marked"] == 0
    error = came["refused"]["error"]
    # Of the whole work, and no number but that of the attempts.
    assert [one["field"] for one in error["details"]["problems"]] == ["work"]
    assert re.findall(r"[0-9.]*[0-9]", f"{error['message']} {error['remedy']}") == ["2"]
    assert not re.search(r"\b(iou|gold|overlap)\b", json.dumps(error).lower())


def test_three_came_through_all_of_it_and_the_organiser_saw_how(world: World) -> None:
    for name in (CAREFUL, COARSE, CARELESS):
        assert world.told[f"{name} came"]["order"] == list(walk.GOLD)
    report = world.told["report"]
    failed = {one["question"]: (one["attempts"], one["passed"]) for one in report["questions"]}
    assert failed == {walk.SAUCER: (4, 3), walk.SEVERAL: (3, 3), walk.ABSENT: (3, 3)}
    # The IoU of the attempt that failed, and of the one that passed, as the organiser reads them.
    rows = [row for row in world.told[f"{COARSE} attempts"].splitlines() if "0." in row]
    gold = TARGETS[walk.SAUCER]
    saucer = hand.coarser(gold, 4)
    assert "0.000" in rows[0]
    (shown,) = re.findall(r"\b[01]\.\d{3,}\b", rows[1])
    assert float(shown) == pytest.approx(overlap(saucer, gold, walk.SAUCER), abs=0.005)
    assert report["trial"]["pairs"] == 6
    # Everybody did the same two tasks alike, but for what a mouse's pixels make.
    assert report["trial"]["mean_iou"] > 0.95


def test_the_careless_one_is_flagged_done_again_and_paused(world: World) -> None:
    told, looked = world.told, world.told["looked"]
    golds = [sample for sample in told["careless did"] if sample in LENT_GOLD]
    assert len(told["careless did"]) == 5
    assert len(golds) == 2
    for words in (looked["queue"], looked["batch"]):
        assert "points" in words.lower()
        assert "gold" in words.lower()
    assert "2 of 2" in looked["annotator"]
    again = [one for one in world.sent("journey") if one.set_aside]
    assert sorted(one.task for one in again) == sorted(told["careless did"])
    assert "Take a task" not in told["paused"]
    # Nothing of it is in what the ten were drawn anew for: two people each, and both golds.
    for name in (CAREFUL, COARSE):
        assert sorted(told[f"{name} did"]) == sorted((*IDS, *LENT_GOLD))


def test_the_agreement_is_what_is_computed_by_hand(world: World) -> None:
    two = drawn(world)
    for sample, (first, second) in two.items():
        np.testing.assert_allclose(first, ONE[sample], atol=0.75, err_msg=sample)
        np.testing.assert_allclose(second, TWO[sample], atol=0.75, err_msg=sample)
    found = [overlap(*two[sample], sample) for sample in IDS]
    told = json.loads(world.foveate("annotate", "agreement", "journey", "--json"))
    assert (told["tasks"], told["pairs"]) == (10, 10)
    assert told["mean"] == pytest.approx(np.mean(found), abs=1e-9)
    assert f"{np.mean(found):.2f}" in world.told["agreement page"]
    # And of the file: alpha of masks, in shares of the sides, beside two loops.
    counted = world.folder / "counted.jsonl"
    head, *lines = (world.folder / "journey.jsonl").read_text().splitlines()
    kept = [line for line, one in zip(lines, world.sent("journey"), strict=True) if _counts(one)]
    counted.write_text("\n".join([head, *kept]) + "\n")
    report = world.json("agreement", counted)
    assert report["pairs"] == 10
    assert [one["pairs"] for one in report["ranges"]] == np.histogram(found, [0, 0.2, 0.4, 0.6, 0.8, 1])[0].tolist()
    cells = [_cells(one, sample) for sample in IDS for one in two[sample]]
    chance = np.mean([1 - hand.overlap(one, other) for one, other in combinations(cells, 2)])
    assert report["alpha"]["value"] == pytest.approx(1 - (1 - np.mean(found)) / chance, abs=0.002)


def _counts(one: Submission) -> bool:
    return not (one.adjudicated or one.set_aside or one.gold)


def _cells(corners: Any, sample: str) -> Any:
    """Returns an outline on a grid of 128 by 128 shares of the sides."""
    height, width = SIZES[sample]
    return hand.pixels_inside([(x * 128 / width, y * 128 / height) for x, y in corners], (128, 128))


def test_the_release_has_what_was_decided_and_runs_are_scored_on_it(world: World) -> None:
    two = drawn(world)
    order = [sample for _, sample in world.told["decided"]]
    assert sorted(order) == sorted(IDS)
    # Least alike first, by another rule of pixels at the edge.
    alike = [overlap(*two[sample], sample) for sample in order]
    assert all(one <= other + 0.005 for one, other in pairwise(alike))
    wanted = {sample: two[sample][0] for sample in IDS if sample != REJECTED}
    wanted[FAULTY] = two[FAULTY][1]
    wanted[MENDED] = [(wanted[MENDED][0][0] + 5, wanted[MENDED][0][1]), *wanted[MENDED][1:]]
    released = targets(world, "tens@1.0.0:val")
    assert released.keys() == wanted.keys()
    for sample, corners in wanted.items():
        np.testing.assert_allclose(released[sample], corners, atol=1e-6, err_msg=sample)
    world.foveate("dataset", "check", "tens@1.0.0")
    for name in ("fine", "rough"):
        told = world.json("score", world.folder / f"{name}.jsonl", "--dataset", "tens@1.0.0:val", "--resamples", "0")
        lines = map(json.loads, (world.folder / f"{name}.jsonl").read_text().splitlines())
        said = {line["id"]: line["polygon"][0] for line in lines}
        each = [overlap(said[sample], released[sample], sample) for sample in released]
        assert told["metrics"]["mean_iou"]["value"] == pytest.approx(np.mean(each), abs=1e-6)
    world.foveate("report", world.folder / "centre", "--out", world.folder / "report.html")
    assert "coins#largest" in (world.folder / "report.html").read_text()


def targets(world: World, name: str) -> dict[str, Any]:
    """Returns the only outline of each sample that has one."""
    found = {}
    for truth in open_dataset(name).truths():
        for target in truth.targets:
            shape = target.shape
            assert isinstance(shape, Polygon)
            found[truth.id] = shape.parts[0]
    return found


def test_the_audit_finds_the_fault_and_the_patch_mends_it_alone(world: World) -> None:
    assert world.told["audit"][0] == FAULTY
    assert (world.folder / "wrong.txt").read_text().split() == [FAULTY]
    assert world.told["again did"] == [FAULTY]
    old, new = targets(world, "tens@1.0.0:val"), targets(world, "tens@1.0.1:val")
    told = world.json("release", "diff", "tens@1.0.0", "tens@1.0.1")
    (change,) = told["changes"]
    assert change["id"] == FAULTY
    assert change["iou"] == pytest.approx(overlap(old[FAULTY], new[FAULTY], FAULTY), abs=1e-6)
    assert {sample for sample in old if not np.array_equal(old[sample], new[sample])} == {FAULTY}
    run = world.folder / "fine.jsonl"
    (scored,) = world.json("release", "rescore", run, "--from", "tens@1.0.0", "--to", "tens@1.0.1", "--split", "val")[
        "runs"
    ]
    before, after = (scored[when]["metrics"]["mean_iou"]["value"] for when in ("before", "after"))
    gain = overlap(TARGETS[FAULTY], new[FAULTY], FAULTY) - overlap(TARGETS[FAULTY], old[FAULTY], FAULTY)
    assert gain > 0.5
    assert after - before == pytest.approx(gain / len(new), abs=1e-6)
    assert [one["id"] for one in scored["samples"]] == [FAULTY]


def test_guessing_gold_is_limited_and_tells_nothing(world: World) -> None:
    attacker = Requests(world.told["trying"])
    lent = attacker.post("/api/v1/projects/journey-qualification/assignments", {})
    number, right = lent.json()["id"], hand.coarser(TARGETS[walk.SAUCER], 1)
    steps: dict[str, Any] = {"stage": "grounding", "several_questions": False, "several_regions": False}
    guesses: list[dict[str, Any]] = [
        {"stage": "grounding", "several_questions": True},
        {"stage": "grounding", "several_questions": False, "several_regions": True},
        *({**steps, "outcome": "polygon", "closed": True, "polygon": _square(40.0 * n)} for n in range(10)),
        {**steps, "outcome": "polygon", "closed": True, "polygon": right},
    ]
    answers = [attacker.send(number, guess) for guess in guesses]
    # Three are looked at, and the third that fails ends it; then even what is right is told like all others.
    assert [answer.status for answer in answers] == [422, 422, 409] + [404] * (len(guesses) - 3)
    told = [answer.json()["error"] for answer in answers]
    for one in told:
        one.pop("request_id")
    assert told[0]["message"] == told[1]["message"]
    assert all(one == told[3] for one in told[4:])
    report = world.json("annotate", "admission", "report", "journey")
    attempts = {one["question"]: one["attempts"] for one in report["questions"]}
    assert attempts[walk.SAUCER] == 4 + 3
    # Leaving the task and taking it again gives no new attempt.
    attacker.post(f"/api/v1/assignments/{number}/return", {"why": ""})
    attacker.post("/api/v1/projects/journey-qualification/assignments", {})
    assert attacker.send(number, guesses[-1]).status in (404, 409)
    _nothing_of_gold(world, attacker, [number])


def _square(at: float) -> list[list[float]]:
    return [[at, 10.0], [at + 30, 10.0], [at + 30, 40.0], [at, 40.0]]


def _nothing_of_gold(world: World, attacker: Requests, assignments: list[int]) -> None:
    """Asks for all that there is by every number, and looks for gold's corners in what is answered."""
    organiser: Page = world.told["organiser"]
    tasks = [number for number, _ in world.told["decided"]]
    gold = attacker.page.request.get(f"/api/v1/assignments/{assignments[0]}")
    assert gold.status in (200, 404, 409)
    tasks += [int(one) for one in _numbers(organiser, "/annotate/projects/journey-qualification/tasks/")]
    tasks += [int(one) for one in _numbers(organiser, "/annotate/projects/journey/tasks/")]
    closed = [f"/api/v1/tasks/{task}/adjudication" for task in tasks]
    closed += [f"/annotate/submissions/{n}/picture.png" for n in range(1, 60, 7)]
    for slug in ("journey", "journey-qualification", "journey-trial"):
        base = f"/annotate/projects/{slug}/"
        closed += [base + part for part in ("", "tasks/", "export/", "checks/", "gold/", "agreement/", "adjudicate/")]
        closed += [base + f"tasks/{task}/" for task in tasks] + [base + f"adjudicate/{task}/" for task in tasks]
        closed += [
            f"{base}admission/people/",
            f"{base}admission/set-up/",
            f"/api/v1/projects/{slug}/adjudications/next",
        ]
    closed += [f"/api/v1/assignments/{n}/submission" for n in range(1, 60, 7) if n not in assignments]
    canary = _plain(json.dumps(TARGETS[walk.SAUCER][:2]))[1:-1]
    seen = "".join(_plain(organiser.request.get(path).text()) for path in closed if path.startswith("/api/v1/tasks"))
    # It is there to be found by those who may.
    assert canary in seen
    for path in closed:
        answer = attacker.page.request.get(path)
        assert answer.status in (403, 404), (path, answer.status)
        assert b"PNG" not in answer.body()[:8]
        assert canary not in _plain(answer.text()), path
    mine = [
        "/",
        "/annotate/",
        "/annotate/submissions/",
        "/annotate/projects/journey/admission/",
        "/api/v1/openapi.json",
    ]
    for path in [*mine, *(f"/annotate/work/{n}/" for n in assignments)]:
        assert canary not in _plain(attacker.page.request.get(path).text()), path
    held = attacker.post("/accounts/profile/data/", {}, form=True)
    assert held.status == 200
    assert canary not in _plain(held.text())
    assert not {"faults", "iou", "gold"} & set(held.json()["qualification_attempts"][0])


def _plain(text: str) -> str:
    return re.sub(r"\s+|(?<=\d)\.0(?!\d)", "", text)


def _numbers(page: Page, path: str) -> set[str]:
    return set(re.findall(r"/tasks/(\d+)/", page.request.get(path).text()))


def test_nothing_that_an_annotator_gets_tells_lent_gold_from_other_tasks(world: World) -> None:
    mine = Requests(world.told[CAREFUL])
    held = mine.post("/accounts/profile/data/", {}, form=True).json()
    for sample in LENT_GOLD:
        assert _plain(json.dumps(TARGETS[sample][:2]))[1:-1] not in _plain(json.dumps(held))
    shapes: dict[bool, set[str]] = {True: set(), False: set()}
    assignments = [one for one in held["assignments"] if one["task__project__slug"] == "journey"]
    assert len(assignments) == len(IDS) + len(LENT_GOLD)
    for one in assignments:
        told = mine.page.request.get(f"/api/v1/assignments/{one['id']}").json()
        # Whether something was saved before it was sent is the person's own doing.
        told.pop("draft")
        sent = mine.page.request.get(f"/api/v1/assignments/{one['id']}/submission").json()
        rows = [row for row in held["submissions"] if row["assignment_id"] == one["id"]]
        assert len(rows) == 1
        assert "gold" not in json.dumps([one, told, sent, rows])
        shapes[one["task__key"] in LENT_GOLD].add(json.dumps([_shape(each) for each in (one, told, sent, rows)]))
    assert shapes[True] == shapes[False]
    assert len(shapes[True]) == 1
    pages = "".join(mine.page.request.get(path).text() for path in ("/annotate/", "/annotate/submissions/"))
    assert "gold" not in re.sub(r"<(script|style|link)[^>]*>", "", pages).lower()


def _shape(value: Any) -> Any:
    """Returns the names in a value of JSON, and where something is absent; no values."""
    if isinstance(value, dict):
        return {name: _shape(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_shape(value[0])] if value else []
    return type(value).__name__
