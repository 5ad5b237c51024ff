"""What people keep of what they asked."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from foveate.app.ask.services import access, keeping
from foveate.app.ask.views._gate import SeeOther, asks, common, language, style_of

_A_PAGE = 12


@require_POST
@asks
def keep(request: HttpRequest, ticket: str) -> HttpResponse:
    """Keeps an answer with its photo; who has signed out meanwhile comes back to the answer, not to this address."""
    if not request.user.is_authenticated:
        return redirect_to_login(reverse("ask:answer", args=[ticket]))
    keeping.keep(request, ticket, style_of(request), language())
    messages.success(request, _("The photo and the answer are kept. Only you can see them."))
    return SeeOther(reverse("ask:kept"))


@require_safe
@login_required
def kept(request: HttpRequest) -> HttpResponse:
    """Shows what somebody keeps, the newest first; it stays theirs where nobody may ask any more."""
    page = Paginator(keeping.of(request), _A_PAGE).get_page(request.GET.get("page"))
    values = {"page_obj": page, "rows": page.object_list, "may_ask": access.may_ask(request)}
    return render(request, "ask/kept.html", {**values, **common()})


@require_POST
def remove(request: HttpRequest, number: UUID) -> HttpResponseBase:
    """Removes one of these with its photo."""
    if not request.user.is_authenticated:
        return redirect_to_login(reverse("ask:kept"))
    keeping.forget(request, number)
    messages.success(request, _("It is removed, with its photo."))
    return SeeOther(reverse("ask:kept"))
