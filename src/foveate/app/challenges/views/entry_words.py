"""How states, stages, costs and problems of entries are said on pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from foveate.app.challenges.models import Entry
from foveate.challenges.quotas import UNDER_WAY

COSTS: dict[str, Promise] = {
    "valid": _lazy("It counts against the limits of valid entries and of all entries."),
    "all": _lazy("It counts against the limit of all entries only, since it failed."),
    "nothing": _lazy("It costs nothing of the limits."),
}
_BADGES = {"scored": "success", "refused": "error", "failed": "error", "lost": "warning", "withdrawn": ""}
_STAGES: dict[str, Promise] = {
    "checking": _lazy("The file is being checked."),
    "scoring": _lazy("The entry is being scored."),
    "running": _lazy("The container is running."),
}


def badge_of(state: str) -> str:
    """Returns the class of the badge that a state has."""
    return _BADGES.get(state, "info")


def stage_said(stage: str, state: str) -> str:
    """Returns a sentence for what is being done with an entry; empty where nothing is."""
    if state not in UNDER_WAY:
        return ""
    return str(_STAGES.get(stage, _STAGES.get(state, "")))


def _without_place(problem: Mapping[str, Any]) -> str:
    """Returns a problem's sentence without the file and row that it begins with: the table has a column for these."""
    said, file, row = (str(problem.get(name) or "") for name in ("said", "file", "row"))
    return said.removeprefix(f"{file}, {row}: " if row else f"{file}: ")


def problems_of(entry: Entry) -> list[dict[str, Any]]:
    """Returns what the check found, as rows of a table: where, what, and what to do."""
    return [
        {
            "where": ", ".join(str(one[name]) for name in ("row", "field") if one.get(name) not in (None, ""))
            or _("the file"),
            "said": _without_place(one),
            "remedy": one.get("remedy", ""),
        }
        for one in entry.problems
        if isinstance(one, dict)
    ]


def words() -> dict[str, str]:
    """Returns what the script says that sends a file."""
    return {
        "sent": _("{percent} % are sent"),
        "waiting": _("No answer. It is tried again in {seconds} s"),
        "paused": _("Paused"),
        "goes_on": _("It goes on"),
        "pause": _("Pause"),
        "go_on": _("Go on"),
        "dropped": _("The upload is given up"),
        "kept": _("You had begun to send {name}. Choose the same file again, and it goes on where it stopped."),
    }
