"""The signs that methods give: they agree against the label, a sure one misses it, they fit the label turned.

A method that misses much says little by missing once. So each sign is weighed by how often, on the same data, a label
is where such evidence points: how often it is with methods that agree, and how often a region as sure as that is right.
That most labels are right is the assumption; where it fails, so does the audit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.core.overlap import box_iou, mask_iou
from foveate.core.regions import Box, Shape
from foveate.core.rle import area
from foveate.core.truths import Truth
from foveate.evaluation._audit_labels import HALF, WHOLE, Labels, Sign, label_region, size_of
from foveate.evaluation._audit_turns import TURNS, turned_label
from foveate.evaluation.results import Column, Results
from foveate.evaluation.wording import percent

HIT = 0.5
# A prior has few places for many photos: fewer than one in ten, of so many photos at least.
PLACES, FEWEST = 0.1, 20
# So many regions at least say how often one as sure as that is right.
AS_SURE = 10
# By so much the turned label must fit better.
GAIN = 0.3


@dataclass(frozen=True)
class Voice:
    """What a method, or several that say the very same, say of a sample."""

    names: tuple[str, ...]
    shape: Shape
    iou: float


@dataclass(frozen=True)
class Group:
    """Voices of one sample of which each agrees with each.

    Attributes:
        voices: At least two.
        agreement: The mean IoU of two of them.
        iou: The highest IoU of one of them with the label.
        others: How many voices that are not in it have an IoU of at least one half with the label.
    """

    voices: tuple[Voice, ...]
    agreement: float
    iou: float
    others: int


def looks(results: Results) -> bool:
    """Returns whether a method looks at photos: a prior gives the same few places, as shares of the sides, to all."""
    places = set()
    count = 0
    for row, prediction in enumerate(results.predictions):
        size_hw = _size(results, row)
        if prediction is not None and prediction.final is not None and size_hw:
            height, width = size_hw
            shares = np.array(prediction.final.shape.xyxy) / [width, height, width, height]
            places.add(tuple(np.rint(shares * 100).astype(int).tolist()))
            count += 1
    return count < FEWEST or len(places) >= PLACES * count


def method_signs(labels: Labels, runs: Sequence[Results]) -> list[list[Sign]]:
    """Returns the signs of each sample that methods give.

    Args:
        labels: The labels.
        runs: Of methods that look, on these labels and in their order.
    """
    found: list[list[Sign]] = [[] for _ in labels.truths]
    if not runs:
        return found
    voices = [_voices(runs, row) if truth.targets else [] for row, truth in enumerate(labels.truths)]
    groups = [_group(spoken, size_of(labels, row), labels.truths[row]) for row, spoken in enumerate(voices)]
    trust = _trust(groups)
    right = [_right_when_as_sure(run) for run in runs]
    alone = _share([voice.iou >= HIT for spoken in voices for voice in spoken])
    for row, spoken in enumerate(voices):
        group, size_hw = groups[row], size_of(labels, row)
        parts = (
            _against(_methods_agree(group, trust), _sure_miss(runs, right, row, spoken)),
            _turned(labels, row, spoken, alone) if size_hw else None,
            _not_whole(labels, row, spoken) if size_hw else None,
        )
        found[row] += [sign for sign in parts if sign and sign.strength > 0]
    return found


def _against(agree: Sign | None, miss: Sign | None) -> Sign | None:
    """Returns the stronger of the two, which are of the same regions."""
    if agree is None or miss is None:
        return agree or miss
    return agree if agree.strength >= miss.strength else miss


def _size(results: Results, row: int) -> SizeHW | None:
    prediction = results.predictions[row]
    return results.truths[row].size_hw or (prediction.size_hw if prediction else None)


def _share(hits: Sequence[bool]) -> float:
    return float(np.mean(hits)) if hits else 0.0


def _voices(runs: Sequence[Results], row: int) -> list[Voice]:
    """Returns what is said of a sample; what several say to the pixel is one voice."""
    said: dict[Shape, list[int]] = {}
    for number, run in enumerate(runs):
        prediction = run.predictions[row]
        if prediction is not None and prediction.final is not None:
            said.setdefault(prediction.final.shape, []).append(number)
    return [
        Voice(tuple(runs[n].name for n in numbers), shape, float(runs[numbers[0]].regions["iou"][row]))
        for shape, numbers in said.items()
    ]


def _table(shapes: Sequence[Shape], size_hw: SizeHW | None, as_boxes: bool) -> Column:
    """Returns the IoU of each with each ``(K, K)``, as the metric compares them."""
    if as_boxes or size_hw is None:
        boxes = np.array([shape.xyxy for shape in shapes])
        return box_iou(boxes[:, None], boxes, empty=0.0)
    rles = [shape.rle(size_hw) for shape in shapes]
    table = np.eye(len(rles))
    first, second = np.triu_indices(len(rles), 1)
    table[first, second] = mask_iou([rles[n] for n in first], [rles[n] for n in second], empty=0.0)
    return np.maximum(table, table.T)


def _group(voices: Sequence[Voice], size_hw: SizeHW | None, truth: Truth) -> Group | None:
    """Returns the largest group of voices that agree; of equal ones that with the label, then the closest."""
    if len(voices) < 2:
        return None
    table = _table([voice.shape for voice in voices], size_hw, isinstance(truth.targets[0].shape, Box))
    near = np.array([voice.iou >= HIT for voice in voices])
    best: tuple[int, bool, float, tuple[int, ...]] = (0, False, 0.0, ())
    for start in range(len(voices)):
        inside = [start]
        for other in np.argsort(-table[start], kind="stable").tolist():
            if other not in inside and table[other, inside].min() >= HIT:
                inside.append(other)
        if len(inside) > 1:
            members = tuple(sorted(inside))
            between = table[np.ix_(members, members)][np.triu_indices(len(members), 1)]
            best = max(best, (len(members), bool(near[inside].any()), float(between.mean()), members))
    size, _, agreement, members = best
    chosen = tuple(voices[n] for n in members)
    if not size:
        return None
    return Group(chosen, agreement, max(voice.iou for voice in chosen), int(near.sum() - near[list(members)].sum()))


def _trust(groups: Sequence[Group | None]) -> Mapping[int, float]:
    """Returns by how many voices agree how often the label is with them."""
    sizes: dict[int, list[bool]] = defaultdict(list)
    for group in groups:
        if group:
            sizes[len(group.voices)].append(group.iou >= HIT)
    return {size: _share(hits) for size, hits in sizes.items()}


def _methods_agree(group: Group | None, trust: Mapping[int, float]) -> Sign | None:
    """A voice for the label halves what a group against it says, two leave a third."""
    if group is None or group.iou >= HIT:
        return None
    size = len(group.voices)
    strength = trust[size] * (1 - group.iou / group.agreement) * (1 - 0.5**size) / (1 + group.others)
    named = " and ".join(voice.names[0] for voice in group.voices)
    why = (
        f"{named} agree with each other (IoU {group.agreement:.2f}) and not with the label ({group.iou:.2f} at most); "
        f"where {size} agree, the label is with them in {percent(trust[size], 0)}"
    )
    return Sign("methods_agree", strength, why)


def _right_when_as_sure(run: Results) -> Column:
    """Returns for each sample how often regions at least as sure are right ``(N,)``; of all where there is no score."""
    columns = run.regions
    counted = (columns["shown"] * columns["grounded"]) > 0
    hits, scores = (columns["iou"] >= HIT).astype(np.float64), columns["score"]
    found = np.zeros(len(run))
    if not counted.any():
        return found
    found[counted] = hits[counted].mean()
    rated = np.flatnonzero(counted & (columns["rated"] > 0))
    if len(rated) < AS_SURE:
        return found
    order = rated[np.argsort(-scores[rated], kind="stable")]
    listed = np.cumsum(hits[order])
    # Those of one score have all of them; the surest few say too little each.
    ends = np.searchsorted(-scores[order], -scores[order], side="right")
    ends = np.maximum(ends, ends[AS_SURE - 1])
    found[order] = listed[ends - 1] / ends
    return found


def _sure_miss(runs: Sequence[Results], right: Sequence[Column], row: int, voices: Sequence[Voice]) -> Sign | None:
    """A single voice is half of what two are; the surest counts."""
    if not voices or max(voice.iou for voice in voices) >= HIT:
        return None
    best: tuple[float, str] = (0.0, "")
    for run, shares in zip(runs, right, strict=True):
        prediction = run.predictions[row]
        if prediction is None or prediction.final is None:
            continue
        iou, share = float(run.regions["iou"][row]), float(shares[row])
        sure = "" if prediction.final.score is None else f", as sure as {prediction.final.score:.2f},"
        why = f"{run.name}{sure} misses the label (IoU {iou:.2f}); such regions of it are right in {percent(share, 0)}"
        best = max(best, (share * (1 - iou / HIT) / 2, why))
    return Sign("sure_miss", *best) if best[0] > 0 else None


def _turned(labels: Labels, row: int, voices: Sequence[Voice], alone: float) -> Sign | None:
    """The label fits the methods once it is turned or mirrored."""
    size_hw = size_of(labels, row)
    if size_hw is None or not voices or len(labels.truths[row].targets) != 1:
        return None
    own = float(np.mean([voice.iou for voice in voices]))
    if own >= HIT:
        return None
    shape = labels.truths[row].targets[0].shape
    rles = [voice.shape.rle(size_hw) for voice in voices]
    fits = {
        name: float(mask_iou([turned_label(shape, size_hw, turn)] * len(rles), rles, empty=0.0).mean())
        for name, turn in TURNS.items()
    }
    name = max(fits, key=fits.__getitem__)
    if fits[name] < HIT or fits[name] - own < GAIN:
        return None
    strength = alone * (fits[name] - own) * (1 - 0.5 ** len(voices))
    return Sign(
        "turned", strength, f"{name}, the label would fit what methods find: IoU {fits[name]:.2f}, now {own:.2f}"
    )


def _not_whole(labels: Labels, row: int, voices: Sequence[Voice]) -> Sign | None:
    """The label is nearly the whole photo, the methods' regions are not."""
    size_hw, region = size_of(labels, row), label_region(labels, row)
    if size_hw is None or region is None or not voices:
        return None
    pixels = size_hw[0] * size_hw[1]
    covered = area(region) / pixels
    theirs: NDArray[np.float64] = np.array([area(voice.shape.rle(size_hw)) / pixels for voice in voices])
    middle = float(np.median(theirs))
    if covered <= WHOLE or middle > HALF:
        return None
    why = f"the target covers {percent(covered, 0)} of the photo, what methods find {percent(middle, 0)}"
    return Sign("whole_for_methods", (1 - middle) / 2 * (1 - 0.5 ** len(voices)), why)
