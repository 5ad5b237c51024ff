"""What Django does with this app when it starts."""

from __future__ import annotations

from django.apps import AppConfig


class AdmissionConfig(AppConfig):
    """Requirements, qualification by gold questions, trial tasks, and who is admitted."""

    name = "foveate.app.admission"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Puts this app's functions and links into the doors of Annotate (`design/quality.md`)."""
