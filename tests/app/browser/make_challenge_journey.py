"""Makes a challenge of three questions, of which each team's chosen entry counts; a team that is in it already.

`python -m tests.app.browser.make_challenge_journey DATA [DATABASE_URL]`, in a process of its own beside the server.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

RULES = "A team has at most **five** people."


def main(data: Path, database: str | None = None) -> None:
    """Prints the names of the photos, as JSON."""
    from foveate.app.start import start

    start(data, database)
    from foveate.app.accounts.models import User
    from foveate.app.challenges.services import finding
    from foveate.challenges.definition import Teams
    from tests.app.challenges import made
    from tests.app.challenges.boards import scored

    phase = made.phase_said(counts="chosen")
    cup = made.challenge(data / "cup", phase, rules=RULES, teams=Teams(most_members=5), summary="Find what is asked.")
    participant, evaluation = User.objects.get(username="participant"), cup.phases.get()
    scored(evaluation, made.team(cup, participant), participant, 0.5, chosen=True, method="Half")
    sys.stdout.write(json.dumps(list(finding.pack_of(evaluation).sizes)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])
