"""What the server holds about a person, for that person; and how they leave."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone

from foveate.app.accounts import audit, people
from foveate.app.accounts.models import AuditEvent, User
from foveate.app.annotate.models import Assignment, DraftVersion, Submission

_SAID = (
    *("username", "display_name", "email", "theme", "timezone", "pseudonym"),
    *("date_joined", "last_login", "is_active", "deactivated_why"),
)


# What the apps that build on accounts hold about a person; each puts its own in when Django starts.
MORE: list[Callable[[User], dict[str, Iterable[Mapping[str, Any]]]]] = []
# What is done when a person leaves, in the same transaction, by the apps that build on accounts.
LEAVING: list[Callable[[User], None]] = []


def export(user: User) -> Iterator[str]:
    """Yields one JSON object, row by row, so that a person with many submissions fits too.

    Hashes of secrets are left out: they say nothing about a person.
    """
    yield '{"account": ' + _json(_account(user))
    tables = _tables(user)
    for more in MORE:
        tables |= more(user)
    for name, rows in tables.items():
        yield f', "{name}": ['
        for number, row in enumerate(rows):
            yield (", " if number else "") + _json(row)
        yield "]"
    yield "}\n"


@transaction.atomic
def leave(request: HttpRequest | None, user: User) -> None:
    """Makes an account nameless for good: what was submitted stays under the pseudonym, the audit log stays as it is.

    Raises:
        UsageError: It is the last admin's.
    """
    people.keep_an_admin(user)
    user.tokens.all().delete()
    user.groups.clear()
    user.user_permissions.clear()
    user.projects.clear()
    for forget in LEAVING:
        forget(user)
    user.username = f"{people.DELETED}{user.pseudonym}"
    user.display_name = user.email = user.timezone = user.deactivated_why = ""
    user.theme = "auto"
    user.is_active = user.is_staff = user.is_superuser = False
    user.last_login, user.deleted_at = None, timezone.now()
    user.set_unusable_password()
    user.save()
    audit.note(request, "account.deleted", str(user.pseudonym), actor=user)


def _account(user: User) -> dict[str, Any]:
    said = {name: getattr(user, name) for name in _SAID}
    return {**said, "roles": sorted(people.own_roles(user))}


def _tables(user: User) -> dict[str, Iterable[Mapping[str, Any]]]:
    mine = {"assignment__annotator": user}
    return {
        "tokens": user.tokens.order_by("pk")
        .values("name", "prefix", "made_at", "expires_at", "used_at", "withdrawn_at")
        .iterator(),
        "invitations": user.invitations.order_by("pk")
        .values(
            "role", "note", "project__slug", "challenge__slug", "made_at", "expires_at", "uses_left", "withdrawn_at"
        )
        .iterator(),
        "projects": user.projects.order_by("slug").values("slug", "title").iterator(),
        "assignments": Assignment.objects.filter(annotator=user)
        .order_by("pk")
        .values("id", "task__project__slug", "task__key", "stage", "state", "why", "leased_at", "leased_until")
        .iterator(),
        "drafts": DraftVersion.objects.filter(**mine)
        .order_by("assignment", "version")
        .values("assignment_id", "version", "work", "saved_at")
        .iterator(),
        "submissions": Submission.objects.filter(**mine)
        .order_by("pk")
        .values("assignment_id", "key", "work", "seconds", "sent_at")
        .iterator(),
        "audit": _audit(user),
    }


def _audit(user: User) -> Iterator[Mapping[str, Any]]:
    events = AuditEvent.objects.filter(Q(actor=user) | Q(about=str(user.pseudonym))).order_by("pk")
    for row in events.values("at", "action", "about", "details", "address", "actor").iterator():
        # Where somebody else did it the address is theirs. Nobody known are those who try to sign in as this person.
        own = row["actor"] in (None, user.pk)
        told = {name: value for name, value in row.items() if name != "actor"}
        yield told if own else {**told, "address": None}


def _json(value: Any) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)
