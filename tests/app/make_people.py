"""Makes a person of each role in a server's state and prints them as JSON, in a process of its own.

`python -m tests.app.make_people DATA [DATABASE_URL]`
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

PASSWORD = "Correct-horse-7-battery"


def main(data: Path, database: str | None = None) -> None:
    """Prints `{role: {"name", "password", "session"}}`; people who are there already are kept."""
    from foveate.app.start import start

    start(data, database)
    from foveate.app.accounts.roles import ROLES

    sys.stdout.write(json.dumps({role: person(role, role) for role in ROLES}))


def person(name: str, role: str) -> dict[str, Any]:
    """Makes somebody who is not there yet, signs them in, and returns what a test needs of them."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.auth.models import Group
    from django.contrib.sessions.backends.db import SessionStore

    from foveate.app.accounts.models import User

    user = User.objects.filter(username=name).first()
    if user is None:
        admin = role == "admin"
        user = User(username=name, is_superuser=admin, is_staff=admin)
        user.set_password(PASSWORD)
        user.save()
    if role != "admin":
        user.groups.add(Group.objects.get_or_create(name=role)[0])
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return {"name": name, "password": PASSWORD, "session": session.session_key}


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])
