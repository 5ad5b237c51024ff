"""Where faces are in a photo; only where, never whose: nothing that could tell a person is computed or kept.

A small network (CenterFace) marks the middle of each face with its size. It finds faces that look towards the camera
or to its side; of heads from behind, of faces of a few pixels, half covered or blurred, it misses many, and it takes
some patterns for faces. So what it does not mark is not free of faces.

References:
    Xu, Yan, Yang, Luo, Li, He: CenterFace: Joint Face Detection and Alignment Using Face as Point. Scientific
    Programming, 2020.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from foveate.core.overlap import box_iou
from foveate.perception.sessions import session_options
from foveate.sources.weights import file_path

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

Sides = tuple[float, float, float, float]
# Chosen on 163 real photos: `design/releases.md`.
LEAST_SCORE = 0.4
# The longer side is brought to at most this many pixels before the network sees the photo; smaller photos stay.
LONGEST_SIDE = 1280
_SAME_FACE = 0.3
_STRIDE = 4
_MULTIPLE = 32
_OUTPUTS = ("537", "538", "539")


@dataclass(frozen=True, slots=True)
class Face:
    """One face.

    Attributes:
        xyxy: The box around it, pixels of the upright photo, clipped to it.
        score: How sure the network is, 0 to 1.
    """

    xyxy: Sides
    score: float


def find_faces(image: NDArray[np.uint8], *, least_score: float = LEAST_SCORE) -> tuple[Face, ...]:
    """Returns the faces of a photo, the surest first.

    Args:
        image: ``uint8 (H, W, 3)``, RGB, upright.
        least_score: Faces of which the network is less sure are left out.

    Raises:
        UnavailableError: The weights are not cached and cannot be fetched.
        OutputError: The cache cannot be written.

    References:
        Xu et al., 2020; the order of the network's outputs as in the authors' code.
    """
    height, width = image.shape[:2]
    values = _input(image)
    heat, scale, offset = _network().run(list(_OUTPUTS), {"input.1": values})
    boxes, scores = _boxes(heat[0, 0], scale[0], offset[0], least_score)
    boxes *= np.array([width / values.shape[3], height / values.shape[2]] * 2)
    boxes = np.clip(boxes, 0.0, [width, height, width, height])
    kept = [row for row in _without_repeats(boxes, scores) if (boxes[row, 2:] > boxes[row, :2]).all()]
    return tuple(Face(_sides(boxes[row]), float(scores[row])) for row in kept)


def _input(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Returns the photo as the network takes it, ``float32 (1, 3, h, w)``, RGB of 0 to 255, sides multiples of 32."""
    import cv2

    height, width = image.shape[:2]
    factor = min(1.0, LONGEST_SIDE / max(height, width))
    new_h, new_w = (max(_MULTIPLE, -(-round(side * factor) // _MULTIPLE) * _MULTIPLE) for side in (height, width))
    resized = cv2.resize(np.ascontiguousarray(image), (new_w, new_h), interpolation=cv2.INTER_LINEAR)
    return np.ascontiguousarray(resized.transpose(2, 0, 1)[None], dtype=np.float32)


def _boxes(
    heat: NDArray[np.float32], scale: NDArray[np.float32], offset: NDArray[np.float32], least_score: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns boxes ``(N, 4)`` in the network's pixels and their scores ``(N,)``, the surest first."""
    rows, columns = np.nonzero(heat >= least_score)
    scores = heat[rows, columns].astype(np.float64)
    order = np.argsort(-scores, kind="stable")
    rows, columns, scores = rows[order], columns[order], scores[order]
    sizes = np.exp(scale[:, rows, columns].astype(np.float64)) * _STRIDE
    middle_y = (rows + offset[0, rows, columns] + 0.5) * _STRIDE
    middle_x = (columns + offset[1, rows, columns] + 0.5) * _STRIDE
    halves = sizes / 2
    corners = (middle_x - halves[1], middle_y - halves[0], middle_x + halves[1], middle_y + halves[0])
    return np.stack(corners, axis=1).astype(np.float64), scores


def _without_repeats(boxes: NDArray[np.float64], scores: NDArray[np.float64]) -> list[int]:
    kept: list[int] = []
    for row in range(len(scores)):
        if not kept or float(box_iou(boxes[[row] * len(kept)], boxes[kept], empty=0.0).max()) < _SAME_FACE:
            kept.append(row)
    return kept


def _sides(box: NDArray[np.float64]) -> Sides:
    x0, y0, x1, y1 = map(float, box)
    return x0, y0, x1, y1


@cache
def _network() -> InferenceSession:
    """Returns the network for photos of any size; its file states one size, which the graph does not need."""
    import onnx
    import onnxruntime

    model = onnx.load(str(file_path("centerface", "centerface.onnx")))
    for value in (*model.graph.input, *model.graph.output):
        for axis, size in enumerate(value.type.tensor_type.shape.dim):
            if axis != 1:
                size.dim_param = f"{value.name}_{axis}"
    return onnxruntime.InferenceSession(
        model.SerializeToString(), session_options(), providers=["CPUExecutionProvider"]
    )
