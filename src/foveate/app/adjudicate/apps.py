"""What Django does with this app when it starts."""

from __future__ import annotations

from django.apps import AppConfig
from django.db.models.signals import post_save
from django.utils.translation import gettext_lazy as _


class AdjudicateConfig(AppConfig):
    """How alike submissions are, and the page on which one region is chosen."""

    name = "foveate.app.adjudicate"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Puts this app's functions and links into the doors of Annotate (`design/quality.md`)."""
        from foveate.app.accounts import own_data
        from foveate.app.adjudicate.own_data import decisions_of
        from foveate.app.adjudicate.services import compare
        from foveate.app.annotate import links
        from foveate.app.annotate.services import hooks

        hooks.AFTER_TAKING.append(compare.taken_in)
        hooks.COUNTED_ANEW.append(compare.counted_anew)
        own_data.MORE.append(decisions_of)
        links.PROJECT.append(links.ProjectLink("adjudicate:agreement", _("Agreement")))
        links.PROJECT.append(links.ProjectLink("adjudicate:queue", _("Adjudicate")))
        # Other parts write decisions too (gold that is given): whoever does, the queue knows.
        post_save.connect(compare.decided, sender="annotate.Adjudication", dispatch_uid="adjudicate.decided")
