"""Pages for those who run a challenge: how it stands, loading it, who organises."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from foveate.app.accounts.audit import note
from foveate.app.accounts.roles import person_of, role_required
from foveate.app.annotate.services.access import not_found
from foveate.app.challenges.forms import LoadForm, OrganiserForm
from foveate.app.challenges.models import Challenge
from foveate.app.challenges.services import finding, freezing, loading, own_organised, staging, standing
from foveate.app.challenges.services.loading import Preview
from foveate.app.challenges.views.pages import phases_of
from foveate.app.refused import RefusedError
from foveate.challenges._fields import FaultsError
from foveate.errors import FoveateError

_STAGED = "challenge_folders"


@require_safe
@role_required("organiser", secret=True)
def organise(request: HttpRequest, slug: str) -> HttpResponse:
    """Shows how a challenge stands."""
    challenge = finding.organised(request, slug)
    return _organise(request, challenge, OrganiserForm())


def _organise(request: HttpRequest, challenge: Challenge, form: OrganiserForm) -> HttpResponse:
    now = timezone.now()
    freezing.freeze_due(now, challenge)
    states = standing.entries_by_state(challenge)
    removed = challenge.phases.filter(removed=True).order_by("pk")
    values = {
        "challenge": challenge,
        "phases": [(phase, states.get(phase.row.pk, [])) for phase in phases_of(challenge, now)],
        "removed": [(row, sum(n for _state, n in states.get(row.pk, []))) for row in removed],
        "queue": standing.queue_of(challenge, now),
        "lost": standing.given_back(challenge),
        "teams": challenge.teams.count(),
        "disqualified": challenge.teams.exclude(disqualified_at=None).count(),
        "history": loading.history(challenge),
        "people": challenge.organisers.order_by("username"),
        "form": form,
    }
    return render(request, "challenges/organise.html", values, status=422 if form.errors else 200)


@require_POST
@role_required("organiser", secret=True)
def people(request: HttpRequest, slug: str) -> HttpResponse:
    """Adds somebody who runs the challenge, or takes somebody out."""
    challenge = finding.organised(request, slug)
    # A NUL is in no name, and PostgreSQL takes none in a question.
    out = request.POST.get("remove", "").replace("\0", "")
    if out:
        own_organised.take_out(challenge, out, request)
        return redirect("challenges:organise", slug)
    form = OrganiserForm(request.POST)
    if not form.is_valid():
        return _organise(request, challenge, form)
    person = form.cleaned_data["name"]
    challenge.organisers.add(person)
    note(request, "challenge.organiser_added", slug, person=str(person.pseudonym))
    messages.success(request, _("%(name)s runs the challenge too.") % {"name": person.shown_name})
    return redirect("challenges:organise", slug)


@require_http_methods(["GET", "HEAD", "POST"])
@role_required("organiser", secret=True)
def reload(request: HttpRequest, slug: str) -> HttpResponse:
    """Shows what loading the folder again would change; the button takes it."""
    challenge = finding.organised(request, slug)
    folder = staging.here(challenge.folder)
    found = loading.preview(folder, anywhere=not staging.is_ours(folder))
    if found.checked.challenge is not None and found.checked.challenge.slug != slug:
        said = _("The folder is now that of another challenge: %(name)s.") % {"name": found.checked.challenge.slug}
        raise RefusedError(409, "other_challenge", said, _("Load it on the page of all challenges."))
    if request.method == "POST":
        return _take(request, folder, found)
    return _preview(request, found, {"challenge": challenge})


@require_http_methods(["GET", "HEAD", "POST"])
@role_required("organiser")
def load(request: HttpRequest) -> HttpResponse:
    """Takes a zip, or an admin's word for a folder of the server, to be looked at before it is loaded."""
    admin = person_of(request).is_superuser
    given = (request.POST, request.FILES) if request.method == "POST" else (None, None)
    form = LoadForm(*given, admin=admin)
    if request.method == "POST" and form.is_valid():
        archive = form.cleaned_data["archive"]
        try:
            token = staging.stage(archive, archive.size) if archive else form.cleaned_data["folder"]
        except (FoveateError, RefusedError) as error:
            said = f"{error.message} {error.remedy}" if isinstance(error, RefusedError) else str(error)
            form.add_error("archive", said)
        else:
            key = staging.new_word() if not archive else token
            request.session[_STAGED] = {**request.session.get(_STAGED, {}), key: "" if archive else token}
            return redirect("challenges:look", key)
    return render(request, "challenges/load.html", {"form": form}, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@role_required("organiser")
def look(request: HttpRequest, token: str) -> HttpResponse:
    """Shows what is in a folder that was brought, and what it would change; the button takes it."""
    # Only who brought it, in this session.
    said: str | None = request.session.get(_STAGED, {}).get(token)
    if said is None or (said and not person_of(request).is_superuser):
        raise not_found()
    folder = Path(said) if said else staging.folder_of(token)
    if folder is None:
        raise not_found()
    found = loading.preview(folder, anywhere=bool(said))
    if found.row is not None:
        loading.refuse_others(person_of(request), found.row)
    if request.method == "POST":
        return _take(request, folder, found)
    return _preview(request, found, {})


def _take(request: HttpRequest, folder: Path, found: Preview) -> HttpResponse:
    """Loads what was looked at, unless the folder changed meanwhile into something that cannot be taken."""
    try:
        row = loading.load(folder, person_of(request), request, anywhere=not staging.is_ours(folder))
    except FaultsError as error:
        values = {"faults": error.faults, "challenge": found.row} if found.row else {"faults": error.faults}
        return _preview(request, found, values, status=409)
    messages.success(request, _("The challenge is loaded."))
    return redirect("challenges:organise", row.slug)


def _preview(request: HttpRequest, found: Preview, values: dict[str, Any], status: int = 200) -> HttpResponse:
    levels = {
        "error": _("In the way"),
        "warning": _("To be looked at"),
        "not_said": _("Not said"),
        "told": _("Found"),
    }
    findings = [
        (level, title, [one for one in found.checked.findings if one.level == level]) for level, title in levels.items()
    ]
    more = {"found": found, "findings": [row for row in findings if row[2]]}
    return render(request, "challenges/look.html", {**more, **values}, status=status)
