"""The pictures of the pages, as files."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from foveate.app.ask.services import pictures
from foveate.app.ask.views._gate import asks
from foveate.app.ask.views.further import FORMATS, options_of
from foveate.app.refused import RefusedError
from foveate.assist.fresh import find_format
from foveate.assist.picture import Picture

# Of a photo on a page; what is saved is as large as it is.
_ON_PAGE = 1600


@require_safe
@asks
def photo(request: HttpRequest, key: str) -> HttpResponse:
    """Returns a photo that this visitor brought."""
    return _file(pictures.photo(request, key, _ON_PAGE), "jpeg")


@require_safe
@asks
def picture(request: HttpRequest, ticket: str, kind: str) -> HttpResponse:
    """Returns a picture of an answer; to be saved where the address says so."""
    if kind not in pictures.KINDS:
        raise Http404
    form = request.GET.get("format", "jpeg")
    if form not in FORMATS:
        raise Http404
    made = pictures.picture(request, ticket, kind, options_of(request))
    saved = request.GET.get("save") == "1"
    if saved and not made.to_share:
        said = _("This picture is for the screen only: what is blurred or faded can be undone.")
        raise RefusedError(422, "not_to_share", said, _("Hide everything but the answer instead; that can be saved."))
    return _file(made, form, kind if saved else "")


def _file(made: Picture, form: str, saved_as: str = "") -> HttpResponse:
    found = find_format(form)
    response = HttpResponse(pictures.file_of(made, form), content_type=found.media_type)
    if saved_as:
        response["Content-Disposition"] = f'attachment; filename="{saved_as}{found.endings[0]}"'
    return response
