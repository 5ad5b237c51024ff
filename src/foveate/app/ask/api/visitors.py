"""Who asks: somebody with a token, somebody signed in, or whoever may."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpRequest

from foveate.app.api_auth import AUTH
from foveate.app.ask.services import access

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from foveate.app.accounts.models import User


def visitor(request: HttpRequest) -> User | AnonymousUser:
    """Returns who asks, whoever it is: the last of the ways to be let in, for those without token and session.

    Raises:
        RefusedError: They may not ask here.
    """
    access.check(request)
    return request.user


AUTH_OR_NOBODY = [*AUTH, visitor]
