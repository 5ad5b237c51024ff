"""Rows as JSON that both engines' values go through without loss."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.models import Field, JSONField, Model

# Who is signed in belongs to a running server, not to its data.
_LEFT_OUT = frozenset({"sessions.session"})
_CHUNK = 500


def tables() -> dict[str, type[Model]]:
    """Returns the models of all tables by name, those that only join two others too, in a stable order."""
    found = {model._meta.label_lower: model for model in apps.get_models(include_auto_created=True)}
    return {
        name: model
        for name, model in sorted(found.items())
        if model._meta.managed and not model._meta.proxy and name not in _LEFT_OUT
    }


def left_out() -> list[type[Model]]:
    """Returns the models whose rows are in no backup, and are emptied by a restore."""
    return [apps.get_model(name) for name in sorted(_LEFT_OUT)]


def columns(model: type[Model]) -> list[Field[Any, Any]]:
    """Returns the fields that are stored."""
    return [field for field in model._meta.local_concrete_fields if not field.generated]


def rows(model: type[Model]) -> Iterator[list[Any]]:
    """Yields the rows of a table in the order of their keys, a few at a time."""
    names = [field.attname for field in columns(model)]
    found = model._base_manager.order_by("pk").values_list(*names).iterator(chunk_size=_CHUNK)
    yield from map(list, found)


def line(values: Any) -> bytes:
    """Returns values as one line of JSON; times keep their microseconds."""
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"), default=_plain).encode() + b"\n"


def _plain(value: Any) -> str:
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return str(value)
    if isinstance(value, Decimal | UUID):
        return str(value)
    if isinstance(value, bytes | memoryview):
        return b64encode(bytes(value)).decode()
    raise TypeError(f"a {type(value).__name__} has no form in a backup")


def stored(field: Field[Any, Any], value: Any) -> Any:
    """Returns what the database takes for a value of a backup."""
    if value is None and isinstance(field, JSONField) and not field.null:
        # JSON's null, which is not the absence of a value.
        return connection.ops.adapt_json_value(None, None)
    return field.get_db_prep_save(field.to_python(value), connection)


def migrations() -> list[str]:
    """Returns the names of the migrations that the database has."""
    return sorted(f"{app}.{name}" for app, name in MigrationLoader(connection).applied_migrations)
