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
        from foveate.app.adjudicate.services import compare, suspicion, waiting
        from foveate.app.annotate import links
        from foveate.app.annotate.services import hooks
        from foveate.app.annotate.waiting import WAITING, Waiting

        hooks.AFTER_TAKING.append(compare.taken_in)
        hooks.MADE_OF_SUSPECTS.append(suspicion.keep)
        hooks.COUNTED_ANEW.append(compare.compare_anew)
        own_data.MORE.append(decisions_of)
        agreement = links.ProjectLink("adjudicate:agreement", _("Agreement"), group="quality", parts=("trial",))
        # Of a qualification or a trial nothing is decided for: its tasks are there to see how people work.
        links.PROJECT += [agreement, links.ProjectLink("adjudicate:queue", _("Adjudicate"), group="quality", parts=())]
        counted, said = waiting.to_adjudicate, waiting.so_many_tasks
        WAITING.append(Waiting("adjudicate:queue", counted, said, act=_("Adjudicate"), parts=()))
        # Other parts write decisions too (gold that is given): whoever does, the queue knows.
        post_save.connect(compare.decided, sender="annotate.Adjudication", dispatch_uid="adjudicate.decided")
