"""What Django does with this app when it starts."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TalkConfig(AppConfig):
    """Tricky cases, and questions between annotators and organisers."""

    name = "foveate.app.talk"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Puts this app's functions and links into the doors of Annotate (`design/quality.md`)."""
        from foveate.app.accounts import own_data
        from foveate.app.annotate import links
        from foveate.app.annotate.links import PersonLink, ProjectLink, SentLink
        from foveate.app.annotate.services import hooks
        from foveate.app.annotate.waiting import WAITING, Waiting
        from foveate.app.talk import cases, own, threads

        hooks.GOLD_FIXED.append(cases.gold_fixed)
        own_data.MORE.append(own.held_about)
        own_data.LEAVING.append(threads.forget)
        WAITING.append(Waiting("talk:project_questions", threads.unread, threads.so_many_unread, closed=True))
        links.PROJECT += [
            ProjectLink("talk:cases", _("Tricky cases"), group="people"),
            ProjectLink("talk:project_questions", _("Questions"), new=threads.unseen_by_organisers, group="people"),
        ]
        links.MINE += [
            ProjectLink("talk:cases", _("Tricky cases"), new=cases.new_cases),
            ProjectLink("talk:project_questions", _("Questions"), new=threads.unseen_by_annotator),
        ]
        links.TASK += [
            ProjectLink("talk:cases", _("Tricky cases"), new=cases.new_cases),
            ProjectLink("talk:ask", _("Ask the organiser")),
        ]
        links.PERSON.append(PersonLink("talk:write_to", _("Write to them")))
        links.SENT.append(SentLink("talk:write_about", _("Write to its annotator")))
