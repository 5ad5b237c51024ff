"""What goes into a network that answers questions, and what comes out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True)
class GridBatch:
    """Questions about photos that are grids of features.

    Attributes:
        words: ``int64 (B, L)``, 0 where there is none.
        there: ``bool (B, L)``, where there is a word; at least one each.
        grid: ``float32 (I, h, w, D)``, one of each photo.
        photo: ``int64 (B,)``, which photo each question is about.
    """

    words: Tensor
    there: Tensor
    grid: Tensor
    photo: Tensor

    def to(self, device: str) -> GridBatch:
        """Returns the same on a device."""
        return GridBatch(*(part.to(device) for part in (self.words, self.there, self.grid, self.photo)))


@dataclass(frozen=True)
class RegionBatch:
    """Questions about photos that are boxes with features.

    Attributes:
        words: ``int64 (B, L)``, 0 where there is none.
        there: ``bool (B, L)``, where there is a word; at least one each.
        features: ``float32 (I, R, D)``, noughts where there is no box.
        boxes: ``float32 (I, R, 4)``, x0, y0, x1, y1 as shares of the photo.
        valid: ``bool (I, R)``, where there is a box; at least one each.
        photo: ``int64 (B,)``, which photo each question is about.
        tags: ``int64 (B, T)``, the names of things that were seen, as words; None where a method has none.
        tags_there: ``bool (B, T)``.
    """

    words: Tensor
    there: Tensor
    features: Tensor
    boxes: Tensor
    valid: Tensor
    photo: Tensor
    tags: Tensor | None = None
    tags_there: Tensor | None = None

    def to(self, device: str) -> RegionBatch:
        """Returns the same on a device."""
        parts = (self.words, self.there, self.features, self.boxes, self.valid, self.photo, self.tags, self.tags_there)
        moved = [part if part is None else part.to(device) for part in parts]
        return RegionBatch(*moved)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Output:
    """What a network says.

    Attributes:
        logits: ``float32 (B, A)``, one of each answer of the vocabulary.
        attention: What was attended to, by name; each network tells its own names and shapes.
    """

    logits: Tensor
    attention: Mapping[str, Tensor]
