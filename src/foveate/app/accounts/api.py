"""The API of accounts: who a program is."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest
from ninja import Router, Schema

from foveate.app.accounts.roles import person_of, roles_of

router = Router(tags=["accounts"])


class Me(Schema):
    """Who is asking."""

    name: str
    display_name: str
    pseudonym: UUID
    roles: list[str]


@router.get("/me", response=Me, summary="Who am I?", url_name="me")
def me(request: HttpRequest) -> Me:
    """Returns the account that a session or a token belongs to, and all that it may be."""
    user = person_of(request)
    return Me(name=user.username, display_name=user.shown_name, pseudonym=user.pseudonym, roles=sorted(roles_of(user)))
