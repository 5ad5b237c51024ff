"""What Django does with the accounts when it starts."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class AccountsConfig(AppConfig):
    """Accounts, with the groups that roles are in every database from its first migration on."""

    name = "foveate.app.accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Has the groups made after each migration, also of a database that was emptied."""
        post_migrate.connect(_make_groups, sender=self)


def _make_groups(using: str, **_: Any) -> None:
    from django.contrib.auth.models import Group

    from foveate.app.accounts.roles import GROUPS

    for name in GROUPS:
        Group.objects.using(using).get_or_create(name=name)
