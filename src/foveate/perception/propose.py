"""Boxes that may hold one of 80 kinds of things, from a small detector that runs on any processor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import Boxes, SizeHW, box_area, clip_boxes, cxcywh_to_xyxy
from foveate.core.overlap import box_iou
from foveate.perception import read_text
from foveate.perception.embed_image import ImageTokens, embed_image
from foveate.perception.segments import segments
from foveate.perception.sessions import run

SIDES = (832, 608, 416)
LEAST_SCORE = 0.004
SAME_THING = 0.55
# Not fewer: the kind that is asked for may be the faintest of many in the photo.
MOST_BOXES = 1000
# From here on a box without a kind adds nothing to one with a kind.
SAME_BOX = 0.85

Source = Literal["thing", "segment", "text"]


@dataclass(frozen=True, slots=True)
class Proposals:
    """Boxes with a kind each, best first.

    Attributes:
        xyxy: ``float64 (N, 4)``, pixels of the upright photo, half-open, inside it, none without area.
        kind: ``int64 (N,)``, places in `kinds()`. One place in the photo may be proposed as several kinds.
        score: ``float64 (N,)``, 0 to 1, falling: objectness times the kind's probability.
    """

    xyxy: Boxes
    kind: NDArray[np.int64]
    score: NDArray[np.float64]

    def __post_init__(self) -> None:
        count = len(self.score)
        if self.xyxy.shape != (count, 4) or self.kind.shape != (count,):
            raise ValueError(f"{count} scores need boxes ({count}, 4), not {self.xyxy.shape}, and a kind each")

    def __len__(self) -> int:
        return len(self.score)

    def take(self, rows: NDArray[np.int64]) -> Proposals:
        """Returns the proposals of these rows, in their order."""
        return Proposals(self.xyxy[rows], self.kind[rows], self.score[rows])


@dataclass(frozen=True, slots=True)
class Proposal:
    """A place in a photo where something is.

    Attributes:
        source: What proposes it: the detector of 80 kinds, the tokens, or the reader.
        xyxy: Pixels of the upright photo, half-open, inside it, with an area.
        score: 0 to 1, on a scale of its source's own: the detector's, the segment's, the reader's certainty.
        label: The kind as `kinds()` spells it, or what the text says; None for a segment, which may be anything.
    """

    source: Source
    xyxy: tuple[float, float, float, float]
    score: float
    label: str | None = None


@lru_cache(maxsize=1)
def kinds() -> tuple[str, ...]:
    """Returns the names of the 80 kinds, as the detector's own list spells them, in its order."""
    from foveate.sources.weights import file_path

    return tuple(file_path("yolov3_tiny", "coco.names").read_text(encoding="utf-8").split("\n")[:80])


def propose(image: NDArray[np.uint8], sides: tuple[int, ...] = SIDES) -> Proposals:
    """Returns at most 1,000 boxes that may hold a thing of the 80 kinds, the most likely first.

    The photo is stretched to each of `sides` without keeping its proportions, which this network prefers to borders.
    Boxes of one kind that overlap by an IoU of 0.55 are one thing: the best one stays. Where both sizes see
    the same thing, the two boxes are averaged, weighted by their scores; see `_agree` for the score.

    Args:
        image: ``uint8 (H, W, 3)``, RGB, upright.
        sides: Input sizes of the network, multiples of 32.

    References:
        Redmon, Farhadi: YOLOv3, an incremental improvement, 2018, section 2 (the small network, "tiny").
    """
    size_hw = (image.shape[0], image.shape[1])
    seen = [_look(image, side) for side in sides]
    per_size = [_one_each(_candidates(rows, size_hw)) for rows in seen]
    found = _one_each(_agree(per_size))
    return found.take(np.arange(min(len(found), MOST_BOXES)))


