"""The API of the assistant, part by part; each part's router stands in its own file."""

from ninja import Router

from foveate.app.ask.api import about, asked, kept
from foveate.app.ask.api.visitors import AUTH_OR_NOBODY

router = Router(tags=["ask"], auth=AUTH_OR_NOBODY)
# In the order in which addresses are tried: what is named before what is a secret.
for part in (kept, asked, about):
    router.add_router("/ask", part.router)
