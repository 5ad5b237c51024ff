"""What a photo shows: its main thing by name, and the whole of it."""

from __future__ import annotations

from foveate.grounders._pocket.finding import Finding
from foveate.grounders._pocket.seen import Seen
from foveate.grounders._pocket.texts import read_all
from foveate.grounders._pocket.things import main_things
from foveate.perception.questions import Asked

_NOT_SURE_NO_TEXT = "pocket is not sure of any thing in this photo, and there is no text that it can read."


def find(seen: Seen, asked: Asked) -> Finding:
    """Returns the main thing of the photo; text where the detector is not sure of any."""
    regions = main_things(seen)
    if regions:
        return Finding(regions[0].label, regions, answer_score=regions[0].score)
    return read_all(seen, asked.text) or Finding(reason=_NOT_SURE_NO_TEXT)
