"""Masks as run-length encodings, through the C code of pycocotools: compact, exact, and what COCO files hold.

An `Rle` is COCO's *compressed* form: runs of 0 and 1 in column-major order, packed into bytes. Everything that only
counts pixels (area, union, intersection, the tight box) works on it without ever unfolding the mask.

References:
    Lin and others: Microsoft COCO, ECCV 2014; the mask API of pycocotools (maskApi.c).
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from pycocotools import mask as _coco

from foveate.core.boxes import SizeHW, size_difference, size_problem

MaskArray = NDArray[np.bool_]
# A mask larger than this is not unfolded: a gigabyte of it, and several of what is then done with it.
_MOST_UNFOLDED = 2**30
_filters = threading.Lock()
# A difference of two runs has 33 bits with its sign; seven groups of five hold it.
_MOST_BITS = 5 * 7
# From so many bytes on, arrays are quicker than one byte after another.
_LONG = 128
# pycocotools writes how many masks it is given into 8 bits.
_MOST_AT_ONCE = 255


@dataclass(frozen=True, slots=True)
class Rle:
    """A mask of `size_hw`, run-length encoded.

    Attributes:
        size_hw: Height and width of the mask.
        counts: COCO's compressed runs.
    """

    size_hw: SizeHW
    counts: bytes


def parse(counts: bytes | str, size_hw: SizeHW) -> Rle:
    """Returns the encoding that compressed counts from outside hold, checked; pycocotools would read past their end.

    Raises:
        ValueError: The size is not positive, or the counts are no such code or do not fill the size.
    """
    try:
        code = counts.encode("ascii") if isinstance(counts, str) else counts
    except UnicodeEncodeError as error:
        raise ValueError("the code of the mask has a letter that it cannot have") from error
    runs = _unpacked(code)
    _check_fills(runs, size_hw)
    # Empty runs inside say nothing, but make pycocotools' union stop early.
    return Rle(size_hw, code) if all(runs[1:]) else from_runs(runs, size_hw)


def encode(mask: NDArray[Any]) -> Rle:
    """Returns the encoding of a mask, ``bool (H, W)`` or numbers of which 0 is outside.

    Raises:
        ValueError: It is not a plane.
    """
    if mask.ndim != 2 or not mask.size:
        raise ValueError(f"a mask has the shape (H, W), not {mask.shape}")
    raw = _coco.encode(np.asfortranarray(mask != 0, dtype=np.uint8))
    return Rle(_size(raw), raw["counts"])


def decode(rle: Rle) -> MaskArray:
    """Returns the mask, ``bool (H, W)``.

    Raises:
        ValueError: It has more than 2**30 pixels, far above any photo; the others here work on the runs.
    """
    height, width = rle.size_hw
    if height * width > _MOST_UNFOLDED:
        raise ValueError(f"a mask of {width} x {height} is too large to be unfolded")
    # pycocotools speaks an old dialect of NumPy's array protocol; the filters of warnings are of all threads together.
    with _filters, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cast(MaskArray, _coco.decode(_raw(rle)).astype(bool))


def from_runs(runs: Sequence[int], size_hw: SizeHW) -> Rle:
    """Returns the encoding of COCO's *uncompressed* runs: lengths of 0 and 1 in turn, column by column.

    Raises:
        ValueError: A run is negative or no whole number, or the runs do not fill the size.
    """
    if any(type(run) is not int or run < 0 for run in runs):
        raise ValueError("the runs of a mask are whole numbers of at least 0")
    _check_fills(runs, size_hw)
    height, width = size_hw
    raw = _coco.frPyObjects({"counts": _without_empty_runs(runs), "size": [height, width]}, height, width)
    return Rle(size_hw, raw["counts"])


def to_runs(rle: Rle) -> list[int]:
    """Returns COCO's uncompressed runs, beginning with those of 0."""
    return [int(run) for run in runs_of(rle).tolist()]


def runs_of(rle: Rle) -> NDArray[np.int64]:
    """Returns the same as an array; an `Rle` was checked when it was made, so that all its bytes are taken at once."""
    return _runs(np.frombuffer(rle.counts, dtype=np.uint8).astype(np.int64) - 48)


def _runs(code: NDArray[np.int64]) -> NDArray[np.int64]:
    ends = np.flatnonzero(code & 0x20 == 0)
    starts = np.concatenate([[0], ends[:-1] + 1])
    shifts = 5 * (np.arange(len(code)) - np.repeat(starts, ends - starts + 1))
    runs = np.add.reduceat((code & 0x1F) << shifts, starts)
    runs -= np.where(code[ends] & 0x10, np.int64(1) << (shifts[ends] + 5), 0)
    # From the fourth on they are differences to the last but one.
    runs[1::2] = np.cumsum(runs[1::2])
    runs[2::2] = np.cumsum(runs[2::2])
    return runs


def area(rle: Rle) -> int:
    """Returns how many pixels the mask covers."""
    return int(_coco.area(_raw(rle)))


def areas(rles: Sequence[Rle]) -> NDArray[np.float64]:
    """Returns how many pixels each mask covers ``(N,)``."""
    parts = (rles[first : first + _MOST_AT_ONCE] for first in range(0, len(rles), _MOST_AT_ONCE))
    found = [np.asarray(_coco.area([_raw(rle) for rle in part]), dtype=np.float64) for part in parts]
    return np.concatenate(found) if found else np.zeros(0)


