"""A board by parts of the samples: the page, and the same as JSON."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from foveate.app.annotate.services.access import not_found
from foveate.app.challenges.services import slices
from foveate.app.challenges.services.board import Board
from foveate.app.challenges.views.board import about, board_of
from foveate.app.refused import RefusedError
from foveate.challenges.disclosure import times_100
from foveate.challenges.in_slices import as_dict
from foveate.challenges.phases import when
from foveate.errors import InputError


@require_safe
def board_slices(request: HttpRequest, slug: str, phase: str) -> HttpResponse:
    """Shows the first rows by parts of the samples, after the end."""
    found = _over(request, slug, phase)
    said, problem = None, ""
    try:
        said = slices.slices_of_board(found)
    except InputError as error:
        # Where files of the server lie is nobody's business.
        problem = _("Its data are not here any more: %(what)s") % {"what": error.problem}
    values = {**about(found), "problem": problem, "most": slices.MOST_ROWS}
    if said is not None:
        by = request.GET.get("by", "")
        by = by if by in said.ways else next(iter(said.ways), "")
        told = said.ways.get(by, [])
        values |= {
            "by": by,
            "ways": list(said.ways),
            "note": said.notes.get(by, ""),
            "slices": told,
            "lines": [
                (row, [times_100(one.values[number], 2) for one in told]) for number, row in enumerate(said.rows)
            ],
        }
    return render(request, "challenges/board_slices.html", values)


@require_safe
def slices_json(request: HttpRequest, slug: str, phase: str) -> HttpResponse:
    """Sends the same as JSON, every slicing, all digits."""
    found = _over(request, slug, phase)
    try:
        said = slices.slices_of_board(found)
    except InputError as error:
        message = _("Its data are not here any more: %(what)s") % {"what": error.problem}
        raise RefusedError(503, "data_gone", message, _("Tell the organisers.")) from error
    if said is None:
        return JsonResponse(as_dict([], {}))
    return JsonResponse(as_dict([row.name for row in said.rows], said.ways))


def _over(request: HttpRequest, slug: str, phase: str) -> Board:
    """Returns the board of a phase that is over and tells all digits.

    Raises:
        RefusedError: There is no such phase, or it tells less (404).
    """
    found = board_of(request, slug, phase)
    if when(found.defined, found.now) != "over" or found.how != "all":
        raise not_found()
    return found
