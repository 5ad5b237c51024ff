"""EfficientNet-Lite2 as ONNX, twice: names for the whole photo, and scores of the names at each place.

Whole: input ``photo``, ``float32 (N, 3, 260, 260)``, RGB, ``(value - 127) / 128`` of 0 to 255; output ``chances``,
``float32 (N, 1000)``, the probabilities of ImageNet's kinds. Places: input ``photo``, ``float32 (N, 3, H, W)``, sides
multiples of 32; output ``scores``, ``float32 (N, 1000, H / 32, W / 32)``, what the last layer gives at each place,
before it is averaged: the mean over the places of a square of 260, as chances, is the other's output.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foveate.formats.torch_legacy import read_torch_legacy
from foveate.perception.graphs._builder import GraphBuilder

Arrays = Mapping[str, NDArray[Any]]
SIDE = 260
# Of the seven stages: blocks (times 1.2, rounded up, but for the first and the last) and the stride of the first block.
_STAGES = ((1, 1), (3, 2), (3, 2), (4, 2), (4, 1), (5, 2), (1, 1))
_EPSILON = 1e-3


def build(weights: Path) -> bytes:
    """Returns the network that names the whole photo as an ONNX file, from the saved arrays.

    Raises:
        InputError: The file is no saved dictionary of arrays.

    References:
        Tan, Le: EfficientNet, ICML 2019; https://github.com/tensorflow/tpu, models/official/efficientnet/lite: no
        squeeze-and-excitation, ReLU6, stem and head of one width for all sizes.
    """
    arrays, graph = read_torch_legacy(weights), GraphBuilder()
    value = graph.add("Flatten", graph.add("GlobalAveragePool", _features(graph, arrays)))
    dense = [graph.constant(arrays[f"_fc.{part}"]) for part in ("weight", "bias")]
    chances = graph.add("Softmax", graph.add("Gemm", value, *dense, transB=1), axis=-1)
    return graph.finished(
        {"photo": (np.float32, ("n", 3, SIDE, SIDE))}, {"chances": (chances, ("n", len(arrays["_fc.bias"])))}
    )


def build_places(weights: Path) -> bytes:
    """Returns the network that scores the names at each place: its last layer stands before the mean, as a convolution.

    Raises:
        InputError: The file is no saved dictionary of arrays.

    References:
        Zhou et al.: Learning deep features for discriminative localization, CVPR 2016, section 2 (the maps are these).
    """
    arrays, graph = read_torch_legacy(weights), GraphBuilder()
    dense = [arrays["_fc.weight"][:, :, None, None], arrays["_fc.bias"]]
    scores = graph.add("Conv", _features(graph, arrays), *map(graph.constant, dense), kernel_shape=[1, 1])
    return graph.finished(
        {"photo": (np.float32, ("n", 3, "height", "width"))},
        {"scores": (scores, ("n", len(arrays["_fc.bias"]), "rows", "columns"))},
    )


def _features(graph: GraphBuilder, arrays: Arrays) -> str:
    """Returns the last map before the mean, the normalisations folded into the convolutions."""
    value = _clipped(graph, _convolution(graph, arrays, "photo", "_conv_stem", "_bn0", stride=2))
    strides = [stride if first == 0 else 1 for blocks, stride in _STAGES for first in range(blocks)]
    for place, stride in enumerate(strides):
        value = _block(graph, arrays, value, f"_blocks.{place}.", stride)
    return _clipped(graph, _convolution(graph, arrays, value, "_conv_head", "_bn1"))


def _block(graph: GraphBuilder, arrays: Arrays, taken: str, name: str, stride: int) -> str:
    """Returns what an inverted bottleneck gives: wider, each channel by itself, narrower."""
    value = taken
    if f"{name}_expand_conv.weight" in arrays:
        value = _clipped(graph, _convolution(graph, arrays, value, f"{name}_expand_conv", f"{name}_bn0"))
    value = _clipped(graph, _convolution(graph, arrays, value, f"{name}_depthwise_conv", f"{name}_bn1", stride=stride))
    value = _convolution(graph, arrays, value, f"{name}_project_conv", f"{name}_bn2")
    return graph.add("Add", value, taken) if stride == 1 and _keeps_width(arrays, name) else value


def _keeps_width(arrays: Arrays, name: str) -> bool:
    first = arrays.get(f"{name}_expand_conv.weight")
    before = arrays[f"{name}_depthwise_conv.weight"].shape[0] if first is None else first.shape[1]
    return bool(before == arrays[f"{name}_project_conv.weight"].shape[0])


def _convolution(graph: GraphBuilder, arrays: Arrays, value: str, name: str, norm: str, stride: int = 1) -> str:
    kernel = arrays[f"{name}.weight"].astype(np.float64)
    factor = arrays[f"{norm}.weight"] / np.sqrt(arrays[f"{norm}.running_var"].astype(np.float64) + _EPSILON)
    bias = arrays[f"{norm}.bias"] - arrays[f"{norm}.running_mean"] * factor
    numbers = [(kernel * factor[:, None, None, None]).astype(np.float32), bias.astype(np.float32)]
    return graph.add(
        "Conv",
        value,
        *map(graph.constant, numbers),
        kernel_shape=list(kernel.shape[2:]),
        strides=[stride] * 2,
        group=len(kernel) if "depthwise" in name else 1,
        # TensorFlow's padding: where it is odd, the larger part at the end.
        auto_pad="SAME_UPPER",
    )


def _clipped(graph: GraphBuilder, value: str) -> str:
    return graph.add("Clip", value, graph.floats(0.0), graph.floats(6.0))
