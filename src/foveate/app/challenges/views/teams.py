"""A person's team: its people, links into it, its history; and what they do with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from foveate.app.accounts.forms import sentence
from foveate.app.accounts.models import User
from foveate.app.accounts.roles import own_number, person_of, role_required
from foveate.app.annotate.services.access import not_found
from foveate.app.challenges.models import Challenge, Membership, Team
from foveate.app.challenges.services import finding, membership, participants, team_links
from foveate.app.challenges.services.team_history import history
from foveate.app.challenges.team_forms import LinkForm, NameForm
from foveate.app.limits import limited
from foveate.app.refused import RefusedError
from foveate.errors import FoveateError

Forms = dict[str, forms.Form]


@require_safe
@never_cache
@role_required()
def team(request: HttpRequest, slug: str) -> HttpResponse:
    """Shows the person's team, or how to come into one."""
    return page(request, finding.challenge(request, slug))


@require_POST
@never_cache
@limited("120/600", own_number)
@role_required()
def team_act(request: HttpRequest, slug: str) -> HttpResponse:
    """Makes, leaves, renames a team and so on, as `act` says."""
    challenge = finding.challenge(request, slug)
    act = _ACTS.get(request.POST.get("act", ""))
    if act is None:
        raise not_found()
    try:
        return act(request, challenge)
    except RefusedError as refused:
        if refused.status == 404:
            raise
        messages.error(request, f"{refused.message} {refused.remedy}")
    except FoveateError as error:
        messages.error(request, sentence(error))
    return redirect("challenges:team", slug)


def page(request: HttpRequest, challenge: Challenge, status: int = 200, **more: Any) -> HttpResponse:
    """Returns the page of the team of whoever asks, with forms as they were filled in, or a link that is new."""
    person = person_of(request)
    own = membership.team_of(person, challenge)
    said = finding.definition(challenge)
    closed = said.teams.closes is not None and timezone.now() >= said.teams.closes
    values: dict[str, Any] = {
        "challenge": challenge,
        "said": said,
        "team": own,
        "closed": closed,
        "takes_part": participants.participant(person, challenge) is not None,
        "name_form": NameForm(initial={"name": own.name if own else ""}),
        "link_form": LinkForm(),
    }
    values |= _of_team(person, own) if own else {"bound": membership.bound_to(person, challenge)}
    return render(request, "challenges/team.html", {**values, **more}, status=status)


def _of_team(person: User, own: Team) -> dict[str, Any]:
    people = list(membership.members(own))
    return {
        "people": people,
        "captain": any(one.captain and one.person_id == person.pk for one in people),
        # Not `links`, which are those of the challenge's pages.
        "open_links": team_links.open_links(own),
        "history": history(own),
        "has_entries": own.entries.exists(),
    }


def _make(request: HttpRequest, challenge: Challenge) -> HttpResponse:
    form = NameForm(request.POST)
    if not form.is_valid():
        return page(request, challenge, 422, name_form=form)
    try:
        made = membership.make(person_of(request), challenge, form.cleaned_data["name"], request=request)
    except FoveateError as error:
        form.add_error("name", sentence(error))
        return page(request, challenge, 422, name_form=form)
    messages.success(request, _("The team %(name)s is made. You are its captain.") % {"name": made.name})
    return redirect("challenges:team", challenge.slug)


def _solo(request: HttpRequest, challenge: Challenge) -> HttpResponse:
    made = membership.make_solo(person_of(request), challenge, request=request)
    messages.success(request, _("You take part alone, as the team %(name)s.") % {"name": made.name})
    return redirect("challenges:team", challenge.slug)


def _rename(request: HttpRequest, challenge: Challenge) -> HttpResponse:
    form, person = NameForm(request.POST), person_of(request)
    if not form.is_valid():
        return page(request, challenge, 422, name_form=form)
    try:
        membership.rename(person, _own(person, challenge), form.cleaned_data["name"], request=request)
    except FoveateError as error:
        form.add_error("name", sentence(error))
        return page(request, challenge, 422, name_form=form)
    messages.success(request, _("The team is renamed."))
    return redirect("challenges:team", challenge.slug)


def _invite(request: HttpRequest, challenge: Challenge) -> HttpResponse:
    form, person = LinkForm(request.POST), person_of(request)
    if not form.is_valid():
        return page(request, challenge, 422, link_form=form)
    _made, path = team_links.make(person, _own(person, challenge), **form.cleaned_data, request=request)
    return page(request, challenge, link=request.build_absolute_uri(path))


def _withdraw(request: HttpRequest, challenge: Challenge) -> HttpResponse:
    person = person_of(request)
    link = _own(person, challenge).invitations.select_related("team__challenge").filter(pk=_number(request)).first()
    if link is None:
        raise not_found()
    team_links.withdraw(person, link, request=request)
    messages.success(request, _("The link is withdrawn; it lets nobody in any more."))
    return redirect("challenges:team", challenge.slug)


def _remove(request: HttpRequest, challenge: Challenge) -> HttpResponse:
    membership.remove(person_of(request), _member(request, challenge), request=request)
    messages.success(request, _("They are not in the team any more."))
    return redirect("challenges:team", challenge.slug)


def _captain(request: HttpRequest, challenge: Challenge) -> HttpResponse:
    membership.make_captain(person_of(request), _member(request, challenge), request=request)
    messages.success(request, _("The team has another captain."))
    return redirect("challenges:team", challenge.slug)


def _leave(request: HttpRequest, challenge: Challenge) -> HttpResponse:
    membership.leave(person_of(request), challenge, request=request)
    messages.success(request, _("You have left the team."))
    return redirect("challenges:team", challenge.slug)


def _own(person: User, challenge: Challenge) -> Team:
    own = membership.team_of(person, challenge)
    if own is None:
        raise not_found()
    return own


def _member(request: HttpRequest, challenge: Challenge) -> Membership:
    rows = membership.members(_own(person_of(request), challenge)).select_related("challenge", "person")
    found = rows.filter(pk=_number(request)).first()
    if found is None:
        raise not_found()
    return found


def _number(request: HttpRequest) -> int:
    sent = request.POST.get("number", "")
    return int(sent) if sent.isascii() and sent.isdecimal() and len(sent) < 19 else 0


_ACTS: dict[str, Callable[[HttpRequest, Challenge], HttpResponse]] = {
    "make": _make,
    "solo": _solo,
    "rename": _rename,
    "invite": _invite,
    "withdraw": _withdraw,
    "remove": _remove,
    "captain": _captain,
    "leave": _leave,
}
