"""The REST API under `/api/v1/`: its parts, and who is let in."""

from __future__ import annotations

from foveate.app.accounts.api import router as accounts
from foveate.app.adjudicate.api import router as adjudicate
from foveate.app.annotate.api import router as annotate
from foveate.app.api_auth import AUTH
from foveate.app.api_docs import Plain
from foveate.app.api_errors import FoveateAPI
from foveate.app.ask.api import router as ask
from foveate.app.challenges.api import router as challenges
from foveate.app.limits import ApiThrottle

api = FoveateAPI(
    title="Foveate",
    version="1",
    description="Sign in by a session and its CSRF token, or send a token of yours: `Authorization: Bearer …`.",
    auth=AUTH,
    docs=Plain(),
    throttle=ApiThrottle(),
    urls_namespace="api",
)
api.add_router("", accounts)
api.add_router("", annotate)
api.add_router("", adjudicate)
api.add_router("", challenges)
api.add_router("", ask)
