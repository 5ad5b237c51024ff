"""The photos that are kept in memory for a while, each under a secret that only who brought it has."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from foveate.assist.desk.settings import DeskSettings
from foveate.assist.desk.states import FullError, GoneError
from foveate.assist.photos import Photo
from foveate.errors import InputError

_MEBI = 1 << 20


@dataclass(eq=False, slots=True)
class Kept:
    """A photo on the shelf.

    Attributes:
        key: The secret.
        number: Its name among processes, which need not know the secret.
        photo: The photo.
        who: Who brought it.
        used: When it was last used.
        needed: How many works wait for it or are being done; it stays while there are any.
    """

    key: str
    number: int
    photo: Photo
    who: str
    used: float
    needed: int = 0


class Shelf:
    """Photos by their secrets; the one that was used longest ago makes room for the next.

    Args:
        settings: How many, how much and how long.
        clock: Seconds.
        gone: Told of every photo that leaves.
    """

    def __init__(self, settings: DeskSettings, clock: Callable[[], float], gone: Callable[[Kept], None]) -> None:
        self._settings, self._clock, self._gone = settings, clock, gone
        self._kept: dict[str, Kept] = {}
        self._count = 0

    def put(self, photo: Photo, who: str) -> str:
        """Takes a photo; returns its secret.

        Raises:
            InputError: It alone is larger than all may be.
            FullError: All the room is taken by photos that are needed.
        """
        room = self._settings.kept_mebibytes * _MEBI
        if photo.pixels.nbytes > room:
            raise InputError(photo.name, "it has more pixels than are kept here", "Send a smaller photo.")
        own = [kept for kept in self._kept.values() if kept.who == who]
        if len(own) >= self._settings.photos_each:
            self._drop_unneeded(own, f"{len(own)} of your photos are being looked at", "Wait for one of the answers.")
        while sum(kept.photo.pixels.nbytes for kept in self._kept.values()) + photo.pixels.nbytes > room:
            self._drop_unneeded([*self._kept.values()], "it holds as many photos as it can", "Try again in a minute.")
        self._count += 1
        kept = Kept(secrets.token_urlsafe(24), self._count, photo, who, self._clock())
        self._kept[kept.key] = kept
        return kept.key

    def get(self, key: str) -> Kept:
        """Returns a photo, which is used by this.

        Raises:
            GoneError: It is not here, or no longer.
        """
        self.expire()
        kept = self._kept.get(key)
        if kept is None:
            raise GoneError("the photo", "it is not here, or no longer", "Send it again.")
        kept.used = self._clock()
        return kept

    def drop(self, key: str) -> None:
        """Forgets a photo, needed or not."""
        kept = self._kept.pop(key, None)
        if kept is not None:
            self._gone(kept)

    def expire(self) -> float | None:
        """Forgets what was not used for long; returns the seconds until the next will be, None where none will."""
        now, left = self._clock(), []
        for kept in [kept for kept in self._kept.values() if not kept.needed]:
            left.append(kept.used + self._settings.kept_seconds - now)
            if left[-1] <= 0:
                self.drop(kept.key)
        return min((each for each in left if each > 0), default=None)

    def clear(self) -> None:
        """Forgets all."""
        for key in [*self._kept]:
            self.drop(key)

    def _drop_unneeded(self, among: list[Kept], problem: str, remedy: str) -> None:
        unneeded = [kept for kept in among if not kept.needed]
        oldest = min(unneeded, key=lambda kept: kept.used, default=None)
        if oldest is None:
            raise FullError("the desk", problem, remedy)
        self.drop(oldest.key)
