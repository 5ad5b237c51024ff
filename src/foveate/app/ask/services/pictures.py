"""Pictures of an answer: outlined, larger, straight, the rest hidden, what is private hidden, where the method looked.

What needs a network is the desk's work and has its turn; the rest is quick, and made at once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _

from foveate.app.ask.services import asking, further, photos
from foveate.app.ask.services.asking import Result
from foveate.app.refused import RefusedError
from foveate.assist import hide_private, hide_rest, larger, outlined, soften, straighten
from foveate.assist.desk import DrawMap, FindPrivate, ReadText
from foveate.assist.fresh import LARGE, find_format
from foveate.assist.magnify import LONGEST_SIDE, resized
from foveate.assist.overlay import overlay
from foveate.assist.picture import Picture
from foveate.assist.placing import Style
from foveate.assist.softening import How
from foveate.assist.texts import in_language
from foveate.core.regions import Region

Kind = Literal["photo", "outline", "answer", "larger", "straight", "hidden", "private", "soft", "map"]
KINDS: tuple[Kind, ...] = get_args(Kind)
# Large photos take hundreds of megabytes while they are drawn on or written, so that two are made at once; who comes
# third waits for a moment, with half of the server's threads at most, since others want to be answered too. What takes
# seconds to write has a place of its own, so that nothing that is quick waits behind it.
_two, _slow = threading.BoundedSemaphore(2), threading.BoundedSemaphore(1)
_at_it = threading.BoundedSemaphore(max(2, settings.CONFIG.threads // 2 - 1))
_at_slow = threading.BoundedSemaphore(max(1, settings.CONFIG.threads // 4))
_A_MOMENT, _PATIENCE = 0.5, 10.0
# As JPEG all are quick.
_QUICK = "jpeg"


@dataclass(frozen=True, slots=True)
class Options:
    """How a picture is made.

    Attributes:
        contrast: Whether contrast is enhanced (`larger`, `straight`).
        crop: Whether it ends where what stays ends (`hidden`).
        how: How the rest is softened (`soft`, for the screen only).
        longest: The longest side in pixels; `hidden` and `private` are as large as the photo.
        style: How the map's words tell places.
        language: Of its words.
        wait: As for `asking.state`.
    """

    contrast: bool = False
    crop: bool = False
    how: How = "blur"
    longest: int = LONGEST_SIDE
    style: Style = "plain"
    language: str | None = None
    wait: float = 0.0


def picture(request: HttpRequest, ticket: str, kind: Kind, options: Options | None = None) -> Picture:
    """Returns a picture of an answer.

    Args:
        request: Who asks.
        ticket: Of the question.
        kind: Which picture: the `photo` itself, the `outline` of the answer, the same with question and `answer`
            below, the region `larger` or `straight`, the rest `hidden` for sharing or `soft` for the screen, what is
            `private` hidden, or the `map` of where the method looked.
        options: How it is made.

    Raises:
        NotYetError: The answer, or what the picture needs, is not there yet.
        RefusedError: There is no region or no map (422), or the answer is not theirs, not here, or no longer.
    """
    options = options or Options()
    result = asking.result(request, ticket, options.style, options.language, wait=options.wait)
    with in_language(options.language):
        return _MAKERS[kind](request, result, options)


def photo(request: HttpRequest, key: str, longest: int = LONGEST_SIDE) -> Picture:
    """Returns the upright photo that this visitor brought, in the size of a screen.

    Raises:
        RefusedError: It is not theirs, not here, or no longer.
    """
    found = photos.own(request, key)
    return _small(Picture(found.pixels, _("The photo."), found.notes), longest)


def file_of(made: Picture, format: str) -> bytes:
    """Returns the bytes of a picture's file.

    Raises:
        RefusedError: Too many are made at this moment (503).
        UsageError: The format cannot hold it.
    """
    height, width = made.size_hw
    if height * width > LARGE and find_format(format).name != _QUICK:
        said = _("Large pictures are written one after another here, and others wait already.")
        with _held(
            _at_slow, _slow, RefusedError(503, "busy", said, _("Try again in a moment, or take a JPEG."), wait=5)
        ):
            return made.encode(format)
    with _making():
        return made.encode(format)


def _making() -> AbstractContextManager[None]:
    said = _("So many pictures are made here that no more is made now.")
    return _held(_at_it, _two, RefusedError(503, "busy", said, _("Try again in a moment."), wait=5))


@contextmanager
def _held(at_it: threading.BoundedSemaphore, made: threading.BoundedSemaphore, refused: RefusedError) -> Iterator[None]:
    """Holds a place among those who wait, and then one among those whose picture is made."""
    with ExitStack() as held:
        for room, seconds in ((at_it, _A_MOMENT), (made, _PATIENCE)):
            if not room.acquire(timeout=seconds):
                raise refused
            held.callback(room.release)
        yield


def _photo(_request: HttpRequest, result: Result, options: Options) -> Picture:
    return _small(Picture(result.photo.pixels, _("The photo."), result.photo.notes), options.longest)


def _outline(_request: HttpRequest, result: Result, options: Options) -> Picture:
    region = result.answered.prediction.final
    if region is None:
        return replace(_photo(_request, result, options), alt=result.reply.alt)
    with _making():
        drawn = outlined(result.photo, region)
        return _small(replace(drawn, alt=result.reply.alt), options.longest)


def _answer(_request: HttpRequest, result: Result, options: Options) -> Picture:
    with _making():
        drawn = overlay(result.photo.pixels, result.answered.prediction, result.answered.question)
        return _small(Picture(np.asarray(drawn.convert("RGB"), dtype=np.uint8), result.reply.alt), options.longest)


def _larger(_request: HttpRequest, result: Result, options: Options) -> Picture:
    with _making():
        return larger(
            result.photo,
            _region(result),
            contrast=options.contrast,
            longest=min(options.longest, LONGEST_SIDE),
            said=_said(result),
        )


def _straight(request: HttpRequest, result: Result, options: Options) -> Picture:
    region = _region(result)
    lines = further.of(request, result.ticket, "text of the region", ReadText(region), options.wait)
    with _making():
        return straighten(
            result.photo,
            region,
            lines=lines,
            contrast=options.contrast,
            longest=min(options.longest, LONGEST_SIDE),
            said=_said(result),
        )


def _hidden(_request: HttpRequest, result: Result, options: Options) -> Picture:
    with _making():
        return hide_rest(result.photo, _region(result), crop=options.crop, said=_said(result))


def _private(request: HttpRequest, result: Result, options: Options) -> Picture:
    found = further.of(request, result.ticket, "private", FindPrivate(), options.wait)
    with _making():
        return hide_private(result.photo, result.answered.prediction.final, found=found)


def _soft(_request: HttpRequest, result: Result, options: Options) -> Picture:
    with _making():
        return soften(result.photo, _region(result), options.how, said=_said(result))


def _map(request: HttpRequest, result: Result, options: Options) -> Picture:
    answered = result.answered
    work = DrawMap(answered.question, answered.grounder, options.style, options.language)
    drawn = further.of(request, result.ticket, f"map {options.style} {options.language}", work, options.wait)
    if not isinstance(drawn, Picture):
        said = _("This method has no map of where it looked for this question.")
        raise RefusedError(422, "no_map", said, _("Ask why instead, which tells what it went by."))
    return _small(drawn, options.longest)


def _region(result: Result) -> Region:
    region = result.answered.prediction.final
    if region is None:
        said = _("The answer has no place in the photo, so that nothing can be shown of it.")
        raise RefusedError(422, "no_region", said, _("Ask where something is."))
    return region


def _said(result: Result) -> str:
    """Returns what the region is called: what the answer rests on, where that has words."""
    first = result.answered.explanation.rests_on[:1]
    return first[0].said if first and first[0].kind in {"text", "thing", "name"} else ""


def _small(made: Picture, longest: int) -> Picture:
    """Returns a picture for a screen: no side longer than that."""
    height, width = made.size_hw
    scale = longest / max(height, width)
    if scale >= 1:
        return made
    size_hw = max(1, round(height * scale)), max(1, round(width * scale))
    return replace(made, pixels=resized(made.pixels, size_hw))


_Maker = Callable[[HttpRequest, Result, Options], Picture]
_MAKERS: Mapping[Kind, _Maker] = {
    "photo": _photo,
    "outline": _outline,
    "answer": _answer,
    "larger": _larger,
    "straight": _straight,
    "hidden": _hidden,
    "private": _private,
    "soft": _soft,
    "map": _map,
}