def tight_box(rle: Rle) -> tuple[float, float, float, float] | None:
    """Returns the smallest box around the mask, ``xyxy``, half-open; None for an empty mask."""
    if area(rle) == 0:
        return None
    x, y, width, height = (float(side) for side in _coco.toBbox(_raw(rle)))
    return x, y, x + width, y + height


def distance(rle: Rle, x: float, y: float) -> float:
    """Returns how far a point is from the nearest of the mask's pixels (squares of side 1), 0 inside; inf if empty."""
    height = rle.size_hw[0]
    ends = np.cumsum(to_runs(rle))
    starts, stops = ends[:-1:2], ends[1::2]
    kept = stops > starts
    first, last = starts[kept] // height, (stops[kept] - 1) // height
    top, bottom = starts[kept] % height, (stops[kept] - 1) % height + 1
    # A run that goes on in the next column is its first column, its last one, and all of those between.
    one, between = first == last, last - first > 1
    boxes = np.concatenate(
        [
            np.stack([first, top, first + 1, np.where(one, bottom, height)], axis=1),
            np.stack([last, np.where(one, top, 0), last + 1, bottom], axis=1),
            np.stack([first + 1, np.zeros_like(first), last, np.full_like(first, height)], axis=1)[between],
        ]
    )
    across = np.maximum(np.maximum(boxes[:, 0] - x, x - boxes[:, 2]), 0.0)
    down = np.maximum(np.maximum(boxes[:, 1] - y, y - boxes[:, 3]), 0.0)
    return float(np.hypot(across, down).min(initial=np.inf))


def merge(rles: Sequence[Rle], *, intersect: bool = False) -> Rle:
    """Returns the union of masks, or their intersection.

    Raises:
        ValueError: There is none, or their sizes differ.
    """
    if not rles:
        raise ValueError("there is no mask to merge")
    for rle in rles[1:]:
        check_sizes(rles[0], rle)
    raw = _coco.merge([_raw(rle) for rle in rles], intersect=intersect)
    return Rle(rles[0].size_hw, raw["counts"])


def check_sizes(a: Rle, b: Rle) -> None:
    """Refuses two masks of different sizes, of which pycocotools would only say −1.

    Raises:
        ValueError: The sizes differ; the sentence says so where they look transposed.
    """
    difference = size_difference(a.size_hw, b.size_hw)
    if difference:
        raise ValueError(f"the masks are of two sizes: one is {difference}")


def _check_fills(runs: Sequence[int], size_hw: SizeHW) -> None:
    problem = size_problem(size_hw)
    if problem:
        raise ValueError(problem)
    height, width = size_hw
    if sum(runs) != height * width:
        raise ValueError(f"the runs cover {sum(runs):,} pixels, a mask of {width} x {height} has {height * width:,}")


def _without_empty_runs(runs: Sequence[int]) -> list[int]:
    """Returns the same mask without runs of length 0, but for a first one: the runs on both sides of it are one."""
    kept = list(runs[:1])
    joined = False
    for run in runs[1:]:
        if joined:
            kept[-1] += run
            joined = False
        elif run == 0:
            joined = True
        else:
            kept.append(run)
    return kept


def _raw(rle: Rle) -> dict[str, Any]:
    return {"size": list(rle.size_hw), "counts": rle.counts}


def _size(raw: dict[str, Any]) -> SizeHW:
    height, width = raw["size"]
    return int(height), int(width)


def _unpacked(counts: bytes) -> list[int]:
    """Returns the runs of compressed counts: groups of 5 bits; from the fourth on, differences to the last but one.

    Raises:
        ValueError: The bytes are no such code; pycocotools would read past their end.
    """
    quick = _unpacked_at_once(counts) if len(counts) >= _LONG else None
    if quick is not None:
        return quick
    runs: list[int] = []
    at = 0
    while at < len(counts):
        value, shift, more = 0, 0, True
        while more:
            if at == len(counts):
                raise ValueError("the code of the mask ends in the middle of a run")
            if shift > _MOST_BITS:
                raise ValueError("the code of the mask has a run that is longer than any mask")
            byte = counts[at] - 48
            if not 0 <= byte < 64:
                raise ValueError(f"the code of the mask has a byte that it cannot have ({counts[at]})")
            value |= (byte & 0x1F) << shift
            more = bool(byte & 0x20)
            shift += 5
            at += 1
            if not more and byte & 0x10:
                value -= 1 << shift
        if len(runs) > 2:
            value += runs[-2]
        if value < 0:
            raise ValueError("the code of the mask has a run of a negative length")
        runs.append(value)
    return runs


def _unpacked_at_once(counts: bytes) -> list[int] | None:
    """Returns the runs of compressed counts; None where something is wrong, which the slow way puts in words."""
    code = np.frombuffer(counts, dtype=np.uint8).astype(np.int64) - 48
    ends = np.flatnonzero(code & 0x20 == 0)
    if code.min() < 0 or code.max() >= 64 or not len(ends) or ends[-1] != len(code) - 1:
        return None
    if np.diff(ends, prepend=-1).max() > _MOST_BITS // 5 + 1:
        return None
    runs = _runs(code)
    # A step has at most 40 bits, so that sums do not pass 63 without being seen between.
    return None if runs.min() < 0 or runs.max() >= 1 << 42 else runs.tolist()
