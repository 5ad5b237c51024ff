"""The row of links below a challenge's title."""

from __future__ import annotations

from typing import Any

from django import template

from foveate.app.challenges.links import LINKS

register = template.Library()


@register.simple_tag(takes_context=True)
def challenge_links(context: Any) -> list[Any]:
    """Returns the links that the visitor gets, in order."""
    request, challenge = context["request"], context["challenge"]
    found = [link for links in LINKS for link in links(request, challenge)]
    return sorted(found, key=lambda link: link.order)
