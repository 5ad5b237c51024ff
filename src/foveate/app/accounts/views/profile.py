"""A person's own pages: profile, their data, and leaving."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import logout
from django.db import transaction
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from foveate.app.accounts import audit, own_data, sessions
from foveate.app.accounts.forms import LeaveForm, ProfileForm, sentence
from foveate.app.accounts.models import User
from foveate.app.accounts.roles import own_number, person_of, role_required
from foveate.app.limits import limited
from foveate.errors import UsageError


@role_required()
def profile(request: HttpRequest) -> HttpResponse:
    """Shows and changes what a person says of themselves."""
    # A copy of its own, so that a form that is not valid changes nothing in the head of the page.
    user = User.objects.get(pk=person_of(request).pk)
    form = ProfileForm(request.POST or None, instance=user)
    if request.method == "POST" and form.is_valid():
        with transaction.atomic():
            form.save()
            audit.note(request, "account.profile_changed", str(user.pseudonym), fields=form.changed_data)
        messages.success(request, _("Your profile is saved."))
        return redirect("profile")
    return render(request, "accounts/profile.html", {"form": form})


@require_POST
@never_cache
@role_required()
def data(request: HttpRequest) -> StreamingHttpResponse:
    """Sends a person all that is held about them, as one JSON file."""
    user = person_of(request)
    audit.note(request, "account.data_exported", str(user.pseudonym))
    response = StreamingHttpResponse(own_data.export(user), content_type="application/json")
    response.headers["Content-Disposition"] = 'attachment; filename="foveate-my-data.json"'
    return response


@sensitive_post_parameters()
@never_cache
@limited("10/300", own_number)
@role_required()
def leave(request: HttpRequest) -> HttpResponse:
    """Deletes a person's account, asked for by their password."""
    user = person_of(request)
    form = LeaveForm(user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            own_data.leave(request, user)
        except UsageError as error:
            form.add_error(None, sentence(error))
        else:
            sessions.end(user)
            logout(request)
            messages.success(request, _("Your account is deleted. What you submitted stays, without your name."))
            return redirect("home")
    return render(request, "accounts/leave.html", {"form": form})
