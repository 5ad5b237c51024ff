"""Targets that people drew in the place of those of a release; the very same region is the target that there was."""

from __future__ import annotations

from dataclasses import replace

from foveate.core.overlap import mask_iou
from foveate.core.regions import Box
from foveate.core.truths import Target, Truth
from foveate.formats._sample_forms import Sample


def with_targets(old: Sample, fix: Truth) -> Sample:
    """Returns a sample with the targets of a fix; the sample itself where these are the regions that it has.

    Args:
        old: As it was released.
        fix: What people drew, or chose.
    """
    targets = tuple(_kept(target, old.truth) for target in fix.targets)
    if targets == old.truth.targets:
        return old
    answerable = old.truth.answerable and bool(targets)
    return Sample(old.query, replace(old.truth, targets=targets, match=fix.match, answerable=answerable))


def _kept(new: Target, old: Truth) -> Target:
    """Returns the old target of the same region, else the new one with the answer that all old ones belong to."""
    same = next((target for target in old.targets if _is_same(new, target, old)), None)
    if same is not None:
        return same
    answers = {target.answer for target in old.targets}
    return replace(new, answer=answers.pop()) if new.answer is None and len(answers) == 1 else new


def _is_same(one: Target, other: Target, truth: Truth) -> bool:
    """Returns whether two targets are one region: corner by corner of boxes, else pixel by pixel."""
    if isinstance(one.shape, Box) and isinstance(other.shape, Box):
        return one.shape.xyxy == other.shape.xyxy
    if truth.size_hw is None:
        return one.shape == other.shape
    return bool(mask_iou([one.shape.rle(truth.size_hw)], [other.shape.rle(truth.size_hw)], empty=1.0)[0] == 1.0)
