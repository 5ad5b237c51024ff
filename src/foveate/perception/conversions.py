"""The networks that Foveate runs: what each is made of, how, and what it must give on a made-up input.

The made-up input and what came of it are the fingerprint of a network: it is checked when the network is first run, so
that a conversion that went wrong, on this computer or with another version of a library, cannot go unnoticed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from foveate.sources.converted import Conversion
from foveate.sources.pinned import Member
from foveate.sources.weights import WEIGHTS

# How far a number may be off, relative to the largest of its fingerprint: processors differ in the sixth digit.
TOLERANCE = 1e-3
_WAVES = 6


@dataclass(frozen=True)
class Network:
    """A network as it is run.

    Attributes:
        name: What `foveate.perception.sessions` calls it.
        weights: The key of `WEIGHTS` of what it is made of.
        conversion: How it is made.
        shape: Of the made-up input: floats between -1 and 1; or whole numbers around 2,000, where it has two axes.
        expected: The fingerprint, see `fingerprint`.
    """

    name: str
    weights: str
    conversion: Conversion
    shape: tuple[int, ...]
    expected: tuple[float, ...]

    def made_up(self) -> NDArray[Any]:
        """Returns the input of the fingerprint, the same on every computer."""
        wave = np.sin(np.arange(math.prod(self.shape)) * 0.1).reshape(self.shape)
        tokens: NDArray[Any] = (2000 + 900 * wave).astype(np.int64)
        return tokens if wave.ndim == 2 else wave.astype(np.float32)

    def misfit(self, output: NDArray[Any]) -> str | None:
        """Returns how an output on the made-up input differs from the expected one; None where it does not."""
        found, wanted = fingerprint(output), np.array(self.expected)
        off = np.abs(found - wanted) / np.abs(wanted).max()
        worst = int(np.argmax(off))
        # Not `off[worst] > TOLERANCE`, which no NaN is.
        if off[worst] <= TOLERANCE:
            return None
        return f"on a made-up input it gives {found[worst]:.4g} where {wanted[worst]:.4g} is expected"


def fingerprint(output: NDArray[Any]) -> NDArray[np.float64]:
    """Returns mean and deviation of an output, and how much of six waves is in it, which tells where values stand."""
    values = output.astype(np.float64).ravel()
    places = np.arange(values.size)
    waves = [values @ np.cos(places * (0.5 + wave)) for wave in range(_WAVES)]
    return np.array([values.mean(), values.std(), *(np.array(waves) / np.sqrt(values.size))])


def _network(name: str, weights: str, builder: str, files: tuple[str, ...], shape: tuple[int, ...]) -> Network:
    # All files of the weights, also those that only others read: what lies in one archive comes by one download.
    members = tuple(member for member in WEIGHTS[weights].members if isinstance(member, Member))
    conversion = Conversion(f"{name}.onnx", members, 1, _maker(builder, files))
    return Network(name, weights, conversion, shape, _EXPECTED[name])


def _maker(builder: str, files: tuple[str, ...]) -> Callable[[Mapping[str, Path]], bytes]:
    def make(found: Mapping[str, Path]) -> bytes:
        module, _, function = builder.partition(".")
        # The libraries that build graphs are heavy, and needed once.
        build = getattr(import_module(f"foveate.perception.graphs.{module}"), function)
        return cast(bytes, build(*(found[file] for file in files)))

    return make


# fmt: off
_EXPECTED = {
    "yolov3_tiny": (0.0279078, 0.191091, 0.0918055, 0.0763803, -0.0323647, -0.00178352, 0.0414916, -0.050773),
    "all_minilm_l6_v2": (0.000216191, 0.0510306, 0.0395751, -0.03195, 0.00564972, 0.0395148, 0.0155321, -0.0269811),
    "vit_s_focus_tokens": (0.0376092, 2.51822, -3.11463, 0.204727, 0.20281, 1.33937, -0.837518, -1.89571),
    "vit_s_focus_saliency": (-0.225933, 0.129025, 0.0362388, 0.101701, 0.0956192, 0.030339, -0.00173017, -0.112298),
    "efficientnet_lite2": (0.001, 0.0120355, 0.019237, 0.0110265, 0.00307476, 0.00057612, 0.00487514, 0.00739843),
    "efficientnet_lite2_places": (
        -0.248057, 3.66866, -1.38488, 1.54952, 1.52872, -0.529359, 0.0890758, 0.561879
    ),
}
# fmt: on
_YOLO, _VIT, _LITE = (
    ("yolov3-tiny.cfg", "yolov3-tiny.weights"),
    ("vit_s_focus.onnx",),
    ("efficientnet-lite2-9656183e.pth",),
)
NETWORKS: dict[str, Network] = {
    network.name: network
    for network in (
        _network("yolov3_tiny", "yolov3_tiny", "darknet.build", _YOLO, (1, 3, 64, 96)),
        _network("all_minilm_l6_v2", "all_minilm_l6_v2", "minilm.build", ("model.safetensors",), (2, 7)),
        _network("vit_s_focus_tokens", "vit_s_focus", "vit_focus.build_tokens", _VIT, (1, 3, 28, 42)),
        _network("vit_s_focus_saliency", "vit_s_focus", "vit_focus.build_saliency", _VIT, (1, 384, 2, 3)),
        _network("efficientnet_lite2", "efficientnet_lite2", "efficientnet.build", _LITE, (1, 3, 260, 260)),
        _network("efficientnet_lite2_places", "efficientnet_lite2", "efficientnet.build_places", _LITE, (1, 3, 96, 64)),
    )
}
