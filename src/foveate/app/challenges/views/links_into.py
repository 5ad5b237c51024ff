"""Coming into a team by a link."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from foveate.app.accounts import sessions
from foveate.app.accounts.roles import person_of
from foveate.app.challenges.models import Challenge, TeamInvitation
from foveate.app.challenges.services import finding, membership, participants, team_links
from foveate.app.limits import limited
from foveate.app.refused import RefusedError

TEAM_LINK = "team_link"


@never_cache
@limited("100/300", methods=("GET", "POST"))
@require_http_methods(["GET", "HEAD", "POST"])
def join_team(request: HttpRequest, slug: str) -> HttpResponse:
    """Shows which team a link leads into, and lets somebody in who takes part.

    The link's code is exchanged for its number in the session, so that it is in no history and no log, and is still
    known after signing in or making an account.
    """
    challenge = finding.challenge(request, slug)
    if "code" in request.GET:
        found = team_links.of_code(challenge, request.GET["code"])
        # Of a wrong code nothing is kept: anybody could fill the database with sessions.
        request.session.pop(TEAM_LINK, None)
        if found is not None:
            sessions.carry(request, TEAM_LINK, found.pk)
        return redirect("challenges:join_team", slug)
    link = team_links.of_number(challenge, request.session.get(TEAM_LINK, 0))
    if link is None:
        request.session.pop(TEAM_LINK, None)
        return render(request, "challenges/join_team.html", {"challenge": challenge, "link": None}, status=410)
    if request.method == "POST":
        return _follow(request, challenge, link)
    values = {
        "challenge": challenge,
        "link": link,
        "people": membership.members(link.team).count(),
        "said": finding.definition(challenge),
        "takes_part": participants.participant(request.user, challenge) is not None,
        "in_team": membership.team_of(request.user, challenge),
    }
    return render(request, "challenges/join_team.html", values)


def _follow(request: HttpRequest, challenge: Challenge, link: TeamInvitation) -> HttpResponse:
    try:
        team = team_links.follow(person_of(request), link, request=request)
    except RefusedError as refused:
        messages.error(request, f"{refused.message} {refused.remedy}")
        return redirect("challenges:join_team", challenge.slug)
    del request.session[TEAM_LINK]
    messages.success(request, _("You are in %(team)s now.") % {"team": team.name})
    return redirect("challenges:team", challenge.slug)
