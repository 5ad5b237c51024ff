"""The API of challenges and their phases."""

from __future__ import annotations

from ninja import Router

router = Router()
