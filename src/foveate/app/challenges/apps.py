"""What Django does with this app when it starts."""

from __future__ import annotations

from django.apps import AppConfig


class ChallengesConfig(AppConfig):
    """Challenges: phases, teams, entries, scoring, leaderboards."""

    name = "foveate.app.challenges"
    default_auto_field = "django.db.models.BigAutoField"
