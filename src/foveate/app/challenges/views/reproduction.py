"""The page on which a team sends a container, and the organisers' list of those that ran, with their logs."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from foveate.app.accounts import audit
from foveate.app.accounts.models import User
from foveate.app.accounts.roles import person_of, role_required
from foveate.app.annotate.services.access import not_found
from foveate.app.annotate.views._pages import page_of
from foveate.app.challenges.container_forms import ContainerForm
from foveate.app.challenges.models import Entry, Phase
from foveate.app.challenges.services import entering, finding, reproducing, uploading
from foveate.app.refused import RefusedError

_PER_PAGE, _LONGEST = 50, 60


@require_http_methods(["GET", "HEAD", "POST"])
@role_required()
def reproduce(request: HttpRequest, slug: str, phase: str) -> HttpResponse:
    """Takes a container: the name of an image, or its file."""
    challenge = finding.challenge(request, slug)
    row = _phase(finding.phase(challenge, phase))
    form, status = ContainerForm(), 200
    if request.method == "POST":
        form, status = ContainerForm(request.POST, request.FILES), 422
        if form.is_valid():
            try:
                made = _sent(request, person_of(request), row, form.cleaned_data)
            except RefusedError as refused:
                form.add_error(None, f"{refused.message} {refused.remedy}")
                status = refused.status
            else:
                messages.success(request, _("Your entry %(n)d is sent.") % {"n": made.number})
                return redirect("challenges:entry", slug, phase, made.number)
    values = {
        "challenge": challenge,
        "phase": row,
        "said": finding.phase_said(row),
        "limits": finding.definition(challenge).reproduction,
        "time": _time(finding.definition(challenge).reproduction.seconds),
        "form": form,
    }
    return render(request, "challenges/reproduce.html", values, status=status)


@require_safe
@role_required("organiser")
def containers(request: HttpRequest, slug: str, phase: str) -> HttpResponse:
    """Lists the entries of a phase that are containers, for its organisers."""
    challenge = finding.organised(request, slug)
    row = _phase(finding.phase(challenge, phase))
    page = page_of(request, row.entries.select_related("team").order_by("-number"), _PER_PAGE)
    rows = [(entry, _short(entry), reproducing.log_path(entry).exists()) for entry in page]
    values = {"challenge": challenge, "phase": row, "page_obj": page, "rows": rows}
    return render(request, "challenges/containers.html", values)


@require_safe
@role_required("organiser")
def container_log(request: HttpRequest, slug: str, phase: str, number: int) -> HttpResponse:
    """Sends what a container printed, to the organisers alone: the private questions may stand in it."""
    row = _phase(finding.phase(finding.organised(request, slug), phase))
    entry = row.entries.filter(number=number).first() if number < 2**31 else None
    text = reproducing.log_of(entry) if entry is not None else None
    if text is None:
        raise not_found()
    audit.note(request, "container.log_read", f"{slug}/{phase}/{number}")
    headers = {"Content-Disposition": f'attachment; filename="{slug}-{phase}-{number}.log"'}
    return HttpResponse(text.encode(), content_type="text/plain; charset=utf-8", headers=headers)


def _phase(row: Phase) -> Phase:
    if row.kind != "reproduction":
        raise not_found()
    return row


def _time(seconds: int) -> str:
    if seconds % 3600 == 0:
        return ngettext("%(n)d hour", "%(n)d hours", seconds // 3600) % {"n": seconds // 3600}
    if seconds % 60 == 0:
        return ngettext("%(n)d minute", "%(n)d minutes", seconds // 60) % {"n": seconds // 60}
    return ngettext("%(n)d second", "%(n)d seconds", seconds) % {"n": seconds}


def _short(entry: Entry) -> str:
    """Returns the name of an image, the first digits of its digest only, or of a file; the first 60 letters."""
    name, at, digest = entry.container.partition("@sha256:")
    whole = f"{name}{at}{digest[:12]}" if name else entry.file_name
    return whole if len(whole) <= _LONGEST else f"{whole[:_LONGEST]}…"


def _sent(request: HttpRequest, person: User, phase: Phase, values: dict[str, Any]) -> Entry:
    file, upload = values["file"], None
    if file and not Entry.objects.filter(person=person, key=values["key"]).exists():
        upload = uploading.whole(person, phase, uploading.Wanted(file.name, file.size), file.read)
    words = entering.Words(method=values["method"], note=values["note"])
    sent = entering.Sent(values["key"], upload.pk if upload else None, values["image"], words, values["public"])
    try:
        return entering.send(person, phase, sent, request)
    except RefusedError:
        if upload is not None:
            uploading.give_up(upload)
        raise
