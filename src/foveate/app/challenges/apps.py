"""What Django does with this app when it starts."""

from __future__ import annotations

from django.apps import AppConfig


class ChallengesConfig(AppConfig):
    """Challenges: phases, teams, entries, scoring, leaderboards."""

    name = "foveate.app.challenges"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Puts this app's parts into the doors of the others (`design/challenges.md`)."""
        from foveate.app.accounts import own_data
        from foveate.app.challenges import entry_doors, team_doors
        from foveate.app.challenges.links import LINKS
        from foveate.app.challenges.services import own_organised
        from foveate.app.challenges.services.own_links import own_links
        from foveate.app.challenges.services.staging import MOST_BYTES
        from foveate.app.challenges.views import board
        from foveate.app.middleware.larger import LARGER

        LINKS.extend((own_links, board.links))
        own_data.MORE.append(own_organised.held_about)
        own_data.LEAVING.append(own_organised.leave)
        # The form around the file needs a little too.
        LARGER["challenges:load"] = MOST_BYTES + 64 * 1024
        entry_doors.open_doors()
        team_doors.open_doors()
