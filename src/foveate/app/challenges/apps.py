"""What Django does with this app when it starts."""

from __future__ import annotations

from django.apps import AppConfig


class ChallengesConfig(AppConfig):
    """Challenges: phases, teams, entries, scoring, leaderboards."""

    name = "foveate.app.challenges"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Puts the links of leaderboards into the row of every challenge."""
        from foveate.app.challenges.links import LINKS
        from foveate.app.challenges.views.board import links

        LINKS.append(links)
