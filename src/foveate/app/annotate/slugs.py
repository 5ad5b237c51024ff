"""Short names, by which addresses and commands call projects and what else is made of a data set."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db.models import Model, QuerySet

from foveate.errors import UsageError, did_you_mean

Named = TypeVar("Named", bound=Model)


def check_slug(slug: str, rows: QuerySet[Any], noun: str, *, but: Collection[str] = ()) -> None:
    """Looks whether a new row may be called so.

    Args:
        slug: The short name.
        rows: All rows of its kind, which have a field `slug`.
        noun: What messages call such a row.
        but: Names that mean something else in an address.

    Raises:
        UsageError: It may not, or one is.
    """
    try:
        validate_slug(slug)
        if len(slug) > (rows.model._meta.get_field("slug").max_length or 0) or slug in but:
            raise ValidationError("")
    except ValidationError as error:
        remedy = "Take at most 60 letters without accents, digits, - and _."
        raise UsageError(f"{noun} {slug}", "its short name cannot stand in an address", remedy) from error
    if rows.filter(slug=slug).exists():
        raise UsageError(f"{noun} {slug}", f"there is a {noun} of this short name", "Take another one.")


def title_for(title: str, slug: str, rows: QuerySet[Any]) -> str:
    """Returns the title of a new row: what somebody has written, else its short name.

    Args:
        title: As it was written; may be blank.
        slug: The short name.
        rows: All rows of its kind, which have a field `title`.

    Raises:
        UsageError: It is longer than what is kept.
    """
    most = rows.model._meta.get_field("title").max_length or 0
    if len(title.strip()) > most:
        raise UsageError(
            "the title", f"it has {len(title.strip()):,} letters, and {most} are kept", "Take a shorter one."
        )
    return title.strip() or slug


def named(slug: str, rows: QuerySet[Named], noun: str) -> Named:
    """Returns the row of a short name.

    Raises:
        UsageError: There is none of this name.
    """
    found = rows.filter(slug=slug).first()
    if found is None:
        known = rows.order_by("slug").values_list("slug", flat=True)
        raise UsageError(f"{noun} {slug}", f"there is no such {noun}", did_you_mean(slug, known))
    return found
