"""Puts an ONNX graph together, one operation after the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from onnx import NodeProto, TensorProto

# The newest set of operations that the oldest ONNX Runtime we take knows.
OPSET = 20
Axes = tuple[int | str, ...]


class GraphBuilder:
    """A graph under construction; its values are called by names that it makes up."""

    def __init__(self) -> None:
        self._nodes: list[NodeProto] = []
        self._constants: list[TensorProto] = []

    def constant(self, values: NDArray[Any]) -> str:
        """Returns the name of an array that is part of the graph."""
        from onnx import numpy_helper

        name = f"c{len(self._constants)}"
        self._constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def floats(self, *values: float) -> str:
        """Returns the name of a vector of numbers; of a scalar, where there is one."""
        return self.constant(np.array(values if len(values) > 1 else values[0], dtype=np.float32))

    def integers(self, *values: int) -> str:
        """Returns the name of a vector of whole numbers: axes, sizes, places."""
        return self.constant(np.array(values, dtype=np.int64))

    def add(self, operation: str, *inputs: str, **attributes: Any) -> str:
        """Returns the name of what an operation gives; an empty input is one that is left out."""
        return self.split(operation, 1, *inputs, **attributes)[0]

    def split(self, operation: str, outputs: int, *inputs: str, **attributes: Any) -> list[str]:
        """Returns the names of what an operation with several outputs gives."""
        from onnx import helper

        names = [f"v{len(self._nodes)}_{place}" for place in range(outputs)]
        self._nodes.append(helper.make_node(operation, list(inputs), names, **attributes))
        return names

    def finished(self, inputs: Mapping[str, tuple[Any, Axes]], outputs: Mapping[str, tuple[str, Axes]]) -> bytes:
        """Returns the graph as a file.

        Args:
            inputs: ``{name: (NumPy type, axes)}``; an axis of any length has a name.
            outputs: ``{name: (the value that it is, axes)}``, all 32-bit floats.
        """
        from onnx import TensorProto, helper

        for name, (value, _) in outputs.items():
            self._nodes.append(helper.make_node("Identity", [value], [name]))
        taken = [
            helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(np.dtype(kind)), axes)
            for name, (kind, axes) in inputs.items()
        ]
        given = [helper.make_tensor_value_info(name, TensorProto.FLOAT, axes) for name, (_, axes) in outputs.items()]
        graph = helper.make_graph(self._nodes, "foveate", taken, given, self._constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=9)
        data: bytes = model.SerializeToString()
        return data
