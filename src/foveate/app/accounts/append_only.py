"""Triggers by which the database itself refuses to change, delete or empty the audit log, whoever asks it."""

from __future__ import annotations

from django.db.backends.base.base import BaseDatabaseWrapper

_TABLE = "accounts_auditevent"
_WHY = "the audit log is only ever added to"
_SQLITE = [
    f"CREATE TRIGGER {_TABLE}_no_{verb.lower()} BEFORE {verb} ON {_TABLE} BEGIN SELECT RAISE(ABORT, '{_WHY}'); END"
    for verb in ("UPDATE", "DELETE")
]
_POSTGRESQL = [
    f"CREATE OR REPLACE FUNCTION {_TABLE}_refuse() RETURNS trigger LANGUAGE plpgsql AS "
    f"$$ BEGIN RAISE EXCEPTION '{_WHY}' USING ERRCODE = 'integrity_constraint_violation'; END $$",
    f"CREATE TRIGGER {_TABLE}_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON {_TABLE} "
    f"FOR EACH STATEMENT EXECUTE FUNCTION {_TABLE}_refuse()",
]
_LIFT = {
    "sqlite": [f"DROP TRIGGER IF EXISTS {_TABLE}_no_{verb}" for verb in ("update", "delete")],
    "postgresql": [f"DROP TRIGGER IF EXISTS {_TABLE}_no_change ON {_TABLE}"],
}


def protect(connection: BaseDatabaseWrapper) -> None:
    """Sets the triggers."""
    _run(connection, _SQLITE if connection.vendor == "sqlite" else _POSTGRESQL)


def lift(connection: BaseDatabaseWrapper) -> None:
    """Takes them away; only within a transaction that sets them again, or to undo the migration."""
    _run(connection, _LIFT[connection.vendor])


def _run(connection: BaseDatabaseWrapper, statements: list[str]) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
