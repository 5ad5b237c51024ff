"""What other parts put on the pages of a challenge: each adds a function in `AppConfig.ready`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.http import HttpRequest

from foveate.app.challenges.models import Challenge


@dataclass(frozen=True)
class Link:
    """A link in the row below a challenge's title.

    Attributes:
        url: Where it leads.
        label: What it says.
        order: Lower ones first: 10 overview, 20 data, 30 boards, 40 team, 50 entries, 60 containers, 90 organise.
        within: The names of other pages that belong to it, as `challenges:` names them.
    """

    url: str
    label: str
    order: int
    within: tuple[str, ...] = ()

    def here(self, request: HttpRequest) -> str:
        """Returns what `aria-current` says of the link on a page: `page`, `true` of a page within it, or nothing."""
        if self.url == request.path:
            return "page"
        match = request.resolver_match
        return "true" if match is not None and match.url_name in self.within else ""


# Each returns the links of its part for the person of a request; none where they may not follow them.
LINKS: list[Callable[[HttpRequest, Challenge], Sequence[Link]]] = []
