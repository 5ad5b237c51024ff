"""What is done to accounts: made, given roles, deactivated and so on. Each act is in the audit log."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from foveate.app.accounts import audit, sessions
from foveate.app.accounts.models import User
from foveate.app.accounts.roles import GROUPS, ROLES, roles_of
from foveate.errors import InputError, UsageError, did_you_mean

# What deleted accounts are called; nobody may choose a name that looks like one.
DELETED = "deleted-"
# To these roles an organiser may invite; an admin to all but that of an admin.
ORGANISERS_INVITE = ("annotator", "participant")


def named(name: str) -> User:
    """Returns the account of a name.

    Raises:
        UsageError: There is none, or it was deleted.
    """
    user = User.objects.filter(username=User.normalize_username(name), deleted_at=None).first()
    if user is None:
        known = User.objects.filter(deleted_at=None).values_list("username", flat=True)[:1000]
        remedy = f"{did_you_mean(name, known)} `foveate people add NAME --role ROLE` makes one."
        raise UsageError(name, "there is no account of this name", remedy)
    return user


def found(search: str) -> QuerySet[User]:
    """Returns the accounts in whose names or address a text occurs, deleted ones left out, by name."""
    users = User.objects.filter(deleted_at=None).order_by("username")
    if search:
        users = users.filter(
            Q(username__icontains=search) | Q(display_name__icontains=search) | Q(email__icontains=search)
        )
    return users.prefetch_related("groups")


def check_name(name: str) -> str:
    """Returns a name for a new account, in its one spelling.

    Raises:
        InputError: It has characters that names cannot have, or is taken.
    """
    name = User.normalize_username(name)
    try:
        User._meta.get_field("username").clean(name, None)
    except ValidationError as error:
        raise InputError(name or "name", " ".join(error.messages).rstrip("."), "Choose another name.") from error
    if name.lower().startswith(DELETED):
        raise InputError(
            name, f"names that begin with {DELETED} are kept for accounts that left", "Choose another name."
        )
    # Names that differ by case only would be taken for one another.
    if User.objects.filter(username__iexact=name).exists():
        raise InputError(name, "an account of this name is there already", "Choose another name.")
    return name


def check_roles(names: Iterable[str]) -> frozenset[str]:
    """Returns roles, each of which there is.

    Raises:
        UsageError: There is no such role.
    """
    wanted = frozenset(names)
    for name in sorted(wanted - set(ROLES)):
        raise UsageError(name, "there is no such role", did_you_mean(name, ROLES))
    return wanted


@transaction.atomic
def make(request: HttpRequest | None, name: str, roles: Iterable[str], *, password: str | None = None) -> User:
    """Returns a new account; without a password it is entered by a one-time link (`passwords.make_code`)."""
    wanted = check_roles(roles)
    user = User.objects.create_user(check_name(name), password=password)
    _give(user, wanted)
    audit.note(request, "account.made", str(user.pseudonym), roles=sorted(wanted))
    return user


@transaction.atomic
def set_roles(request: HttpRequest | None, user: User, roles: Iterable[str]) -> None:
    """Gives a person exactly some roles.

    Raises:
        UsageError: They are the last admin and would no longer be one.
    """
    wanted, before = check_roles(roles), own_roles(user)
    if "admin" not in wanted:
        keep_an_admin(user)
    _give(user, wanted)
    audit.note(request, "account.roles_changed", str(user.pseudonym), before=sorted(before), after=sorted(wanted))


def add_role(user: User, role: str) -> None:
    """Adds one role other than admin; that of an invitation, say."""
    user.groups.add(Group.objects.get_or_create(name=role)[0])


@transaction.atomic
def deactivate(request: HttpRequest | None, user: User, why: str) -> None:
    """Shuts a person out at once; all they made stays.

    Raises:
        InputError: No reason is given.
        UsageError: They are the last admin.
    """
    if not why.strip():
        raise InputError("reason", "it is empty", "Say why, so that others understand it later.")
    keep_an_admin(user)
    user.is_active, user.deactivated_why = False, why.strip()
    user.save(update_fields=["is_active", "deactivated_why"])
    # Else whoever had taken one over would be in again with the person.
    sessions.end(user)
    audit.note(request, "account.deactivated", str(user.pseudonym), why=user.deactivated_why)


@transaction.atomic
def reactivate(request: HttpRequest | None, user: User) -> None:
    """Lets a person in again.

    Raises:
        UsageError: The account was deleted.
    """
    if user.deleted_at is not None:
        raise UsageError(user.username, "it was deleted, and whose it was is not known", "Invite the person again.")
    user.is_active, user.deactivated_why = True, ""
    user.save(update_fields=["is_active", "deactivated_why"])
    audit.note(request, "account.reactivated", str(user.pseudonym))


def own_roles(user: User) -> frozenset[str]:
    """Returns the roles that were given to a person, active or not: an admin's other roles only where given too."""
    names = {group.name for group in user.groups.all() if group.name in GROUPS}
    return frozenset(names | {"admin"} if user.is_superuser else names)


def keep_an_admin(user: User) -> None:
    """Makes sure that another admin is there; two who shut out one another at once wait for each other here.

    Raises:
        UsageError: `user` is the only one.
    """
    admins = User.objects.select_for_update().filter(is_superuser=True, is_active=True).order_by("pk")
    if [admin.pk for admin in admins] == [user.pk]:
        raise UsageError(
            user.username,
            "this is the last admin, and without one nobody could let people in",
            "Make another admin first.",
        )


def _give(user: User, wanted: frozenset[str]) -> None:
    user.is_superuser = user.is_staff = "admin" in wanted
    user.save(update_fields=["is_superuser", "is_staff"])
    user.groups.set([Group.objects.get_or_create(name=role)[0] for role in sorted(wanted - {"admin"})])


def may_invite(user: User) -> tuple[str, ...]:
    """Returns the roles that a person may invite others to."""
    mine = roles_of(user)
    if "admin" in mine:
        return ROLES[1:]
    return ORGANISERS_INVITE if "organiser" in mine else ()
