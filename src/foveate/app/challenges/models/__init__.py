"""The tables of challenges; what their rows mean is said in `foveate.challenges` and `design/challenges.md`."""

from foveate.app.challenges.models.challenges import Challenge, Loaded, Phase, ReferenceRow
from foveate.app.challenges.models.entries import Entry, EntryEvent, Upload
from foveate.app.challenges.models.jobs import Job, Worker
from foveate.app.challenges.models.teams import Membership, Participant, Team, TeamInvitation

__all__ = [
    "Challenge",
    "Entry",
    "EntryEvent",
    "Job",
    "Loaded",
    "Membership",
    "Participant",
    "Phase",
    "ReferenceRow",
    "Team",
    "TeamInvitation",
    "Upload",
    "Worker",
]
