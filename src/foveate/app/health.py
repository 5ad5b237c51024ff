"""Whether the server can do its work; asked by whatever watches over it, without signing in."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from uuid import uuid4

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from foveate.app.database import unapplied

_LOG = logging.getLogger("foveate.health")


def _database() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return True


def _migrations() -> bool:
    return not unapplied()


def _disk() -> bool:
    """A full disk lets an empty file be made, so that something is written."""
    path = settings.CONFIG.folder / f".health.{uuid4().hex}"
    try:
        return path.write_bytes(bytes(4096)) == 4096
    finally:
        with suppress(OSError):
            path.unlink()


CHECKS: dict[str, Callable[[], bool]] = {"database": _database, "migrations": _migrations, "disk": _disk}


@require_safe
@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    """Says for the database, its migrations and the disk whether they are well; 503 where one is not, and no reason."""
    found = {name: "ok" if _is_well(name) else "failing" for name in CHECKS}
    well = set(found.values()) == {"ok"}
    return JsonResponse({"status": "ok" if well else "failing", "checks": found}, status=200 if well else 503)


def _is_well(name: str) -> bool:
    try:
        return CHECKS[name]()
    except Exception:
        # Why is for the log, not for whoever asks.
        _LOG.exception("health: %s", name)
        return False
