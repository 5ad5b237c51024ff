"""The REST API under `/api/v1/`: who is let in, and the one shape of its errors."""

from __future__ import annotations

from ninja import NinjaAPI
from ninja.security import django_auth

from foveate.app.accounts.api import router as accounts
from foveate.app.annotate.api import router as annotate

api = NinjaAPI(title="Foveate", version="1", auth=django_auth, urls_namespace="api")
api.add_router("", accounts)
api.add_router("", annotate)
