"""Choosing a password: a new one for an old one, or by a one-time link."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from foveate.app.accounts import audit, passwords, sessions
from foveate.app.accounts.models import User
from foveate.app.accounts.roles import own_number, person_of, role_required
from foveate.app.limits import limited

CODE = "password_code"


class ChangeForm(passwords.AtTheFirst, PasswordChangeForm):
    """The old password, and a new one twice."""


if TYPE_CHECKING:
    SetForm = SetPasswordForm[User]
else:
    SetForm = SetPasswordForm


class ChooseForm(passwords.AtTheFirst, SetForm):
    """A new password, twice."""


@sensitive_post_parameters()
@never_cache
@limited("10/300", own_number)
@role_required()
def change(request: HttpRequest) -> HttpResponse:
    """Changes the password; whoever is signed in elsewhere as this person is so no longer."""
    user = person_of(request)
    form = ChangeForm(user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        form.save()
        update_session_auth_hash(request, user)
        audit.note(request, "account.password_changed", str(user.pseudonym))
        messages.success(request, _("Your password is changed. Elsewhere you are signed out."))
        return redirect("profile")
    return render(request, "accounts/password.html", {"form": form})


@sensitive_post_parameters()
@never_cache
@limited("60/300")
def choose(request: HttpRequest) -> HttpResponse:
    """Sets the password of whom a one-time link is for.

    The code moves from the address into the session, so that neither the browser's history nor a log keeps it.
    """
    if "code" in request.GET:
        # Of a wrong code nothing is kept: anybody could fill the database with sessions.
        request.session.pop(CODE, None)
        if passwords.owner_of(request.GET["code"]) is not None:
            sessions.carry(request, CODE, request.GET["code"])
        return redirect("new_password")
    code = str(request.session.get(CODE, ""))
    owner = passwords.owner_of(code)
    if owner is None:
        return _over(request)
    form = ChooseForm(owner, request.POST or None)
    if request.method == "POST" and form.is_valid():
        user = passwords.use(request, code, form.cleaned_data["new_password1"])
        if user is None:
            return _over(request)
        del request.session[CODE]
        messages.success(request, _("Your password is set. Sign in with it now."))
        return redirect("login")
    return render(request, "accounts/new_password.html", {"form": form, "owner": owner})


def _over(request: HttpRequest) -> HttpResponse:
    request.session.pop(CODE, None)
    return render(request, "accounts/new_password.html", {"form": None}, status=410)
