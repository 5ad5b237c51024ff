"""One-time links by which a person chooses a password: no mail server is needed, whoever made the link hands it over.

The code is Django's signed token of the account, its password and its last sign-in, so that it ends by being used, by
the person's signing in, or after `PASSWORD_RESET_TIMEOUT`; nothing of it is stored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.forms import SetPasswordMixin
from django.contrib.auth.tokens import default_token_generator
from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse

from foveate.app.accounts import audit
from foveate.app.accounts.models import User
from foveate.errors import UsageError

if TYPE_CHECKING:
    TypedTwice = SetPasswordMixin[User]
else:
    TypedTwice = SetPasswordMixin


class AtTheFirst(TypedTwice):
    """What is wrong with a password is said where it is typed first; Django says it where it is repeated."""

    def validate_password_for_user(self, user: User, password_field_name: str = "password2") -> None:
        """Checks a password that was typed twice."""
        super().validate_password_for_user(user, password_field_name.replace("password2", "password1"))


def make_link(request: HttpRequest | None, user: User) -> str:
    """Returns the path of a link for an account; the code is in its query, which no log has.

    Raises:
        UsageError: The account is not active.
    """
    if not user.is_active:
        raise UsageError(user.username, "the account is deactivated", "Reactivate it first.")
    audit.note(request, "account.password_link_made", str(user.pseudonym))
    return f"{reverse('new_password')}?code={user.pk}-{default_token_generator.make_token(user)}"


def owner_of(code: str) -> User | None:
    """Returns whose code it is; None where it is of nobody, used or over."""
    key, _, token = code.partition("-")
    if not (key.isascii() and key.isdigit() and len(key) < 19):
        return None
    user = User.objects.filter(pk=int(key), is_active=True).first()
    return user if user is not None and default_token_generator.check_token(user, token) else None


@transaction.atomic
def use(request: HttpRequest | None, code: str, password: str) -> User | None:
    """Returns the person whose password is now set; None where somebody was quicker with the same code."""
    key = code.partition("-")[0]
    # The row is held, so that of two uses at once the second finds the code used.
    User.objects.select_for_update().filter(pk=int(key) if key.isascii() and key.isdigit() else 0).first()
    user = owner_of(code)
    if user is not None:
        user.set_password(password)
        user.save(update_fields=["password"])
        audit.note(request, "account.password_set_by_link", str(user.pseudonym), actor=user)
    return user
