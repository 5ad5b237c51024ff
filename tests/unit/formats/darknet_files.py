"""A small network of Darknet, with every kind of layer that is read."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

# Two heads, 2 kinds, 2 anchors each: rows of 7.
PLAN = """
[net]
# Testing
width=64
channels=3

[convolutional]
batch_normalize=1
filters=4
size=3
stride=2
pad=1
activation=leaky

[maxpool]
size=2
stride=1

[convolutional]
filters=14 ; 2 * (5 + 2)
size=1
stride=1
pad=1
activation=linear

[yolo]
mask = 1,2
anchors = 4,5,  10,20,  30,16
classes=2
num=3

[route]
layers = -3

[maxpool]
size=2
stride=2

[upsample]
stride=2

[route]
layers = -1, 0

[convolutional]
filters=7
size=1
stride=1
activation=linear

[yolo]
mask = 0
anchors = 4,5,  10,20,  30,16
classes=2
num=3
"""
# bias, gain, mean, variance, kernel; bias, kernel; bias, kernel.
PIECES = (4, 4, 4, 4, 4 * 3 * 9, 14, 14 * 4, 7, 7 * 8)


def numbers(seed: int = 7) -> list[NDArray[np.float32]]:
    """The network's numbers, piece by piece."""
    rng = np.random.default_rng(seed)
    pieces = [rng.normal(0, 0.5, count).astype(np.float32) for count in PIECES]
    pieces[3] = np.abs(pieces[3]) + np.float32(0.1)
    return pieces


def write(
    folder: Path, plan: str = PLAN, pieces: list[NDArray[np.float32]] | None = None, minor: int = 2
) -> list[Path]:
    """Writes the network; returns its plan and its weights."""
    header = struct.pack("<iii", 0, minor, 0) + bytes(8 if minor >= 2 else 4)
    (folder / "a.cfg").write_text(plan)
    (folder / "a.weights").write_bytes(header + b"".join(p.tobytes() for p in pieces or numbers()))
    return [folder / "a.cfg", folder / "a.weights"]
