"""For the person with the camera: what a photo's region is called, how it is shown larger, and how the rest is hidden.

Example:
    >>> from foveate import assist
    >>> photo = assist.read_photo("jar.jpg")  # doctest: +SKIP
    >>> assist.reply(assist.ask(photo, "What does it say?")).said  # doctest: +SKIP
    'Creamy tomato basil. Lower middle of the photo, about a tenth of it. How often that is right was never measured.'
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from foveate.assist.answers import Answered
    from foveate.assist.asking import Asker, ask
    from foveate.assist.hide import hide_rest
    from foveate.assist.magnify import larger
    from foveate.assist.outlining import outlined
    from foveate.assist.photos import Photo, read_photo
    from foveate.assist.picture import Picture
    from foveate.assist.plain import upright
    from foveate.assist.private import find_private, hide_private
    from foveate.assist.replies import Reply, reply, reply_object
    from foveate.assist.softening import soften
    from foveate.assist.straightening import straighten

__all__ = [
    "Answered",
    "Asker",
    "Photo",
    "Picture",
    "Reply",
    "ask",
    "find_private",
    "hide_private",
    "hide_rest",
    "larger",
    "outlined",
    "read_photo",
    "reply",
    "reply_object",
    "soften",
    "straighten",
    "upright",
]

# Names are loaded when they are first used, so that one picture does not wait for all that the others need. No module
# has the name of one of them: once imported, it would stand in its place.
_HOMES = {
    "Answered": "answers",
    "Asker": "asking",
    "Photo": "photos",
    "Picture": "picture",
    "Reply": "replies",
    "ask": "asking",
    "find_private": "private",
    "hide_private": "private",
    "hide_rest": "hide",
    "larger": "magnify",
    "outlined": "outlining",
    "read_photo": "photos",
    "reply": "replies",
    "reply_object": "replies",
    "soften": "softening",
    "straighten": "straightening",
    "upright": "plain",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
