"""What Django does with this app when it starts."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReviewConfig(AppConfig):
    """Checks of the work: flags, inspections, and a page for each annotator."""

    name = "foveate.app.review"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Puts this app's functions and links into the doors of Annotate (`design/quality.md`)."""
        from foveate.app.accounts import own_data
        from foveate.app.annotate import links
        from foveate.app.annotate.services import hooks
        from foveate.app.annotate.waiting import WAITING, Waiting
        from foveate.app.review import own
        from foveate.app.review.services import looks, pauses, waiting

        hooks.HELD.append(pauses.held)
        hooks.NOT_COUNTED.append(looks.not_counted)
        links.PROJECT.append(links.ProjectLink("review:queue", _("Checks"), group="quality", parts=("trial",)))
        links.PROJECT.append(
            links.ProjectLink(
                "review:gold",
                _("Gold questions"),
                lambda _who, project: project.kind != "box_collection",
                group="quality",
                parts=(),
            )
        )
        WAITING.append(
            Waiting("review:queue", waiting.flagged_batches, waiting.so_many_flagged, parts=("trial",)),
        )
        links.PERSON_PAGE.append("review:annotator")
        own_data.MORE.append(own.tables)
        own_data.LEAVING.append(own.leave)
