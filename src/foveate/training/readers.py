"""Features of photos as batches for networks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.errors import InputError
from foveate.networks._batches import GridBatch, RegionBatch
from foveate.perception.grid_features import GridSource
from foveate.perception.region_features import RegionFeatures, RegionSource
from foveate.perception.vocabulary import Words, padded, words_of

Rows = NDArray[np.int64]
_NO_WORDS = Words(())


@dataclass(frozen=True)
class GridReader:
    """Reads grids by the photos' names.

    Attributes:
        source: Where from; one that needs no photo.
    """

    source: GridSource

    @property
    def width(self) -> int:
        """How many numbers a cell has."""
        return self.source.width

    def batch(self, names: Sequence[str], words: Rows, there: NDArray[np.bool_], photo: Rows) -> GridBatch:
        """Returns a batch of grids."""
        grids = np.stack([self.source.features(name, None) for name in names])
        return GridBatch(
            torch.from_numpy(words), torch.from_numpy(there), torch.from_numpy(grids), torch.from_numpy(photo)
        )


@dataclass(frozen=True)
class RegionReader:
    """Reads regions by the photos' names.

    Attributes:
        source: Where from; one that needs no photo.
        sizes: Of the upright photos.
        tags: How many words of the names of what was seen go beside a question; 0 for none.
        words: The words that these names are told by.
    """

    source: RegionSource
    sizes: Mapping[str, SizeHW]
    tags: int = 0
    words: Words = field(default=_NO_WORDS)

    @property
    def width(self) -> int:
        """How many numbers a region has."""
        return self.source.width

    def telling(self, words: Words) -> RegionReader:
        """Returns one that tells the names of what was seen by such words."""
        return replace(self, words=words)

    def labels(self, name: str) -> tuple[str, ...]:
        """Returns the names of what was seen in a photo, each once, in the order of its regions."""
        return tuple(dict.fromkeys(label for label in self._found(name).labels or () if label))

    def batch(self, names: Sequence[str], words: Rows, there: NDArray[np.bool_], photo: Rows) -> RegionBatch:
        """Returns a batch of regions; a photo that has fewer than another ends in noughts."""
        found = [self._found(name) for name in names]
        most = max(map(len, found))
        features = np.zeros((len(found), most, self.width), dtype=np.float32)
        boxes, valid = np.zeros((len(found), most, 4), dtype=np.float32), np.zeros((len(found), most), dtype=np.bool_)
        for row, one in enumerate(found):
            height, width = one.size_hw
            features[row, : len(one)], valid[row, : len(one)] = one.features, True
            boxes[row, : len(one)] = one.xyxy / [width, height, width, height]
        parts: list[Any] = [words, there, features, boxes, valid, photo]
        tagged = [self._tags(name) for name in names] if self.tags else []
        if any(tagged):
            ids, seen = padded(tagged)
            parts += [ids[photo], seen[photo]]
        return RegionBatch(*(torch.from_numpy(part) for part in parts))

    def _tags(self, name: str) -> list[int]:
        text = " ".join(self.labels(name))
        return self.words.ids(text, self.tags) if words_of(text) else []

    def _found(self, name: str) -> RegionFeatures:
        size_hw = self.sizes.get(name)
        if size_hw is None:
            raise InputError(name, "the photo's size is not known", "Put the photo in place.")
        return self.source.regions(name, None, size_hw)
