"""Which texts were there before, in about five bytes each, so that a million rows need no table of a million texts."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable

_BUCKET_BITS, _REST_BITS = 12, 32
_BUCKETS, _REST = (1 << _BUCKET_BITS) - 1, (1 << _REST_BITS) - 1


class Keys:
    """A set of texts by 44 bits of their hash.

    Two different texts may be taken for one (one chance in 36 that this happens among a million), so that whoever finds
    a text here makes sure of it.
    """

    def __init__(self) -> None:
        # Short sorted arrays: what is put into one moves a few hundred bytes, and nothing is ever copied as a whole.
        self._buckets = [array("I") for _ in range(_BUCKETS + 1)]

    def add(self, text: str) -> bool:
        """Notes a text; returns whether it, or another one of its key, was there before."""
        bucket, rest, place = self._place(text)
        if place < len(bucket) and bucket[place] == rest:
            return True
        bucket.insert(place, rest)
        return False

    def __contains__(self, text: str) -> bool:
        bucket, rest, place = self._place(text)
        return place < len(bucket) and bucket[place] == rest

    def _place(self, text: str) -> tuple[array[int], int, int]:
        key = hash(text)
        bucket, rest = self._buckets[key & _BUCKETS], key >> _BUCKET_BITS & _REST
        return bucket, rest, bisect_left(bucket, rest)


class Repeats:
    """Which texts of a column come more than once; found by readings of their own when it is first asked.

    Args:
        texts: Yields the column, again each time.
    """

    def __init__(self, texts: Callable[[], Iterable[str]]) -> None:
        self._texts = texts
        self._found: Keys | None = None
        self._any: bool | None = None

    def __contains__(self, text: str) -> bool:
        """Returns True for every text that comes more than once, and hardly ever for another."""
        return text in self._twice()

    def any(self) -> bool:
        """Returns whether any text comes more than once."""
        if self._any is None:
            self._any = self._find_one()
        return self._any

    def _find_one(self) -> bool:
        seen: set[str] = set()
        for text in self._texts():
            if text in seen:
                return True
            if text in self:
                seen.add(text)
        return False

    def _twice(self) -> Keys:
        if self._found is None:
            once, self._found = Keys(), Keys()
            for text in self._texts():
                if once.add(text):
                    self._found.add(text)
        return self._found
