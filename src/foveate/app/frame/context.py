"""What every template knows."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from django.http import HttpRequest


def frame(request: HttpRequest) -> dict[str, Any]:
    """Returns the version for the foot of the page."""
    return {"foveate_version": version("foveate")}
