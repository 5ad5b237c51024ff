"""The page on which a file is sent, and the acts on an entry: forms that need no JavaScript."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from foveate.app.accounts.models import User
from foveate.app.accounts.roles import person_of, role_required
from foveate.app.challenges.entry_forms import EntryForm, WordsForm
from foveate.app.challenges.models import Entry, Phase
from foveate.app.challenges.services import counting, entering, entry_acts, finding, membership, tidying, uploading
from foveate.app.challenges.services.gate import check_open
from foveate.app.challenges.views.entries import seen
from foveate.app.challenges.views.entry_words import words
from foveate.app.refused import RefusedError


@require_http_methods(["GET", "HEAD", "POST"])
@role_required()
def enter(request: HttpRequest, slug: str, phase: str) -> HttpResponse:
    """Takes an entry: a file of the form itself, or an upload that the page's script has finished."""
    person, challenge = person_of(request), finding.challenge(request, slug)
    row = finding.phase(challenge, phase)
    if row.kind == "reproduction":
        raise Http404
    form = (
        EntryForm(request.POST, request.FILES) if request.method == "POST" else EntryForm(initial=_before(person, row))
    )
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                made = _sent(request, person, row, form)
            except RefusedError as refused:
                form.add_error(None, f"{refused.message} {refused.remedy}")
                status = refused.status
            else:
                messages.success(request, _("Your entry %(n)d is sent.") % {"n": made.number})
                return redirect("challenges:entry", slug, phase, made.number)
    return render(request, "challenges/enter.html", {**_shown(person, row), "form": form}, status=status)


@require_POST
@role_required()
def act(request: HttpRequest, slug: str, phase: str, number: int) -> HttpResponse:
    """Does what a button of an entry's page says: `withdraw`, `choose`, `publish`, `hide`."""
    row, person = own(request, slug, phase, number), person_of(request)
    wanted = request.POST.get("act", "")
    if wanted == "withdraw":
        entry_acts.withdraw(person, row, request)
        messages.success(request, _("The entry is withdrawn."))
    elif wanted == "choose":
        entry_acts.choose(person, row, request)
        messages.success(request, _("This entry ranks from now on."))
    elif wanted in ("publish", "hide"):
        entry_acts.publish(person, row, wanted == "publish", request)
        messages.success(request, _("It is public.") if wanted == "publish" else _("It is private."))
    else:
        raise RefusedError(422, "not_valid", _("There is no such act."), _("Use the buttons of the entry’s page."))
    return redirect("challenges:entry", slug, phase, number)


@require_http_methods(["GET", "HEAD", "POST"])
@role_required()
def describe(request: HttpRequest, slug: str, phase: str, number: int) -> HttpResponse:
    """Changes what a team says of an entry."""
    row, person = own(request, slug, phase, number), person_of(request)
    initial = {"method": row.method, "description": row.description, "links": "\n".join(row.links), "note": row.note}
    form = WordsForm(request.POST) if request.method == "POST" else WordsForm(initial=initial)
    if request.method == "POST" and form.is_valid():
        entry_acts.describe(person, row, form.words(), request)
        messages.success(request, _("It is stored."))
        return redirect("challenges:entry", slug, phase, number)
    values = {"challenge": row.phase.challenge, "phase": row.phase, "entry": row, "form": form}
    return render(request, "challenges/describe.html", values, status=422 if form.errors else 200)


def own(request: HttpRequest, slug: str, phase: str, number: int) -> Entry:
    """Returns an entry of one's team.

    Raises:
        Http404: It is not.
    """
    row, who = seen(request, slug, phase, number)
    team = membership.team_of(request.user, row.phase.challenge)
    if who == "other" or team is None or team.pk != row.team_id:
        raise Http404
    return row


def _sent(request: HttpRequest, person: User, phase: Phase, form: EntryForm) -> Entry:
    values = form.cleaned_data
    words, identity, taken = form.words(), values["upload"], None
    if not identity and not Entry.objects.filter(person=person, key=values["key"]).exists():
        file = values["file"]
        taken = uploading.whole(person, phase, uploading.Wanted(file.name, file.size), file.read)
        identity = taken.pk
    try:
        return entering.send(
            person, phase, entering.Sent(values["key"], identity, "", words, values["public"]), request
        )
    except RefusedError:
        # A form cannot go on with it; one that the page's script has sent stays, to be sent again.
        if taken is not None:
            uploading.give_up(taken)
        raise


def _before(person: User, phase: Phase) -> dict[str, Any]:
    """Returns what the team said of its newest entry, to begin with."""
    team = membership.team_of(person, phase.challenge)
    newest = Entry.objects.filter(phase=phase, team=team).order_by("-pk").first() if team else None
    if newest is None:
        return {}
    return {"method": newest.method, "description": newest.description, "links": "\n".join(newest.links)}


def _shown(person: User, phase: Phase) -> dict[str, Any]:
    tidying.tidy_now_and_then()
    said, now = finding.phase_said(phase), timezone.now()
    team = membership.team_of(person, phase.challenge)
    refused, is_open = None, False
    try:
        check_open(phase, now)
        is_open = True
        if team is not None:
            membership.may_enter(team, phase, now)
            counting.check(team, phase, now)
    except RefusedError as error:
        refused = error
    return {
        "challenge": phase.challenge,
        "phase": phase,
        "said": said,
        "team": team,
        "refused": refused,
        "is_open": is_open,
        "left": counting.left_for(team, phase, now) if team else None,
        "api": reverse("api:begin_upload", args=[phase.challenge.slug, phase.name]),
        "most": said.limits.most_bytes,
        "words": words(),
        "suffixes": ", ".join(_SUFFIXES[form] for form in said.forms if form in _SUFFIXES),
    }


_SUFFIXES = {"toloka": ".csv", "vizwiz": ".zip", "coco": ".json", "jsonl": ".jsonl"}
