"""Shows to admins what pages are made of: each component once, with its classes; and the error pages."""

from __future__ import annotations

from django import forms
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from foveate.app.accounts.roles import has_role
from foveate.app.frame import errors


class Specimen(forms.Form):
    """A form with one field of each sort."""

    title = forms.CharField(label=_("Title"), help_text=_("What people read in lists."))
    notes = forms.CharField(label=_("Notes"), widget=forms.Textarea, required=False)
    number = forms.IntegerField(label=_("Submissions for each task"), min_value=1, max_value=9)
    kind = forms.ChoiceField(label=_("Kind"), choices=[("box", _("Box")), ("polygon", _("Polygon"))])
    answer = forms.ChoiceField(
        label=_("Is more than one question asked?"),
        choices=[("yes", _("Yes")), ("no", _("No"))],
        widget=forms.RadioSelect,
    )
    several = forms.MultipleChoiceField(
        label=_("Roles"),
        choices=[("annotator", _("Annotator")), ("participant", _("Participant"))],
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    agreed = forms.BooleanField(label=_("Every annotator may work"), help_text=_("Not only those who were invited."))


def style(request: HttpRequest) -> HttpResponse:
    """Shows the components."""
    _admins_only(request)
    page = Paginator(range(95), 20).get_page(request.GET.get("page", "2"))
    broken = Specimen({"number": "0"}, auto_id="broken_%s", prefix="broken")
    context = {"form": Specimen(), "broken": broken, "page_obj": page, "statuses": list(errors.WORDS)}
    return render(request, "frame/style.html", context)


def style_error(request: HttpRequest, status: int) -> HttpResponse:
    """Shows the page of an error, which else is seen only when it happens."""
    _admins_only(request)
    if status not in errors.WORDS:
        raise Http404
    return errors.problem(request, status)


def _admins_only(request: HttpRequest) -> None:
    if not has_role(request.user, "admin"):
        raise Http404
