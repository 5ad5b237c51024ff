from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from foveate.errors import InputError
from foveate.formats.darknet import read_darknet
from tests.unit.formats.darknet_files import PLAN, numbers, write


@pytest.mark.parametrize("minor", [1, 2])
def test_layers_with_what_they_take_and_give(tmp_path: Path, minor: int) -> None:
    layers = read_darknet(*write(tmp_path, minor=minor))
    assert [(layer.kind, layer.inputs, layer.channels) for layer in layers] == [
        ("convolutional", (-1,), 4),
        ("maxpool", (0,), 4),
        ("convolutional", (1,), 14),
        ("yolo", (2,), 14),
        ("route", (1,), 4),
        ("maxpool", (4,), 4),
        ("upsample", (5,), 4),
        ("route", (6, 0), 8),
        ("convolutional", (7,), 7),
        ("yolo", (8,), 7),
    ]
    assert layers[3].number("classes", 80) == 2
    assert layers[3].numbers("mask") == (1, 2)
    assert layers[8].number("pad", 0) == 0


def test_the_normalisation_is_folded_into_the_convolution(tmp_path: Path) -> None:
    bias, gain, mean, variance, kernel, plain_bias, plain_kernel, *_ = numbers()
    first, _, second, *_ = read_darknet(*write(tmp_path))
    assert first.kernel is not None
    assert first.bias is not None
    # Darknet: (x - mean) / (sqrt(variance) + 1e-6) * gain + bias, on the sum x of kernel times input.
    patch = np.linspace(-1, 1, 27).reshape(3, 3, 3)
    plain = (kernel.reshape(4, 3, 3, 3) * patch).sum(axis=(1, 2, 3))
    wanted = (plain - mean) / (np.sqrt(variance) + 1e-6) * gain + bias
    assert (first.kernel * patch).sum(axis=(1, 2, 3)) + first.bias == pytest.approx(wanted, abs=1e-5)
    assert second.kernel is not None
    assert second.bias is not None
    assert second.kernel.ravel().tolist() == plain_kernel.tolist()
    assert second.bias.tolist() == plain_bias.tolist()


def test_numbers_that_do_not_fit_the_plan(tmp_path: Path) -> None:
    pieces = numbers()
    with pytest.raises(InputError, match=r"a\.weights: 1 numbers are left when the plan is done"):
        read_darknet(*write(tmp_path, pieces=[*pieces, np.zeros(1, np.float32)]))
    with pytest.raises(InputError, match=r"a\.weights: 55 numbers are left where the plan needs 56"):
        read_darknet(*write(tmp_path, pieces=[*pieces[:-1], pieces[-1][1:]]))


@pytest.mark.parametrize("data", [b"", bytes(7), bytes(19), bytes(23)])
def test_weights_without_a_header_or_with_half_a_number(tmp_path: Path, data: bytes) -> None:
    plan, weights = write(tmp_path)
    weights.write_bytes(data)
    with pytest.raises(InputError, match="no header and whole numbers|numbers are left"):
        read_darknet(plan, weights)


@pytest.mark.parametrize(
    ("plan", "problem"),
    [
        ("", "does not begin with a section"),
        ("[convolutional]\nfilters=1\n", "does not begin with a section"),
        ("[net]\nwidth 3\n", "'width 3' is neither a section nor an option"),
        ("[net]\n[lstm]\n", r"layer 0 cannot be read \(\[lstm\] is none of convolutional"),
        ("[net]\n[convolutional]\nsize=3\n", "layer 0 cannot be read"),
        ("[net]\n[convolutional]\nfilters=many\nsize=3\n", "layer 0 cannot be read"),
        ("[net]\n[maxpool]\n[route]\nlayers=1\n", "its route 1 leads to no earlier layer"),
        ("[net]\n[maxpool]\n[route]\nlayers=-2\n", "its route -2 leads to no earlier layer"),
    ],
)
def test_plans_that_cannot_be_read(tmp_path: Path, plan: str, problem: str) -> None:
    with pytest.raises(InputError, match=rf"a\.cfg: .*{problem}"):
        read_darknet(*write(tmp_path, plan))


def test_a_plan_with_windows_line_ends(tmp_path: Path) -> None:
    assert len(read_darknet(*write(tmp_path, PLAN.replace("\n", "\r\n")))) == 10
