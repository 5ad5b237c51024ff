"""Why what was decided in a project mends a data set, in words that may be published: nobody's name, nobody's note."""

from __future__ import annotations

from foveate.app.adjudicate.models import Suspicion
from foveate.app.annotate.models import Project
from foveate.app.annotate.services.standing import all_standing

# In English, as all that is in a release.
_HOW = {
    "picked": "drawn anew, one drawing picked",
    "mended": "drawn anew, and mended",
    "rejected": "drawn anew, no one region",
    "given": "drawn anew, and the old target picked",
}


def reasons_of(project: Project) -> dict[str, str]:
    """Returns why each decided task of a project mends something, by the sample's id."""
    audited = dict(Suspicion.objects.filter(task__project=project).values_list("task_id", "why"))
    return {
        one.task.key: "; ".join(filter(None, (_HOW[one.how], _of_audit(audited.get(one.task_id)))))
        for one in all_standing(project).select_related("task")
    }


def _of_audit(why: str | None) -> str:
    if why is None:
        return ""
    return f"the audit said: {why}" if why else "found by the audit"
