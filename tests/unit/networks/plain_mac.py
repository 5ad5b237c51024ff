"""MAC and MAC-Caps once more, for one question, in plain NumPy and from the papers: a witness for the real ones.

Takes the numbers of a network by name; nothing of `foveate.networks` is used.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def softmax(x: Array) -> Array:
    shares = np.exp(x - x.max())
    found: Array = shares / shares.sum()
    return found


class Plain:
    """A network's numbers, and the steps by which it answers."""

    def __init__(self, numbers: dict[str, NDArray[Any]], config: dict[str, Any]) -> None:
        self.n = {name: np.asarray(value, dtype=np.float64) for name, value in numbers.items()}
        self.c = config

    def linear(self, name: str, x: Array) -> Array:
        return x @ self.n[f"{name}.weight"].T + self.n.get(f"{name}.bias", 0.0)

    def lstm(self, words: Array, end: str) -> Array:
        """Returns the hidden states of one reading, in the order in which it reads."""
        w_in, w_before = self.n[f"reader.both_ways.weight_ih_l0{end}"], self.n[f"reader.both_ways.weight_hh_l0{end}"]
        bias = self.n[f"reader.both_ways.bias_ih_l0{end}"] + self.n[f"reader.both_ways.bias_hh_l0{end}"]
        hidden = cell = np.zeros(w_before.shape[1])
        states = []
        for word in words:
            gate_in, forget, new, gate_out = np.split(w_in @ word + w_before @ hidden + bias, 4)
            cell = sigmoid(forget) * cell + sigmoid(gate_in) * np.tanh(new)
            hidden = sigmoid(gate_out) * np.tanh(cell)
            states.append(hidden)
        return np.array(states)

    def question(self, ids: list[int]) -> tuple[Array, Array]:
        words = self.n["reader.words.weight"][ids]
        on, back = self.lstm(words, ""), self.lstm(words[::-1], "_reverse")
        return np.concatenate([on[-1], back[-1]]), np.concatenate([on, back[::-1]], axis=1)

    def stem(self, grid: Array) -> Array:
        """Returns cells ``(h * w, width)``: convolutions by loops."""
        rows, columns, _ = grid.shape
        if self.c["stem_normalise"]:
            grid = grid / np.linalg.norm(grid, axis=2, keepdims=True)
        if self.c["coordinates"]:
            x = [[2 * (c + 0.5) / columns - 1 for c in range(columns)] for _ in range(rows)]
            y = [[2 * (r + 0.5) / rows - 1] * columns for r in range(rows)]
            grid = np.concatenate([grid, np.array([x, y]).transpose(1, 2, 0)], axis=2)
        for layer in range(self.c["stem_layers"]):
            weight, bias = self.n[f"stem.layers.{layer}.weight"], self.n[f"stem.layers.{layer}.bias"]
            around, out = np.pad(grid, ((1, 1), (1, 1), (0, 0))), np.zeros((rows, columns, len(weight)))
            for r in range(rows):
                for c in range(columns):
                    out[r, c] = np.einsum("rcd,odrc->o", around[r : r + 3, c : c + 3], weight) + bias
            grid = np.where(out > 0, out, np.exp(np.minimum(out, 0)) - 1)
        return grid.reshape(rows * columns, -1)

    def capsules(self, cells: Array) -> Array:
        """Returns each cell's capsules in a row; routing by loops over cells, capsules and rounds."""
        count = self.c["capsules"]
        poses = self.linear("primary.pose", cells).reshape(len(cells), count, 4, 4)
        sure = sigmoid(self.linear("primary.activation", cells))
        rows = []
        for pose, active in zip(poses, sure, strict=True):
            mean, found = route(pose, active, *(self.n[f"visual.{part}"] for part in ("transform", "beta_v", "beta_a")))
            rows.append(np.concatenate([np.append(mean[j], found[j]) for j in range(count)]))
        return np.array(rows)

    def knowledge(self, cells: Array, q: Array) -> Array:
        if self.c["network"] == "mac" and self.c["knowledge_question"] == "none":
            return cells
        told = self.linear("knowledge_question.question", q) if "knowledge_question.question.weight" in self.n else q
        return np.array([self.linear("knowledge_question.merge", np.concatenate([k, told, k * told])) for k in cells])

    def mask(self, step: int, control: Array, knowledge: Array) -> tuple[Array, Array | None]:
        """Returns what a step reads, and how it chooses capsules where there are any."""
        if self.c["network"] == "mac":
            return knowledge, None
        layer = f"masks.{step if self.c['mask_layer'] == 'each' else 0}"
        shares = softmax(self.linear(f"{layer}.1", self.linear(f"{layer}.0", control)))
        masked = knowledge.reshape(len(knowledge), -1, 17) * shares[None, :, None]
        return masked.reshape(len(knowledge), -1), shares

    def control(self, step: int, q: Array, before: Array, words: Array) -> tuple[Array, Array]:
        active = np.tanh if self.c["control_input"] == "tanh" else lambda x: np.maximum(x, 0)
        recurrent = self.c["control"] == "recurrent"
        told = self.linear(f"control.of_step.{0 if recurrent else step}", active(self.linear("control.question", q)))
        if recurrent:
            told = np.tanh(self.linear("control.merge", np.concatenate([before, told])))
        shares = softmax(np.array([self.linear("control.score", told * word)[0] for word in words]))
        return shares @ words, shares

    def read(self, memory: Array, control: Array, knowledge: Array) -> tuple[Array, Array]:
        scores = []
        for place in knowledge:
            projected = self.linear("read.knowledge", place)
            met = projected * self.linear("read.memory", memory)
            merged = np.maximum(self.linear("read.merge", np.concatenate([met, projected])), 0)
            scores.append(self.linear("read.score", np.maximum(merged * control, 0))[0])
        shares = softmax(np.array(scores))
        return shares @ knowledge, shares

    def write(self, read: Array, control: Array, controls: list[Array], memories: list[Array]) -> Array:
        parts = [memories[-1], read]
        if self.c["self_attention"]:
            own = self.linear("write.control", control)
            shares = softmax(np.array([self.linear("write.score", own * each)[0] for each in controls]))
            parts.append(sum((s * m for s, m in zip(shares, memories, strict=True)), np.zeros_like(memories[0])))
        new = self.linear("write.merge", np.concatenate(parts))
        if self.c["gate"]:
            share = sigmoid(self.linear("write.gate", control) + 1)
            new = share * new + (1 - share) * memories[-1]
        return new

    def answer(self, memory: Array, q: Array) -> Array:
        asked = self.linear("head.question", q)
        parts = [memory, asked] + ([memory * asked] if self.c["answer_product"] else [])
        hidden = self.linear("head.hidden", np.concatenate(parts))
        return self.linear("head.answers", np.where(hidden > 0, hidden, np.exp(np.minimum(hidden, 0)) - 1))

    def __call__(self, ids: list[int], grid: Array) -> dict[str, Array]:
        """Returns logits and attention of one question about one photo."""
        q, words = self.question(ids)
        cells = self.stem(grid)
        knowledge = self.knowledge(self.capsules(cells) if self.c["network"] == "mac_caps" else cells, q)
        controls = [self.n["control.first"] if self.c["control"] == "recurrent" else q]
        memories, on_words, on_photo, chosen = [self.n["first_memory"]], [], [], []
        for step in range(self.c["steps"]):
            control, shares = self.control(step, q, controls[-1], words)
            seen, capsules = self.mask(step, control, knowledge)
            read, places = self.read(memories[-1], control, seen)
            memories.append(self.write(read, control, controls, memories))
            controls.append(control)
            on_words.append(shares)
            on_photo.append(places.reshape(grid.shape[:2]))
            chosen.append(capsules)
        found = {"logits": self.answer(memories[-1], q), "question": np.array(on_words), "photo": np.array(on_photo)}
        return found if self.c["network"] == "mac" else {**found, "capsules": np.array(chosen)}


