"""The whole of a photo: what is in it, what place it shows, and how light it is. The region is the whole photo."""

from __future__ import annotations

import re
from collections.abc import Sequence

from foveate.core.regions import Box, Region
from foveate.grounders._pocket.finding import Finding
from foveate.grounders._pocket.listing import count_in_words, list_in_words
from foveate.grounders._pocket.names import sure_name
from foveate.grounders._pocket.seen import Seen
from foveate.grounders._pocket.texts import read_all
from foveate.grounders._pocket.things import MOST_CANDIDATES, SURE, _regions
from foveate.perception.photo_quality import photo_quality
from foveate.perception.questions import Asked
from foveate.perception.words import words
