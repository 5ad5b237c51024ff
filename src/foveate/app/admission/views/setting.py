"""An organiser's pages of an admission itself: set it up, change it, let people apply."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from foveate.app.accounts.roles import person_of, role_required
from foveate.app.admission.forms import NewAdmissionForm, SettingsFields
from foveate.app.admission.models import Admission
from foveate.app.admission.services import making
from foveate.app.admission.services.standings import settings_of
from foveate.app.annotate.models import Project
from foveate.app.annotate.views._pages import organisers_trail
from foveate.errors import FoveateError


@require_http_methods(["GET", "HEAD", "POST"])
@role_required("organiser")
def set_up(request: HttpRequest, slug: str) -> HttpResponse:
    """Makes the admission to a project, or changes the settings of the one that there is."""
    project = get_object_or_404(Project, slug=slug)
    admission = Admission.objects.filter(project=project).first()
    given = request.POST if request.method == "POST" else None
    form: SettingsFields
    if admission is None:
        form = NewAdmissionForm(given)
    else:
        form = SettingsFields(given, initial=SettingsFields.begin(settings_of(admission), admission.note))
    if request.method == "POST" and form.is_valid() and _done(request, project, admission, form):
        return redirect("admission:people", slug)
    values = {"project": project, "admission": admission, "form": form, "trail": organisers_trail(project)}
    return render(request, "admission/set_up.html", values, status=422 if form.errors else 200)


@require_POST
@role_required("organiser")
def set_open(request: HttpRequest, slug: str) -> HttpResponse:
    """Lets people apply, or no more."""
    admission = get_object_or_404(Admission.objects.select_related("project"), project__slug=slug)
    on = request.POST.get("open") == "yes"
    making.set_open(admission, on, request=request)
    said = _("Annotators see now that they can apply.") if on else _("Nobody can apply any more; those who have go on.")
    messages.success(request, said)
    return redirect("admission:people", slug)


def _done(request: HttpRequest, project: Project, admission: Admission | None, form: SettingsFields) -> bool:
    if isinstance(form, NewAdmissionForm):
        try:
            making.make(project, form.plan(), person_of(request), request=request)
        except FoveateError as error:
            form.add_error("gold" if not error.where.startswith("ids") else "ids", str(error))
            return False
        messages.success(request, _("The admission is made. Look at the gold questions, then let people apply."))
    elif admission is not None:
        making.change(admission, form.settings(), form.cleaned_data["note"], request=request)
        messages.success(request, _("The settings are saved."))
    return True
