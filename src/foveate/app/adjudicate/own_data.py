"""What this app's pages have made a person write: the decisions, for whoever decided."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from foveate.app.accounts.models import User
from foveate.app.annotate.models import Adjudication


def decisions_of(user: User) -> dict[str, Iterable[Mapping[str, Any]]]:
    """Returns the decisions of a person."""
    rows = Adjudication.objects.filter(decided_by=user).order_by("pk")
    fields = ("task__project__slug", "task__key", "how", "work", "picked_id", "rule", "note", "decided_at")
    return {"adjudications": rows.values(*fields).iterator()}
