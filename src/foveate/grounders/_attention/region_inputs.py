"""Regions and texts as batches for networks over regions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from foveate.perception.region_features import RegionFeatures
from foveate.perception.vocabulary import padded

if TYPE_CHECKING:
    from foveate.networks._batches import RegionBatch


def region_batch(
    photos: Sequence[RegionFeatures],
    words: Sequence[Sequence[int]],
    photo: Sequence[int],
    *,
    tags: Sequence[Sequence[int]] | None = None,
    slots: int | None = None,
    width: int | None = None,
) -> RegionBatch:
    """Returns questions about photos.

    Args:
        photos: The photos' regions; of each the first `slots`.
        words: The ids of each question.
        photo: Which photo each is about.
        tags: The ids of what was seen, of each question; None where a network has no use for it.
        slots: How many regions a photo has at most; all where None.
        width: How many ids a question is padded to; None for those of the longest.
    """
    import torch

    from foveate.networks._batches import RegionBatch

    most = max(len(one) for one in photos)
    most = most if slots is None else min(most, slots)
    features = np.zeros((len(photos), most, photos[0].features.shape[1]), dtype=np.float32)
    boxes, valid = np.zeros((len(photos), most, 4), dtype=np.float32), np.zeros((len(photos), most), dtype=np.bool_)
    for number, one in enumerate(photos):
        count, (height, side) = min(len(one), most), one.size_hw
        features[number, :count], valid[number, :count] = one.features[:count], True
        boxes[number, :count] = one.xyxy[:count] / [side, height, side, height]
    named = tags is not None and any(len(row) for row in tags)
    parts = (*padded(words, width), features, boxes, valid, np.array(photo, dtype=np.int64))
    more = padded(tags, max(len(row) for row in tags)) if named and tags is not None else ()
    return RegionBatch(*(torch.from_numpy(part) for part in (*parts, *more)))
