"""The four roles. A person may have several; an admin has all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from foveate.app.accounts.models import User

Role = Literal["admin", "organiser", "annotator", "participant"]
ROLES: tuple[Role, ...] = get_args(Role)
# The names of Django's groups; an admin is a superuser.
GROUPS = tuple(role for role in ROLES if role != "admin")


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
