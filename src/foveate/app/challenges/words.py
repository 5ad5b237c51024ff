"""How challenges are told to people: states, kinds, rules."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from foveate.challenges.definition import Limits, Phase

KINDS: dict[str, str | Promise] = {
    "practice": gettext_lazy("Practice"),
    "evaluation": gettext_lazy("Evaluation"),
    "reproduction": gettext_lazy("Reproduction"),
}
WHEN: dict[str, str | Promise] = {
    "before": gettext_lazy("Coming"),
    "open": gettext_lazy("Open"),
    "over": gettext_lazy("Over"),
}
TONES = {"before": "", "open": "success", "over": "info"}
FORMS: dict[str, str | Promise] = {
    "toloka": gettext_lazy("a table of boxes (CSV, the cup's)"),
    "vizwiz": gettext_lazy("PNG masks (zip, VizWiz's)"),
    "coco": gettext_lazy("COCO results (JSON)"),
    "jsonl": gettext_lazy("JSON lines"),
}


def rules_of(phase: Phase) -> list[str]:
    """Returns how a phase is scored and ranked, a sentence a rule."""
    shown = {
        "shown": _("Scores are shown, in two decimals until it ends."),
        "rank_only": _("Until it ends places are shown, and no scores."),
        "hidden": _("Scores are hidden until it ends."),
    }
    counts = {
        "best": _("A team's best entry counts."),
        "newest": _("A team's newest entry counts."),
        "chosen": _("The entry that a team chooses counts; until it chooses, its best one."),
    }
    said = [
        shown[phase.scores],
        counts[phase.counts],
        _("Of equal scores the earlier entry is first.")
        if phase.ties == "earlier"
        else _("Equal scores share a place."),
        _("An entry without a row for every question is refused, and costs nothing.")
        if phase.missing == "refuse"
        else _("A question without a row counts 0."),
    ]
    if phase.targets == "open":
        said.insert(0, _("The targets are open: score as often as you like at home."))
    if phase.only is not None:
        said.append(_("Only teams that the organisers have named may enter."))
    if phase.best_of is not None:
        name, teams = phase.best_of
        said.append(_("The best %(n)d teams of %(phase)s may enter.") % {"n": teams, "phase": name})
    if phase.after_end == "open":
        said.append(_("After its end entries are still taken, and ranked apart."))
    return said


def limits_of(limits: Limits) -> list[str]:
    """Returns the limits of a phase, a sentence each; one that says so where there are none."""
    told = (
        (limits.valid_a_day, _("%(n)d valid entries a team and day (UTC)")),
        (limits.valid_in_all, _("%(n)d valid entries a team in all")),
        (limits.all_a_day, _("%(n)d entries a team and day, failed ones with them")),
        (limits.all_in_all, _("%(n)d entries a team in all, failed ones with them")),
    )
    said = [words % {"n": number} for number, words in told if number is not None]
    return said or [_("any number of entries")]
