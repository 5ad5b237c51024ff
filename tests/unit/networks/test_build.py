"""What networks are built with, and their numbers as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from foveate.errors import InputError, UsageError
from foveate.networks._states import arrays_of, set_arrays
from foveate.networks.build import NETWORKS, build
from tests.unit.networks.batches import SIZES, network


@pytest.mark.parametrize("name", ["mac", "mac_caps"])
def test_a_network_tells_what_it_is_built_with(name: str) -> None:
    config: Any = network(name, gate=True).config
    assert config["network"] == name
    assert config["gate"] is True
    assert config["dropout_memory"] == 0.15
    assert build(config).config == config


@pytest.mark.parametrize("name", ["mac", "mac_caps"])
def test_the_seed_decides_the_numbers(name: str) -> None:
    first, second = arrays_of(network(name)), arrays_of(network(name))
    assert all((first[key] == second[key]).all() for key in first)
    torch.manual_seed(6)
    other = arrays_of(build({"network": name, **SIZES}))
    assert (other["reader.words.weight"] != first["reader.words.weight"]).any()


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"network": "macc"}, r"network macc: there is none of this name\. Did you mean mac"),
        ({}, r"network: there is none of this name"),
        ({"network": "mac", **SIZES, "step": 3}, r"network mac: it has no option step\. Did you mean steps"),
        ({"network": "mac", **SIZES, "capsules": 3}, "it has no option capsules"),
        ({"network": "mac", **SIZES, "width": 7}, "network mac, width: value error, 7 is odd"),
        ({"network": "mac", **SIZES, "stem_layers": 3}, "network mac, stem_layers: input should be less than"),
        ({"network": "mac", **SIZES, "dropout_read": 1.0}, "network mac, dropout_read: input should be less than 1"),
        ({"network": "mac", **SIZES, "control": "none"}, "network mac, control: input should be 'question' or"),
        ({"network": "mac", **SIZES, "steps": "4"}, "network mac, steps: input should be a valid integer"),
        ({"network": "mac_caps", **SIZES, "capsules": 1}, "network mac_caps, capsules: input should be greater"),
        ({"network": "mac"}, "network mac, vocabulary: field required"),
    ],
)
def test_what_cannot_be_built_is_refused_with_a_sentence(config: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        build(config)


def test_every_network_of_the_table_is_there() -> None:
    assert {"mac", "mac_caps"} <= set(NETWORKS)


def test_numbers_of_half_precision_are_taken() -> None:
    made, other = network("mac"), network("mac", gate=False)
    halves = {name: values.astype(np.float16) for name, values in arrays_of(made).items()}
    set_arrays(other, halves, "a.safetensors")
    for name, values in arrays_of(other).items():
        assert values.dtype == np.float32
        assert (values == halves[name]).all()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"first_memory": None}, "it lacks first_memory"),
        ({"more": np.zeros(2)}, "it has more beyond"),
        ({"first_memory": np.zeros(9)}, r"first_memory has the shape \(9,\), not \(8,\)"),
        ({"first_memory": np.full(8, np.nan)}, "first_memory has a value that is no number"),
        ({"first_memory": None, "last_memory": np.zeros(8)}, "it lacks first_memory; it has last_memory beyond"),
    ],
)
def test_numbers_of_another_network_are_told_apart(change: dict[str, Any], said: str) -> None:
    made = network("mac")
    before = arrays_of(made)
    given = {name: values for name, values in {**before, **change}.items() if values is not None}
    with pytest.raises(InputError, match=f"a.safetensors: it is of another network: {said}"):
        set_arrays(made, given, "a.safetensors")
    assert all((values == before[name]).all() for name, values in arrays_of(made).items()), "nothing was changed"
