"""Django's admin of challenges, to look and not to touch."""

from __future__ import annotations

from django.contrib import admin

from foveate.app.accounts.admin import ReadOnly
from foveate.app.challenges import admin_entries as admin_entries  # Registered by being imported.
from foveate.app.challenges import admin_teams as admin_teams
from foveate.app.challenges.models import Challenge, Loaded, Phase, ReferenceRow


@admin.register(Challenge)
class ChallengeAdmin(ReadOnly):
    """Challenges."""

    list_display = ("slug", "title", "published", "folder", "loaded_at")
    search_fields = ("slug", "title")


@admin.register(Loaded)
class LoadedAdmin(ReadOnly):
    """Loadings of folders."""

    list_display = ("challenge", "at", "by")
    list_select_related = ("challenge", "by")


@admin.register(Phase)
class PhaseAdmin(ReadOnly):
    """Phases."""

    list_display = ("challenge", "name", "kind", "start", "end", "frozen_at", "removed")
    list_filter = ("kind", "removed")
    list_select_related = ("challenge",)


@admin.register(ReferenceRow)
class ReferenceRowAdmin(ReadOnly):
    """Rows of boards that are no team's."""

    list_display = ("phase", "name", "published")
    list_select_related = ("phase",)
