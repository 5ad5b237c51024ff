"""The first page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from foveate.app.accounts.models import User
from foveate.app.frame import nav
from foveate.app.frame.home import what_is_there


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Shows what there is to do; to somebody who is not signed in, what this is."""
    if not isinstance(request.user, User):
        return render(request, "frame/welcome.html", {"asks": _asks(request)})
    return render(request, "frame/home.html", {"home": what_is_there(request.user), "asks": _asks(request)})


def _asks(request: HttpRequest) -> bool:
    return "ask:ask" in nav.SHOWN and nav.shown(request, "ask:ask")
