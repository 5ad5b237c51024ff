"""LXMERT and OSCAR once more, for one question without padding, in plain NumPy and from the papers: a witness.

Takes the numbers of a network by name; nothing of `foveate.networks` and nothing of transformers is used.
"""

from __future__ import annotations

from math import erf, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def gelu(x: Array) -> Array:
    found: Array = x * (1 + np.vectorize(erf)(x / sqrt(2))) / 2
    return found


class Plain:
    """A network's numbers, and what BERT's parts make of them."""

    def __init__(self, numbers: dict[str, NDArray[Any]], heads: int) -> None:
        self.n = {name: np.asarray(value, dtype=np.float64) for name, value in numbers.items()}
        self.heads = heads

    def linear(self, name: str, x: Array) -> Array:
        found: Array = x @ self.n[f"{name}.weight"].T + self.n[f"{name}.bias"]
        return found

    def norm(self, name: str, x: Array, eps: float = 1e-12) -> Array:
        even: Array = (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
        found: Array = even * self.n[f"{name}.weight"] + self.n[f"{name}.bias"]
        return found

    def text(self, name: str, ids: list[int], segments: list[int]) -> Array:
        tables = (("word", ids), ("position", list(range(len(ids)))), ("token_type", segments))
        parts = np.array([self.n[f"{name}.{kind}_embeddings.weight"][at] for kind, at in tables])
        return self.norm(f"{name}.LayerNorm", parts.sum(axis=0))

    def attend(self, name: str, asks: Array, told: Array) -> tuple[Array, Array]:
        """Returns what is gathered ``(Q, D)`` and the shares ``(heads, Q, K)``, head by head and row by row."""
        query, key, value = (
            self.linear(f"{name}.{p}", x) for p, x in (("query", asks), ("key", told), ("value", told))
        )
        wide = query.shape[1] // self.heads
        gathered, shares = np.zeros_like(query), np.zeros((self.heads, len(asks), len(told)))
        for head in range(self.heads):
            part = slice(head * wide, (head + 1) * wide)
            for row in range(len(asks)):
                logits = key[:, part] @ query[row, part] / sqrt(wide)
                found = np.exp(logits - logits.max())
                shares[head, row] = found / found.sum()
                gathered[row, part] = shares[head, row] @ value[:, part]
        return gathered, shares

    def out(self, name: str, x: Array, before: Array) -> Array:
        return self.norm(f"{name}.LayerNorm", self.linear(f"{name}.dense", x) + before)

    def layer(self, name: str, x: Array) -> tuple[Array, Array]:
        gathered, shares = self.attend(f"{name}.attention.self", x, x)
        x = self.out(f"{name}.attention.output", gathered, x)
        return self.out(f"{name}.output", gelu(self.linear(f"{name}.intermediate.dense", x)), x), shares


def oscar(plain: Plain, ids: list[int], segments: list[int], regions: Array, layers: int) -> tuple[Array, list[Array]]:
    """Returns the answers' values and each layer's shares; `regions` are ``(R, D + 6)``, the classifier one layer."""
    seen = plain.linear("bert.img_embedding", regions)
    if "bert.LayerNorm.weight" in plain.n:
        seen = plain.norm("bert.LayerNorm", seen)
    x, shares = np.concatenate([plain.text("bert.embeddings", ids, segments), seen]), []
    for number in range(layers):
        x, found = plain.layer(f"bert.encoder.layer.{number}", x)
        shares.append(found)
    return plain.linear("classifier", np.tanh(plain.linear("bert.pooler.dense", x[0]))), shares


def lxmert(plain: Plain, ids: list[int], features: Array, boxes: Array, cross: int) -> tuple[Array, list[Array]]:
    """Returns the answers' values and how words attend to regions in each layer of both; one layer of each alone."""
    body = "net.lxmert"
    words = plain.text(f"{body}.embeddings", ids, [0] * len(ids))
    eyes = f"{body}.encoder.visn_fc"
    seen = plain.norm(f"{eyes}.visn_layer_norm", plain.linear(f"{eyes}.visn_fc", features))
    seen = (seen + plain.norm(f"{eyes}.box_layer_norm", plain.linear(f"{eyes}.box_fc", boxes))) / 2
    words, _ = plain.layer(f"{body}.encoder.layer.0", words)
    seen, _ = plain.layer(f"{body}.encoder.r_layers.0", seen)
    shares = []
    for number in range(cross):
        name = f"{body}.encoder.x_layers.{number}"
        (to_words, found), (to_seen, _) = (
            plain.attend(f"{name}.visual_attention.att", *pair) for pair in ((words, seen), (seen, words))
        )
        shares.append(found)
        # Both look with the same weights at what the other was before.
        words, seen = (
            plain.out(f"{name}.visual_attention.output", new, old) for new, old in ((to_words, words), (to_seen, seen))
        )
        words, seen = (_own(plain, f"{name}.{kind}", x) for kind, x in (("lang", words), ("visn", seen)))
    state = np.tanh(plain.linear(f"{body}.pooler.dense", words[0]))
    head = "net.answer_head.logit_fc"
    return plain.linear(f"{head}.3", plain.norm(f"{head}.2", gelu(plain.linear(f"{head}.0", state)))), shares


def _own(plain: Plain, name: str, x: Array) -> Array:
    gathered, _ = plain.attend(f"{name}_self_att.self", x, x)
    x = plain.out(f"{name}_self_att.output", gathered, x)
    return plain.out(f"{name}_output", gelu(plain.linear(f"{name}_inter.dense", x)), x)
