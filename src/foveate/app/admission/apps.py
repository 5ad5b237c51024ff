"""What Django does with this app when it starts."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AdmissionConfig(AppConfig):
    """Requirements, qualification by gold questions, trial tasks, and who is admitted."""

    name = "foveate.app.admission"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Puts this app's functions and links into the doors of Annotate (`design/quality.md`)."""
        from foveate.app.accounts import own_data
        from foveate.app.admission.services import judging, offers, people, telling
        from foveate.app.annotate import links, parts
        from foveate.app.annotate.services import hooks
        from foveate.app.annotate.waiting import WAITING, Waiting

        hooks.BEFORE_TAKING.append(judging.before_taking)
        hooks.AFTER_TAKING.append(judging.after_taking)
        hooks.NEXT_PAGE.append(judging.next_page)
        hooks.GOLD_FIXED.append(judging.gold_fixed)
        links.PROJECT.append(
            links.ProjectLink("admission:people", _("Admission"), telling.may_have_one, group="people")
        )
        parts.PART_OF.append(telling.parts)
        # A candidate waits for a person: that is told first.
        WAITING.insert(0, Waiting("admission:people", telling.to_decide, telling.so_many_to_decide))
        links.TASK_NOTE.append(telling.attempts)
        links.MINE.append(links.ProjectLink("admission:mine", _("Where I stand"), offers.is_in_it))
        links.OPEN_TO_APPLY.append(offers.offers)
        own_data.MORE.append(people.held_about)
        own_data.LEAVING.append(people.forget)
