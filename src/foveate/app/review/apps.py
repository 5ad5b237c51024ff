"""What Django does with this app when it starts."""

from __future__ import annotations

from django.apps import AppConfig


class ReviewConfig(AppConfig):
    """Checks of the work: flags, inspections, and a page for each annotator."""

    name = "foveate.app.review"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Puts this app's functions and links into the doors of Annotate (`design/quality.md`)."""
