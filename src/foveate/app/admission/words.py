"""The words that pages say for what the database keeps as codes."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

# On an annotator's first page.
OFFERED: dict[str, Promise] = {
    "open": _("You can apply."),
    "requirements": _("You have applied."),
    "qualification": _("You are in the qualification."),
    "trial": _("You are in the trial."),
    "waiting": _("Your trial is being looked at."),
    "refused": _("You were not admitted."),
    "failed": _("The qualification was not passed."),
}
TONES = {"admitted": "success", "refused": "error", "failed": "error", "waiting": "warning", "requirements": ""}
# Organisers only: a person is never told which it is.
FAULTS: dict[str, Promise] = {
    "several_questions": _("step 1"),
    "several_regions": _("step 2"),
    "outcome": _("region or none"),
    "region": _("region"),
}
REQUIREMENTS: dict[str, Promise] = {
    "tasks": _("Earlier tasks"),
    "share": _("Share of them accepted"),
    "region": _("Place"),
}
SOURCES: dict[str, Promise] = {
    "imported": _("imported"),
    "declared": _("said by themselves"),
    "unknown": _("not known"),
}
FUNNEL: dict[str, Promise] = {
    "applied": _("Applied"),
    "met_requirements": _("Met the requirements"),
    "passed_qualification": _("Passed the qualification"),
    "finished_trial": _("Finished the trial"),
    "admitted": _("Admitted"),
}
