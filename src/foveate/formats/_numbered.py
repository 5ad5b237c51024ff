"""The ids of rows that have none: the photo's name, numbered as soon as any photo has several questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable


def id_maker(images: Callable[[], Iterable[str]]) -> Callable[[str], str]:
    """Returns what makes the next id about a photo.

    Args:
        images: Yields the photo of every row; asked only when the first id is made.
    """
    so_far: Counter[str] = Counter()
    repeated: list[bool] = []

    def make(image: str) -> str:
        if not repeated:
            repeated.append(_any_twice(images()))
        number = so_far[image]
        so_far[image] += 1
        return f"{image}#{number}" if repeated[0] else image

    return make


def _any_twice(images: Iterable[str]) -> bool:
    seen: set[str] = set()
    for image in images:
        if image in seen:
            return True
        seen.add(image)
    return False
