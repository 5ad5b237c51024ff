"""What Django does with this app when it starts."""

from __future__ import annotations

from django.apps import AppConfig


class RoundsConfig(AppConfig):
    """The rounds of screening in which people look at what the rules left."""

    name = "foveate.app.rounds"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Puts this app's functions and links into the doors of Annotate (`design/quality.md`)."""
