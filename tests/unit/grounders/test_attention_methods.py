"""`mac` and `mac_caps` as methods: the checkpoint, the features, the answer, the region, and why."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest
import torch

from foveate import plugins
from foveate.assist.asking import Asker
from foveate.assist.photos import Photo
from foveate.assist.why import why
from foveate.core.regions import Box, Mask
from foveate.core.rle import encode
from foveate.errors import InputError, UnavailableError, UsageError
from foveate.execution.ground import config_of, fetch_weights, ground, load_grounder
from foveate.formats.checkpoints import CheckpointCard, read_checkpoint, write_checkpoint
from foveate.grounders._attention import networks
from foveate.grounders._attention.answering import ranked, score_of
from foveate.grounders._attention.explained import words_attended
from foveate.grounders._attention.trained import default_file
from foveate.networks._batches import GridBatch
from foveate.networks._states import set_arrays
from foveate.networks.build import build
from foveate.perception.attention import AttentionRule, grid_map, region_of
from foveate.perception.vocabulary import Words
from foveate.runs.store import read_run
from foveate.sources.images import FileImage

METHODS = ["mac", "mac_caps"]
QUESTION = "What color is the cube left of it?"


def tiny(name: str, folder: Path) -> Path:
    return Path(plugins.load("grounders", name).write_tiny(folder)["file"])


def changed(file: Path, arrays: dict[str, Any] | None = None, **card: Any) -> Path:
    """Writes a checkpoint once more with something else in it; returns its path."""
    found = read_checkpoint(file)
    path = file.with_name("changed.safetensors")
    write_checkpoint(path, {**found.arrays, **(arrays or {})}, CheckpointCard(**{**found.card.model_dump(), **card}))
    return path


def said(file: Path, photo: Path, name: str = "mac", question: str = QUESTION, **options: Any) -> Any:
    _, method = load_grounder(name, {"file": str(file), **options})
    image = FileImage(photo)
    method.prepare(image, image.size_hw)
    return method.ground(question)


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    noise = np.random.default_rng(7).integers(0, 256, (4, 4, 3), dtype=np.uint8)
    PIL.Image.fromarray(noise.repeat(12, axis=0).repeat(16, axis=1)).save(tmp_path / "photo.png")
    return tmp_path / "photo.png"


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("step", [None, 1, 2])
def test_answer_and_region_are_those_of_the_networks_own_output(name: str, step: int | None, photo: Path) -> None:
    file = tiny(name, photo.parent)
    found = read_checkpoint(file)
    network: Any = build(found.card.config)
    set_arrays(network, found.arrays, "")
    ids = torch.tensor([Words(found.card.words).ids(QUESTION, 12)])
    # The photo as colours of 4 x 4 cells, 12 rows and 16 columns of pixels each.
    pixels = FileImage(photo).load().reshape(4, 12, 4, 16, 3).mean(axis=(1, 3)).round() / 255
    grid = torch.tensor(pixels[None], dtype=torch.float32)
    with torch.no_grad():
        output = network.eval()(GridBatch(ids, torch.ones_like(ids).bool(), grid, torch.zeros(1).long()))
    prediction = said(file, photo, name, step=step)
    scores = torch.softmax(output.logits[0], 0)
    assert prediction.answer == found.card.answers[int(scores.argmax())]
    assert prediction.answer_score == pytest.approx(float(scores.max()), rel=1e-3)
    attention = output.attention["photo"][0, -1 if step is None else step - 1].numpy()
    soft = grid_map(attention, (48, 64), AttentionRule())
    assert soft is not None
    assert prediction.map.reading == "bicubic"
    np.testing.assert_allclose(prediction.map.values, soft.values, atol=2e-3)
    assert prediction.final.shape == Mask(encode(prediction.map.on((48, 64)) >= 0.5))


def test_options_of_the_rule_come_before_the_checkpoints_and_that_before_the_papers(photo: Path) -> None:
    file = tiny("mac", photo.parent)
    assert said(file, photo).map.reading == "bicubic"
    other = changed(file, rule={"reading": "cells", "region": "all_box"})
    assert said(other, photo).map.reading == "cells"
    assert isinstance(said(other, photo).final.shape, Box)
    asked = said(other, photo, reading="bilinear", region="mask", normalise="range", threshold=0.9)
    assert asked.map.reading == "bilinear"
    assert asked.map.values.min() == 0
    assert asked.final == region_of(asked.map, (48, 64), AttentionRule("bilinear", "range", 0.9))


def test_the_same_attention_everywhere_is_no_region_but_an_answer(photo: Path) -> None:
    file = tiny("mac", photo.parent)
    flat = changed(file, {"read.score.weight": np.zeros((1, 8), np.float32)})
    _, method = load_grounder("mac", {"file": str(flat)})
    image = FileImage(photo)
    method.prepare(image, image.size_hw)
    prediction = method.ground(QUESTION)
    assert (prediction.status, prediction.map) == ("no_region", None)
    assert prediction.answer in read_checkpoint(file).card.answers
    assert "to all places alike" in str(prediction.reason)
    told = method.explain_map()  # type: ignore[attr-defined]
    assert told.rests_on[0].said.startswith("no place more than others at step 2 of 2")
    assert told.map is None


def test_attention_below_the_threshold_is_no_region_with_its_map(photo: Path) -> None:
    prediction = said(tiny("mac", photo.parent), photo, normalise="none", threshold=0.9)
    assert prediction.status == "no_region"
    assert prediction.map is not None
    assert "as much as the threshold asks" in prediction.reason


@pytest.mark.parametrize("name", METHODS)
def test_it_tells_which_step_looked_there_and_for_which_words(name: str, photo: Path) -> None:
    _, method = load_grounder(name, {"file": str(tiny(name, photo.parent)), "step": 1})
    explains: Any = method
    with pytest.raises(InputError, match=f"{name}: nothing was asked yet"):
        explains.explain()
    with pytest.raises(InputError, match=f"{name}: no photo was prepared"):
        method.ground(QUESTION)
    image = FileImage(photo)
    method.prepare(image, image.size_hw)
    prediction = method.ground(QUESTION)
    told = explains.explain_map()
    assert told.rests_on[0].said.startswith('the place that step 1 of 2 attended to for "')
    assert told.rests_on[0].region == prediction.final
    assert told.map == prediction.map
    assert told.map_means == "how much step 1 of 2 attended to each place"
    assert len(told.others) == 4
    assert all(0 <= other.score <= 1 for other in told.others)
    method.prepare(image, image.size_hw)
    with pytest.raises(InputError, match="nothing was asked yet"):
        explains.explain()


def test_the_assistant_says_so_in_sentences(photo: Path) -> None:
    asker = Asker("mac", {"file": str(tiny("mac", photo.parent))})
    asker.look(Photo("photo.png", FileImage(photo).load()))
    told = why(asker.ask(QUESTION, with_map=True))
    assert told[0] == "The method that was asked is mac."
    assert told[1].startswith('It looked at this: the place that step 2 of 2 attended to for "')
    assert told[2] == "It also considered:"
    assert all(each.startswith('The answer "') for each in told[3:])


def test_words_that_were_attended_to() -> None:
    shares = np.array([0.05, 0.5, 0.1, 0.3, 0.05])
    assert words_attended(["is", "the", "red", "cube", "?"], shares) == ("the", "cube", "red")
    assert words_attended(["is", "the"], np.array([0.02, 0.03, 0.95])) == ("the",)
    assert words_attended(["a", "a"], np.array([0.5, 0.5])) == ("a",)
    assert words_attended([], np.array([1.0])) == ()


def test_scores_are_shares_or_each_answers_own_by_the_loss() -> None:
    logits = np.array([0.0, np.log(3), -1000.0])
    first, second, last = ranked(logits, ("a", "b", "c"), "softmax")
    assert [first.text, second.text, last.text] == ["b", "a", "c"]
    assert [first.score, second.score, last.score] == pytest.approx([0.75, 0.25, 0.0])
    assert [each.score for each in ranked(logits, ("a", "b", "c"), "sigmoid")] == pytest.approx([0.75, 0.5, 0.0])
    assert [each.text for each in ranked(np.zeros(3), ("a", "b", "c"), "softmax", most=2)] == ["a", "b"]
    assert [score_of(recipe) for recipe in ({}, {"loss": "ce"}, {"loss": "bce"})] == ["softmax", "softmax", "sigmoid"]


def test_a_checkpoint_trained_with_sigmoids_scores_so(photo: Path) -> None:
    file = tiny("mac", photo.parent)
    share, own = (said(one, photo).answer_score for one in (file, changed(file, recipe={"loss": "bce"})))
    logit_of_own = np.log(own / (1 - own))
    assert share != own
    assert np.exp(logit_of_own) >= share / (1 - share), "a softmax has more to share with"


def test_stored_features_are_found_by_name_without_the_photo(photo: Path, tmp_path: Path) -> None:
    file = tiny("mac", tmp_path)
    (tmp_path / "stored").mkdir()
    grid = FileImage(photo).load().reshape(4, 12, 4, 16, 3).mean(axis=(1, 3)).round() / 255
    np.save(tmp_path / "stored" / "photo.npy", grid)
    card, method = load_grounder("mac", {"file": str(file), "features": str(tmp_path / "stored")})
    by_name: Any = method
    assert card.needs_image
    assert not by_name.needs_image
    by_name.prepare_named("photo.png", None, (48, 64))
    prediction = method.ground(QUESTION)
    assert prediction.answer == said(file, photo).answer
    assert prediction.map is not None
    np.testing.assert_allclose(prediction.map.load().values, said(file, photo).map.values, atol=1e-5)
    with pytest.raises(InputError, match=r"other\.png: no features are stored of this photo"):
        by_name.prepare_named("other.png", None, (48, 64))
    with pytest.raises(InputError, match="no photo was prepared"):
        method.ground(QUESTION)


def test_a_run_without_photos_from_stored_features(tmp_path: Path) -> None:
    file = tiny("mac_caps", tmp_path)
    (tmp_path / "stored").mkdir()
    np.save(tmp_path / "stored" / "a.npy", np.random.default_rng(1).random((4, 4, 3)))
    questions = tmp_path / "questions.csv"
    questions.write_text("image,question,width,height,left,top,right,bottom\na.png,Why?,64,48,0,0,4,4\n")
    config = {"file": str(file), "features": str(tmp_path / "stored")}
    ground("folder", tmp_path, grounder="mac_caps", out=tmp_path / "run", questions=questions, config=config)
    run = read_run(tmp_path / "run")
    assert run.header.trained_on["dataset"] == "made:train"
    assert run.header.trained_on["file"] == "mac_caps.safetensors"
    assert run.header.weights == {}
    (prediction,) = run.predictions
    assert prediction.status == "ok"
    assert prediction.map is not None
    assert prediction.map.load().reading == "bicubic"


def test_only_what_is_needed_is_fetched(tmp_path: Path) -> None:
    card, method = load_grounder("mac", {"file": str(tiny("mac", tmp_path))})
    assert card.weights == ("vit_s_focus",)
    assert fetch_weights(card, method) == {}
    assert fetch_weights(card), "the card alone names the usual features' weights"


def test_instances_share_the_network(photo: Path) -> None:
    file = tiny("mac", photo.parent)
    first, second = (load_grounder("mac", {"file": str(file)})[1] for _ in range(2))
    one, two = (networks.network_of(method._checkpoint, "cpu") for method in (first, second))  # type: ignore[attr-defined]
    assert one is two
    other = changed(file, answers=("1", "2", "3", "4", "5"))
    other.replace(file)
    assert said(file, photo).answer in "12345", "a file that changed is read anew"


def test_options_are_read_by_their_kind() -> None:
    texts = {"step": "2", "threshold": "0.4", "reading": "cells", "region": "all_box", "device": "cpu"}
    assert config_of("mac", texts) == {**texts, "step": 2, "threshold": 0.4}
    with pytest.raises(UsageError, match="curves is none of"):
        config_of("mac", {"reading": "curves"})


@pytest.mark.parametrize(
    ("options", "error", "told"),
    [
        ({"step": 3}, UsageError, r"grounder mac: step is 3, of 2 steps\. Say 1 to 2"),
        ({"step": 0}, UsageError, "step is 0"),
        ({"threshold": 0.0}, UsageError, "threshold: it is 0"),
        ({"reading": "curves"}, UsageError, "reading: it is curves"),
        ({"features": "dinov2_s"}, UsageError, r"dinov2_s has 384 numbers a cell, and mac\.safetensors reads 3"),
        ({"features": "none.h5"}, InputError, r"none\.h5: there is no such file"),
        ({"device": "fridge"}, UsageError, "device: there is none called fridge"),
        ({"device": "meta"}, UsageError, "device: meta runs nothing here"),
    ],
)
def test_options_that_there_are_not(options: dict[str, Any], error: type[Exception], told: str, photo: Path) -> None:
    with pytest.raises(error, match=told):
        said(tiny("mac", photo.parent), photo, **options)


def test_a_device_that_is_not_here(photo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(UnavailableError, match=r"device: cuda is not here, or this PyTorch cannot use it"):
        said(tiny("mac", photo.parent), photo, device="cuda")


@pytest.mark.parametrize(
    ("card", "told"),
    [
        ({"config": {"network": "oscar"}}, r"it is a checkpoint of oscar, not of mac\. Ask the grounder oscar"),
        ({"answers": ("a",)}, "its network is built for 5 answers, and its card lists 1"),
        ({"words": ("a",)}, "ids of words, and its card lists 3"),
        ({"rule": {"colour": 1}}, r"its rule has what there is not \(colour\)"),
        (
            {"source": {"name": "stored", "path": "gone"}},
            "its features are not here: gone: .* Pass --set features=",
        ),
    ],
)
def test_a_checkpoint_that_does_not_fit(card: dict[str, Any], told: str, photo: Path) -> None:
    with pytest.raises(InputError, match=told):
        said(changed(tiny("mac", photo.parent), **card), photo)


def test_a_checkpoint_of_a_later_version_is_told(photo: Path) -> None:
    file = tiny("mac", photo.parent)
    config = read_checkpoint(file).card.config
    with pytest.raises(InputError, match=r"it has no option more.*Take the version of Foveate"):
        said(changed(file, config={**config, "more": 1}), photo)
    with pytest.raises(InputError, match="it is of another network"):
        said(changed(file, {"more": np.zeros(2, np.float32)}), photo)


@pytest.mark.parametrize("name", METHODS)
def test_without_a_file_the_one_of_the_package_is_taken_or_asked_for(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("foveate.grounders._attention.trained._FOLDER", tmp_path)
    with pytest.raises(UsageError, match=rf"Train one: foveate train {name}_scenes --data scenes --out DIR"):
        load_grounder(name)
    tiny(name, tmp_path).rename(default_file(name))
    _, method = load_grounder(name)
    assert getattr(method, "trained_on")["file"] == f"{name}_scenes.safetensors"  # noqa: B009


def test_the_card_of_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.safetensors: there is no such file\. Train one"):
        load_grounder("mac", {"file": str(tmp_path / "none.safetensors")})


def test_listing_methods_opens_no_torch() -> None:
    names = "mac, mac_caps"
    code = (
        f"import sys; from foveate.grounders import {names}; sys.exit('torch' in sys.modules or 'h5py' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_without_torch_it_says_what_to_install(photo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tiny("mac", photo.parent)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(UnavailableError, match=r"it needs the package torch.*pip install 'foveate\[torch\]'"):
        said(file, photo)


def test_another_photo_is_seen_anew(photo: Path) -> None:
    _, method = load_grounder("mac", {"file": str(tiny("mac", photo.parent))})
    PIL.Image.fromarray(FileImage(photo).load()[::-1, :20]).save(photo.parent / "other.png")
    image, other_image = FileImage(photo), FileImage(photo.parent / "other.png")
    method.prepare(image, image.size_hw)
    first = method.ground(QUESTION)
    method.prepare(other_image, other_image.size_hw)
    other = method.ground(QUESTION)
    method.prepare(image, image.size_hw)
    assert other.size_hw == (48, 20)
    assert method.ground(QUESTION) == replace(first, map=method.ground(QUESTION).map)
    assert other.answer_score != first.answer_score