def propose_all(
    image: NDArray[np.uint8],
    tokens: ImageTokens | None = None,
    lines: Sequence[read_text.TextLine] | None = None,
    things: Proposals | None = None,
) -> tuple[Proposal, ...]:
    """Returns things, then text, then segments, things and segments best first; scores compare within a source only.

    A segment falls away where a thing has the same box (IoU of at least 0.85). A line of text stays beside the thing
    that it stands on.

    Args:
        image: ``uint8 (H, W, 3)``, RGB, upright.
        tokens: Of the photo, where they are at hand; else they are worked out.
        lines: Its text, likewise; none of it with ``()``.
        things: What `propose` gave, likewise.
    """
    found = propose(image) if things is None else things
    read = read_text.read_text(image) if lines is None else lines
    parts = segments(embed_image(image) if tokens is None else tokens)
    overlap = box_iou(parts.xyxy[:, None], found.xyxy, empty=0.0).max(axis=1, initial=0.0)
    new = np.flatnonzero(overlap < SAME_BOX)
    names = kinds() if len(found) else ()
    return (
        *(
            Proposal("thing", _sides(box), float(score), names[kind])
            for box, score, kind in zip(found.xyxy, found.score, found.kind, strict=True)
        ),
        *(Proposal("text", line.xyxy, line.score, line.text) for line in read),
        *(Proposal("segment", _sides(parts.xyxy[row]), float(parts.score[row])) for row in new),
    )


def _sides(box: Boxes) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = box.tolist()
    return x0, y0, x1, y1


def _look(image: NDArray[np.uint8], side: int) -> NDArray[np.float64]:
    """Returns the network's rows ``(M, 85)``: centre, width and height in 0..1, objectness, 80 scores."""
    import cv2

    resized = np.asarray(cv2.resize(image, (side, side), interpolation=cv2.INTER_LINEAR), dtype=np.float32)
    rows = run("yolov3_tiny", np.ascontiguousarray(resized.transpose(2, 0, 1)[None] / 255))
    return np.asarray(rows[0], dtype=np.float64)


def _candidates(rows: NDArray[np.float64], size_hw: SizeHW) -> Proposals:
    """Returns each box once for every kind that it may be, best first."""
    height, width = size_hw
    boxes = clip_boxes(cxcywh_to_xyxy(rows[:, :4]) * [width, height, width, height], size_hw)
    scores = np.where((box_area(boxes) > 0)[:, None], rows[:, 5:], 0.0)
    row, kind = np.nonzero(scores >= LEAST_SCORE)
    return _sorted(boxes[row], kind, np.clip(scores[row, kind], 0.0, 1.0))


def _sorted(xyxy: Boxes, kind: NDArray[np.int64], score: NDArray[np.float64]) -> Proposals:
    return Proposals(xyxy, kind, score).take(np.argsort(-score, kind="stable"))


def _one_each(proposals: Proposals) -> Proposals:
    """Returns, of every group of boxes that are one thing of one kind, the best."""
    kept: list[int] = []
    for kind in np.unique(proposals.kind):
        rest = np.flatnonzero(proposals.kind == kind)
        while rest.size:
            kept.append(int(rest[0]))
            overlap = box_iou(proposals.xyxy[rest[0]], proposals.xyxy[rest], empty=0.0)
            rest = rest[1:][overlap[1:] < SAME_THING]
    return proposals.take(np.sort(np.asarray(kept, dtype=np.int64)))


def _agree(per_size: list[Proposals]) -> Proposals:
    """Returns the boxes of all sizes, each averaged with the box of the same thing in every other size.

    The score becomes the mean over the sizes, with 0 for a size that does not see the thing: what both sizes see is
    more often true and better placed than what one of them is surer of.
    """
    averaged = [
        _average(own, [other for place, other in enumerate(per_size) if place != index])
        for index, own in enumerate(per_size)
    ]
    kind = np.concatenate([own.kind for own in per_size])
    score = np.concatenate([weight for _, weight in averaged]) / len(per_size)
    return _sorted(np.concatenate([boxes for boxes, _ in averaged]), kind, score)


def _average(own: Proposals, others: list[Proposals]) -> tuple[Boxes, NDArray[np.float64]]:
    """Returns the averaged boxes and the sums of the scores that went into each."""
    weighted, weight = own.xyxy * own.score[:, None], own.score.copy()
    for other in (o for o in others if len(o)):
        overlap = box_iou(own.xyxy[:, None], other.xyxy, empty=0.0) * (own.kind[:, None] == other.kind)
        best = overlap.argmax(axis=1)
        share = np.where(overlap.max(axis=1, initial=0.0) >= SAME_THING, other.score[best], 0.0)
        weighted += other.xyxy[best] * share[:, None]
        weight += share
    return weighted / weight[:, None], weight
