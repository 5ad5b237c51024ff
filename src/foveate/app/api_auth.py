"""Who asks the API: somebody signed in, or a program with a person's token."""

from __future__ import annotations

from django.http import HttpRequest
from ninja.errors import AuthenticationError
from ninja.security import APIKeyCookie, HttpBearer

from foveate.app.accounts.models import User
from foveate.app.accounts.tokens import user_of
from foveate.app.limits import Limit, address

# Tokens cannot be guessed; whoever tries anyway keeps the database busy.
_WRONG = Limit("60/60")


class Token(HttpBearer):
    """`Authorization: Bearer fov_…`; needs no CSRF token, since no browser sends it by itself."""

    def authenticate(self, request: HttpRequest, token: str) -> User:
        """Returns whose token it is.

        Raises:
            AuthenticationError: Nobody's; a session beside it does not count, so that the fault is seen.
        """
        user = user_of(token)
        if user is None:
            _WRONG.check(address(request))
            raise AuthenticationError
        request.user = user
        return user


class Session(APIKeyCookie):
    """The cookie of somebody signed in; requests that change something need a CSRF token too."""

    param_name = "sessionid"

    def __call__(self, request: HttpRequest) -> User | None:
        """Returns who it is; who is nobody need not be asked for a CSRF token."""
        return super().__call__(request) if request.user.is_authenticated else None

    def authenticate(self, request: HttpRequest, key: str | None) -> User | None:
        """Returns who is signed in."""
        return request.user if request.user.is_authenticated else None


AUTH = [Token(), Session()]
