"""A person's API tokens."""

from __future__ import annotations

from datetime import timedelta

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from foveate.app.accounts import audit, tokens
from foveate.app.accounts.forms import TokenForm
from foveate.app.accounts.roles import person_of, role_required


@never_cache
@role_required()
def mine(request: HttpRequest) -> HttpResponse:
    """Lists tokens and makes one, whose secret this answer alone shows."""
    user, secret = person_of(request), ""
    form = TokenForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        expires = timezone.now() + timedelta(days=form.cleaned_data["days"])
        with transaction.atomic():
            token, secret = tokens.make(user, form.cleaned_data["name"], expires)
            audit.note(request, "token.made", str(token.pk), name=token.name, days=form.cleaned_data["days"])
        form = TokenForm()
    listed = user.tokens.filter(withdrawn_at=None).order_by("-made_at", "-pk")
    return render(
        request, "accounts/tokens.html", {"form": form, "tokens": listed, "secret": secret, "now": timezone.now()}
    )


@require_POST
@role_required()
def withdraw(request: HttpRequest, token: int) -> HttpResponse:
    """Ends a token of one's own."""
    found = get_object_or_404(person_of(request).tokens, pk=token)
    with transaction.atomic():
        if person_of(request).tokens.filter(pk=found.pk, withdrawn_at=None).update(withdrawn_at=timezone.now()):
            audit.note(request, "token.withdrawn", str(found.pk), name=found.name)
    messages.success(request, _("The token is withdrawn; programs that carry it are no longer let in."))
    return redirect("tokens")
