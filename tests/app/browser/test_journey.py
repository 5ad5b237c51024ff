"""The whole way in a real browser: ten demo photos, drawn by mouse, by keys alone, and by one who vanishes.

Then every form of export is downloaded from the organiser's page, read back, and scored by `foveate score` against the
hand targets; a witness that knows neither Foveate's masks nor its metrics says what the score must be.
"""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from playwright.sync_api import Browser, Page, expect
from typer.testing import CliRunner

from foveate.annotation.submissions import Submission, read_submissions
from foveate.annotation.work import GroundingWork
from foveate.app.annotate.words import FORMS
from foveate.cli._app import app
from foveate.datasets._open import Dataset, open_dataset
from tests.app import conftest as servers
from tests.app.browser import hand
from tests.app.browser.conftest import Visits
from tests.app.browser.people_drawing import (
    by_keys,
    by_mouse,
    no_mouse,
    opened,
    send,
    submit_by_keys,
    take,
    take_by_keys,
)
from tests.app.live import LiveFoveate, Person

TARGETS = hand.targets()
SIZES = {sample: size_hw for sample, (size_hw, _) in TARGETS.items()}
_ASKED = [query for query in open_dataset("photos").queries(with_images=False) if query.id in TARGETS]
QUESTIONS = {query.question: query.id for query in _ASKED}
NAMES = {query.image_name: query.id for query in _ASKED}
# The one by mouse is careful; the one by keys draws what takes fewer keys.
MOUSE = {sample: hand.coarser(corners, 1.5) for sample, (_, corners) in TARGETS.items()}
KEYS = {sample: hand.coarser(corners, 6) for sample, (_, corners) in TARGETS.items()}
DRAWN_BEFORE_VANISHING = 6
BOXES = ("csv", "toloka")


@dataclass
class Journey:
    """What became of it."""

    live: LiveFoveate
    photos: Path
    mouse_of_keys: list[str]
    vanished_on: str
    files: dict[str, Path]

    @property
    def sent(self) -> list[Submission]:
        return read_submissions(self.files["submissions"])

    def polygons(self) -> dict[str, list[Any]]:
        """Returns what was drawn of each sample, in the order of sending."""
        found: dict[str, list[Any]] = {sample: [] for sample in TARGETS}
        for submission in sorted(self.sent, key=lambda one: str(one.sent)):
            assert isinstance(submission.work, GroundingWork)
            found[submission.task].append(submission.work.polygon)
        return found


@pytest.fixture(scope="module")
def journey(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Journey]:
    """Goes the whole way once; the tests then look at what came of it."""
    folder, visits = tmp_path_factory.mktemp("journey"), Visits(browser)
    for live in servers.running(LiveFoveate(folder / "live", servers.tests_database())):
        try:
            yield _gone(live, folder, visits)
        finally:
            visits.close()


def _gone(live: LiveFoveate, folder: Path, visits: Visits) -> Journey:
    _project(live, folder)
    for name, values in json.loads(live.run("tests.app.browser.make_more_annotators")).items():
        live.people[name] = Person(**values)
    mouse = visits.open(live, "annotator")
    take(mouse)
    for left in reversed(range(len(TARGETS))):
        drawing, sample = opened(mouse, SIZES, QUESTIONS)
        by_mouse(drawing, MOUSE[sample])
        send(mouse, lambda: mouse.click("#submit"))
        assert ("/work/" in mouse.url) == (left > 0)
    vanished_on = _vanished(visits.open(live, "vanishing"))
    assert live.run("tests.app.browser.make_leases_over") == "1"
    keys = visits.open(live, "by keys")
    seen = no_mouse(keys)
    take_by_keys(keys)
    for left in reversed(range(len(TARGETS) - DRAWN_BEFORE_VANISHING)):
        drawing, sample = opened(keys, SIZES, QUESTIONS)
        by_keys(drawing, KEYS[sample])
        send(keys, lambda: submit_by_keys(keys))
        assert ("/work/" in keys.url) == (left > 0)
    files = _downloaded(visits.open(live, "organiser", accept_downloads=True), folder / "exports")
    return Journey(live, folder / "photos", seen, vanished_on, files)


