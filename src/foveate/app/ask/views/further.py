"""More of an answer: larger, the rest hidden, the text in it, and why."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from foveate.app.ask.services import pictures, reading
from foveate.app.ask.services.asking import Result
from foveate.app.ask.services.pictures import Kind, Options
from foveate.app.ask.views._gate import PATIENCE, asks, common, language, style_of, the_result
from foveate.app.refused import RefusedError
from foveate.assist.softening import HOWS

# In per cent of the width that the page has for it; `ask.css` has a rule for each.
ZOOMS = (100, 150, 200, 300, 400, 600, 800)
FORMATS = {"png": "PNG", "jpeg": "JPEG", "webp": "WebP"}
_KIND_OF: dict[str, Kind] = {"rest": "hidden", "private": "private", "screen": "soft"}
_HOWS = {"blur": _("Blurred"), "pixelate": _("In squares"), "feather": _("Faded")}


@require_safe
@asks
def larger(request: HttpRequest, ticket: str) -> HttpResponse:
    """Shows the answer's place larger, to be looked at by zooming and panning."""
    result = the_result(request, ticket)
    if result.answered.prediction.final is None:
        return _no_place(request, result)
    kind: Kind = "straight" if request.GET.get("straight") == "1" else "larger"
    options = options_of(request)
    zoom = _zoom(request)
    at = ZOOMS.index(zoom)
    values = {
        "kind": kind,
        "contrast": options.contrast,
        "zoom": zoom,
        "zoom_in": ZOOMS[min(at + 1, len(ZOOMS) - 1)],
        "zoom_out": ZOOMS[max(at - 1, 0)],
        "zooms": ZOOMS,
        "picture": pictures.picture(request, ticket, kind, options),
        "has_text": any(each.kind == "text" for each in result.answered.explanation.rests_on),
    }
    return render(request, "ask/larger.html", {**_about(result), **values, **common()})


@require_safe
@asks
def hide(request: HttpRequest, ticket: str, what: str) -> HttpResponse:
    """Shows the photo with the rest hidden, or what is private, to be saved; or softened, for the screen only."""
    if what not in _KIND_OF:
        raise Http404
    result = the_result(request, ticket)
    if what != "private" and result.answered.prediction.final is None:
        return _no_place(request, result)
    options = options_of(request)
    values = {
        "what": what,
        "kind": _KIND_OF[what],
        "crop": options.crop,
        "how": options.how,
        "hows": _HOWS.items(),
        "formats": FORMATS.items(),
        "picture": pictures.picture(request, ticket, _KIND_OF[what], options),
    }
    return render(request, "ask/hide.html", {**_about(result), **values, **common()})


@require_safe
@asks
def text(request: HttpRequest, ticket: str) -> HttpResponse:
    """Shows the text at the answer's place, or in the whole photo."""
    result = the_result(request, ticket)
    whole = request.GET.get("whole") == "1" or result.answered.prediction.final is None
    lines = reading.text(request, ticket, whole=whole, wait=PATIENCE)
    values = {"lines": lines, "whole": whole, "region": result.answered.prediction.final}
    return render(request, "ask/text.html", {**_about(result), **values, **common()})


@require_safe
@asks
def why(request: HttpRequest, ticket: str) -> HttpResponse:
    """Shows why an answer is what it is, and on request the map of where the method looked."""
    result = the_result(request, ticket)
    reasons = reading.reasons(request, ticket, style_of(request), language(), wait=PATIENCE)
    picture, no_map = None, None
    if request.GET.get("map") == "1":
        try:
            picture = pictures.picture(request, ticket, "map", options_of(request))
        except RefusedError as error:
            if error.code != "no_map":
                raise
            no_map = error
    values = {"reasons": reasons, "picture": picture, "no_map": no_map}
    return render(request, "ask/why.html", {**_about(result), **values, **common()})


def options_of(request: HttpRequest) -> Options:
    """Returns how a picture is wanted, by what stands in the address."""
    how = request.GET.get("how", "")
    return Options(
        contrast=request.GET.get("contrast") == "1",
        crop=request.GET.get("crop") == "1",
        how=how if how in HOWS else "blur",
        style=style_of(request),
        language=language(),
        wait=PATIENCE,
    )


def _about(result: Result) -> dict[str, Any]:
    return {"ticket": result.ticket, "key": result.key, "reply": result.reply, "question": result.answered.question}


def _no_place(request: HttpRequest, result: Result) -> HttpResponse:
    return render(request, "ask/no_place.html", {**_about(result), **common()}, status=422)


def _zoom(request: HttpRequest) -> int:
    wanted = request.GET.get("zoom", "")
    return int(wanted) if wanted in map(str, ZOOMS) else ZOOMS[0]
