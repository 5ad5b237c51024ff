"""What every page of a challenge has: the row of links; and moments in UTC beside the visitor's."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django import template
from django.utils import timezone
from django.utils.html import format_html

from foveate.app.challenges.links import LINKS, Link
from foveate.app.frame.templatetags.times import when

register = template.Library()


@register.simple_tag(takes_context=True)
def challenge_links(context: dict[str, Any]) -> list[tuple[Link, str]]:
    """Returns the links of the page's challenge that its visitor may follow, in order, each with where the page is."""
    request, challenge = context["request"], context["challenge"]
    links = sorted((link for part in LINKS for link in part(request, challenge)), key=lambda link: link.order)
    return [(link, link.here(request)) for link in links]


@register.filter(expects_localtime=True)
def with_utc(moment: datetime | None) -> str:
    """Returns a moment in the visitor's time zone, and in UTC beside where that is another; nothing for no moment."""
    if not moment:
        return ""
    utc = f"{moment.astimezone(UTC):%Y-%m-%d %H:%M}"
    if timezone.localtime(moment).utcoffset() == UTC.utcoffset(None):
        return format_html('<time datetime="{}">{}</time> UTC', moment.isoformat(timespec="seconds"), utc)
    return format_html("{} <span>({} UTC)</span>", when(moment), utc)
