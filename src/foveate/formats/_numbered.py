"""The ids of rows that have none: the photo's name, numbered as soon as any photo has several questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from foveate.formats._keys import Repeats


def id_maker(images: Repeats) -> Callable[[str], str]:
    """Returns what makes the next id about a photo; it counts the photos that come more than once.

    Args:
        images: The photo of every row; asked only when the first id is made.
    """
    so_far: Counter[str] = Counter()

    def make(image: str) -> str:
        if not images.any():
            return image
        number = so_far[image]
        if image in images:
            so_far[image] += 1
        return f"{image}#{number}"

    return make
