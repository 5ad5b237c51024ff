"""The photo itself as a picture: upright, and without anything else that its file told."""

from __future__ import annotations

from foveate.assist.photos import Photo
from foveate.assist.picture import Picture
from foveate.assist.texts import gettext as _


def upright(photo: Photo) -> Picture:
    """Returns the photo as it was read; its file will hold these pixels, and no place, time, camera or thumbnail."""
    return Picture(photo.pixels, _("The photo."), photo.notes)
