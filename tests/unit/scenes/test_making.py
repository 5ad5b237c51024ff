from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from foveate.core.boxes import xyxy_to_xywh
from foveate.core.regions import Mask
from foveate.core.rle import decode, parse
from foveate.datasets import scenes
from foveate.datasets._open import open_dataset
from foveate.errors import InputError, OutputError, UsageError
from foveate.scenes import making, placing
from foveate.scenes.draws import Draws
from foveate.scenes.making import Job, make
from foveate.scenes.recipe import Recipe, SplitPlan, standard
from foveate.scenes.scene import make_scene, plan_scene


class Steps:
    """Notes what it is told."""

    def __init__(self, stop_at: int | None = None) -> None:
        self.begun: list[tuple[str, int, int]] = []
        self.done, self.stop_at = 0, stop_at

    def begin(self, what: str, total: int, done: int) -> None:
        self.begun.append((what, total, done))

    def advance(self) -> None:
        self.done += 1
        if self.done == self.stop_at:
            raise KeyboardInterrupt


def recipe_of(images: int, seed: int = 5, split: str = "mine") -> Recipe:
    return standard().model_copy(update={"splits": {split: SplitPlan(images=images, seed=seed)}})


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Seven scenes in portions of three, made by one process."""
    out = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(making, "PORTION", 3)
        assert make(Job(recipe_of(7), "mine", out), 1, Steps())
    return out


def test_any_number_of_processes_makes_the_same_bytes(made: Path, tmp_path: Path) -> None:
    steps = Steps()
    assert make(Job(recipe_of(7), "mine", tmp_path), 2, steps)
    assert files_of(tmp_path) == files_of(made)
    assert (steps.begun, steps.done) == ([("scenes of mine", 7, 0)], 7)
    assert sorted(files_of(made)) == [
        "CLEVR_Answers/CLEVR_mine_evidence.json",
        "CLEVR_Answers/CLEVR_mine_question2bboxes.json",
        *(f"images/mine/CLEVR_mine_{n:06d}.png" for n in range(7)),
        "made/mine.json",
        "questions/CLEVR_mine_questions.json",
        "scenes/CLEVR_mine_scenes.json",
    ]


def test_what_was_stopped_goes_on(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "PORTION", 3)
    job = Job(recipe_of(7), "mine", tmp_path)
    with pytest.raises(KeyboardInterrupt):
        make(job, 1, Steps(stop_at=5))
    assert json.loads(job.note.read_text())["done"] is False
    steps = Steps()
    assert make(job, 1, steps)
    assert (steps.begun, steps.done) == ([("scenes of mine", 7, 3)], 4)
    assert files_of(tmp_path) == files_of(made)
    again = Steps()
    assert not make(job, 1, again)
    assert again.begun == []


def test_a_kill_at_any_moment_loses_nothing_that_was_ready(made: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from foveate.scenes import making; from foveate.scenes.recipe import *\n"
        "from foveate.datasets.scenes import _Silent\n"
        "making.PORTION = 3\n"
        "plans = {'mine': SplitPlan(images=7, seed=5)}\n"
        "recipe = standard().model_copy(update={'splits': plans})\n"
        "making.make(making.Job(recipe, 'mine', Path(sys.argv[1])), 1, _Silent())\n"
    )
    # Its pictures are counted, so that it is killed in the middle of the second portion.
    process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], env=os.environ | {"OMP_NUM_THREADS": "1"})
    pictures = tmp_path / "images" / "mine"
    while len(list(pictures.glob("*.png")) if pictures.is_dir() else []) < 4 and process.poll() is None:
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(making, "PORTION", 3)
        make(Job(recipe_of(7), "mine", tmp_path), 1, Steps())
    assert files_of(tmp_path) == files_of(made)


@pytest.mark.parametrize("other", [recipe_of(8), recipe_of(7, seed=6), recipe_of(7).model_copy(update={"version": 2})])
def test_a_folder_of_another_recipe_is_refused(made: Path, other: Recipe) -> None:
    with pytest.raises(InputError, match=r"mine\.json: mine was made here, or begun, by another recipe"):
        make(Job(other, "mine", made), 1, Steps())


def test_a_broken_note_and_a_full_disk_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job = Job(recipe_of(1), "mine", tmp_path)
    job.note.parent.mkdir()
    job.note.write_text("[]")
    with pytest.raises(InputError, match="it does not tell what was made here"):
        make(job, 1, Steps())
    job.note.unlink()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", str(tmp_path / "x.png"))

    monkeypatch.setattr(making, "write_portion", full)
    with pytest.raises(OutputError, match=r"x\.png: it cannot be written \(No space left on device\)"):
        make(job, 1, Steps())


def test_pictures_and_masks_are_those_of_the_renderer(made: Path) -> None:
    scenes_of = json.loads((made / "scenes" / "CLEVR_mine_scenes.json").read_text())
    assert scenes_of["info"]["split"] == "mine"
    assert [one["image_index"] for one in scenes_of["scenes"]] == list(range(7))
    for told in scenes_of["scenes"]:
        drawn = make_scene(standard(), 5, told["image_index"])
        picture = np.asarray(PIL.Image.open(made / "images" / "mine" / told["image_filename"]))
        assert np.array_equal(picture, drawn.image)
        assert picture.shape == (320, 480, 3)
        for thing, mask in zip(told["objects"], drawn.masks, strict=True):
            assert np.array_equal(decode(parse(thing["mask"]["counts"], (320, 480))), mask)
            rows, columns = np.nonzero(mask)
            x, y, w, h = thing["bbox"]
            assert (x, y, x + w, y + h) == (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)
            # The middle, as the file has it, lies inside the box around the solid.
            assert x < thing["pixel_coords"][0] < x + w


def test_the_reader_gives_back_what_was_made(made: Path) -> None:
    data = open_dataset("scenes:mine", made)
    assert data.card.splits == {"mine": 70}
    pairs = list(data.samples())
    assert [query.id for query, _ in pairs] == [str(n) for n in range(70)]
    boxes = json.loads((made / "CLEVR_Answers" / "CLEVR_mine_question2bboxes.json").read_text())
    for index in range(7):
        _, _, questions = plan_scene(standard(), 5, index)
        drawn = make_scene(standard(), 5, index)
        for (query, truth), question in zip(pairs[10 * index : 10 * index + 10], questions, strict=True):
            assert (query.question, truth.answers) == (question.text, (question.answer,))
            assert (query.size_hw, truth.size_hw, truth.polled) == ((320, 480), (320, 480), False)
            assert truth.facts["family"] == question.family
            assert truth.facts["function"] == question.program[-1].function
            shapes = [target.shape for target in truth.targets]
            for shape, number in zip(shapes, question.evidence, strict=True):
                assert isinstance(shape, Mask)
                assert np.array_equal(decode(shape.encoded), drawn.masks[number])
            assert truth.match == ("union" if len(shapes) > 1 else "single")
            # The file of boxes has the tight boxes of the same objects.
            tight = {str(n): list(xyxy_to_xywh([_tight(drawn.masks[n])])[0]) for n in question.evidence}
            assert boxes[query.id] == tight


def _tight(mask: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> tuple[float, float, float, float]:
    rows, columns = np.nonzero(mask)
    return float(columns.min()), float(rows.min()), float(columns.max() + 1), float(rows.max() + 1)


def test_the_seeds_of_splits_give_no_scene_twice() -> None:
    seeds = [plan.seed for plan in standard().splits.values()]
    assert len(set(seeds)) == len(seeds) == 3
    seen = set()
    for seed in seeds:
        for index in range(60):
            found = placing.arrange(standard(), Draws(seed, index))
            seen.add(tuple((s.shape, s.size, s.color, s.material, round(s.x, 3), round(s.y, 3)) for s in found.solids))
    assert len(seen) == 180


@pytest.mark.slow
def test_no_scene_of_val_or_test_is_one_of_train() -> None:
    """Two scenes are alike if the same solids stand within half a unit of the same places, seen from the camera."""
    seen: dict[tuple[object, ...], tuple[str, int]] = {}
    for split, plan in standard().splits.items():
        for index in range(plan.images):
            found, _, _ = plan_scene(standard(), plan.seed, index)
            right, behind = found.camera.directions["right"], found.camera.directions["behind"]
            key = tuple(
                sorted(
                    (
                        *(s.shape, s.size, s.color, s.material),
                        *(round(2 * (s.x * way[0] + s.y * way[1])) for way in (right, behind)),
                    )
                    for s in found.solids
                )
            )
            assert key not in seen or split == seen[key][0] == "train", (split, index, seen[key])
            seen[key] = (split, index)


def test_the_standard_recipe() -> None:
    recipe = standard()
    assert recipe.version == 1
    assert {name: plan.images for name, plan in recipe.splits.items()} == {"train": 10_000, "val": 1_000, "test": 1_000}
    assert len(recipe.questions.wanted) == 10
    assert scenes.CARD.splits == {"train": 100_000, "val": 10_000, "test": 10_000}
    # Frozen: whoever must change it makes a version 2.
    assert Job(recipe, "train", Path()).digest[:16] == "678f0ca0cde8902b"


def test_a_recipe_without_room_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(placing, "_SCENES", 20)
    recipe = standard()
    crowded = recipe.model_copy(update={"solids": recipe.solids.model_copy(update={"least": 6, "margin": 30.0})})
    with pytest.raises(UsageError, match="solids of this recipe find no room"):
        placing.arrange(crowded, Draws(1, 1))


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"images": 3}, "--images and --seed are those of a split of your own"),
        ({"only": "dev"}, "there is no split dev. Name one: train, val, test"),
        ({"only": "val", "split": "mine"}, "--only and --split exclude each other"),
        ({"split": "train", "images": 3, "seed": 1}, "train is a split of the recipe"),
        ({"split": "a/b", "images": 3, "seed": 1}, "'a/b' is no name of a split"),
        ({"split": "mine", "images": 3}, "mine needs its number of images and its seed"),
        ({"split": "mine", "images": 3, "seed": 103}, "seed 103 gives the scenes of test"),
    ],
)
def test_what_does_not_go_together_is_refused(tmp_path: Path, asked: dict[str, object], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        scenes.make(tmp_path, workers=1, progress=Steps(), **asked)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_draws_are_even_and_stay_the_same() -> None:
    draws = Draws(1, 2)
    assert [draws.whole(0, 9) for _ in range(8)] == [8, 8, 2, 5, 8, 4, 9, 3]
    counts = np.bincount([draws.whole(2, 5) for _ in range(4_000)], minlength=6)
    assert counts[:2].tolist() == [0, 0]
    assert counts[2:].min() > 900
    shuffles: Callable[[], list[int]] = lambda: draws.shuffled((1, 2, 3))  # noqa: E731
    orders = {tuple(shuffles()) for _ in range(200)}
    assert len(orders) == 6
