"""The four roles. A person may have several; an admin has all."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, Literal, get_args

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseBase

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from foveate.app.accounts.models import User

Role = Literal["admin", "organiser", "annotator", "participant"]
ROLES: tuple[Role, ...] = get_args(Role)
# The names of Django's groups; an admin is a superuser.
GROUPS: tuple[Role, ...] = tuple(role for role in ROLES if role != "admin")

View = Callable[..., HttpResponseBase]


def roles_of(user: User | AnonymousUser) -> frozenset[str]:
    """Returns the roles of a person; none of somebody who is not signed in or was deactivated."""
    if not user.is_authenticated or not user.is_active:
        return frozenset()
    if user.is_superuser:
        return frozenset(ROLES)
    return frozenset(user.groups.filter(name__in=GROUPS).values_list("name", flat=True))


def has_role(user: User | AnonymousUser, role: Role) -> bool:
    """Returns whether a person has a role."""
    return role in roles_of(user)


def role_required(*roles: Role, secret: bool = False) -> Callable[[View], View]:
    """Returns a decorator of views that lets in whoever has one of some roles.

    Somebody who is not signed in is asked to sign in first, and comes back.

    Args:
        roles: Any of these is enough; none means that signing in is.
        secret: Whether others may not even know that the page exists: 404 instead of 403.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if roles and not roles_of(request.user).intersection(roles):
                if secret:
                    raise Http404
                raise PermissionDenied
            return view(request, *args, **kwargs)

        return login_required(guarded)

    return decorate


def person_of(request: HttpRequest) -> User:
    """Returns who is signed in, in a view that has asked for that."""
    if not request.user.is_authenticated:
        raise PermissionDenied
    return request.user


def own_number(request: HttpRequest) -> str | None:
    """Returns whose request it is, to count by; None where nobody is signed in."""
    return str(request.user.pk) if request.user.is_authenticated else None
