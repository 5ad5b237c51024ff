"""Personal tokens: made once, shown once, kept only as a hash."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from foveate.app.accounts.models import ApiToken, User

# With it, scanners of published code recognise a token that somebody left there.
_BEGIN = "fov_"
# When a token was last used is known to the minute; a write at every request would be a price without a use.
_USED_EVERY = timedelta(minutes=1)


def make(user: User, name: str, expires: datetime | None = None) -> tuple[ApiToken, str]:
    """Makes a token; returns it and the secret, which nothing can tell again."""
    secret = _BEGIN + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(user=user, name=name, prefix=secret[:10], digest=digest(secret), expires_at=expires)
    return token, secret


def user_of(secret: str) -> User | None:
    """Returns whose token it is; None for one that is unknown, withdrawn or over, or of somebody deactivated."""
    now = timezone.now()
    alive = Q(withdrawn_at__isnull=True) & (Q(expires_at__isnull=True) | Q(expires_at__gt=now))
    token = ApiToken.objects.select_related("user").filter(alive, digest=digest(secret), user__is_active=True).first()
    if token is None:
        return None
    if token.used_at is None or token.used_at <= now - _USED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(used_at=now)
    return token.user


def digest(secret: str) -> str:
    """Returns what is kept of a secret. It is long and random, so that a quick hash is enough."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
