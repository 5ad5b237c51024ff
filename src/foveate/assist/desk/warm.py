"""What a process of the desk keeps: methods, and what was seen of the last photos."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from foveate.assist.asking import Asker
from foveate.assist.photos import Photo

_MOST_METHODS = 2
_MOST_REMEMBERED = 8
Seen = TypeVar("Seen")


@dataclass(eq=False)
class _OfPhoto:
    photo: Photo
    askers: dict[str, Asker] = field(default_factory=dict)
    seen: dict[str, Any] = field(default_factory=dict)


class Warm:
    """Methods and photos; the desk says which photos stay."""

    def __init__(self) -> None:
        self._photos: dict[int, _OfPhoto] = {}
        # Methods whose every instance loads its own weights: one of each, which sees one photo at a time.
        self._single: dict[str, Asker] = {}

    def take(self, number: int, photo: Photo) -> None:
        """Takes a photo."""
        self._photos[number] = _OfPhoto(photo)

    def photo(self, number: int) -> Photo:
        """Returns a photo that was taken."""
        return self._photos[number].photo

    def forget(self, number: int) -> None:
        """Forgets a photo and all that was seen of it."""
        gone = self._photos.pop(number, None)
        for name, asker in [*self._single.items()]:
            if gone and asker.photo is gone.photo:
                del self._single[name]

    def asker(self, grounder: str, photo: Photo) -> Asker:
        """Returns a method that looks at a photo; the one that was asked about it before, where it still is.

        Raises:
            UsageError: There is no such method.
            UnavailableError: Its weights are not here and cannot be fetched.
        """
        own = self._of(photo).askers
        asker = own.get(grounder) or self._single.pop(grounder, None) or Asker(grounder)
        if asker.shares_weights:
            own[grounder] = asker
        else:
            self._single[grounder] = asker
            while len(self._single) > _MOST_METHODS:
                del self._single[next(iter(self._single))]
        asker.look(photo)
        return asker

    def once(self, photo: Photo, name: str, make: Callable[[], Seen]) -> Seen:
        """Returns what was made of a photo under this name, else makes it; the last few are kept."""
        seen = self._of(photo).seen
        if name not in seen:
            seen[name] = make()
            while len(seen) > _MOST_REMEMBERED:
                del seen[next(iter(seen))]
        return cast(Seen, seen[name])

    def _of(self, photo: Photo) -> _OfPhoto:
        return next(each for each in self._photos.values() if each.photo is photo)
