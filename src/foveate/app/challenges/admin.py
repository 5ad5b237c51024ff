"""Django's admin of challenges, to look and not to touch."""

from __future__ import annotations

# Registered by being imported.
from foveate.app.challenges import admin_teams as admin_teams
