from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import torch

from foveate.errors import InputError, UsageError
from foveate.networks.build import build
from foveate.perception.grid_features import SOURCES as GRIDS
from foveate.perception.region_features import SOURCES as REGIONS
from foveate.training.recipe import read_recipe, recipe_names
from tests.helpers import write

NAMES = [
    f"{network}_{data}" for network in ("mac", "mac_caps") for data in ("clevr", "gqa", "scenes", "vizwiz", "vqa_v2")
] + [f"{network}_{data}" for network in ("lxmert", "oscar") for data in ("gqa", "scenes", "vizwiz", "vqa_v2")]


def test_all_recipes_that_the_docs_name_are_there() -> None:
    assert sorted(recipe_names()) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_recipe_names_a_network_that_can_be_built_and_a_source_that_there_is(name: str) -> None:
    recipe = read_recipe(name)
    network = str(recipe.network["network"])

    assert name.startswith(f"{network}_")
    assert recipe.source["name"] in (GRIDS if network.startswith("mac") else REGIONS)
    config = {"features": 8, **recipe.network, "vocabulary": 12, "answers": 5}
    with torch.device("meta"):
        built: Any = build(config)
    assert built.config["network"] == network
    assert {key: built.config[key] for key in recipe.network} == recipe.network


@pytest.mark.parametrize("name", [name for name in NAMES if not name.endswith("_scenes")])
def test_each_value_of_a_published_recipe_tells_where_it_comes_from(name: str) -> None:
    """But for names, and sides of a network whose line before or after names the network."""
    text = files("foveate.training").joinpath("recipes", f"{name}.toml").read_text(encoding="utf-8")
    bare = [line.partition(" = ")[0] for line in text.splitlines() if " = " in line and " # " not in line]

    assert set(bare) <= {"about", "network", "name", "width", "heads", "inner", "longest_text"}


def test_published_values_are_those_of_the_facts() -> None:
    clevr, caps = read_recipe("mac_clevr"), read_recipe("mac_caps_gqa")
    assert (clevr.lr, clevr.photos * clevr.questions, clevr.ema, clevr.clip) == (1e-4, 64, 0.999, 8.0)
    assert (clevr.loss, clevr.schedule, clevr.epochs) == ("softmax", "plateau", 25)
    assert (caps.lr, caps.photos * caps.questions, caps.loss, caps.network["capsules"]) == (3e-4, 128, "bce", 32)
    lxmert = read_recipe("lxmert_vqa_v2")
    assert (lxmert.lr, lxmert.photos * lxmert.questions, lxmert.epochs, lxmert.warmup) == (5e-5, 32, 4, 0.1)
    assert read_recipe("lxmert_gqa").lr == 1e-5
    vinvl, large = read_recipe("oscar_vqa_v2"), read_recipe("oscar_vizwiz")
    assert (vinvl.lr, vinvl.weight_decay, vinvl.epochs, vinvl.photos) == (5e-5, 0.05, 25, 32)
    assert vinvl.network["longest_text"] == 128
    assert large.network["longest_text"] == 64
    assert large.network["heads"] == 16


def test_other_values_may_be_said(tmp_path: Path) -> None:
    recipe = read_recipe("mac_scenes", {"lr": "0.01", "network.steps": "6", "clip": "none", "source.name": "colour"})

    assert (recipe.lr, recipe.network["steps"], recipe.clip, recipe.source["name"]) == (0.01, 6, None, "colour")
    own = write(tmp_path / "own.toml", 'about = "x"\nlr = 0.1\nepochs = 2\n[network]\nnetwork = "mac"\n[source]\n')
    assert read_recipe(str(own)).photos == 16


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"ls": "0.1"}, "recipe mac_scenes: it has no key ls. Did you mean loss or lr"),
        ({"lr": "-1"}, "recipe mac_scenes, lr: input should be greater than 0"),
        ({"lr": "fast"}, "recipe mac_scenes, lr: input should be a valid number"),
        ({"schedule": "steps"}, "recipe mac_scenes, schedule: input should be 'constant'"),
        ({"lr.high": "1"}, "--set lr.high: lr is no table"),
    ],
)
def test_what_is_no_recipe_is_refused(changes: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_recipe("mac_scenes", changes)


def test_a_recipe_that_is_not_there_or_no_toml_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"recipe mac_scene: there is none of this name\. Did you mean mac_scenes"):
        read_recipe("mac_scene")
    with pytest.raises(InputError, match="the recipe cannot be read"):
        read_recipe(str(tmp_path / "absent.toml"))
    with pytest.raises(InputError, match="the recipe cannot be read"):
        read_recipe(str(write(tmp_path / "broken.toml", "lr = = 3")))
