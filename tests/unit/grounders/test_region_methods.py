"""`lxmert` and `oscar` as methods: regions, the answer, the boxes painted, and why."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from foveate import plugins
from foveate.core.regions import Box, Mask
from foveate.core.rle import encode
from foveate.errors import InputError, UsageError
from foveate.execution.ground import config_of, fetch_weights, ground, load_grounder
from foveate.formats.checkpoints import CheckpointCard, read_checkpoint, write_checkpoint
from foveate.grounders._attention.region_inputs import region_batch
from foveate.grounders._attention.region_texts import OwnWords, names_of
from foveate.networks._states import set_arrays
from foveate.networks.build import build
from foveate.perception._region_colour import ColourRegions
from foveate.perception.attention import AttentionRule, box_map
from foveate.perception.region_features import RegionFeatures, region_config, region_source
from foveate.perception.vocabulary import Words
from foveate.runs.store import read_run
from foveate.sources.images import FileImage
from tests.helpers import save_photo

METHODS = ["lxmert", "oscar"]
QUESTION = "What color is the cube left of it?"
# Before the marks.
WORDS = 9


def tiny(name: str, folder: Path) -> Path:
    """Writes a tiny network whose attention differs from place to place."""
    path = Path(plugins.load("grounders", name).write_tiny(folder)["file"])
    return changed(path, {key: values * 20 for key, values in read_checkpoint(path).arrays.items() if values.ndim > 1})


def changed(file: Path, arrays: dict[str, Any] | None = None, **card: Any) -> Path:
    found = read_checkpoint(file)
    path = file.with_name(f"changed_{file.name}")
    write_checkpoint(path, {**found.arrays, **(arrays or {})}, CheckpointCard(**{**found.card.model_dump(), **card}))
    return path


def ready(name: str, file: Path, photo: Path, **options: Any) -> Any:
    _, method = load_grounder(name, {"file": str(file), **options})
    image = FileImage(photo)
    method.prepare(image, image.size_hw)
    return method


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    return save_photo(tmp_path / "photo.png", (48, 64))


def own_output(name: str, file: Path, photo: Path, width: int) -> tuple[Any, RegionFeatures, list[int], list[int]]:
    """Returns what the network itself says, with the question padded to so many words."""
    found = read_checkpoint(file)
    network: Any = build(found.card.config)
    set_arrays(network, found.arrays, "")
    words = Words(found.card.words)
    regions = ColourRegions(14).regions("photo.png", FileImage(photo), (48, 64))
    ids = words.ids(QUESTION, 12)
    tags = words.ids(" ".join(dict.fromkeys(regions.labels or ())), 99)
    with torch.no_grad():
        output = network.eval()(region_batch([regions], [ids], [0], tags=[tags], width=width))
    return output, regions, ids, tags


@pytest.mark.parametrize(("tokens", "heads"), [("all", "mean"), ("non_pad", "max"), ("cls", "2")])
def test_lxmert_is_its_networks_output(tokens: str, heads: str, photo: Path) -> None:
    file = tiny("lxmert", photo.parent)
    output, regions, ids, _ = own_output("lxmert", file, photo, 12)
    assert len(ids) == WORDS
    prediction = ready("lxmert", file, photo, tokens=tokens, heads=heads).ground(QUESTION)
    answers = read_checkpoint(file).card.answers
    shares = torch.softmax(output.logits[0], 0)
    assert prediction.answer == answers[int(shares.argmax())]
    assert prediction.answer_score == pytest.approx(float(shares.max()), rel=1e-4)
    cross = output.attention["cross"][0].double().numpy()
    assert cross.shape == (2, 14, 14), "12 words and two marks look at 14 boxes"
    one = {"mean": cross.mean(axis=0), "max": cross.max(axis=0), "2": cross[1]}[heads]
    weights = one[: {"all": 14, "non_pad": WORDS + 2, "cls": 1}[tokens]].mean(axis=0)
    check(prediction, regions, weights)


@pytest.mark.parametrize(("block", "heads"), [("vision", "mean"), ("text", "max"), ("cls", "1")])
def test_oscar_is_its_networks_output(block: str, heads: str, photo: Path) -> None:
    file = tiny("oscar", photo.parent)
    output, regions, ids, tags = own_output("oscar", file, photo, len_of_words := WORDS)
    assert len(ids) == len_of_words
    whole = output.attention["self"][0].double().numpy()
    text = WORDS + 2 + len(tags) + 1
    assert whole.shape == (2, text + 14, text + 14)
    one = {"mean": whole.mean(axis=0), "max": whole.max(axis=0), "1": whole[0]}[heads]
    rows = {"vision": slice(text, None), "text": slice(0, text), "cls": slice(0, 1)}[block]
    check(
        ready("oscar", file, photo, block=block, heads=heads).ground(QUESTION), regions, one[rows, text:].mean(axis=0)
    )


def check(prediction: Any, regions: RegionFeatures, weights: Any) -> None:
    """Checks that weights of boxes became the region, the map and the candidates."""
    soft = box_map(regions.xyxy, weights, (48, 64), AttentionRule())
    assert soft is not None
    assert prediction.map.reading == "cells"
    np.testing.assert_allclose(prediction.map.values, soft.values, atol=5e-3)
    assert prediction.final.shape == Mask(encode(prediction.map.on((48, 64)) >= 0.5))
    first, *boxes = prediction.candidates
    assert first == prediction.final
    # Boxes of equal weight but for the noise of sums may come in any order.
    rows = [regions.xyxy.tolist().index(list(box.shape.xyxy)) for box in boxes]
    np.testing.assert_allclose(weights[rows], np.sort(weights)[::-1][:5], rtol=1e-4)
    np.testing.assert_allclose([box.score for box in boxes], weights[rows] / weights.sum(), rtol=1e-4)


@pytest.mark.parametrize("name", METHODS)
def test_the_layer_can_be_chosen(name: str, photo: Path) -> None:
    file = tiny(name, photo.parent)
    maps = [ready(name, file, photo, layer=layer).ground(QUESTION).map.values for layer in (1, 2, None)]
    assert not np.array_equal(maps[0], maps[1])
    np.testing.assert_array_equal(maps[1], maps[2])
    for layer in (0, 3):
        with pytest.raises(UsageError, match=rf"grounder {name}: layer is {layer}, of 2 layers\. Say 1 to 2"):
            ready(name, file, photo, layer=layer)


@pytest.mark.parametrize("name", METHODS)
def test_options_of_the_rule_come_before_the_checkpoints(name: str, photo: Path) -> None:
    file = changed(tiny(name, photo.parent), rule={"region": "all_box"})
    assert isinstance(ready(name, file, photo).ground(QUESTION).final.shape, Box)
    summed = ready(name, file, photo, region="mask", paint="sum", threshold=0.9, normalise="range").ground(QUESTION)
    assert isinstance(summed.final.shape, Mask)
    with pytest.raises(UsageError, match="paint: it is min"):
        ready(name, file, photo, paint="min")


@pytest.mark.parametrize("name", METHODS)
def test_the_same_attention_everywhere_is_no_region_but_an_answer(name: str, photo: Path) -> None:
    file = Path(plugins.load("grounders", name).write_tiny(photo.parent)["file"])
    arrays = read_checkpoint(file).arrays
    even = {key: np.zeros_like(values) for key, values in arrays.items() if ".query." in key}
    method = ready(name, changed(file, even), photo)
    prediction = method.ground(QUESTION)
    assert (prediction.status, prediction.map, prediction.candidates) == ("no_region", None, ())
    assert prediction.answer in read_checkpoint(file).card.answers
    assert "to all places alike" in str(prediction.reason)
    assert method.explain_map().map is None


@pytest.mark.parametrize(("name", "options"), [("lxmert", {}), ("oscar", {}), ("oscar", {"block": "text"})])
def test_it_tells_which_layer_words_and_boxes(name: str, options: dict[str, Any], photo: Path) -> None:
    _, method = load_grounder(name, {"file": str(tiny(name, photo.parent)), **options})
    explains: Any = method
    with pytest.raises(InputError, match="nothing was asked yet"):
        explains.explain()
    with pytest.raises(InputError, match=f"{name}: no photo was prepared"):
        method.ground(QUESTION)
    image = FileImage(photo)
    method.prepare(image, image.size_hw)
    prediction = method.ground(QUESTION)
    told = explains.explain_map()
    with_words = name == "lxmert" or bool(options)
    begins = "the place that layer 2 of 2 attended to" + (' for "' if with_words else "")
    assert told.rests_on[0].said.startswith(begins)
    assert with_words or told.rests_on[0].said == begins
    assert told.rests_on[0].region == prediction.final
    assert [other.region for other in told.others[:5]] == list(prediction.candidates[1:])
    share = prediction.candidates[1].score or 0.0
    assert told.others[0].said == f"a box with {round(100 * share)} % of the attention"
    assert [other.said.split('"')[0] for other in told.others[5:]] == ["the answer "] * 4
    assert told.map_means == "how much layer 2 of 2 attended to the boxes of each place"


def test_stored_regions_are_found_by_name_without_the_photo(tmp_path: Path) -> None:
    file = tiny("lxmert", tmp_path)
    (tmp_path / "stored").mkdir()
    made = np.random.default_rng(1)
    boxes = np.array([[0, 0, 30, 40], [20, 10, 64, 48], [5, 5, 25, 20]], dtype=np.float32)
    held: dict[str, Any] = {"x": made.random((3, 3), dtype=np.float32), "bbox": boxes, "image_w": 64, "image_h": 48}
    np.savez(tmp_path / "stored" / "a.npz", **held)
    questions = tmp_path / "questions.csv"
    questions.write_text("image,question,width,height,left,top,right,bottom\na.png,Why?,64,48,0,0,4,4\n")
    config = {"file": str(file), "regions": str(tmp_path / "stored")}
    ground("folder", tmp_path, grounder="lxmert", out=tmp_path / "run", questions=questions, config=config)
    run = read_run(tmp_path / "run")
    assert run.header.weights == {}
    assert run.header.trained_on["dataset"] == "made:train"
    (prediction,) = run.predictions
    assert prediction.status == "ok"
    assert {tuple(one.shape.xyxy) for one in prediction.candidates[1:]} == {tuple(box) for box in boxes.tolist()}
    card, method = load_grounder("lxmert", config)
    by_name: Any = method
    assert card.needs_image
    assert not by_name.needs_image
    with pytest.raises(InputError, match="other"):
        by_name.prepare_named("other.png", None, (48, 64))
    with pytest.raises(InputError, match="no photo was prepared"):
        method.ground(QUESTION)


@pytest.mark.parametrize("name", METHODS)
def test_only_what_is_needed_is_fetched(name: str, tmp_path: Path) -> None:
    card, method = load_grounder(name, {"file": str(tiny(name, tmp_path))})
    assert fetch_weights(card, method) == {}
    assert card.weights == ("yolov3_tiny", "vit_s_focus")


def test_as_many_regions_as_the_papers_have(tmp_path: Path) -> None:
    for name, most in (("lxmert", 36), ("oscar", 50)):
        file = changed(tiny(name, tmp_path), source={"name": "colour"})
        method: Any = load_grounder(name, {"file": str(file)})[1]
        assert method._source.most == most
        asked: Any = load_grounder(name, {"file": str(file), "regions": "colour"})[1]
        assert asked._source.most == most
    assert region_config("colour") == {"name": "colour"}
    assert region_source({"name": "colour", "most": 3}).most == 3


@pytest.mark.parametrize(
    ("options", "error", "told"),
    [
        (
            {"regions": "offline"},
            UsageError,
            r"regions: offline has 384 numbers a region, and .* reads 3\. It was trained on",
        ),
        ({"regions": "none.h5"}, InputError, "none.h5"),
        ({"tokens": "pad"}, UsageError, "grounder lxmert: tokens is pad"),
        ({"heads": "3"}, UsageError, "heads is 3, of 2 heads"),
        ({"device": "fridge"}, UsageError, "device: there is none called fridge"),
    ],
)
def test_options_that_there_are_not(options: dict[str, Any], error: type[Exception], told: str, photo: Path) -> None:
    with pytest.raises(error, match=told):
        ready("lxmert", tiny("lxmert", photo.parent), photo, **options).ground(QUESTION)


def test_a_source_that_is_gone_is_told(tmp_path: Path) -> None:
    file = changed(tiny("lxmert", tmp_path), source={"name": "stored", "path": "gone.h5"})
    with pytest.raises(InputError, match=r"its regions are not here: .* Pass --set regions=PATH"):
        load_grounder("lxmert", {"file": str(file)})


def test_options_are_read_by_their_kind() -> None:
    texts = {"tokens": "cls", "heads": "2", "layer": "3", "threshold": "0.4", "paint": "sum"}
    assert config_of("lxmert", texts) == {**texts, "layer": 3, "threshold": 0.4}
    with pytest.raises(UsageError, match="images is none of"):
        config_of("oscar", {"block": "images"})


def test_own_words_with_the_names_that_fit() -> None:
    texts = OwnWords(Words(("what", "is", "cup", "table")), 4)
    asked = texts.asked("What is this cup, please?", ["cup", "dining table"], 64)
    assert (asked.ids, asked.words, asked.width) == ([2, 3, 1, 4], ("what", "is", "this", "cup"), 4)
    assert asked.tags == [4, 1, 5]
    # Of 9 places 4 are words and 3 marks.
    assert texts.asked("What is this cup?", ["cup", "dining table"], 9).tags == [4, 1]
    assert texts.asked("What is this cup?", ["cup"], 7).tags == []
    assert texts.asked("!", ["?!", ".."], 9).tags == [1], "a mark that parts a question is a word, dots are none"
    assert texts.asked("What?", [".."], 9).tags == []
    assert names_of(("cup", "", "cup", "dog")) == ("cup", "dog")
    assert names_of(None) == ()


def test_boxes_become_shares_and_padding_nought() -> None:
    first = RegionFeatures(np.array([[0.0, 0, 32, 48], [16, 12, 64, 24]]), np.ones((2, 3), np.float32), None, (48, 64))
    second = RegionFeatures(np.array([[1.0, 2, 3, 4]]), np.full((1, 3), 2, np.float32), None, (8, 4))
    batch = region_batch([first, second], [[1], [2, 3]], [1, 0])
    assert batch.boxes.tolist() == [[[0, 0, 0.5, 1], [0.25, 0.25, 1, 0.5]], [[0.25, 0.25, 0.75, 0.5], [0, 0, 0, 0]]]
    assert batch.valid.tolist() == [[True, True], [True, False]]
    assert batch.features[1, 1].tolist() == [0, 0, 0]
    assert (batch.tags, batch.photo.tolist()) == (None, [1, 0])
    assert region_batch([first], [[1]], [0], tags=[[]]).tags is None
    fewer = region_batch([first, second], [[1]], [0], slots=1, tags=[[4, 5]])
    assert fewer.boxes.shape == (2, 1, 4)
    assert fewer.tags is not None
    assert fewer.tags.tolist() == [[4, 5]]


def test_colours_of_boxes_and_their_names(tmp_path: Path) -> None:
    import PIL.Image

    whole = np.zeros((40, 80, 3), np.uint8)
    whole[:, :40], whole[:, 40:] = (220, 20, 20), (20, 20, 220)
    PIL.Image.fromarray(whole).save(tmp_path / "a.png")
    found = ColourRegions(5).regions("a.png", FileImage(tmp_path / "a.png"), (40, 80))
    assert len(found) == 5
    np.testing.assert_allclose(found.features[0], np.array([120, 20, 120]) / 255, atol=0.01)
    half = next(n for n, box in enumerate(found.xyxy.tolist()) if box[2] < 60)
    # Boxes of the second level reach over two thirds of a side: three quarters red.
    np.testing.assert_allclose(found.features[half], np.array([170, 20, 70]) / 255, atol=0.02)
    assert found.labels is not None
    assert found.labels[0] in {"purple", "pink"}
    with pytest.raises(InputError, match="the photo is absent"):
        ColourRegions().regions("a.png", None, (40, 80))


@pytest.mark.parametrize("name", METHODS)
def test_without_a_file_it_says_how_to_train_one(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("foveate.grounders._attention.trained._FOLDER", tmp_path)
    with pytest.raises(UsageError, match=rf"Train one: foveate train {name}_scenes --data scenes --out DIR"):
        load_grounder(name)


def test_listing_methods_opens_neither_torch_nor_transformers() -> None:
    code = (
        "import sys; from foveate.grounders import lxmert, oscar; "
        "sys.exit('torch' in sys.modules or 'transformers' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
