"""The admin's pages of people."""

from __future__ import annotations

from collections.abc import Callable

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from foveate.app.accounts import passwords, people
from foveate.app.accounts.forms import ROLE_NAMES, DeactivateForm, RolesForm, sentence
from foveate.app.accounts.models import User
from foveate.app.accounts.roles import ROLES, role_required
from foveate.errors import FoveateError


@role_required("admin")
def listed(request: HttpRequest) -> HttpResponse:
    """Lists people, found by a part of a name."""
    # A NUL is in no name, and PostgreSQL takes none in a question.
    search = request.GET.get("search", "").replace("\0", "").strip()
    page = Paginator(people.found(search), 50).get_page(request.GET.get("page"))
    rows = [(user, _named(people.own_roles(user))) for user in page]
    return render(request, "accounts/people.html", {"page_obj": page, "rows": rows, "search": search})


@role_required("admin")
def person(request: HttpRequest, person: int) -> HttpResponse:
    """Shows one account and what can be done to it."""
    return _page(request, _user(person))


@require_POST
@role_required("admin")
def roles(request: HttpRequest, person: int) -> HttpResponse:
    """Gives a person exactly the ticked roles."""
    user, form = _user(person), RolesForm(request.POST)
    return _act(
        request,
        user,
        form,
        "roles",
        lambda: people.set_roles(request, user, form.cleaned_data["roles"]),
        _("The roles are changed."),
    )


@require_POST
@role_required("admin")
def deactivate(request: HttpRequest, person: int) -> HttpResponse:
    """Shuts a person out."""
    user, form = _user(person), DeactivateForm(request.POST)
    return _act(
        request,
        user,
        form,
        "deactivate",
        lambda: people.deactivate(request, user, form.cleaned_data["why"]),
        _("The account is deactivated."),
    )


@require_POST
@role_required("admin")
def reactivate(request: HttpRequest, person: int) -> HttpResponse:
    """Lets a person in again."""
    user = _user(person)
    people.reactivate(request, user)
    messages.success(request, _("The account is active again."))
    return redirect("person", person=user.pk)


@require_POST
@never_cache
@role_required("admin")
def password_link(request: HttpRequest, person: int) -> HttpResponse:
    """Makes a one-time link, which this answer alone shows."""
    user = _user(person)
    try:
        link = request.build_absolute_uri(passwords.make_link(request, user))
    except FoveateError as error:
        messages.error(request, sentence(error))
        return redirect("person", person=user.pk)
    return _page(request, user, link=link)


def _act(
    request: HttpRequest, user: User, form: forms.Form, name: str, act: Callable[[], None], done: str
) -> HttpResponse:
    """Returns the person's page after an act, or with the form that says why it was not done."""
    if form.is_valid():
        try:
            act()
        except FoveateError as error:
            form.add_error(None, sentence(error))
            # What was changed of the object before the refusal is not so in the database.
            user.refresh_from_db()
        else:
            messages.success(request, done)
            return redirect("person", person=user.pk)
    return _page(request, user, **{f"{name}_form": form})


def _page(request: HttpRequest, user: User, **context: object) -> HttpResponse:
    own = people.own_roles(user)
    forms_of_it = {"roles_form": RolesForm({"roles": own}), "deactivate_form": DeactivateForm()}
    return render(request, "accounts/person.html", {"person": user, "own_roles": _named(own), **forms_of_it, **context})


def _user(number: int) -> User:
    return get_object_or_404(User, pk=number, deleted_at=None)


def _named(roles: frozenset[str]) -> list[object]:
    return [ROLE_NAMES[role] for role in ROLES if role in roles]
