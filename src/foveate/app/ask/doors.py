"""What the pages of asking put into the doors of the frame."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _


def open_doors() -> None:
    """Puts the link to the page at the top of all pages, for who may ask, and lets the page take photos."""
    from foveate.app.ask.services import access, photos
    from foveate.app.frame import nav
    from foveate.app.middleware.larger import LARGER

    nav.ENTRIES.insert(1, nav.Entry("ask:ask", _("Ask")))
    # A page of an error may be made before it is known who asks.
    nav.SHOWN["ask:ask"] = lambda request: hasattr(request, "user") and access.may_ask(request)
    # The form around the file needs a little too.
    LARGER["ask:ask"] = photos.most_bytes() + 64 * 1024
