"""Puts challenges with teams into a server's state: one full of life, one without teams, one by invitation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

RULES = """# One account each

- A team has at most **five** people.
- Test questions are used for entries only.
"""


def make(folder: Path) -> dict[str, Any]:
    """Returns what was made: a team's number, and a link into another team."""
    from foveate.app.accounts import invitations
    from foveate.app.accounts.models import User
    from foveate.app.challenges.services import judging, membership, team_links
    from foveate.challenges.definition import Teams
    from tests.app.challenges import made
    from tests.app.challenges.taking_part import invite, taking_part

    folder.mkdir(parents=True, exist_ok=True)
    organiser, participant = (User.objects.get(username=name) for name in ("organiser", "participant"))
    rules = {"rules": RULES, "teams": Teams(most_members=5), "anonymous": True}
    birds = made.challenge(folder, slug="birds", title="Birds in the city", **rules)
    others = made.challenge(folder, slug="other-birds", title="Birds at the sea", **rules)
    asked = made.challenge(folder, slug="invited-birds", title="Rare birds", **rules, sign_up="invited")
    for challenge in (birds, others, asked):
        challenge.organisers.add(organiser)
    people = [taking_part(birds, f"person-{number:02}") for number in range(22, 27)]
    taking_part(birds, participant)
    taking_part(others, participant)
    owls = membership.make(participant, birds, "The Night Owls of the Botanic Garden")
    for one in people[:2]:
        invite(participant, one, owls)
    team_links.make(participant, owls, uses=2)
    bears = membership.make(people[2], birds, "Bears")
    invite(people[2], people[3], bears)
    made.entry(birds.phases.get(), bears, people[2])
    membership.leave(people[3], birds)
    judging.disqualify(organiser, bears, "Two accounts of one person.")
    cats = membership.make_solo(people[4], birds)
    for uses in (30, 1):
        offer = invitations.Offer("participant", challenge=birds, uses=uses, note="For the summer school")
        invitations.make(None, organiser, offer)
    return {"team": bears.pk, "link": team_links.make(people[4], cats, uses=100)[1]}
