"""Small batches of questions about regions, and the networks over them that are asked in several tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn

from foveate.networks._batches import RegionBatch
from foveate.networks.build import build

WORDS, ANSWERS, FEATURES = 9, 5, 7
SIZES = {"vocabulary": WORDS, "answers": ANSWERS, "features": FEATURES, "width": 8, "heads": 2, "inner": 12}
LAYERS: dict[str, dict[str, Any]] = {
    "lxmert": {"language_layers": 1, "region_layers": 1, "cross_layers": 2, "longest_text": 16},
    "oscar": {"layers": 2, "longest_text": 24},
}
NAMES = tuple(LAYERS)


def network(name: str, **options: Any) -> nn.Module:
    """Returns a small network in evaluation mode, always with the same numbers, none of which is what it began as."""
    torch.manual_seed(5)
    made = build({"network": name, **SIZES, **LAYERS[name], **options})
    with torch.no_grad():
        # Before training all attention is nearly even, and all biases are nought.
        for part in made.parameters():
            part.copy_(torch.randn(part.shape) * (0.5 if part.ndim > 1 else 0.3) + (part == 1))
    return made.eval()


def batch(lengths: list[int], photo: list[int], regions: list[int], tags: list[int] | None = None) -> RegionBatch:
    """Returns questions of such lengths, each about one of the photos, which have so many regions."""
    made = torch.Generator().manual_seed(3)
    words, there = _texts(lengths, made)
    most = max(regions)
    valid = torch.arange(most)[None] < torch.tensor(regions)[:, None]
    features = torch.randn(len(regions), most, FEATURES, generator=made) * valid[..., None]
    low = torch.rand(len(regions), most, 2, generator=made) * 0.5
    boxes = torch.cat([low, low + 0.1 + 0.4 * torch.rand(len(regions), most, 2, generator=made)], dim=-1)
    found = RegionBatch(words, there, features, boxes * valid[..., None], valid, torch.tensor(photo))
    return (
        found if tags is None else replace(found, **dict(zip(("tags", "tags_there"), _texts(tags, made), strict=True)))
    )


def single(whole: RegionBatch, row: int) -> RegionBatch:
    """Returns one question without any padding."""
    photo, there = int(whole.photo[row]), whole.there[row]
    valid = whole.valid[photo]
    more = {}
    if whole.tags is not None and whole.tags_there is not None:
        kept = whole.tags_there[row]
        more = {"tags": whole.tags[row, kept][None], "tags_there": kept[kept][None]}
    return RegionBatch(
        whole.words[row, there][None],
        there[there][None],
        whole.features[photo, valid][None],
        whole.boxes[photo, valid][None],
        valid[valid][None],
        torch.zeros(1, dtype=torch.int64),
        **more,
    )


def _texts(lengths: list[int], made: torch.Generator) -> tuple[Tensor, Tensor]:
    there = torch.arange(max(lengths))[None] < torch.tensor(lengths)[:, None]
    return torch.randint(1, WORDS, there.shape, generator=made) * there, there
