"""What Django does with this app when it starts."""

from __future__ import annotations

from django.apps import AppConfig


class RoundsConfig(AppConfig):
    """The rounds of screening in which people look at what the rules left."""

    name = "foveate.app.rounds"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Puts what this app holds about a person into their own data (`design/quality.md`), and says who reviews."""
        from foveate.app.accounts import own_data
        from foveate.app.frame import nav
        from foveate.app.rounds.marking import has_rounds
        from foveate.app.rounds.own import held_about

        own_data.MORE.append(held_about)
        nav.OF_USE["rounds:screenings"] = has_rounds
