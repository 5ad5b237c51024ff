"""Photos from strangers, decoded in a process of its own: a file that breaks a decoder does not break the server."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foveate.assist.desk.desk import Desk
from foveate.assist.desk.settings import DeskSettings
from foveate.assist.desk.states import Done, Failed, FullError, GoneError
from foveate.assist.desk.warm import Warm
from foveate.assist.photos import Photo, read_photo
from foveate.errors import InputError
from foveate.sources.images import TooManyPixelsError

_ANEW = "Save it anew, as JPEG say, and send that."


@dataclass(frozen=True, slots=True)
class _Decode:
    """Reads the bytes of a file, which lie where a photo's pixels do."""

    megapixels: float | None
    kind: str = "read photo"

    def do(self, photo: Photo, warm: Warm) -> Photo | None:
        """Returns the photo; None where it is too large, which its header tells before anything is decoded."""
        try:
            return read_photo(photo.pixels.tobytes(), photo.name, megapixels=self.megapixels)
        except TooManyPixelsError:
            return None


class PhotoReader:
    """Reads photos elsewhere, one after another, with the fair turns and the limits of a desk; any thread may use it.

    Args:
        settings: The limits of its desk; `seconds` is also how long a caller waits at most, turns included.
    """

    def __init__(self, settings: DeskSettings | None = None) -> None:
        self._desk = Desk(settings or DeskSettings(seconds=20, mebibytes=2048, kept_mebibytes=256, warm_photos=1))

    def read(self, content: bytes, who: str, name: str | None = None, *, megapixels: float | None = None) -> Photo:
        """Returns a photo's upright pixels, as `read_photo` does.

        Args:
            content: The bytes of the file.
            who: Who brings it, for the turns.
            name: What messages call it.
            megapixels: The largest that is decoded; None for `FOVEATE_MAX_MEGAPIXELS`.

        Raises:
            InputError: It is no photo, is damaged, or breaks what reads photos.
            TooManyPixelsError: It is too large.
            FullError: Too many bring photos, or it took too long.
        """
        called = name or "the photo"
        if not content:
            raise InputError(called, "it is empty", "Send the bytes of a photo.")
        # A desk does not look at what it hands on: here the bytes of a file instead of pixels.
        file, work = Photo(called, np.frombuffer(content, dtype=np.uint8)), _Decode(megapixels)
        key = self._desk.bring(file, who)
        try:
            state = self._desk.wait(self._desk.submit(key, work, who), self._desk.settings.seconds)
        except GoneError as error:
            # Its own asker brought several more at this moment.
            raise FullError(called, "too many photos of yours are being read", "Send it again in a moment.") from error
        finally:
            self._desk.forget(key)
        if isinstance(state, Done) and isinstance(state.result, Photo):
            return state.result
        if isinstance(state, Done):
            raise TooManyPixelsError(called, "it has more pixels than are read here", "Send a smaller one.")
        if isinstance(state, Failed) and state.kind == "refused":
            raise InputError(state.where, state.problem, state.remedy)
        if isinstance(state, Failed) and state.kind != "stopped":
            raise InputError(called, f"it cannot be read ({state.kind.replace('_', ' ')})", _ANEW)
        raise FullError(called, "it could not be read in time", "Send it again in a minute.")

    def close(self) -> None:
        """Ends its process."""
        self._desk.close()
