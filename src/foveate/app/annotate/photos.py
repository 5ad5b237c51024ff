"""Photos over HTTP: for the people of their project; browsers keep them, since an address is that of one picture."""

from __future__ import annotations

from pathlib import Path

from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseNotModified
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from foveate.annotation.renderings import media_type
from foveate.app.accounts.models import User
from foveate.app.accounts.roles import has_role, person_of, role_required
from foveate.app.annotate.models import Task
from foveate.app.annotate.services import photos
from foveate.app.annotate.services.access import is_in, not_found

# A browser may keep it for a year and need not ask again; nobody between may.
_FOR_EVER = "private, max-age=31536000, immutable"


@require_safe
@role_required()
def photo(request: HttpRequest, task: int, version: str, rendering: str) -> HttpResponseBase:
    """Sends a whole photo: `full` in the size of its geometry, or `thumb`."""
    return photo_answer(request, photos.rendering(_task(person_of(request), task, version), rendering))


@require_safe
@role_required()
def tile(request: HttpRequest, task: int, version: str, level: int, column: int, row: int) -> HttpResponseBase:
    """Sends a tile of a large photo."""
    return photo_answer(request, photos.tile(_task(person_of(request), task, version), level, column, row))


def _task(person: User, number: int, version: str) -> Task:
    task = Task.objects.select_related("project").filter(pk=number).first()
    if task is None or photos.version_of(task) != version:
        raise not_found()
    if not (is_in(person, task.project) or has_role(person, "organiser")):
        raise not_found()
    return task


def photo_answer(request: HttpRequest, path: Path) -> HttpResponseBase:
    """Returns the answer that sends a rendering, or says that the browser has it."""
    stat = path.stat()
    tag = f'"{path.parent.name}-{path.name}-{stat.st_mtime_ns:x}-{stat.st_size:x}"'
    response: HttpResponse | FileResponse
    if tag in request.headers.get("If-None-Match", ""):
        response = HttpResponseNotModified()
    else:
        with path.open("rb") as file:
            kind = media_type(file.read(8))
        if request.method == "HEAD":
            response = HttpResponse(content_type=kind, headers={"Content-Length": str(stat.st_size)})
        else:
            response = FileResponse(path.open("rb"), content_type=kind)
    response.headers["ETag"] = tag
    response.headers["Cache-Control"] = _FOR_EVER
    return response
