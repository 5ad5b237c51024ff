"""Filters: how alike two judge, what a mark says, what colour a round's state has."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

from foveate.app.rounds.models import Mark
from foveate.curation._agreement import Agreement
from foveate.evaluation.wording import percent

register = template.Library()
_TONES = {"open": "info", "closed": "success"}


@register.filter
def turn_tone(state: str) -> str:
    """Returns the class of a badge for the state of a round."""
    return _TONES.get(state, "")


@register.filter
def alike(found: Agreement) -> str:
    """Returns how alike two reviewers judge, in words."""
    if found.share is None:
        return _("nothing to compare")
    kappa = _("n/a") if found.kappa is None else f"{found.kappa:.2f}"
    said = _("on %(share)s of %(n)s, Cohen's kappa %(kappa)s")
    return said % {"share": percent(found.share), "n": f"{found.n:,}", "kappa": kappa}


@register.filter
def said(mark: Mark | None) -> str:
    """Returns what a reviewer says, with the note."""
    if mark is None:
        return _("no answer")
    word = _("yes") if mark.flag else _("no")
    return f"{word}: {mark.note}" if mark.note else word


@register.filter
def count(number: int | None) -> str:
    """Returns a count, and nothing for one that is not published."""
    return "" if number is None else f"{number:,}"
