"""What every template knows about who looks at it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from foveate.app.accounts.roles import roles_of


def people(request: HttpRequest) -> dict[str, Any]:
    """Returns `roles`, asked of the database once a page, and only where a template uses it."""
    user = getattr(request, "user", None)
    return {"roles": SimpleLazyObject(lambda: roles_of(user)) if user is not None else frozenset()}
