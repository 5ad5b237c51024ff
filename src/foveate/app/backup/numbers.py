"""The numbers that rows get after a restore: none that a row had before it, and that an open page may still name."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.db.models import AutoField, BigAutoField, Model

# A backup may be restored on another machine, which does not know how far the numbers had come after it was made.
GAP = 1_000_000


def go_on(cursor: Any, model: type[Model]) -> None:
    """Lets the numbers of a table go on behind its rows and behind all that it has given before, and a gap.

    On PostgreSQL this outlives a transaction that is undone, and does no harm: numbers are only left out.
    """
    key = model._meta.pk
    if not isinstance(key, AutoField | BigAutoField):
        return
    # Django's own small tables have numbers of 32 bits, which no page names.
    gap = GAP if isinstance(key, BigAutoField) else 0
    table, column = model._meta.db_table, str(key.column)
    if connection.vendor == "postgresql":
        _on_postgresql(cursor, table, column, gap)
    else:
        _on_sqlite(cursor, table, gap)


def _on_postgresql(cursor: Any, table: str, column: str, gap: int) -> None:
    quoted = connection.ops.quote_name
    cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [quoted(table), column])
    sequence = cursor.fetchone()[0]
    before = f"(SELECT last_value FROM {sequence})"
    restored = f"(SELECT COALESCE(MAX({quoted(column)}), 0) FROM {quoted(table)})"
    cursor.execute(f"SELECT setval(%s, GREATEST({before}, {restored}) + %s)", [sequence, gap])


def _on_sqlite(cursor: Any, table: str, gap: int) -> None:
    # It keeps the greatest number that a table ever had, if it ever had a row.
    cursor.execute("UPDATE sqlite_sequence SET seq = seq + %s WHERE name = %s", [gap, table])
    if cursor.rowcount == 0:
        cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, gap])
