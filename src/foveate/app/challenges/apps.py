"""What Django does with this app when it starts."""

from __future__ import annotations

from django.apps import AppConfig


class ChallengesConfig(AppConfig):
    """Challenges: phases, teams, entries, scoring, leaderboards."""

    name = "foveate.app.challenges"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Puts this app's parts into the doors of the others."""
        from foveate.app.challenges import team_doors

        team_doors.open_doors()
