"""How pages look to a person: kept in their account, or in a cookie where nobody is signed in."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from foveate.app.accounts.models import User

COOKIE = "foveate_theme"
THEMES = tuple(name for name, _label in User.THEMES)
YEAR = 365 * 24 * 60 * 60


def cookie_theme(request: HttpRequest) -> str:
    """Returns the theme of the browser, whoever uses it."""
    return _known(request.COOKIES.get(COOKIE, ""))


def theme_of(request: HttpRequest) -> str:
    """Returns the theme in which a request's page is drawn."""
    user = getattr(request, "user", None)
    return _known(user.theme) if isinstance(user, User) else cookie_theme(request)


@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Keeps the theme `theme` and goes back to the page `next`; a theme that is none is the device's own."""
    theme = _known(request.POST.get("theme", ""))
    if isinstance(request.user, User):
        User.objects.filter(pk=request.user.pk).update(theme=theme)
    response = HttpResponseRedirect(_page_before(request))
    # The cookie too, so that the page after signing out looks the same.
    response.set_cookie(COOKIE, theme, max_age=YEAR, samesite="Lax", httponly=True, secure=request.is_secure())
    return response


def _known(theme: str) -> str:
    return theme if theme in THEMES else "auto"


def _page_before(request: HttpRequest) -> str:
    wanted = request.POST.get("next", "")
    ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return wanted if ours else reverse("home")
