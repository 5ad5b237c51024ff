"""Puts something on every page of a server's state, so that no page is looked at empty only; prints the ids as JSON.

`python -m tests.app.browser.make_world DATA [DATABASE_URL]`, in a process of its own beside the server.
"""

from __future__ import annotations

import json
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any


def main(data: Path, database: str | None = None) -> None:
    """Prints what was made: names to ids."""
    from foveate.app.start import start

    start(data, database)
    sys.stdout.write(json.dumps(_people()))


def _people() -> dict[str, Any]:
    from django.utils import timezone

    from foveate.app.accounts.audit import note
    from foveate.app.accounts.models import ApiToken, Invitation, User

    later = timezone.now() + timedelta(days=7)
    admin = User.objects.get(username="admin")
    for number in range(30):
        person = User.objects.create_user(f"person-{number:02}", password=None, is_active=number % 7 != 0)
        note(None, "account.made", person.username, actor=admin)
    for owner in User.objects.exclude(username__startswith="person-"):
        ApiToken.objects.create(user=owner, name="Nightly export", prefix="fov_8Qk2", digest=f"token of {owner.pk}")
    for number, uses in enumerate((1, 20, 0)):
        Invitation.objects.create(
            digest=f"invitation {number}",
            role="annotator",
            note="For the people of the second round",
            made_by=admin,
            expires_at=later,
            uses_left=uses,
        )
    return {"person": person.pk}


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])
