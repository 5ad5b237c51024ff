"""Signing in and out."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, LogoutView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from foveate.app.accounts import audit, sessions
from foveate.app.accounts.models import User
from foveate.app.limits import limited


class SignIn(LoginView):
    """Lets a person in. A wrong name, a wrong password and a deactivated account are answered in the same words."""

    template_name = "accounts/login.html"
    redirect_authenticated_user = True

    def get_redirect_url(self, request: HttpRequest | None = None) -> str:
        """Returns where the person wanted to go, within this site; never here again."""
        wanted = super().get_redirect_url()
        return "" if wanted.partition("?")[0] == self.request.path else wanted

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Signs in, with a session of a new key."""
        response = super().form_valid(form)
        user = form.get_user()
        audit.note(self.request, "account.signed_in", str(user.pseudonym), actor=user)
        sessions.clear_now_and_then()
        return response

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        """Notes whose account was tried; a name that there is not could be a password in the wrong field."""
        tried = User.objects.filter(username=form.cleaned_data.get("username", "")).first()
        audit.note(self.request, "account.sign_in_failed", str(tried.pseudonym) if tried else "")
        return super().form_invalid(form)


class SignOut(LogoutView):
    """Ends the session."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """Signs out and goes to the first page."""
        if request.user.is_authenticated:
            audit.note(request, "account.signed_out", str(request.user.pseudonym))
        return super().post(request, *args, **kwargs)


def _tried(request: HttpRequest) -> str:
    return User.normalize_username(request.POST.get("username", "")).casefold()


# By address against guessing many accounts, by name against guessing one from many addresses. A name that there is not
# is counted as well, so that counting does not tell which there are.
sign_in = limited("30/300")(limited("10/300", _tried)(SignIn.as_view()))


def admin_sign_in(request: HttpRequest) -> HttpResponse:
    """Sends those who come to Django's admin through our own door, which counts attempts."""
    if request.user.is_authenticated:
        # Whoever is in and was sent here lacks the role; signing in again would send them round in a circle.
        return redirect("home")
    return redirect(f"{reverse('login')}?next={reverse('admin:index')}")
