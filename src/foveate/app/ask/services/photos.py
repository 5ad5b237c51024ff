"""Photos that are brought: read elsewhere, kept in memory for a while, without anything else of their files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.utils.translation import gettext as _

from foveate.app.ask.services import access
from foveate.app.ask.services.desk import the_desk, the_reader
from foveate.app.config import Config
from foveate.app.refused import RefusedError
from foveate.assist.advice import before
from foveate.assist.desk import GoneError
from foveate.assist.photos import Photo
from foveate.assist.texts import in_language
from foveate.core.boxes import SizeHW
from foveate.perception.photo_quality import PhotoQuality, photo_quality
from foveate.sources.images import TooManyPixelsError

_MEBI = 1 << 20
_LONGEST_NAME = 100
# Gone with the photo.
_qualities: WeakKeyDictionary[Photo, PhotoQuality] = WeakKeyDictionary()
_NOT_SHOWN = re.compile(r"[^\w .()+,-]")


@dataclass(frozen=True, slots=True)
class Brought:
    """A photo that was taken.

    Attributes:
        key: The secret by which it is known; only who brought it can use it.
        size_hw: Height and width of the upright photo.
        notes: What was done to it when it was read, in sentences.
        advice: What is wrong with it whatever is asked, and what to do, in sentences; at most two.
    """

    key: str
    size_hw: SizeHW
    notes: tuple[str, ...]
    advice: tuple[str, ...]


def most_bytes() -> int:
    """Returns how many bytes the file of a photo may have."""
    config: Config = settings.CONFIG
    return int(config.ask_size.partition("/")[0]) * _MEBI


def bring(
    request: HttpRequest, upload: UploadedFile[Any] | bytes, name: str = "", *, language: str | None = None
) -> Brought:
    """Takes a photo; its file is dropped, and with it its place, its time and its name for other than messages.

    Args:
        request: Who brings it; counted.
        upload: The file as it was sent, or its bytes.
        name: What messages call it.
        language: Of the advice.

    Raises:
        RefusedError: This visitor may not ask, did so too often, or it is too large (413).
        InputError: It is no photo, or a damaged one.
        FullError: There is no room or time for it now.
    """
    access.check(request)
    access.count(request)
    size = len(upload) if isinstance(upload, bytes) else upload.size or 0
    if size > most_bytes():
        raise _too_large(_("A photo's file may have %(n)d MiB at most."), most_bytes() // _MEBI)
    content = upload if isinstance(upload, bytes) else upload.read()
    whose = access.who(request)
    most = _most_megapixels()
    try:
        photo = the_reader().read(content, whose, shown_name(name), megapixels=most)
    except TooManyPixelsError as error:
        raise _too_large(_("A photo may have %(n)d megapixels at most."), most) from error
    key = the_desk().bring(photo, whose)
    return Brought(key, photo.size_hw, photo.notes, advice(photo, language))


def advice(photo: Photo, language: str | None = None) -> tuple[str, ...]:
    """Returns what is wrong with a photo whatever is asked, and what to do; looked at once, told as often as needed."""
    quality = _qualities.get(photo)
    if quality is None:
        quality = _qualities[photo] = photo_quality(photo.pixels)
    with in_language(language):
        return tuple(each.said for each in before(quality))


def own(request: HttpRequest, key: str) -> Photo:
    """Returns a photo that this visitor brought; it is kept for longer by this.

    Raises:
        RefusedError: It is not here, or no longer, or another's.
    """
    access.check(request)
    try:
        if access.is_own(request, the_desk().whose(key)):
            return the_desk().photo(key)
    except GoneError:
        pass
    raise access.not_found()


def forget(request: HttpRequest, key: str) -> None:
    """Forgets a photo and all that was asked about it, now.

    Raises:
        RefusedError: As for `own`.
    """
    own(request, key)
    the_desk().forget(key)


def shown_name(name: str) -> str:
    """Returns what messages call a file: its name without folders and without letters that could be anything else."""
    bare = _NOT_SHOWN.sub("", re.split(r"[/\\]", name)[-1]).strip()
    return bare[:_LONGEST_NAME] or "the photo"


def _most_megapixels() -> int:
    config: Config = settings.CONFIG
    return int(config.ask_size.partition("/")[2])


def _too_large(said: str, most: int) -> RefusedError:
    return RefusedError(413, "too_large", said % {"n": most}, _("Send a smaller one."), {"most": most})
