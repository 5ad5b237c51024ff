"""The thing in a box, pixel by pixel: what looks like the box's middle and not like what lies around the box."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foveate.core.boxes import Boxes, SizeHW, as_boxes, box_area, box_problem, clip_boxes
from foveate.core.rle import MaskArray
from foveate.perception._grids import Plane, cover, pixels_of, read, read_at_edges
from foveate.perception.embed_image import ImageTokens, embed_image

# Of the box's sides: the corners and edges of a box are seldom the thing.
CENTRE = 0.8
RING = 4
# Without it, directions in which a photo hardly varies would count beyond all measure.
RIDGE = 1.0
CLOSE_UP_SIDE = 224
# A close-up pays for boxes of a smaller share of the photo than this.
CLOSE_UP_SHARE = 0.03
# Of the box's longer side, on each side of it: what the thing stands before.
_MARGIN = 0.35
_LEAST_MARGIN = 12


def mask_in_box(tokens: ImageTokens, xyxy: ArrayLike, image: NDArray[np.uint8] | None = None) -> MaskArray:
    """Returns the pixels of the thing in a box, ``bool (H, W)``; never empty, none outside the box.

    Tokens in the middle of the box stand for the thing, a ring of four around the box for what is behind it; Fisher's
    linear discriminant of the two, with the photo's own covariance, tells every token of the box. Where it tells
    nothing, and where there is no ring because the box is the whole photo, the mask is the box filled.

    Args:
        tokens: Of the photo.
        xyxy: One box, upright pixels, half-open; what lies outside the photo is cut off. A box that holds no pixel's
            centre gets the pixel in its middle.
        image: The photo itself, ``uint8 (H, W, 3)``, so that the mask keeps to its edges; without it they are smooth.

    Raises:
        ValueError: No part of the box lies inside the photo; or the photo has another size than its tokens say.

    References:
        Fisher: The use of multiple measurements in taxonomic problems, 1936.
    """
    size_hw = tokens.size_hw
    if image is not None and image.shape[:2] != size_hw:
        raise ValueError(f"the tokens are of a photo of {size_hw}, not {image.shape[:2]}")
    box = _inside(xyxy, size_hw)
    window = pixels_of(box, size_hw)
    mask = np.zeros(size_hw, dtype=bool)
    part = mask[window.y0 : window.y1, window.x0 : window.x1]
    scores = _scores(tokens, box)
    if scores is not None:
        part[:] = (read(scores, size_hw, window) if image is None else read_at_edges(scores, image, window)) > 0
    if not part.any():
        part[:] = True
    return mask


def mask_close_up(image: NDArray[np.uint8], xyxy: ArrayLike) -> MaskArray:
    """Returns what `mask_in_box` gives with tokens of the box and its surroundings alone: for small things.

    It is better where the box is under 3 % of the photo, and needs no tokens of the whole photo.

    Args:
        image: ``uint8 (H, W, 3)``, RGB, upright.
        xyxy: As for `mask_in_box`.

    Raises:
        ValueError: No part of the box lies inside the photo.
    """
    size_hw = (image.shape[0], image.shape[1])
    box = _inside(xyxy, size_hw)
    margin = max(_MARGIN * float((box[2:] - box[:2]).max()), _LEAST_MARGIN)
    around = pixels_of(box, size_hw).grown(round(margin), size_hw)
    crop = np.ascontiguousarray(image[around.y0 : around.y1, around.x0 : around.x1])
    mask = np.zeros(size_hw, dtype=bool)
    mask[around.y0 : around.y1, around.x0 : around.x1] = mask_in_box(
        embed_image(crop, side=CLOSE_UP_SIDE), box - np.array([around.x0, around.y0] * 2), crop
    )
    return mask


def _inside(xyxy: ArrayLike, size_hw: SizeHW) -> Boxes:
    box = as_boxes(xyxy)
    clipped = clip_boxes(box, size_hw)
    if box.shape != (4,) or not box_area(clipped) > 0:
        said = f"one box is (4,), not {box.shape}" if box.shape != (4,) else box_problem(box.tolist(), size_hw)
        raise ValueError(said)
    return clipped


def _scores(tokens: ImageTokens, box: Boxes) -> Plane | None:
    """Returns how far each token is on the thing's side, 0.5 at its mean; None where nothing is to be told apart."""
    grid_hw = (tokens.tokens.shape[0], tokens.tokens.shape[1])
    cell = np.array([tokens.size_hw[1] / grid_hw[1], tokens.size_hw[0] / grid_hw[0]])
    around = box + RING * np.concatenate([-cell, cell])
    edge = (1 - CENTRE) / 2 * (box[2:] - box[:2])
    inner = box + np.concatenate([edge, -edge])
    ring = cover(around, tokens.size_hw, grid_hw) - cover(box, tokens.size_hw, grid_hw)
    if ring.sum() < 1:
        return None
    unit, covariance = _spread(tokens)
    core = cover(inner, tokens.size_hw, grid_hw)
    thing, behind = (np.tensordot(weight / weight.sum(), unit, 2) for weight in (core, ring))
    direction = np.linalg.solve(covariance, thing - behind)
    apart = float((thing - behind) @ direction)
    if not apart > 0:
        return None
    return np.asarray((unit @ direction - (thing + behind) @ direction / 2) / apart, dtype=np.float64)


@lru_cache(maxsize=2)
def _spread(tokens: ImageTokens) -> tuple[NDArray[np.float32], Plane]:
    """Returns the tokens at unit length, and their covariance with a ridge: the same for all boxes of a photo."""
    unit = tokens.tokens / np.maximum(np.linalg.norm(tokens.tokens, axis=2, keepdims=True), 1e-9)
    flat = unit.reshape(-1, unit.shape[2])
    apart = flat - flat.mean(axis=0)
    covariance = (apart.T @ apart / len(flat)).astype(np.float64)
    ridge = RIDGE * covariance.diagonal().mean() + 1e-9
    return unit, covariance + ridge * np.eye(len(covariance))
