"""The API of Annotate: take a task, save its draft, send it, give it back (`design/annotation.md`)."""

from __future__ import annotations

from ninja import Router

router = Router(tags=["annotate"])
