"""Photos of samples over HTTP: for those who review them, and for organisers."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from foveate.app.accounts.models import User
from foveate.app.accounts.roles import has_role, person_of, role_required
from foveate.app.annotate.photos import photo_answer
from foveate.app.annotate.services import photos
from foveate.app.annotate.services.access import not_found
from foveate.app.rounds.marking import may_review
from foveate.app.rounds.models import Sample


@require_safe
@role_required()
def photo(request: HttpRequest, sample: int, version: str, rendering: str) -> HttpResponseBase:
    """Sends a whole photo: `full`, or `thumb`."""
    found = Sample.objects.select_related("screening").defer("line").filter(pk=sample).first()
    if found is None or found.height is None or photos.version_of(found) != version:
        raise not_found()
    if not _may_see(person_of(request), found):
        raise not_found()
    return photo_answer(request, photos.rendering(found, rendering))


def photo_of(sample: Sample) -> str:
    """Returns the address of a sample's photo; nothing where it was not there when the screening was made."""
    return _address(sample, "full")


def thumb_of(sample: Sample) -> str:
    """Returns the address of the same in the size of a list."""
    return _address(sample, "thumb")


def _address(sample: Sample, rendering: str) -> str:
    return "" if sample.height is None else photos.address(sample, rendering, "rounds:photo")


def _may_see(person: User, sample: Sample) -> bool:
    if has_role(person, "organiser"):
        return True
    turns = sample.screening.turns.exclude(state="waiting").select_related("screening")
    return any(may_review(person, turn) for turn in turns)
