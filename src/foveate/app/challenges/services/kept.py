"""Something costly that is kept in this process's memory while it is good."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Kept(Generic[T]):
    """What was made for some names, those that were asked for last.

    A name holds all that what is made depends on, so that nothing kept is ever old. What several ask for at once is
    made once.

    Args:
        most: How many are kept.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, T] = OrderedDict()
        self._making: dict[Hashable, threading.Lock] = {}
        self._lock = threading.Lock()

    def of(self, name: Hashable, make: Callable[[], T]) -> T:
        """Returns what is kept by a name; made now where it is not there."""
        with self._lock:
            making = self._making.setdefault(name, threading.Lock())
        with making:
            try:
                with self._lock:
                    if name in self._kept:
                        self._kept.move_to_end(name)
                        return self._kept[name]
                made = make()
                with self._lock:
                    self._kept[name] = made
                    while len(self._kept) > self._most:
                        self._kept.popitem(last=False)
                return made
            finally:
                with self._lock:
                    self._making.pop(name, None)
