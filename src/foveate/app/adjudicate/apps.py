"""What Django does with this app when it starts."""

from __future__ import annotations

from django.apps import AppConfig


class AdjudicateConfig(AppConfig):
    """How alike submissions are, and the page on which one region is chosen."""

    name = "foveate.app.adjudicate"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Puts this app's functions and links into the doors of Annotate (`design/quality.md`)."""
