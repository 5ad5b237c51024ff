"""Features of photos as batches for networks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import torch
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.errors import InputError
from foveate.grounders._attention.region_inputs import region_batch
from foveate.grounders._attention.region_texts import names_of, tag_ids
from foveate.networks._batches import GridBatch, RegionBatch
from foveate.perception.grid_features import GridSource
from foveate.perception.region_features import RegionFeatures, RegionSource
from foveate.perception.vocabulary import Words

Rows = NDArray[np.int64]
_NO_WORDS = Words(())
# Beginning, end of the question, end of the names.
_MARKS = 3


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
    """Reads regions by the photos' names; texts are made as the grounders make them.

    Attributes:
        source: Where from; one that needs no photo.
        sizes: Of the upright photos.
        slots: How many places a question and the names of what was seen have together, marks included; 0 for no names.
        words: The words that these names are told by.
    """

    source: RegionSource
    sizes: Mapping[str, SizeHW]
    slots: int = 0
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
        return names_of(self._found(name).labels)

    def batch(self, names: Sequence[str], words: Rows, there: NDArray[np.bool_], photo: Rows) -> RegionBatch:
        """Returns a batch of regions; a photo that has fewer than another ends in noughts."""
        found = [self._found(name) for name in names]
        asked = [row[seen].tolist() for row, seen in zip(words, there, strict=True)]
        tags = None
        if self.slots:
            seen_in = [tag_ids(self.words, names_of(one.labels)) for one in found]
            pairs = zip(asked, photo.tolist(), strict=True)
            tags = [seen_in[place][: max(0, self.slots - _MARKS - len(ids))] for ids, place in pairs]
        return region_batch(found, asked, photo.tolist(), tags=tags)

    def _found(self, name: str) -> RegionFeatures:
        size_hw = self.sizes.get(name)
        if size_hw is None:
            raise InputError(name, "the photo's size is not known", "Put the photo in place.")
        return self.source.regions(name, None, size_hw)
