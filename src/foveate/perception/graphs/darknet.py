"""A YOLO detector of Darknet as ONNX, its heads decoded into boxes.

Input ``photo``: ``float32 (N, 3, H, W)``, RGB, 0 to 1, sides multiples of 32. Output ``rows``: ``float32 (N, M, 5 +
kinds)``: centre x and y, width and height in shares of the photo, objectness, objectness times each kind's
probability; cell after cell in reading order, each cell's anchors in the plan's order, head after head.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from foveate.formats.darknet import Layer, read_darknet
from foveate.perception.graphs._builder import GraphBuilder

# Of Darknet's "leaky" activation.
_SLOPE = 0.1


def build(plan: Path, weights: Path) -> bytes:
    """Returns the network of a plan and its weights as an ONNX file.

    Raises:
        InputError: Plan or weights cannot be read.

    References:
        Redmon, Farhadi: YOLOv3, an incremental improvement, 2018, section 2.1; Darknet, src/yolo_layer.c.
    """
    graph = GraphBuilder()
    values: list[str] = []
    heads: list[str] = []
    for layer in read_darknet(plan, weights):
        inputs = [values[place] if place >= 0 else "photo" for place in layer.inputs]
        values.append(_layer(graph, layer, inputs))
        if layer.kind == "yolo":
            heads.append(_decoded(graph, layer, values[-1]))
    kinds = layer.number("classes", 80)
    rows = graph.add("Concat", *heads, axis=1)
    return graph.finished(
        {"photo": (np.float32, ("n", 3, "height", "width"))}, {"rows": (rows, ("n", "rows", 5 + kinds))}
    )


def _layer(graph: GraphBuilder, layer: Layer, inputs: list[str]) -> str:
    if layer.kind == "convolutional":
        return _convolution(graph, layer, inputs[0])
    if layer.kind == "maxpool":
        size, stride = layer.number("size", 1), layer.number("stride", 1)
        # Darknet pads by size - 1 altogether, the odd one at the end, also where it strides by one.
        first = (size - 1) // 2
        last = size - 1 - first
        return graph.add(
            "MaxPool", inputs[0], kernel_shape=[size] * 2, strides=[stride] * 2, pads=[first, first, last, last]
        )
    if layer.kind == "upsample":
        scale = float(layer.number("stride", 2))
        scales = graph.floats(1.0, 1.0, scale, scale)
        return graph.add(
            "Resize",
            inputs[0],
            "",
            scales,
            mode="nearest",
            coordinate_transformation_mode="asymmetric",
            nearest_mode="floor",
        )
    if layer.kind == "route" and len(inputs) > 1:
        return graph.add("Concat", *inputs, axis=1)
    return inputs[0]


def _convolution(graph: GraphBuilder, layer: Layer, value: str) -> str:
    size, stride = layer.number("size", 1), layer.number("stride", 1)
    # `pad=1` says "by half the kernel", not "by one".
    pad = size // 2 if layer.number("pad", 0) else layer.number("padding", 0)
    numbers = [graph.constant(array) for array in (layer.kernel, layer.bias) if array is not None]
    value = graph.add("Conv", value, *numbers, kernel_shape=[size] * 2, strides=[stride] * 2, pads=[pad] * 4)
    return graph.add("LeakyRelu", value, alpha=_SLOPE) if layer.options.get("activation") == "leaky" else value


def _decoded(graph: GraphBuilder, layer: Layer, value: str) -> str:
    """Returns the rows of one head, of what its last convolution gives."""
    kinds, mask = layer.number("classes", 80), [int(number) for number in layer.numbers("mask")]
    anchors = np.array(layer.numbers("anchors"), dtype=np.float32).reshape(-1, 2)[mask]
    # (N, anchors, 5 + kinds, cells) -> (N, cells, anchors, 5 + kinds)
    rows = graph.add("Reshape", value, graph.integers(0, len(mask), 5 + kinds, -1))
    rows = graph.add("Transpose", rows, perm=[0, 3, 1, 2])
    xy, wh, logits = graph.split("Split", 3, rows, graph.integers(2, 2, 1 + kinds), axis=-1)
    xy = graph.add("Add", graph.add("Sigmoid", xy), _corners(graph, value))
    xy = graph.add("Div", xy, _as_floats(graph, _size_wh(graph, value)))
    wh = graph.add("Mul", graph.add("Exp", wh), graph.constant(anchors))
    wh = graph.add("Div", wh, _as_floats(graph, _size_wh(graph, "photo")))
    chances = graph.add("Sigmoid", logits)
    objectness, scores = graph.split("Split", 2, chances, graph.integers(1, kinds), axis=-1)
    scores = graph.add("Mul", scores, objectness)
    rows = graph.add("Concat", xy, wh, objectness, scores, axis=-1)
    return graph.add("Reshape", rows, graph.integers(0, -1, 5 + kinds))


def _corners(graph: GraphBuilder, value: str) -> str:
    """Returns column and row of each cell, ``(cells, 1, 2)``, in reading order."""
    size_wh = _size_wh(graph, value)
    width, _ = graph.split("Split", 2, size_wh, graph.integers(1, 1), axis=0)
    zero, one = (graph.constant(np.array(number, dtype=np.int64)) for number in (0, 1))
    cells = graph.add("Range", zero, graph.add("ReduceProd", size_wh, keepdims=0), one)
    places = [graph.add("Mod", cells, width), graph.add("Div", cells, width)]
    columns_rows = graph.add("Concat", *(graph.add("Unsqueeze", p, graph.integers(-1)) for p in places), axis=-1)
    return _as_floats(graph, graph.add("Unsqueeze", columns_rows, graph.integers(1)))


def _size_wh(graph: GraphBuilder, value: str) -> str:
    return graph.add("Gather", graph.add("Shape", value), graph.integers(3, 2))


def _as_floats(graph: GraphBuilder, value: str) -> str:
    return graph.add("Cast", value, to=1)
