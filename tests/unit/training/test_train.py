"""From a data set to a file that a grounder takes, by the command line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from tensorboardX.proto.event_pb2 import Event
from typer.testing import CliRunner

from foveate.cli.train import train as command
from foveate.core.boxes import SizeHW
from foveate.datasets import scenes
from foveate.datasets._open import open_dataset
from foveate.errors import InputError, OutputError, UsageError
from foveate.execution.ground import load_grounder
from foveate.execution.map_queries import map_queries
from foveate.formats.checkpoints import read_checkpoint
from foveate.formats.feature_files import FeatureCard
from foveate.formats.feature_writer import FeatureWriter
from foveate.metrics._overlaps import measure
from foveate.perception.region_features import region_source
from foveate.perception.vocabulary import Words
from foveate.training.processes import Processes
from foveate.training.readers import RegionReader
from foveate.training.recipe import read_recipe
from foveate.training.train import Where, train
from tests.helpers import write

APP = typer.Typer(pretty_exceptions_enable=False)
APP.command("train")(command)
RECIPE = """
about = "tiny"
longest = 24
loss = "softmax"
lr = 0.01
epochs = 3
photos = 1
questions = 4
regions_on = 4
ema = 0.5
[network]
network = "mac"
width = 8
steps = 2
embedding = 4
[source]
name = "colour"
grid = 4
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scenes")
    scenes.write_tiny(folder)
    return folder


@pytest.fixture(scope="module")
def recipe(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write(tmp_path_factory.mktemp("recipes") / "tiny.toml", RECIPE))


