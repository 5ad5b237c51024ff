"""What every template knows."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from django.http import HttpRequest

from foveate.app.accounts.models import User
from foveate.app.frame import nav
from foveate.app.frame.themes import theme_of


def frame(request: HttpRequest) -> dict[str, Any]:
    """Returns the theme, the links and the version; the links are asked for only by pages that show them."""
    return {
        "foveate_version": version("foveate"),
        "theme": theme_of(request),
        "themes": User.THEMES,
        "links": lambda: nav.links(request, nav.ENTRIES),
        "own_links": lambda: nav.links(request, nav.OWN_ENTRIES),
    }
