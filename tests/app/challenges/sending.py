"""How the tests of entries send files and entries."""

from __future__ import annotations

import io
import uuid
from typing import Any

from foveate.app.accounts.models import User
from foveate.app.challenges.models import Entry, Phase, Upload
from foveate.app.challenges.services import entering, uploading

TABLE = b"image,left,top,right,bottom\na,1,2,3,4\n"


def uploaded(person: User, phase: Phase, data: bytes = TABLE, name: str = "answers.csv") -> Upload:
    """Returns an upload all of which is there."""
    return uploading.whole(person, phase, uploading.Wanted(name, len(data)), io.BytesIO(data).read)


def sent(person: User, phase: Phase, **more: Any) -> Entry:
    """Returns an entry that was just sent."""
    given: dict[str, Any] = {"key": uuid.uuid4(), "upload": uploaded(person, phase).pk, **more}
    return entering.send(person, phase, entering.Sent(**given))
