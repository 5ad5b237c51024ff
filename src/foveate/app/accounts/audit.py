"""The log of what was done: one function writes it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from foveate.app.accounts.models import AuditEvent, User


def note(
    request: HttpRequest | None, action: str, about: str = "", *, actor: User | None = None, **details: Any
) -> None:
    """Adds a row to the audit log.

    Args:
        request: What was asked; None where the command line did it.
        action: What was done, as `noun.verb`: `project.opened`, `account.signed_in`.
        about: What it was done to.
        actor: Who did it, where that is not the person of the request.
        details: What else is to be known; no secret, token or password.
    """
    user = actor or (request.user if request is not None and request.user.is_authenticated else None)
    address = request.META.get("REMOTE_ADDR") or None if request is not None else None
    AuditEvent.objects.create(actor=user, action=action, about=about, details=details, address=address)
