"""The sentence encoder all-MiniLM-L6-v2 as ONNX.

Input ``tokens``: ``int64 (N, T)``, sentences of one length, with their first and last mark, so that nothing is masked.
Output ``vectors``: ``float32 (N, 384)``, of unit length.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foveate.formats.safetensors import read_safetensors
from foveate.perception.graphs._builder import GraphBuilder

Arrays = Mapping[str, NDArray[Any]]
WIDTH = 384
_LAYERS, _HEADS = 6, 12
_EPSILON = 1e-12


def build(weights: Path) -> bytes:
    """Returns the network of the published arrays as an ONNX file.

    Raises:
        InputError: The file is no safetensors file.

    References:
        Wang et al.: MiniLM, NeurIPS 2020; Reimers, Gurevych: Sentence-BERT, EMNLP 2019, section 3 (mean of the tokens).
    """
    encoder = _Encoder(read_safetensors(weights))
    value = encoder.embedded()
    for layer in range(_LAYERS):
        value = encoder.layer(value, f"encoder.layer.{layer}.")
    graph = encoder.graph
    mean = graph.add("ReduceMean", value, graph.integers(1), keepdims=0)
    vectors = graph.add("LpNormalization", mean, axis=-1, p=2)
    return graph.finished({"tokens": (np.int64, ("n", "tokens"))}, {"vectors": (vectors, ("n", WIDTH))})


class _Encoder:
    """The parts of BERT, by the names of its arrays."""

    def __init__(self, arrays: Arrays) -> None:
        self.graph = GraphBuilder()
        self._arrays = arrays

    def embedded(self) -> str:
        """Word and place of each token; every token is of the first of two sentences."""
        graph, name = self.graph, "embeddings."
        words = graph.add("Gather", self._array(f"{name}word_embeddings.weight"), "tokens")
        places = (
            self._arrays[f"{name}position_embeddings.weight"] + self._arrays[f"{name}token_type_embeddings.weight"][0]
        )
        length = graph.add("Gather", graph.add("Shape", "tokens"), graph.integers(1))
        here = graph.add("Slice", graph.constant(places), graph.integers(0), length, graph.integers(0))
        return self._normalised(graph.add("Add", words, here), f"{name}LayerNorm")

    def layer(self, value: str, name: str) -> str:
        """Attention, then the same two dense layers on every token; each added to what came in."""
        attended = self._dense(self._attention(value, f"{name}attention.self."), f"{name}attention.output.dense")
        value = self._normalised(self.graph.add("Add", attended, value), f"{name}attention.output.LayerNorm")
        wide = self.graph.add("Gelu", self._dense(value, f"{name}intermediate.dense"))
        narrow = self._dense(wide, f"{name}output.dense")
        return self._normalised(self.graph.add("Add", narrow, value), f"{name}output.LayerNorm")

    def _attention(self, value: str, name: str) -> str:
        graph, each = self.graph, WIDTH // _HEADS
        split = graph.integers(0, 0, _HEADS, each)
        query, key, values = (
            graph.add("Reshape", self._dense(value, f"{name}{part}"), split) for part in ("query", "key", "value")
        )
        # (N, heads, T, each) x (N, heads, each, T)
        query = graph.add("Transpose", query, perm=[0, 2, 1, 3])
        key = graph.add("Transpose", key, perm=[0, 2, 3, 1])
        likeness = graph.add("Mul", graph.add("MatMul", query, key), graph.floats(each**-0.5))
        share = graph.add("Softmax", likeness, axis=-1)
        mixed = graph.add("MatMul", share, graph.add("Transpose", values, perm=[0, 2, 1, 3]))
        return graph.add("Reshape", graph.add("Transpose", mixed, perm=[0, 2, 1, 3]), graph.integers(0, 0, WIDTH))

    def _dense(self, value: str, name: str) -> str:
        kernel = self.graph.constant(self._arrays[f"{name}.weight"].T)
        return self.graph.add("Add", self.graph.add("MatMul", value, kernel), self._array(f"{name}.bias"))

    def _normalised(self, value: str, name: str) -> str:
        numbers = [self._array(f"{name}.{part}") for part in ("weight", "bias")]
        return self.graph.add("LayerNormalization", value, *numbers, axis=-1, epsilon=_EPSILON)

    def _array(self, name: str) -> str:
        return self.graph.constant(self._arrays[name])
