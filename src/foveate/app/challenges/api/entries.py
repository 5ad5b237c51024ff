"""The API of uploads and entries."""

from __future__ import annotations

from ninja import Router

router = Router()
