"""Filters: percent, and the words for codes."""

from __future__ import annotations

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from foveate.app.admission import words

register = template.Library()


@register.filter
def percent(share: float | None, digits: int = 0) -> str:
    """Returns a share in percent; a dash where there is none."""
    return "–" if share is None else f"{share * 100:.{digits}f} %"


@register.filter
def fault_words(codes: list[str]) -> str:
    """Returns what of an attempt differs from gold, for organisers."""
    return ", ".join(str(words.FAULTS.get(code, code)) for code in codes) or _("accepted")


@register.filter
def candidate_tone(state: str) -> str:
    """Returns the class of a badge for a candidate's state."""
    return words.TONES.get(state, "info")


@register.filter
def requirement_value(value: float | str | None, name: str) -> str | Promise:
    """Returns what was compared with a requirement."""
    if value in (None, ""):
        return _("not known")
    if isinstance(value, str):
        return value
    return percent(value, 2) if name == "share" else f"{int(value or 0):,}"
