"""Taking part in a challenge: with a new account, or with the one that is signed in."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from foveate.app.accounts.forms import sentence
from foveate.app.accounts.roles import person_of
from foveate.app.annotate.texts import as_html
from foveate.app.challenges.models import Challenge
from foveate.app.challenges.services import finding, membership, participants
from foveate.app.challenges.team_forms import RulesForm, SignUpForm
from foveate.app.challenges.views.links_into import TEAM_LINK
from foveate.app.limits import limited
from foveate.errors import FoveateError


@sensitive_post_parameters()
@never_cache
# Anybody may come; a class behind one address may come at once.
@limited("60/600")
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, slug: str) -> HttpResponse:
    """Lets somebody take part: who is signed in by a button, who is not with a new account."""
    challenge = finding.challenge(request, slug)
    said = finding.definition(challenge)
    row = participants.participant(request.user, challenge)
    why = None if row else participants.why_not(request.user, challenge, said, timezone.now())
    # What is written in one form is no mistake in the other.
    data = request.POST if request.method == "POST" else None
    rules = RulesForm(said.rules, data)
    new = SignUpForm(data) if not request.user.is_authenticated and why is None else None
    if request.method == "POST" and why is not None:
        raise why
    if request.method == "POST" and _valid(rules, new):
        try:
            return _joined(request, challenge, rules, new)
        except FoveateError as error:
            (new or rules).add_error("username" if new else None, sentence(error))
    current = row is not None and row.rules_digest == participants.digest_of(said.rules)
    values = {"challenge": challenge, "said": said, "row": row, "current": current, "why": why}
    more = {
        "rules": rules,
        "new": new,
        "rules_html": as_html(said.rules, 3),
        "team": membership.team_of(request.user, challenge),
    }
    failed = request.method == "POST"
    return render(request, "challenges/join.html", {**values, **more}, status=422 if failed else 200)


def _valid(rules: RulesForm, new: SignUpForm | None) -> bool:
    # Both are looked at, so that all that is amiss is told at once.
    return all([rules.is_valid(), new is None or new.is_valid()])


def _joined(request: HttpRequest, challenge: Challenge, rules: RulesForm, new: SignUpForm | None) -> HttpResponse:
    if new is None:
        participants.take_part(request, challenge, person_of(request), rules.accepted)
        messages.success(request, _("You take part."))
    else:
        user = participants.sign_up(request, challenge, new.newcomer(), rules.accepted)
        login(request, user, backend="django.contrib.auth.backends.ModelBackend")
        messages.success(request, _("Welcome. Your account is made, you are signed in, and you take part."))
    onward = "challenges:join_team" if TEAM_LINK in request.session else "challenges:team"
    return redirect(onward, challenge.slug)
