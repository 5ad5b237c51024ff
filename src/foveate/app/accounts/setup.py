"""The page on which the first admin is made, at an address that only whoever started the server knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.forms import BaseUserCreationForm
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from foveate.app.accounts import first_admin
from foveate.app.accounts.models import User
from foveate.app.accounts.passwords import AtTheFirst

if TYPE_CHECKING:
    UserForm = BaseUserCreationForm[User]
else:
    UserForm = BaseUserCreationForm


class SetupForm(AtTheFirst, UserForm):
    """A name, and a password twice."""

    class Meta:
        model = User
        fields = ("username",)
        labels = {"username": _("Your name for signing in")}  # noqa: RUF012
        widgets = {"username": forms.TextInput(attrs={"autocomplete": "username"})}  # noqa: RUF012


@never_cache
def setup(request: HttpRequest, code: str) -> HttpResponse:
    """Asks for the first admin's name and password, and signs them in; later it leads to signing in."""
    if not first_admin.is_code(code):
        return _too_late(request)
    form = SetupForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        user = first_admin.make(data["username"], data["password1"], request)
        if user is None:
            return _too_late(request)
        login(request, user)
        return redirect("home")
    return render(request, "accounts/setup.html", {"form": form})


def _too_late(request: HttpRequest) -> HttpResponse:
    # Which code it is cannot be told any more, and no code opens anything.
    if first_admin.is_needed():
        raise Http404
    messages.info(request, _("There is an admin already, so that this link makes none. Sign in, or ask the admin."))
    return redirect("home" if request.user.is_authenticated else "login")
