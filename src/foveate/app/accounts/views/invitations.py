"""Invitations: made and withdrawn by organisers, accepted by those who were sent the link."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import login
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from foveate.app.accounts import invitations, sessions
from foveate.app.accounts.forms import ROLE_NAMES, InvitationForm, JoinForm, sentence
from foveate.app.accounts.models import Invitation
from foveate.app.accounts.roles import person_of, role_required
from foveate.app.limits import limited
from foveate.errors import FoveateError

INVITED = "invited_by"


@never_cache
@role_required("organiser")
def listed(request: HttpRequest) -> HttpResponse:
    """Lists invitations and makes one, whose link this answer alone shows."""
    user, link = person_of(request), ""
    form = InvitationForm(user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            path = invitations.make(request, user, form.offer())[1]
        except FoveateError as error:
            form.add_error(None, sentence(error))
        else:
            link, form = request.build_absolute_uri(path), InvitationForm(user)
    page = Paginator(invitations.seen_by(user), 50).get_page(request.GET.get("page"))
    rows = [(invitation, ROLE_NAMES[invitation.role]) for invitation in page]
    context = {"form": form, "page_obj": page, "rows": rows, "link": link, "now": timezone.now()}
    return render(request, "accounts/invitations.html", context)


@require_POST
@role_required("organiser")
def withdraw(request: HttpRequest, invitation: int) -> HttpResponse:
    """Ends an invitation."""
    invitations.withdraw(request, get_object_or_404(invitations.seen_by(person_of(request)), pk=invitation))
    messages.success(request, _("The invitation is withdrawn; its link lets nobody in any more."))
    return redirect("invitations")


@sensitive_post_parameters()
@never_cache
# A whole class behind one address may join within minutes.
@limited("100/300")
def join(request: HttpRequest) -> HttpResponse:
    """Makes an account for somebody who was invited, or offers the role to the account that is signed in.

    The link's code is exchanged for the invitation's number in the session, so that it is in no history and no log, and
    is still known after signing in.
    """
    if "code" in request.GET:
        found = invitations.of_code(request.GET["code"])
        # Of a wrong code nothing is kept: anybody could fill the database with sessions.
        request.session.pop(INVITED, None)
        if found is not None:
            sessions.carry(request, INVITED, found.pk)
        return redirect("join")
    invitation = _invitation(request)
    if invitation is None:
        return _over(request)
    form = JoinForm(request.POST or None)
    if request.method == "POST" and not request.user.is_authenticated and form.is_valid():
        data = form.cleaned_data
        try:
            user = invitations.join(request, invitation, data["username"], data["password1"], data["display_name"])
        except invitations.NotValidError:
            return _over(request)
        except FoveateError as error:
            form.add_error("username", sentence(error))
        else:
            del request.session[INVITED]
            login(request, user, backend="django.contrib.auth.backends.ModelBackend")
            messages.success(request, _("Welcome. Your account is made, and you are signed in."))
            return _onward(invitation)
    context = {"form": form, "invitation": invitation, "role_name": ROLE_NAMES[invitation.role]}
    return render(request, "accounts/join.html", context)


@require_POST
@role_required()
def accept(request: HttpRequest) -> HttpResponse:
    """Gives the account that is signed in what the invitation offers."""
    invitation = _invitation(request)
    try:
        if invitation is None:
            return _over(request)
        invitations.accept(request, invitation, person_of(request))
    except invitations.NotValidError:
        return _over(request)
    del request.session[INVITED]
    messages.success(request, _("The invitation is accepted."))
    return _onward(invitation)


def _invitation(request: HttpRequest) -> Invitation | None:
    number = request.session.get(INVITED, 0)
    return invitations.valid().filter(pk=number).select_related("project", "challenge").first()


def _onward(invitation: Invitation) -> HttpResponse:
    """Leads to the challenge, whose rules are to be accepted; home where there is none, or none to be seen yet."""
    challenge = invitation.challenge
    return redirect("challenges:join", challenge.slug) if challenge and challenge.published else redirect("home")


def _over(request: HttpRequest) -> HttpResponse:
    request.session.pop(INVITED, None)
    return render(request, "accounts/join.html", {"invitation": None}, status=410)