def _project(live: LiveFoveate, folder: Path) -> None:
    hand.write_photos(folder / "photos")
    (folder / "ids.txt").write_text("\n".join(TARGETS) + "\n")
    of = ("--dataset", "photos", "--root", str(folder / "photos"), "--ids", str(folder / "ids.txt"))
    said = live.foveate("annotate", "new", "journey", *of, "--kind", "grounding", "--submissions", "2", "--lease", "1")
    assert "journey: a draft of 10 tasks" in said
    live.foveate("annotate", "open", "journey")


def _vanished(page: Page) -> str:
    """Draws some photos and begins another, saves, and is not seen again; returns what was begun."""
    take(page)
    for _ in range(DRAWN_BEFORE_VANISHING):
        drawing, sample = opened(page, SIZES, QUESTIONS)
        by_mouse(drawing, KEYS[sample])
        send(page, lambda: page.click("#submit"))
    drawing, sample = opened(page, SIZES, QUESTIONS)
    drawing.answer_no()
    drawing.click(*KEYS[sample][:3])
    drawing.polygon(3, closed=False)
    page.context.close()
    return sample


def _downloaded(page: Page, folder: Path) -> dict[str, Path]:
    """Downloads every form from the organiser's page; what comes as an archive is unpacked."""
    files = {}
    for form in FORMS:
        page.goto("/annotate/projects/journey/export/")
        page.get_by_label("Form", exact=True).select_option(form)
        page.get_by_role("button", name="See what will be in it").click()
        expect(page.get_by_role("heading", name="What will be in it")).to_be_visible()
        with page.expect_download() as download:
            page.get_by_role("button", name="Download").click()
        files[form] = folder / form / download.value.suggested_filename
        download.value.save_as(files[form])
        if files[form].suffix == ".zip":
            with zipfile.ZipFile(files[form]) as archive:
                archive.extractall(folder / form)
            files[form] = files[form].with_suffix("")
    return files


def foveate(*words: Any) -> str:
    """Runs a command in this process, on files alone."""
    done = CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def scored(*words: Any) -> float:
    """Returns what `foveate score` says, which must be of all ten."""
    found = json.loads(foveate("score", *words, "--json", "--resamples", "0"))
    assert found["counts"]["ok"] == len(TARGETS)
    return float(found["metrics"]["mean_iou"]["value"])


def larger(journey: Journey) -> dict[str, list[Any]]:
    """Returns the outline of each sample that covers more pixels, as pycocotools counts them; the earlier of equals."""
    return {
        sample: max(drawn, key=lambda one: hand.coco_pixels(one, SIZES[sample]).sum())
        for sample, drawn in journey.polygons().items()
    }


def expected(drawn: dict[str, list[Any]], witness: Any = hand.pixels_inside) -> float:
    """Returns what the score of outlines against the hand targets must be."""
    pairs = [(drawn[sample], corners, size_hw) for sample, (size_hw, corners) in TARGETS.items()]
    return float(
        np.mean([hand.overlap(witness(one, size_hw), witness(other, size_hw)) for one, other, size_hw in pairs])
    )


def test_everybody_did_what_was_left_to_them(journey: Journey) -> None:
    people = {person: 0 for person in {submission.annotator for submission in journey.sent}}
    for submission in journey.sent:
        people[submission.annotator] += 1
    assert sorted(people.values()) == [4, DRAWN_BEFORE_VANISHING, 10]
    assert journey.mouse_of_keys == []
    told = json.loads(journey.live.foveate("annotate", "show", "journey", "--json"))
    assert (told["over"], told["sent"]) == (10, 20)
    assert len(journey.polygons()[journey.vanished_on]) == 2


def test_what_is_kept_is_what_was_drawn(journey: Journey) -> None:
    for sample, (first, second) in journey.polygons().items():
        for kept, meant in ((first, MOUSE[sample]), (second, KEYS[sample])):
            np.testing.assert_allclose(kept, meant, atol=0.75, err_msg=sample)
    by_keys_alone = [sample for sample in TARGETS if journey.polygons()[sample][1] == KEYS[sample]]
    assert len(by_keys_alone) >= len(TARGETS) - DRAWN_BEFORE_VANISHING


