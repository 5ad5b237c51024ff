"""Django's admin of teams, to look and not to touch: what is done to them is done on their pages, and noted."""

from __future__ import annotations

from django.contrib import admin

from foveate.app.accounts.admin import ReadOnly
from foveate.app.challenges.models import Membership, Participant, Team


@admin.register(Team)
class TeamAdmin(ReadOnly):
    """Teams."""

    list_display = ("name", "alias", "challenge", "made_at", "disqualified_at")
    list_select_related = ("challenge",)
    search_fields = ("name", "alias")


@admin.register(Membership)
class MembershipAdmin(ReadOnly):
    """Who is and was in which team."""

    list_display = ("person", "team", "captain", "joined_at", "left_at")
    list_select_related = ("person", "team")


@admin.register(Participant)
class ParticipantAdmin(ReadOnly):
    """Who takes part, and which rules they accepted."""

    list_display = ("person", "challenge", "invited_at", "joined_at", "rules_digest")
    list_select_related = ("person", "challenge")