def route(pose: Array, active: Array, transform: Array, beta_v: Array, beta_a: Array) -> tuple[Array, Array]:
    """Returns poses ``(J, 16)`` and activations ``(J,)`` at one place, by loops.

    Args:
        pose: ``(I, 4, 4)``.
        active: ``(I,)``.
        transform: ``(I, J, 4, 4)``.
        beta_v: ``(J, 16)``.
        beta_a: ``(J,)``.
    """
    inputs, outputs = transform.shape[:2]
    votes = [[(transform[i, j] @ pose[i]).reshape(16) for j in range(outputs)] for i in range(inputs)]
    share = [[active[i] / outputs for _ in range(outputs)] for i in range(inputs)]
    for steepness in (0.5, 0.6, 0.7):
        mean, variance, costs = [], [], []
        for j in range(outputs):
            total = sum(share[i][j] for i in range(inputs))
            middle = sum(share[i][j] * votes[i][j] for i in range(inputs)) / (total + 1e-7)
            spread = sum(share[i][j] * (votes[i][j] - middle) ** 2 for i in range(inputs)) / (total + 1e-7) + 1e-7
            mean.append(middle)
            variance.append(spread)
            costs.append(sum((beta_v[j][h] + np.log(np.sqrt(spread[h]))) * total for h in range(16)))
        deviation = np.sqrt(np.var(costs) + 1e-7)
        found = [
            1 / (1 + np.exp(-steepness * (beta_a[j] + (np.mean(costs) - costs[j]) / deviation))) for j in range(outputs)
        ]
        share = []
        for i in range(inputs):
            likely = [
                np.log(found[j] + 1e-7)
                - sum(np.log(2 * np.pi * v) / 2 for v in variance[j])
                - sum((votes[i][j] - mean[j]) ** 2 / (2 * variance[j]))
                for j in range(outputs)
            ]
            share.append(list(softmax(np.array(likely)) * active[i]))
    return np.array(mean), np.array(found)
