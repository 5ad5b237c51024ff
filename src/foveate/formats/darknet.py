"""Networks of Darknet: a plan (`.cfg`, sections of text), and its numbers in the plan's order (`.weights`).

Read are the layers that the small detectors are made of. A convolution comes with its normalisation folded in, so that
what is left of it is a kernel and a bias.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from foveate.errors import InputError

Floats = NDArray[np.float32]
KINDS = ("convolutional", "maxpool", "upsample", "route", "yolo")
# Darknet adds it to the deviation, not to the variance.
_EPSILON = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """One section of a plan after the first.

    Attributes:
        kind: One of `KINDS`.
        options: What the plan says of it, as written.
        inputs: The layers that it takes, by their place; -1 is the photo.
        channels: How many channels it gives.
        kernel: ``float32 (channels, taken, size, size)`` of a convolution.
        bias: ``float32 (channels,)`` of a convolution.
    """

    kind: str
    options: Mapping[str, str]
    inputs: tuple[int, ...]
    channels: int
    kernel: Floats | None = None
    bias: Floats | None = None

    def number(self, option: str, default: int) -> int:
        """Returns a whole number that the plan says, or its default."""
        return int(self.options.get(option, default))

    def numbers(self, option: str) -> tuple[float, ...]:
        """Returns a list of numbers that the plan says."""
        return tuple(float(number) for number in self.options[option].split(","))


def read_darknet(plan: Path, weights: Path) -> tuple[Layer, ...]:
    """Returns the layers of a network in the plan's order.

    Raises:
        InputError: The plan has a layer that is not read, or the numbers do not fit the plan.

    References:
        https://github.com/pjreddie/darknet, src/parser.c: `parse_network_cfg`, `load_weights_upto`.
    """
    sections = _sections(plan)
    numbers = _Numbers(weights)
    layers: list[Layer] = []
    try:
        channels = int(sections[0][1].get("channels", 3))
        for kind, options in sections[1:]:
            layers.append(_layer(kind, options, layers, channels, numbers))
    except (ValueError, IndexError, KeyError) as error:
        raise _wrong(plan, f"layer {len(layers)} cannot be read ({error})") from error
    if numbers.left:
        raise _wrong(weights, f"{numbers.left:,} numbers are left when the plan is done")
    return tuple(layers)


class _Numbers:
    """The numbers of a network, taken one piece after the other."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        major, minor = np.frombuffer(data[:8], "<i4").tolist() if len(data) >= 8 else (0, 0)
        # Three numbers of the version, then how many photos it was trained on, in 8 bytes from version 0.2 on.
        start = 20 if major * 10 + minor >= 2 else 16
        if len(data) < start or (len(data) - start) % 4:
            raise _wrong(path, f"{len(data):,} bytes are no header and whole numbers")
        self._path, self._values, self._at = path, np.frombuffer(data, "<f4", offset=start), 0

    @property
    def left(self) -> int:
        return len(self._values) - self._at

    def take(self, count: int) -> Floats:
        if count > self.left:
            raise _wrong(self._path, f"{self.left:,} numbers are left where the plan needs {count:,}")
        self._at += count
        return self._values[self._at - count : self._at]


def _sections(plan: Path) -> list[tuple[str, dict[str, str]]]:
    sections: list[tuple[str, dict[str, str]]] = []
    for line in plan.read_text(encoding="utf-8", errors="replace").splitlines():
        text = line.split("#")[0].split(";")[0].strip()
        if text.startswith("[") and text.endswith("]"):
            sections.append((text[1:-1].strip(), {}))
        elif "=" in text and sections:
            option, _, value = text.partition("=")
            sections[-1][1][option.strip()] = value.strip()
        elif text:
            raise _wrong(plan, f"{text!r} is neither a section nor an option")
    if not sections or sections[0][0] not in {"net", "network"}:
        raise _wrong(plan, "it does not begin with a section [net]")
    return sections


def _layer(kind: str, options: Mapping[str, str], before: list[Layer], photo: int, numbers: _Numbers) -> Layer:
    if kind not in KINDS:
        raise ValueError(f"[{kind}] is none of {', '.join(KINDS)}")
    here = len(before)
    inputs = _places(options["layers"], here) if kind == "route" else (here - 1,)
    taken = sum(before[place].channels if place >= 0 else photo for place in inputs)
    if kind != "convolutional":
        return Layer(kind, options, inputs, taken)
    channels, size = int(options["filters"]), int(options["size"])
    bias = numbers.take(channels)
    scale: NDArray[np.float64] | None = None
    if int(options.get("batch_normalize", 0)):
        gain, mean, variance = (numbers.take(channels).astype(np.float64) for _ in range(3))
        factor = gain / (np.sqrt(variance) + _EPSILON)
        bias, scale = (bias - mean * factor).astype(np.float32), factor
    kernel = numbers.take(channels * taken * size * size).reshape(channels, taken, size, size)
    if scale is not None:
        kernel = (kernel * scale[:, None, None, None]).astype(np.float32)
    return Layer(kind, options, inputs, channels, kernel, bias)


def _places(text: str, here: int) -> tuple[int, ...]:
    places = tuple(here + int(place) if int(place) < 0 else int(place) for place in text.split(","))
    if not all(0 <= place < here for place in places):
        raise ValueError(f"its route {text} leads to no earlier layer")
    return places


def _wrong(path: Path, problem: str) -> InputError:
    return InputError(str(path), problem, "Give a plan and the weights that were made for it.")