@pytest.fixture(scope="module")
def trained(root: Path, recipe: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    out = tmp_path_factory.mktemp("trained") / "mac"
    done = ran(recipe, "--data", "scenes:train", "--root", str(root), "--out", str(out))
    return out, done


def ran(*words: str) -> str:
    done = CliRunner().invoke(APP, list(words), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def test_what_was_trained_answers_as_a_grounder(root: Path, trained: tuple[Path, str]) -> None:
    """The accuracy and the mean IoU of the log are those of the file that was kept, asked as a user asks it."""
    out, said = trained
    card = read_checkpoint(out / "best.safetensors").card
    _, grounder = load_grounder("mac", {"file": str(out / "best.safetensors")})
    pairs = list(open_dataset("scenes:val", root).pairs())
    found = list(map_queries([query for query, _ in pairs], grounder))

    best = card.history[-1]
    right = [one.answer in truth.answers for one, (_, truth) in zip(found, pairs, strict=True)]
    assert np.mean(right) == pytest.approx(best["accuracy"])
    grounded = [(one, truth) for one, (_, truth) in zip(found, pairs, strict=True) if truth.targets][:4]
    overlaps = measure([one for one, _ in grounded], [truth for _, truth in grounded])["iou"]
    # The grounder looks at the photo, the training at what was stored of it in half precision.
    assert overlaps.mean() == pytest.approx(best["mean_iou"], abs=0.05)
    assert f"best: epoch {best['epoch']}, accuracy {best['accuracy']:.4f} on the validation split" in said
    assert "all epochs are done" in said
    assert "30 questions about 3 photos" in said


def test_a_folder_tells_what_was_done_in_it(root: Path, trained: tuple[Path, str]) -> None:
    out, _ = trained
    assert sorted(one.name for one in out.iterdir()) == [
        "best.safetensors",
        "features",
        "last.safetensors",
        "log.csv",
        "state.pt",
        "tensorboard",
        "training.json",
    ]
    told = json.loads((out / "training.json").read_text(encoding="utf-8"))
    assert told["counts"]["questions"] == told["trained_on"]["n"] == 30
    assert told["counts"]["answers"] == len(read_checkpoint(out / "last.safetensors").card.answers)
    assert told["trained_on"]["dataset"] == "scenes:train"
    assert told["trained_on"]["validation"] == "scenes:val"
    assert told["recipe"]["seed"] == 0
    assert "torch" in told["provenance"]["packages"]
    lines = (out / "log.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "epoch,step,lr,loss,accuracy,mean_iou,seconds"
    # Three photos of ten questions, four of one photo a step.
    assert [line.split(",")[:2] for line in lines[1:]] == [["1", "9"], ["2", "18"], ["3", "27"]]


def test_tensorboard_has_the_same_numbers(trained: tuple[Path, str]) -> None:
    out, _ = trained
    history = read_checkpoint(out / "last.safetensors").card.history
    found = {(event.step, value.tag): value.simple_value for event in events(out) for value in event.summary.value}

    assert len(found) == 3 * 5
    for line in history:
        assert found[line["step"], "loss"] == pytest.approx(line["loss"])
        assert found[line["step"], "accuracy"] == pytest.approx(line["accuracy"])


def events(out: Path) -> Iterator[Any]:
    """Yields what is in the files: a record is its length (8), a sum (4), the message, and a sum (4)."""
    for path in sorted((out / "tensorboard").iterdir()):
        data, at = path.read_bytes(), 0
        while at < len(data):
            length = int.from_bytes(data[at : at + 8], "little")
            event = Event()
            event.ParseFromString(data[at + 12 : at + 12 + length])
            yield event
            at += length + 16


def test_a_training_is_not_mixed_with_another(root: Path, recipe: str, trained: tuple[Path, str]) -> None:
    out, _ = trained
    where = Where("scenes:train", "val", root)
    with pytest.raises(OutputError, match="there is a training in it"):
        train(read_recipe(recipe), where, out)
    with pytest.raises(InputError, match=r"it is another training \(recipe differ\)"):
        train(read_recipe(recipe, {"lr": "0.1"}), where, out, resume=True)

    before = (out / "last.safetensors").read_bytes()
    done = train(read_recipe(recipe), where, out, resume=True)
    assert done.end == "epochs"
    assert [line["epoch"] for line in done.history] == [1, 2, 3]
    assert (out / "last.safetensors").read_bytes() == before


def test_features_are_made_once_and_not_taken_for_others(
    root: Path, recipe: str, trained: tuple[Path, str], tmp_path: Path
) -> None:
    out, _ = trained
    features = out / "features"
    made = (features / "train.h5").stat().st_mtime_ns
    where = Where("scenes:train", "val", root, features)
    how = read_recipe(recipe, {"epochs": "1"})
    train(how, where, tmp_path / "again")

    assert (features / "train.h5").stat().st_mtime_ns == made
    assert not (tmp_path / "again" / "features").exists()
    with pytest.raises(InputError, match=r"it holds features of .*'grid': 4.*, and the recipe wants .*'grid': 5"):
        train(read_recipe(recipe, {"source.grid": "5"}), where, tmp_path / "other")
    path = features / "{split}.h5"
    stored = read_recipe(recipe, {"source": f'{{name = "stored", path = "{path}"}}', "epochs": "1"})
    same = train(stored, Where("scenes:train", "val", root), tmp_path / "stored")
    assert read_checkpoint(tmp_path / "stored" / "best.safetensors").card.source["path"] == str(features / "train.h5")
    assert (tmp_path / "stored" / "log.csv").read_text().split(",")[:-1] == (
        tmp_path / "again" / "log.csv"
    ).read_text().split(",")[:-1]
    assert same.history[0]["mean_iou"] >= 0


def test_one_may_begin_with_what_was_trained_before(
    root: Path, recipe: str, trained: tuple[Path, str], tmp_path: Path
) -> None:
    """With a learning rate of next to nothing, all but the last layer stays what it was; its words are kept."""
    before = read_checkpoint(trained[0] / "last.safetensors")
    changes = {"start": str(before.path), "most_answers": "2", "lr": "1e-30", "epochs": "1", "ema": "none"}
    train(read_recipe(recipe, changes), Where("scenes:val", "test", root), tmp_path / "more")

    after = read_checkpoint(tmp_path / "more" / "last.safetensors")
    assert after.card.words == before.card.words
    assert len(after.card.answers) == 2
    assert after.card.trained_on["before"] == before.card.trained_on
    other = [name for name, array in after.arrays.items() if not np.array_equal(array, before.arrays[name])]
    assert other == ["head.answers.bias", "head.answers.weight"]

    caps = read_recipe(recipe, {**changes, "network": '{network = "mac_caps"}'})
    with pytest.raises(InputError, match="it is a checkpoint of mac, and the recipe trains mac_caps"):
        train(caps, Where("scenes:val", "test", root), tmp_path / "caps")


def test_the_command_tells_its_recipes_and_what_is_missing(recipe: str) -> None:
    assert "mac_caps_gqa: MAC-Caps on GQA" in ran("--list")
    with pytest.raises(UsageError, match="RECIPE and --data and --out must be said"):
        ran()
    with pytest.raises(UsageError, match="device: gpu cannot be used"):
        ran(recipe, "--data", "scenes", "--out", "nowhere", "--device", "gpu")


def test_the_other_processes_of_a_training_say_nothing(
    root: Path, recipe: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second of two writes nothing: it finds features and folder as the first left them."""
    train(read_recipe(recipe, {"epochs": "1"}), Where("scenes:train", "val", root), tmp_path / "first")
    features = tmp_path / "first" / "features"
    monkeypatch.setattr(Processes, "first", False)
    done = ran(
        recipe, "--data", "scenes:train", "--root", str(root), "--features", str(features), "--out", str(tmp_path)
    )

    assert done == ""
    assert [one.name for one in tmp_path.iterdir()] == ["first"]


@pytest.mark.parametrize("network", ["lxmert", "oscar"])
def test_networks_over_regions_are_trained_too(network: str, root: Path, recipe: str, tmp_path: Path) -> None:
    layers = "layers = 1" if network == "oscar" else "language_layers = 1, region_layers = 1, cross_layers = 1"
    config = f'{{network = "{network}", width = 8, heads = 2, inner = 8, longest_text = 40, {layers}}}'
    tags = str(network == "oscar").lower()
    changes = {"network": config, "source": '{name = "colour", most = 5}', "epochs": "2", "tags": tags}
    done = train(read_recipe(recipe, changes), Where("scenes:train", "val", root), tmp_path)

    _, grounder = load_grounder(network, {"file": str(tmp_path / "last.safetensors")})
    pairs = list(open_dataset("scenes:val", root).pairs())
    found = list(map_queries([query for query, _ in pairs], grounder))
    right = [one.answer in truth.answers for one, (_, truth) in zip(found, pairs, strict=True)]
    assert np.mean(right) == pytest.approx(done.history[-1]["accuracy"])
    assert {one.status for one in found} <= {"ok", "no_region"}


class TestRegions:
    """Two photos of other sizes with two regions and one."""

    SIZES: dict[str, SizeHW] = {"a.jpg": (10, 20), "b.jpg": (40, 20)}

    @pytest.fixture
    def reader(self, tmp_path: Path) -> RegionReader:
        path = tmp_path / "train.h5"
        card = FeatureCard(kind="regions", source={"name": "made"}, width=3, most=4)
        with FeatureWriter(path, card, list(self.SIZES)) as writer:
            boxes = np.array([[0, 0, 10, 5], [4, 2, 20, 10]], dtype=np.float64)
            features = np.arange(6, dtype=np.float32).reshape(2, 3)
            writer.regions(0, boxes, features, ("red cube", "cat"), self.SIZES["a.jpg"])
            writer.regions(1, boxes[:1], features[1:], ("cat",), self.SIZES["b.jpg"])
        return RegionReader(region_source({"name": "stored", "path": str(path)}), self.SIZES)

    def test_regions_are_shares_of_their_photo_and_end_in_noughts(self, reader: RegionReader) -> None:
        words, there = np.array([[2], [3], [4]]), np.ones((3, 1), dtype=np.bool_)
        batch = reader.batch(["b.jpg", "a.jpg"], words, there, np.array([1, 0, 1]))

        assert batch.features.tolist() == [[[3, 4, 5], [0, 0, 0]], [[0, 1, 2], [3, 4, 5]]]
        expected = [[[0, 0, 0.5, 0.125], [0, 0, 0, 0]], [[0, 0, 0.5, 0.5], [0.2, 0.2, 1, 1]]]
        assert batch.boxes.numpy() == pytest.approx(np.array(expected))
        assert batch.valid.tolist() == [[True, False], [True, True]]
        assert batch.photo.tolist() == [1, 0, 1]
        assert batch.tags is None

    def test_names_of_what_was_seen_go_beside_each_question(self, reader: RegionReader) -> None:
        told = RegionReader(reader.source, reader.sizes, 6).telling(Words(("cat", "red")))
        one = np.ones((2, 1), dtype=np.int64)
        batch = told.batch(["a.jpg", "b.jpg"], one, one > 0, np.array([1, 0]))

        assert told.labels("a.jpg") == ("red cube", "cat")
        assert batch.tags is not None
        assert batch.tags_there is not None
        # One word and three marks leave two of six places; `cube` is unknown.
        assert batch.tags.tolist() == [[2, 0], [3, 1]]
        assert batch.tags_there.tolist() == [[True, False], [True, True]]

    def test_a_photo_whose_size_nobody_knows_is_refused(self, reader: RegionReader) -> None:
        with pytest.raises(InputError, match=r"c\.jpg: the photo's size is not known"):
            reader.labels("c.jpg")
