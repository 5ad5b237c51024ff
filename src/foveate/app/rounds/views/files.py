"""What an organiser takes home of a screening, and the lists that come back."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from foveate.app.accounts.audit import note
from foveate.app.accounts.roles import person_of, role_required
from foveate.app.annotate.services.access import not_found
from foveate.app.refused import RefusedError
from foveate.app.rounds import words
from foveate.app.rounds.forms import ListForm
from foveate.app.rounds.lists import noted, take_upload
from foveate.app.rounds.models import Screening, Turn
from foveate.app.rounds.results import FILES, file_of, list_of
from foveate.app.rounds.views.organising import trail
from foveate.curation._rounds import REVIEWERS
from foveate.errors import FoveateError


@require_safe
@role_required("organiser")
def file(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """Sends one of the files that `foveate curate` writes."""
    screening = get_object_or_404(Screening, slug=slug)
    if name not in FILES:
        raise not_found()
    text = file_of(screening, name)
    note(request, "screening.exported", slug, file=name)
    return _sent(text, name, f"{slug}.{name}")


@require_safe
@role_required("organiser")
def list_file(request: HttpRequest, slug: str, name: str, place: int) -> HttpResponse:
    """Sends a reviewer's list: filled in once the round is closed; before that to be filled in elsewhere."""
    turn = get_object_or_404(Turn.objects.select_related("screening"), screening__slug=slug, name=name)
    if place not in (1, 2) or turn.state == "waiting":
        raise not_found()
    # Who downloads it may be the other reviewer.
    filled = turn.state == "closed"
    called = f"{turn.name}.{REVIEWERS[place - 1]}.csv"
    note(request, "screening.exported", slug, file=called, filled=filled)
    return _sent(list_of(turn, place, filled=filled), called, called)


@require_http_methods(["GET", "HEAD", "POST"])
@role_required("organiser")
def take_list(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """Takes in a list that was filled in elsewhere, into a round that is open."""
    turn = get_object_or_404(Turn.objects.select_related("screening"), screening__slug=slug, name=name)
    form = ListForm(request.POST, request.FILES) if request.method == "POST" else ListForm()
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        how = {one: values[one] for one in ("skip_invalid", "overwrite")}
        try:
            _review, taken = take_upload(turn, values["place"], values["file"], by=person_of(request), **how)
        except FoveateError as error:
            form.add_error("file", str(error))
        except RefusedError as refused:
            form.add_error("file", f"{refused.message} {refused.remedy}")
        else:
            noted(turn, values["place"], taken, request=request)
            said = _said(taken.marks, taken.skipped, taken.gone)
            messages.success(request, said)
            return redirect("rounds:screening", slug)
    shown = {"turn": turn, "title": words.TITLES[turn.name], "form": form, "trail": trail(turn.screening)}
    return render(request, "rounds/take_list.html", shown, status=422 if form.errors else 200)


def _said(marks: int, skipped: int, gone: int) -> str:
    said = [_("%(n)d answers are taken in.") % {"n": marks}]
    if skipped:
        said.append(_("%(n)d rows were passed over.") % {"n": skipped})
    if gone:
        said.append(_("%(n)d rows are of samples that had been removed before.") % {"n": gone})
    return " ".join(said)


def _sent(text: str, name: str, called: str) -> HttpResponse:
    kind = "text/csv" if name.endswith(".csv") else "application/x-ndjson"
    headers = {"Content-Disposition": f'attachment; filename="{called}"'}
    return HttpResponse(text.encode(), content_type=f"{kind}; charset=utf-8", headers=headers)