@pytest.mark.parametrize("form", sorted(set(FORMS) - {"submissions", "vizwiz_crowd", "run"}))
def test_a_data_set_is_read_back_and_scored(journey: Journey, form: str, tmp_path: Path) -> None:
    data, named = _opened(form, journey)
    lines = []
    for query in data.queries(with_images=False):
        corners = TARGETS[NAMES[query.image_name]][1]
        region = {"xyxy": shapely.Polygon(corners).bounds} if form in BOXES else {"polygon": [corners]}
        lines.append(json.dumps({"id": query.id, **region}))
    assert len(lines) == len(TARGETS)
    (tmp_path / "hand.jsonl").write_text("\n".join(lines) + "\n")
    value = scored(tmp_path / "hand.jsonl", *named)
    drawn = larger(journey)
    if form in BOXES:
        boxes = {sample: shapely.box(*shapely.Polygon(one).bounds) for sample, one in drawn.items()}
        wanted = float(np.mean([_box_overlap(boxes[s], shapely.Polygon(c)) for s, (_, c) in TARGETS.items()]))
        # The cup's boxes are in whole pixels.
        assert value == pytest.approx(wanted, abs=1e-6 if form == "csv" else 0.01)
    else:
        # YOLO scales what is drawn, which moves no pixel.
        assert value == pytest.approx(expected(drawn, hand.coco_pixels), abs=1e-6)
        assert value == pytest.approx(expected(drawn), abs=0.002)
    assert value < 1


def _opened(form: str, journey: Journey) -> tuple[Dataset, list[Any]]:
    """Returns the data set of a file, and how a command is told of it."""
    file = journey.files[form]
    names = {"vizwiz": "vizwiz_grounding:val", "toloka": "toloka_vqa:test_public"}
    root = file
    if form == "toloka":
        root = file.parent / "cup"
        root.mkdir(exist_ok=True)
        (root / "test_public.csv").write_bytes(file.read_bytes())
    if form == "yolo":
        # Its shares are of the sides of photos, which must lie beside for that.
        shutil.copytree(journey.photos, file / "images", dirs_exist_ok=True)
    name = names.get(form, "own")
    settings = {} if name != "own" else {"photos": str(journey.photos)}
    words: list[Any] = ["--dataset", name, "--root", root]
    for key, value in settings.items():
        words += ["--option", f"{key}={value}"]
    return open_dataset(name, root, settings=settings), words


def _box_overlap(one: shapely.Polygon, corners: shapely.Polygon) -> float:
    other = shapely.box(*corners.bounds)
    return float(one.intersection(other).area / one.union(other).area)


def test_a_run_is_scored_and_its_agreement_is_right(journey: Journey) -> None:
    run = journey.files["run"]
    # Of two, both agree as well with the other: the first, which is the one by mouse.
    firsts = {sample: drawn[0] for sample, drawn in journey.polygons().items()}
    assert scored(run) == pytest.approx(expected(firsts, hand.coco_pixels), abs=1e-9)
    assert scored(run) == pytest.approx(expected(firsts), abs=0.002)
    told = json.loads((run / "agreement.json").read_text())
    pairs = [
        hand.overlap(*(hand.coco_pixels(one, SIZES[sample]) for one in drawn))
        for sample, drawn in journey.polygons().items()
    ]
    assert (told["n"], told["pairs"], told["people"]) == (10, 10, 3)
    assert told["mean"] == pytest.approx(np.mean(pairs), abs=1e-9)


def test_submissions_and_the_original_tool_s_results_come_to_the_same(journey: Journey, tmp_path: Path) -> None:
    photos, of = journey.photos, ("--dataset", "photos", "--root", journey.photos)
    crowd = journey.files["vizwiz_crowd"]
    read = ("--from", "vizwiz_crowd", "--tasks", crowd / "grouped.json", "--photos", photos)
    foveate("annotate", "import", crowd / "results.json", *read, "--out", tmp_path / "crowd.jsonl")
    again = read_submissions(tmp_path / "crowd.jsonl")
    assert len(again) == len(journey.sent)
    kept = sorted((one.image_name, np.round(one.work.polygon, 6).tolist()) for one in journey.sent)  # type: ignore[union-attr]
    assert sorted((one.image_name, np.round(one.work.polygon, 6).tolist()) for one in again) == kept  # type: ignore[union-attr]
    out = ("--to", "run", *of, "--rule", "larger", "--out", tmp_path / "run")
    foveate("annotate", "export", journey.files["submissions"], *out)
    assert scored(tmp_path / "run") == pytest.approx(expected(larger(journey), hand.coco_pixels), abs=1e-6)
