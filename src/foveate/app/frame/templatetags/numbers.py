"""Filters for numbers that people judge by."""

from __future__ import annotations

from collections.abc import Sequence

from django import template

from foveate.evaluation import wording

register = template.Library()


@register.filter
def three(value: float | None, bounds: float | Sequence[float] = ()) -> str:
    """Returns an IoU to three digits, with more where these would put it on another side of a bound; a dash for none.

    Args:
        value: The IoU.
        bounds: The bound, or all of them.
    """
    return "–" if value is None else wording.three(value, *([bounds] if isinstance(bounds, float | int) else bounds))
