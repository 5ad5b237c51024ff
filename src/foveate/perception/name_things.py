"""What the one main thing of a photo is called, of ImageNet's 1,000 kinds: EfficientNet-Lite2."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from foveate.perception.sessions import run

SIDE = 260
Named = tuple[tuple[str, float], ...]


@lru_cache(maxsize=1)
def thing_names() -> tuple[str, ...]:
    """Returns the 1,000 names in the network's order, as ImageNet spells them: "Egyptian cat", "espresso"."""
    text = files("foveate.perception").joinpath("imagenet_names.txt").read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if not line.startswith("#"))


def name_things(image: NDArray[np.uint8], *, most: int = 5) -> Named:
    """Returns what the main thing of a photo may be, ``((name, probability), …)``, the likeliest first.

    It is good where one thing fills much of the photo, and of little use on a scene of many things; people are in none
    of the 1,000 kinds. The probabilities are those of the network among its kinds, whatever the photo shows.

    Args:
        image: ``uint8 (H, W, 3)``, RGB, upright; a part of a photo may be given too.
        most: How many names.

    References:
        Tan, Le: EfficientNet, ICML 2019; Lite2 of TensorFlow's models.
    """
    return name_things_of([image], most=most)[0]


def name_things_of(images: Sequence[NDArray[np.uint8]], *, most: int = 5) -> list[Named]:
    """Returns the names of several photos, or parts of photos, at once; each as `name_things` does."""
    if not images:
        return []
    chances = run("efficientnet_lite2", np.stack([_input(image) for image in images]))
    names = thing_names()
    ordered = np.argsort(-chances, axis=1, kind="stable")[:, :most]
    return [
        tuple((names[place], float(row[place])) for place in places)
        for row, places in zip(chances, ordered, strict=True)
    ]


def _input(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Returns the photo, stretched to the network's square: to cut one out of it might cut the thing off."""
    import cv2

    shrinks = min(image.shape[:2]) > SIDE
    resized = cv2.resize(image, (SIDE, SIDE), interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR)
    # The numbers of its training, not ImageNet's usual mean and deviation.
    pixels = (np.asarray(resized, dtype=np.float32) - 127) / 128
    return np.ascontiguousarray(pixels.transpose(2, 0, 1))
