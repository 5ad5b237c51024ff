"""How moments are shown: one way for all pages, for eyes and for programs."""

from __future__ import annotations

from datetime import datetime

from django import template
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.timesince import timesince, timeuntil
from django.utils.translation import gettext as _

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


# Django counts whole minutes, and says "0 minutes" of what is nearer.
_MINUTE_S = 60


@register.filter
def ahead(moment: datetime) -> str:
    """Returns how far ahead a moment is, to follow "ends" or "begins": in 57 minutes; within a minute."""
    now = timezone.now()
    if (moment - now).total_seconds() < _MINUTE_S:
        return _("within a minute")
    return _("in %(time)s") % {"time": timeuntil(moment, now)}


@register.filter
def ago(moment: datetime) -> str:
    """Returns how long ago a moment was, to follow "ended": 57 minutes ago; less than a minute ago."""
    now = timezone.now()
    if (now - moment).total_seconds() < _MINUTE_S:
        return _("less than a minute ago")
    return _("%(time)s ago") % {"time": timesince(moment, now)}
