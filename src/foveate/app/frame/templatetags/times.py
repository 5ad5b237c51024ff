"""How moments are shown: one way for all pages, for eyes and for programs."""

from __future__ import annotations

from datetime import datetime

from django import template
from django.utils.formats import date_format
from django.utils.html import format_html

register = template.Library()


@register.filter(expects_localtime=True)
def when(moment: datetime | None, form: str = "SHORT_DATETIME_FORMAT") -> str:
    """Returns a moment in the visitor's time zone, in a `time` that no line breaks; nothing for no moment.

    Args:
        moment: To be shown.
        form: One of Django's formats, or its letters.
    """
    if not moment:
        return ""
    return format_html('<time datetime="{}">{}</time>', moment.isoformat(timespec="seconds"), date_format(moment, form))
