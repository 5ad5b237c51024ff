from __future__ import annotations

import pytest
from django.db import connection
from django.db.utils import OperationalError
from django.test import Client

from foveate.app import health
from foveate.app.accounts.models import User

WELL = {"database": "ok", "migrations": "ok", "disk": "ok"}


def test_all_is_well(db: None) -> None:
    response = Client().get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "ok", "checks": WELL})
    assert "no-store" in response.headers["Cache-Control"]


def test_a_migration_that_is_missing(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'accounts'")
    response = Client().get("/healthz")
    assert response.status_code == 503
    assert response.json() == {"status": "failing", "checks": {**WELL, "migrations": "failing"}}


def test_a_disk_that_cannot_be_written(db: None, monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    from dataclasses import replace

    from django.conf import settings

    monkeypatch.setattr(settings, "CONFIG", replace(settings.CONFIG, folder=settings.CONFIG.folder / "not" / "there"))
    response = Client().get("/healthz")
    assert response.status_code == 503
    assert response.json()["checks"]["disk"] == "failing"


def test_a_database_that_does_not_answer_is_told_without_a_reason(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> bool:
        raise OperationalError("password authentication failed for user fritz")

    monkeypatch.setitem(health.CHECKS, "database", fail)
    response = Client().get("/healthz")
    assert response.status_code == 503
    assert response.json() == {"status": "failing", "checks": {**WELL, "database": "failing"}}
    assert "fritz" not in response.content.decode()


def test_nothing_is_left_on_the_disk(admin: User) -> None:
    from django.conf import settings

    before = sorted(settings.CONFIG.folder.iterdir())
    Client().get("/healthz")
    assert sorted(settings.CONFIG.folder.iterdir()) == before
