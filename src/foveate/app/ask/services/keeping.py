"""What people keep: a photo without anything else of its file, a question and its reply; a row and a file of theirs."""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
import uuid
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.signals import post_delete
from django.dispatch import receiver
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from foveate.app.accounts.models import User
from foveate.app.annotate.services.transactions import at_once
from foveate.app.ask.models import Kept
from foveate.app.ask.services import asking
from foveate.app.refused import RefusedError, usual
from foveate.assist.fresh import FORMATS, encode
from foveate.assist.photos import Photo
from foveate.assist.placing import Style
from foveate.assist.replies import reply_object
from foveate.errors import OutputError, reason_of

MOST = 500
FOLDER = "ask"
# A file without a row is of a moment ago, or of a process that died between the two.
_OLD = 3600.0
_tidied = threading.Event()


def keep(request: HttpRequest, ticket: str, style: Style = "plain", language: str | None = None) -> Kept:
    """Keeps an answer with its photo for who is signed in; of one that is kept already, returns that.

    What is kept is kept, also where the photo was forgotten since: then this tells so, and keeps nothing more.

    Args:
        request: Who asks.
        ticket: Of the question.
        style: How places are told in the reply that is kept.
        language: Of its words.

    Raises:
        NotYetError: There is no answer yet.
        RefusedError: Nobody is signed in (401), the answer is not theirs, or they keep as many as may be (409).
        OutputError: The photo cannot be written.
    """
    if not request.user.is_authenticated:
        raise usual(401)
    person = request.user
    number = uuid.UUID(bytes=hashlib.sha256(f"{person.pk} {ticket}".encode()).digest()[:16])
    if before := Kept.objects.filter(pk=number).first():
        return before
    result = asking.result(request, ticket, style, language)
    file = _write(result.photo)
    words = reply_object(result.answered, result.reply)
    row = Kept(
        id=number,
        person=person,
        photo=file.name,
        question=result.answered.question,
        reply=words,
        kept_at=timezone.now(),
    )
    kept: Kept | None = None
    try:
        kept = at_once(lambda: _add(row))
    finally:
        if kept is None or kept.photo != file.name:
            _remove(file)
    if not _tidied.is_set():
        _tidied.set()
        tidy()
    return kept


def of(request: HttpRequest) -> QuerySet[Kept]:
    """Returns what a person keeps, the newest first.

    Raises:
        RefusedError: Nobody is signed in.
    """
    if not request.user.is_authenticated:
        raise usual(401)
    return Kept.objects.filter(person=request.user).order_by("-kept_at", "pk")


def own(request: HttpRequest, number: uuid.UUID) -> Kept:
    """Returns one of these.

    Raises:
        RefusedError: It is not theirs, or not here.
    """
    found = of(request).filter(pk=number).first()
    if found is None:
        raise usual(404)
    return found


def forget(request: HttpRequest, number: uuid.UUID) -> None:
    """Removes one of these with its photo.

    Raises:
        RefusedError: It is not theirs, or not here.
    """
    own(request, number)
    at_once(lambda: of(request).filter(pk=number).delete())


def photo_of(kept: Kept) -> Path:
    """Returns the file of its photo."""
    return _folder() / kept.photo


def held_about(user: User) -> dict[str, Iterable[Mapping[str, Any]]]:
    """Returns what a person keeps, with the addresses of the photos."""
    rows = user.kept_answers.order_by("kept_at", "pk")
    return {
        "kept_answers": (
            {
                "question": row.question,
                "reply": row.reply,
                "kept_at": row.kept_at,
                "photo": reverse("api:kept_photo", kwargs={"number": row.pk}),
            }
            for row in rows.iterator()
        )
    }


def forget_all(user: User) -> None:
    """Removes all that a person keeps, with the photos; in the transaction in which they leave."""
    _alone(user.pk)
    user.kept_answers.all().delete()


def named() -> set[str]:
    """Returns the names of the files that rows have."""
    return {*Kept.objects.values_list("photo", flat=True)}


def tidy() -> None:
    """Removes photos that no row names, and that are not of a moment ago; a server that starts does so.

    Where there is no row at all nothing is removed: the folder may be that of another database.
    """
    known = named()
    if not known:
        return
    for file in _folder().glob("*.*"):
        with suppress(FileNotFoundError):  # Another one tidies, too.
            if file.name not in known and time.time() - file.stat().st_mtime > _OLD:
                _remove(file)


@receiver(post_delete, sender=Kept)
def _gone(instance: Kept, **_: object) -> None:
    transaction.on_commit(lambda: _remove(photo_of(instance)))


def _add(row: Kept) -> Kept:
    if _alone(row.person_id).deleted_at is not None:
        raise usual(401)
    if before := Kept.objects.filter(pk=row.pk).first():
        return before
    if row.person.kept_answers.count() >= MOST:
        said = _("You keep %(n)d answers, which is as many as may be.") % {"n": MOST}
        raise RefusedError(409, "keeps_too_many", said, _("Remove some that you do not need."))
    row.save(force_insert=True)
    return row


def _alone(number: int) -> User:
    """Returns a person, whose row nobody else holds until the transaction ends: who counts, adds or forgets does."""
    return User.objects.select_for_update(of=("self",), no_key=True).get(pk=number)


def _write(photo: Photo) -> Path:
    """Writes a photo anew from its pixels, under a name that says nothing; returns its file."""
    form = "jpeg" if max(photo.size_hw) <= FORMATS["jpeg"].longest else "png"
    file = _folder() / f"{secrets.token_hex(16)}{FORMATS[form].endings[0]}"
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.touch(mode=0o600)
        file.write_bytes(encode(photo.pixels, form))
    except OSError as error:
        with suppress(OSError):
            _remove(file)
        raise OutputError(_("the photo"), f"it cannot be kept ({reason_of(error)})", _("Tell the admin.")) from error
    return file


def _remove(file: Path) -> None:
    file.unlink(missing_ok=True)


def _folder() -> Path:
    return Path(settings.MEDIA_ROOT) / FOLDER
