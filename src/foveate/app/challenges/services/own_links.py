"""The links to the pages of this part, in the row below a challenge's title."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from foveate.app.challenges.links import Link
from foveate.app.challenges.models import Challenge
from foveate.app.challenges.services.finding import may_organise


def own_links(request: HttpRequest, challenge: Challenge) -> Sequence[Link]:
    """Returns overview and data for everybody, containers for who is signed in, and the organisers' page for them."""
    links = [
        Link(reverse("challenges:overview", args=[challenge.slug]), _("Overview"), 10),
        Link(reverse("challenges:data", args=[challenge.slug]), _("Data"), 20),
    ]
    if request.user.is_authenticated:
        phases = challenge.phases.filter(kind="reproduction", removed=False).order_by("position")
        links += [
            Link(reverse("challenges:reproduce", args=[challenge.slug, phase.name]), _("Containers"), 60)
            for phase in phases[:1]
        ]
    if may_organise(request.user, challenge):
        links.append(Link(reverse("challenges:organise", args=[challenge.slug]), _("Organise"), 90))
    return links
