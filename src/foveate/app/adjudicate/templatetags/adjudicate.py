"""Filters: a share, and the words for codes."""

from __future__ import annotations

from django import template
from django.utils.functional import Promise

from foveate.app.adjudicate import words

register = template.Library()


@register.filter
def as_value(value: float) -> str:
    """Returns a number as fields and addresses have it, whatever the language: 0.8."""
    return f"{value:g}"


@register.filter
def percent(share: float) -> str:
    """Returns a share in percent: 12.5 %."""
    return f"{100 * share:.3g} %"


@register.filter
def differ_words(step: str) -> str | Promise:
    """Returns in which step people differ."""
    return words.DIFFER.get(step, "")


@register.filter
def how_words(how: str) -> str | Promise:
    """Returns how it was decided."""
    return words.HOW.get(how, how)
