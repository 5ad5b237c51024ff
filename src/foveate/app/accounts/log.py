"""The audit log as it is read: filtered, and as CSV."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils import timezone

from foveate.app.accounts.models import AuditEvent, User
from foveate.formats.csv_cells import safe_cell

COLUMNS = ("at", "actor", "action", "about", "address", "details")


def filtered(
    *, action: str = "", actor: str = "", since: date | None = None, until: date | None = None
) -> QuerySet[AuditEvent]:
    """Returns rows of the log, newest first; the two days are included, in the time zone of who reads."""
    rows = AuditEvent.objects.select_related("actor").order_by("-at", "-pk")
    if action:
        rows = rows.filter(action=action)
    if actor:
        rows = rows.filter(Q(actor__username__icontains=actor) | Q(actor__display_name__icontains=actor))
    if since is not None:
        rows = rows.filter(at__gte=_midnight(since))
    if until is not None and until < date.max:
        rows = rows.filter(at__lt=_midnight(until + timedelta(days=1)))
    return rows


def actions() -> list[str]:
    """Returns every action that the log has, in order."""
    return list(AuditEvent.objects.order_by("action").values_list("action", flat=True).distinct())


def names_of(rows: Iterable[AuditEvent]) -> dict[str, str]:
    """Returns the names of the accounts that some rows are about, by what the rows call them: their pseudonyms."""
    known = User.objects.filter(pseudonym__in={row.about for row in rows if _is_pseudonym(row.about)})
    return {str(user.pseudonym): user.username for user in known}


def as_csv(rows: QuerySet[AuditEvent]) -> Iterator[str]:
    """Yields the lines of a CSV file, times in UTC; what a spreadsheet would take for a formula gets an apostrophe."""
    writer = csv.writer(_Echo())
    yield writer.writerow(COLUMNS)
    for row in rows.iterator(chunk_size=2000):
        cells: list[Any] = [
            row.at.astimezone(UTC).isoformat(),
            row.actor.username if row.actor else "",
            row.action,
            row.about,
            row.address or "",
            json.dumps(row.details, ensure_ascii=False),
        ]
        yield writer.writerow(map(safe_cell, cells))


class _Echo:
    """A file that gives back what is written, so that a log of any length is sent line by line."""

    def write(self, line: str) -> str:
        return line


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))


def _is_pseudonym(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False
