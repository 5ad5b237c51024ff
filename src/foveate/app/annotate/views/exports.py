"""The page on which an organiser takes home what people sent."""

from __future__ import annotations

from dataclasses import replace

from django.http import FileResponse, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_http_methods

from foveate.app.accounts.audit import note
from foveate.app.accounts.roles import role_required
from foveate.app.annotate.exports import Export, file_of
from foveate.app.annotate.forms import ExportForm
from foveate.app.annotate.models import Project, Submission
from foveate.app.annotate.views._pages import organisers_trail
from foveate.errors import FoveateError


@require_http_methods(["GET", "HEAD", "POST"])
@role_required("organiser")
def export(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Tells first what a form would lose; the button "Download" then sends it."""
    project = get_object_or_404(Project, slug=slug)
    form = ExportForm(request.POST if request.method == "POST" else None)
    done: Export | None = None
    if request.method == "POST" and form.is_valid():
        # What is lost was said on the page, above the button.
        wanted = replace(form.wanted(), lossy=True)
        try:
            file, name, done = file_of(project, wanted)
        except FoveateError as error:
            form.add_error(None, str(error))
        else:
            if "download" in request.POST:
                note(request, "project.exported", slug, to=wanted.to, rule=wanted.rule)
                return FileResponse(file, as_attachment=True, filename=name)
            file.close()
    values = {
        "project": project,
        "form": form,
        "done": done,
        "sent": Submission.objects.filter(assignment__task__project=project).count(),
        "trail": organisers_trail(project),
    }
    return render(request, "annotate/export.html", values, status=422 if form.errors else 200)
