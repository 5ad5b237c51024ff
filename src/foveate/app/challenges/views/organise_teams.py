"""The organiser's pages of teams: the list with search, one team, and invitations to the challenge."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from foveate.app.accounts import invitations
from foveate.app.accounts.forms import sentence
from foveate.app.accounts.models import Invitation
from foveate.app.accounts.roles import person_of, role_required
from foveate.app.annotate.services.access import not_found
from foveate.app.annotate.views._pages import page_of
from foveate.app.challenges.models import Membership, Participant, Team
from foveate.app.challenges.services import finding, judging, membership
from foveate.app.challenges.services.team_history import history
from foveate.app.challenges.team_forms import InviteForm, NameForm, ReasonForm
from foveate.app.refused import RefusedError
from foveate.errors import FoveateError


@require_safe
@role_required()
def teams(request: HttpRequest, slug: str) -> HttpResponse:
    """Lists teams, found by a part of their name, alias or a member's name."""
    challenge = finding.organised(request, slug)
    # A NUL is in no name, and PostgreSQL takes none in a question.
    search = request.GET.get("search", "").replace("\0", "").strip()
    people = Participant.objects.filter(challenge=challenge).exclude(joined_at=None)
    values = {
        "challenge": challenge,
        "page_obj": page_of(request, judging.found(challenge, search)),
        "search": search,
        "participants": people.count(),
    }
    return render(request, "challenges/teams.html", values)


@require_safe
@role_required()
def one_team(request: HttpRequest, slug: str, team: int) -> HttpResponse:
    """Shows a team: who is and was in it, what happened, and what can be done."""
    return _page(request, _team(request, slug, team))


@require_POST
@role_required()
def judge(request: HttpRequest, slug: str, team: int) -> HttpResponse:
    """Does to a team what `act` says."""
    found, act = _team(request, slug, team), request.POST.get("act", "")
    if act in _WITH_FORM:
        kind, key, does, done = _WITH_FORM[act]
        form = kind(request.POST)
        if not form.is_valid():
            return _page(request, found, 422, **{f"{act}_form": form})
        said, person = form.cleaned_data[key], person_of(request)
        return _done(request, found, lambda: does(person, found, said, request=request), done())
    if act not in _TO_MEMBER:
        raise not_found()
    does_to, done = _TO_MEMBER[act]
    row = _member(request, found)
    return _done(request, found, lambda: does_to(request, row), done())


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@role_required()
def invite(request: HttpRequest, slug: str) -> HttpResponse:
    """Lists the invitations to a challenge and makes one, whose link this answer alone shows."""
    challenge, person = finding.organised(request, slug), person_of(request)
    form, link = InviteForm(request.POST or None), ""
    if request.method == "POST" and form.is_valid():
        try:
            offer = invitations.Offer("participant", challenge=challenge, **form.cleaned_data)
            link = request.build_absolute_uri(invitations.make(request, person, offer)[1])
        except FoveateError as error:
            form.add_error(None, sentence(error))
        else:
            form = InviteForm()
    rows = Invitation.objects.filter(challenge=challenge).select_related("made_by").order_by("-made_at", "-pk")
    values = {"challenge": challenge, "form": form, "page_obj": page_of(request, rows), "link": link}
    return render(request, "challenges/invite.html", {**values, "now": timezone.now()})


@require_POST
@role_required()
def withdraw_invitation(request: HttpRequest, slug: str, invitation: int) -> HttpResponse:
    """Ends an invitation to the challenge, whichever of its organisers made it."""
    challenge = finding.organised(request, slug)
    invitations.withdraw(request, get_object_or_404(Invitation, pk=invitation, challenge=challenge))
    messages.success(request, _("The invitation is withdrawn; its link lets nobody in any more."))
    return redirect("challenges:invite", slug)


def _team(request: HttpRequest, slug: str, team: int) -> Team:
    rows = Team.objects.select_related("challenge").filter(challenge=finding.organised(request, slug))
    found = rows.filter(pk=team).first() if team < 2**62 else None
    if found is None:
        raise not_found()
    return found


def _done(request: HttpRequest, team: Team, act: Callable[[], None], said: str) -> HttpResponse:
    """Does an act, and returns to the team's page, which says that it was done or why not."""
    try:
        act()
    except RefusedError as refused:
        messages.error(request, f"{refused.message} {refused.remedy}")
    except FoveateError as error:
        messages.error(request, sentence(error))
    else:
        messages.success(request, said)
    return redirect("challenges:one_team", team.challenge.slug, team.pk)


def _page(request: HttpRequest, team: Team, status: int = 200, **more: Any) -> HttpResponse:
    rows = team.memberships.select_related("person").order_by("left_at", "-captain", "joined_at", "pk")
    values = {
        "challenge": team.challenge,
        "team": team,
        "people": [row for row in rows if row.left_at is None],
        "gone": _gone(team),
        "sent": team.entries.count(),
        "history": history(team),
        "rename_form": NameForm(initial={"name": team.name}),
        "disqualify_form": ReasonForm(),
        "take_back_form": ReasonForm(),
    }
    return render(request, "challenges/one_team.html", {**values, **more}, status=status)


def _gone(team: Team) -> list[tuple[Membership, bool]]:
    """Returns who has left a team, each once, and whether that still keeps them from another."""
    rows = team.memberships.exclude(left_at=None).select_related("person").order_by("-left_at", "-pk")
    once: dict[int, Membership] = {}
    for row in rows:
        once.setdefault(row.person_id, row)
    there = set(team.memberships.filter(left_at=None).values_list("person", flat=True))
    left = [row for row in once.values() if row.person_id not in there and row.person.deleted_at is None]
    return [(row, membership.bound_to(row.person, team.challenge) == team) for row in left]


def _member(request: HttpRequest, team: Team) -> Membership:
    sent = request.POST.get("number", "")
    number = int(sent) if sent.isascii() and sent.isdecimal() and len(sent) < 19 else 0
    found = team.memberships.select_related("challenge", "person", "team__challenge").filter(pk=number).first()
    if found is None:
        raise not_found()
    return found


def _free(request: HttpRequest, row: Membership) -> None:
    judging.free(person_of(request), row.team, row.person, request=request)


def _remove(request: HttpRequest, row: Membership) -> None:
    membership.remove(person_of(request), row, request=request)


def _captain(request: HttpRequest, row: Membership) -> None:
    membership.make_captain(person_of(request), row, request=request)


_WITH_FORM: dict[str, tuple[Any, str, Callable[..., None], Callable[[], str]]] = {
    "disqualify": (ReasonForm, "why", judging.disqualify, lambda: _("The team is disqualified.")),
    "take_back": (ReasonForm, "why", judging.take_back, lambda: _("The disqualification is taken back.")),
    "rename": (NameForm, "name", membership.rename, lambda: _("The team is renamed.")),
}
_TO_MEMBER: dict[str, tuple[Callable[[HttpRequest, Membership], None], Callable[[], str]]] = {
    "free": (_free, lambda: _("They may go into another team.")),
    "remove": (_remove, lambda: _("They are not in the team any more.")),
    "captain": (_captain, lambda: _("The team has another captain.")),
}
