"""Filters: the words for codes, and how long something took."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext as _

from foveate.annotation.reasons import REASONS
from foveate.app.annotate import links, words

register = template.Library()
_TONES = {"open": "success", "done": "success", "paused": "warning", "set_aside": "warning", "draft": "info"}


@register.filter
def stage_words(stage: str) -> str | Promise:
    """Returns what a stage is called."""
    return words.STAGES.get(stage, stage)


@register.filter
def kind_words(kind: str) -> str | Promise:
    """Returns what a kind of project is called."""
    return words.KINDS.get(kind, kind)


@register.filter
def why_words(why: str) -> str | Promise:
    """Returns why a task was set aside, or given back."""
    return words.WHY.get(why, words.OUTCOMES.get(why, why))


@register.filter
def reason_words(code: str) -> str:
    """Returns why somebody could not draw."""
    return gettext(REASONS.get(code, code))


@register.filter
def tone(state: str) -> str:
    """Returns the class of a badge for a state."""
    return _TONES.get(state, "")


@register.filter
def outcome(work: dict[str, Any]) -> str | Promise:
    """Returns in few words what a work says."""
    for flag in ("several_questions", "several_regions"):
        if work.get(flag):
            return words.OUTCOMES[flag]
    said = words.OUTCOMES.get(work.get("outcome") or "", _("Nothing"))
    if work.get("outcome") == "polygon":
        n = len(work.get("polygon") or ())
        return ngettext("%(said)s with %(n)d point", "%(said)s with %(n)d points", n) % {"said": said, "n": n}
    return said


@register.filter
def in_minutes(seconds: float | None) -> str:
    """Returns a time in minutes and seconds: 2:05."""
    whole = round(seconds or 0)
    hours, rest = divmod(whole, 3600)
    minutes, left = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


@register.filter
def persons_page(pseudonym: UUID, slug: str) -> str:
    """Returns the address of the page about a person's work in a project; empty where there is none."""
    return links.person_page(slug, pseudonym)
