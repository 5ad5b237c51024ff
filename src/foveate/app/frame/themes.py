"""How pages look to a person: kept in their account, or in a cookie where nobody is signed in."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from foveate.app.accounts.models import User
from foveate.app.frame.errors import problem

COOKIE = "foveate_theme"
THEMES = tuple(name for name, _label in User.THEMES)
YEAR = 365 * 24 * 60 * 60


def theme_of(request: HttpRequest) -> str:
    """Returns the theme in which a request's page is drawn."""
    user = getattr(request, "user", None)
    chosen = user.theme if isinstance(user, User) else request.COOKIES.get(COOKIE, "")
    return chosen if chosen in THEMES else "auto"


@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Keeps the theme `theme` and goes back to the page `next`."""
    theme = request.POST.get("theme", "")
    if theme not in THEMES:
        return problem(request, 400, _("There is no appearance of that name."))
    if isinstance(request.user, User):
        User.objects.filter(pk=request.user.pk).update(theme=theme)
    response = HttpResponseRedirect(_page_before(request))
    # The cookie too, so that the page after signing out looks the same.
    response.set_cookie(COOKIE, theme, max_age=YEAR, samesite="Lax", httponly=True, secure=request.is_secure())
    return response


def _page_before(request: HttpRequest) -> str:
    wanted = request.POST.get("next", "")
    ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return wanted if ours else reverse("home")
