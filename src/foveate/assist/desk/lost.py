"""The photos over which processes were lost, known again when they are brought again; not the photos themselves."""

from __future__ import annotations

import hashlib
import secrets
from weakref import WeakKeyDictionary

import numpy as np

from foveate.assist.photos import Photo

_REMEMBERED = 1000
_MOST = 2


class Lost:
    """How often a kind of work has lost its process over a photo.

    Photos are told by a hash with a key that only this process has, so that nothing can be looked up by it.
    """

    def __init__(self) -> None:
        self._secret = secrets.token_bytes(32)
        self._times: dict[tuple[bytes, str], int] = {}
        self._names: WeakKeyDictionary[Photo, bytes] = WeakKeyDictionary()

    def note(self, photo: Photo, kind: str) -> None:
        """Counts one more loss."""
        name = (self._name(photo), kind)
        self._times[name] = self._times.pop(name, 0) + 1
        while len(self._times) > _REMEMBERED:
            del self._times[next(iter(self._times))]

    def twice(self, photo: Photo, kind: str) -> bool:
        """Returns whether it was so often that the photo must not be given to such a work again."""
        # Hashing takes a moment; hardly ever was anything lost.
        if not any(kind == lost and times >= _MOST for (_, lost), times in self._times.items()):
            return False
        return self._times.get((self._name(photo), kind), 0) >= _MOST

    def _name(self, photo: Photo) -> bytes:
        if photo in self._names:
            return self._names[photo]
        told = hashlib.blake2b(repr(photo.pixels.shape).encode(), key=self._secret)
        told.update(np.ascontiguousarray(photo.pixels).data.cast("B"))
        self._names[photo] = told.digest()
        return self._names[photo]
