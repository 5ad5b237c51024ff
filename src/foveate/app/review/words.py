"""The words that pages say for flags, decisions and drift."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later
from django.utils.translation import ngettext

from foveate.evaluation.wording import three
from foveate.quality.checks import Flag
from foveate.quality.over_time import Drift, Measure

RULES: dict[str, Promise] = {
    "several_questions": later("Many “more than one question”"),
    "several_regions": later("Many “more than one region”"),
    "cannot_draw": later("Many “cannot draw”"),
    "too_quick": later("Very quick"),
    "few_points": later("Few points"),
    "gold_missed": later("Gold missed"),
    "peers": later("Unlike the others"),
    "idle": later("Very long"),
}
# Why it may be fine all the same: nobody is to be judged by a number.
FINE: dict[str, Promise] = {
    "several_questions": later("Some data sets have many such questions in a row."),
    "several_regions": later("Some answers do need several regions: look whether the others of the task said so too."),
    "cannot_draw": later("Photos may be bad, or answers wrong: read the reasons that were given."),
    "too_quick": later("Easy photos, or the whole image, take a practised person little time."),
    "few_points": later("Labels, screens and doors have four corners."),
    "gold_missed": later("The gold answer itself may be wrong, or not the only right one."),
    "peers": later("The others may be wrong, or the questions may have several right answers."),
    "idle": later("The page may have lain open during a break; the work itself is not worse for it."),
}
VERDICTS: dict[str, Promise] = {
    "fine": later("Fine"),
    "redo": later("Have it done again"),
    "aside": later("Set aside"),
}
VERDICTS_EXPLAINED: dict[str, Promise] = {
    "fine": later("It counts."),
    "redo": later("It does not count, and another person gets the task."),
    "aside": later("It does not count, and nobody gets the task instead."),
}
MEASURES: dict[str, Promise] = {
    "seconds": later("Seconds for a task"),
    "points": later("Points of an outline"),
    "gold": later("IoU with gold answers"),
    "peers": later("IoU with the others"),
}


@dataclass(frozen=True)
class Told:
    """A flag in words.

    Attributes:
        rule: Its code.
        label: What it is called.
        found: What was found, and the limit.
        fine: Why it may be fine.
    """

    rule: str
    label: str | Promise
    found: str
    fine: str | Promise


def told(flag: Flag, size: int) -> Told:
    """Returns a flag in words.

    Args:
        flag: The flag.
        size: How many submissions its batch has.
    """
    return Told(flag.rule, RULES[flag.rule], _found(flag, size), FINE[flag.rule])


def _found(flag: Flag, size: int) -> str:
    values = {"found": f"{flag.found:g}", "limit": f"{flag.limit:g}", "size": size}
    if flag.rule in ("several_questions", "several_regions", "cannot_draw"):
        return _("%(found)s of %(size)d; up to %(limit)s are usual.") % values
    if flag.rule == "few_points":
        return _("%(found)s outlines of %(size)d have fewer points than usual; up to %(limit)s may.") % values
    if flag.rule == "gold_missed":
        n = int(flag.found)
        return ngettext("%(n)d gold question was missed.", "%(n)d gold questions were missed.", n) % {"n": n}
    seconds = {"found": f"{flag.found:.1f}", "limit": f"{flag.limit:.1f}"}
    if flag.rule == "too_quick":
        return _("All of it took %(found)s seconds; at least %(limit)s are usual.") % seconds
    if flag.rule == "idle":
        return _("One task took %(found)s seconds; up to %(limit)s are usual for this person.") % seconds
    mean = {"found": three(flag.found, flag.limit), "limit": f"{flag.limit:g}"}
    return _("The latest have a mean IoU of %(found)s with the others; at least %(limit)s is wanted.") % mean


def drift_words(measure: Measure, drift: Drift | None) -> str:
    """Returns whether a person's latest work differs from what was before, in a sentence."""
    if drift is None:
        return _("Too few yet to say whether anything changes.")
    digits = 2 if measure in ("gold", "peers") else 1
    values = {"latest": drift.latest, "before": drift.before, "p": f"{drift.p:.3f}"}
    values |= {"was": f"{drift.was:.{digits}f}", "now": f"{drift.now:.{digits}f}"}
    low, high = (f"{end:.2f}" for end in drift.interval)
    values |= {"change": f"{drift.change:.2f}", "low": low, "high": high}
    if not drift.is_one:
        said = _(
            "No change that chance would not make: %(now)s in the latest %(latest)d, %(was)s in %(before)d before."
        )
    elif measure in ("gold", "peers"):
        said = _(
            "It changes: %(now)s in the latest %(latest)d, %(was)s in the %(before)d before; a difference of "
            "%(change)s, with a 95 %% interval from %(low)s to %(high)s (p %(p)s)."
        )
    else:
        said = _(
            "It changes: %(now)s in the latest %(latest)d, %(was)s in the %(before)d before; %(change)s times as much, "
            "with a 95 %% interval from %(low)s to %(high)s (p %(p)s)."
        )
    return said % values
