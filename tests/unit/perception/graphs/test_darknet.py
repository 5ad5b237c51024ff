"""The graph of a small network against Darknet's rules, written a second time with plain loops."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from numpy.typing import NDArray

from foveate.perception.graphs import darknet
from tests.unit.formats.darknet_files import numbers, write

Values = NDArray[np.float64]


def convolved(x: Values, kernel: Values, bias: Values, stride: int) -> Values:
    pad = kernel.shape[2] // 2
    padded = np.pad(x, ((0, 0), (pad, pad), (pad, pad)))
    side = kernel.shape[2]
    rows, columns = ((length + 2 * pad - side) // stride + 1 for length in x.shape[1:])
    out = np.zeros((len(kernel), rows, columns))
    for row in range(rows):
        for column in range(columns):
            patch = padded[:, row * stride : row * stride + side, column * stride : column * stride + side]
            out[:, row, column] = (kernel * patch).sum(axis=(1, 2, 3)) + bias
    return out


def pooled(x: Values, stride: int) -> Values:
    """Maximum of two by two, where the last row and column have no neighbour."""
    out = np.zeros((len(x), (x.shape[1] - 1) // stride + 1, (x.shape[2] - 1) // stride + 1))
    for row in range(out.shape[1]):
        for column in range(out.shape[2]):
            patch = x[:, row * stride : row * stride + 2, column * stride : column * stride + 2]
            out[:, row, column] = patch.max(axis=(1, 2))
    return out


def decoded(x: Values, anchors: list[tuple[int, int]], photo_hw: tuple[int, int]) -> list[Values]:
    def chance(value: Values) -> Values:
        return np.asarray(1 / (1 + np.exp(-value)))

    rows = []
    for row in range(x.shape[1]):
        for column in range(x.shape[2]):
            for place, (width, height) in enumerate(anchors):
                cell = x[place * 7 : place * 7 + 7, row, column]
                centre = (chance(cell[:2]) + [column, row]) / [x.shape[2], x.shape[1]]
                size = np.exp(cell[2:4]) * [width, height] / [photo_hw[1], photo_hw[0]]
                rows.append(np.concatenate([centre, size, chance(cell[4:5]), chance(cell[5:]) * chance(cell[4:5])]))
    return rows


def by_loops(photo: Values) -> Values:
    bias, gain, mean, variance, kernel, *rest = (piece.astype(np.float64) for piece in numbers())
    raw = convolved(photo, kernel.reshape(4, 3, 3, 3), np.zeros(4), 2)
    normal = (raw - mean[:, None, None]) / (np.sqrt(variance) + 1e-6)[:, None, None]
    normal = normal * gain[:, None, None] + bias[:, None, None]
    first = np.where(normal > 0, normal, normal * 0.1)
    second = pooled(first, 1)
    third = convolved(second, rest[1].reshape(14, 4, 1, 1), rest[0], 1)
    small = pooled(second, 2)
    large = small.repeat(2, axis=1).repeat(2, axis=2)
    last = convolved(np.concatenate([large, first]), rest[3].reshape(7, 8, 1, 1), rest[2], 1)
    photo_hw = photo.shape[1:]
    return np.array(decoded(third, [(10, 20), (30, 16)], photo_hw) + decoded(last, [(4, 5)], photo_hw))


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> onnxruntime.InferenceSession:
    plan, weights = write(tmp_path_factory.mktemp("darknet"))
    return onnxruntime.InferenceSession(darknet.build(plan, weights))


@pytest.mark.parametrize("size_hw", [(8, 8), (8, 24), (16, 4)])
def test_rows_are_those_of_the_rules(session: onnxruntime.InferenceSession, size_hw: tuple[int, int]) -> None:
    photos = np.random.default_rng(3).uniform(0, 1, (2, 3, *size_hw))
    (rows,) = session.run(None, {"photo": photos.astype(np.float32)})
    cells = size_hw[0] * size_hw[1] // 4
    assert rows.shape == (2, cells * 3, 7)
    for photo, found in zip(photos, rows, strict=True):
        assert found == pytest.approx(by_loops(photo), abs=2e-5)


def test_the_network_is_written_the_same_way_twice(tmp_path: Path) -> None:
    plan, weights = write(tmp_path)
    assert darknet.build(plan, weights) == darknet.build(plan, weights)
