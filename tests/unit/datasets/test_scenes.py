from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from foveate.cli.dataset import app
from foveate.datasets import scenes
from foveate.datasets._open import open_dataset
from foveate.errors import InputError, UsageError


def run(*words: Any) -> Any:
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A split of one scene, made by the command."""
    out = tmp_path_factory.mktemp("scenes")
    done = run("make", "scenes", out, "--split", "mine", "--images", 1, "--seed", 4, "--workers", 1)
    assert (done.exit_code, done.stdout) == (0, f"scenes:mine: made ({out})\n")
    return out


def test_the_command_says_what_is_there_already(root: Path) -> None:
    done = run("make", "scenes", root, "--split", "mine", "--images", 1, "--seed", 4)
    assert done.stdout == f"scenes:mine: is there already ({root})\n"
    assert run("check", "scenes", "--root", root).exit_code == 0


def test_the_command_refuses_what_is_not_made(tmp_path: Path) -> None:
    done = run("make", "toloka_vqa", tmp_path)
    assert isinstance(done.exception, UsageError)
    assert done.exception.fault == "toloka_vqa: it is not made but fetched from its publisher."


def test_the_card_is_that_of_the_folder(root: Path, tmp_path: Path) -> None:
    assert scenes.card_of(root).splits == {"mine": 10}
    assert scenes.card_of(tmp_path) is scenes.CARD
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "mine.json").write_text("{}")
    with pytest.raises(InputError, match=r"mine\.json: it does not tell what was made here"):
        scenes.card_of(tmp_path)


@pytest.mark.parametrize(
    ("file", "change", "fault"),
    [
        (
            "scenes/CLEVR_mine_scenes.json",
            lambda told: told["scenes"].clear(),
            "there is no scene of CLEVR_mine_000000",
        ),
        (
            "CLEVR_Answers/CLEVR_mine_evidence.json",
            lambda told: told.pop("0"),
            "nothing tells what its answer rests on",
        ),
        (
            "CLEVR_Answers/CLEVR_mine_evidence.json",
            lambda told: told["0"].update(objects=[9]),
            "its answer rests on object 9, the scene has",
        ),
        (
            "scenes/CLEVR_mine_scenes.json",
            lambda told: [thing.pop("mask") for thing in told["scenes"][0]["objects"]],
            "has no mask",
        ),
        (
            "scenes/CLEVR_mine_scenes.json",
            lambda told: [thing.update(mask={"size": [2, 2], "counts": [4]}) for thing in told["scenes"][0]["objects"]],
            "the mask is empty",
        ),
    ],
)
def test_what_is_broken_is_told(root: Path, tmp_path: Path, file: str, change: Any, fault: str) -> None:
    for path in root.rglob("*.json"):
        copy = tmp_path / path.relative_to(root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        told = json.loads(path.read_text())
        if str(path.relative_to(root)) == file:
            change(told)
        copy.write_text(json.dumps(told))
    data = open_dataset("scenes:mine", tmp_path)
    with pytest.raises(InputError) as caught:
        list(data.truths())
    assert fault in caught.value.fault
    data = open_dataset("scenes:mine", tmp_path, skip_invalid=True)
    assert [q.id for q in data.queries()] == [t.id for t in data.truths()]
    assert data.skipped


def test_boxes_of_the_same_files_by_the_reader_of_clevr(root: Path, tmp_path: Path) -> None:
    for path in root.rglob("*.json"):
        (tmp_path / path.name.replace("mine", "val")).write_bytes(path.read_bytes())
    masks = list(open_dataset("scenes:mine", root).truths())
    boxes = list(open_dataset("clevr:val", tmp_path).truths())
    assert [truth.answers for truth in masks] == [truth.answers for truth in boxes]
    for mask, box in zip(masks, boxes, strict=True):
        assert [target.shape.xyxy for target in mask.targets] == [target.shape.xyxy for target in box.targets]
