"""The first admin: made on a terminal, by the environment, or through a link that is good until there is one."""

from __future__ import annotations

import os

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare

from foveate.app.accounts.audit import note
from foveate.app.accounts.models import User
from foveate.app.config import kept_secret
from foveate.app.database import one_at_a_time
from foveate.errors import InputError

_FILE = "setup.code"


def is_needed() -> bool:
    """Returns whether there is no admin yet."""
    return not User.objects.filter(is_superuser=True).exists()


def make(name: str, password: str, request: HttpRequest | None = None) -> User | None:
    """Makes the first admin; returns None where somebody else has just been made it.

    Raises:
        InputError: The name or the password cannot be taken.
    """
    user = User(username=name, is_superuser=True, is_staff=True)
    user.set_password(password)
    with one_at_a_time():
        if not is_needed():
            return None
        try:
            user.full_clean()
            validate_password(password, user)
        except ValidationError as error:
            raise InputError("the admin's account", " ".join(error.messages).rstrip("."), "Choose others.") from error
        user.save()
        note(request, "account.first_admin", str(user.pseudonym), actor=user)
    (settings.CONFIG.folder / _FILE).unlink(missing_ok=True)
    return user


def code() -> str:
    """Returns the code of the link; the same for every process, and dead once there is an admin.

    Raises:
        OutputError: It cannot be kept.
    """
    return kept_secret(settings.CONFIG.folder / _FILE)


def is_code(given: str) -> bool:
    """Returns whether a code is that of the link, and there is no admin yet."""
    path = settings.CONFIG.folder / _FILE
    return path.exists() and constant_time_compare(given, path.read_text().strip()) and is_needed()


def from_environment() -> bool:
    """Makes the admin of `FOVEATE_ADMIN_NAME` and `FOVEATE_ADMIN_PASSWORD`; returns whether they are given.

    They are taken out of the environment, so that nothing that is started later sees them.

    Raises:
        InputError: Only one is given, or they cannot be taken.
    """
    name, password = (os.environ.pop(f"FOVEATE_ADMIN_{word}", "") for word in ("NAME", "PASSWORD"))
    if bool(name) != bool(password):
        raise InputError("FOVEATE_ADMIN_NAME", "it needs FOVEATE_ADMIN_PASSWORD, and the other way round", "Set both.")
    if name and is_needed():
        make(name, password)
    return bool(name)
