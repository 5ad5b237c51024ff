"""What Django does with this app when it starts."""

from __future__ import annotations

from django.apps import AppConfig


class AskConfig(AppConfig):
    """Asking about photos."""

    name = "foveate.app.ask"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Puts this app's parts into the doors of the others (`design/assist.md`)."""
        from foveate.app.accounts import own_data
        from foveate.app.ask import doors
        from foveate.app.ask.services import keeping, photos
        from foveate.app.backup import NAMED
        from foveate.app.middleware.larger import LARGER

        own_data.MORE.append(keeping.held_about)
        own_data.LEAVING.append(keeping.forget_all)
        # A photo whose row is gone, or never came, is nothing that somebody keeps.
        NAMED[keeping.FOLDER] = keeping.named
        # The form around a file needs a little too; as base64 it takes a third more.
        LARGER["api:ask_bring"] = LARGER["api:ask_question"] = photos.most_bytes() * 4 // 3 + 64 * 1024
        doors.open_doors()
