"""A definition as JSON and back: what the database, archives and starter kits keep of it."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from foveate.errors import InputError

T = TypeVar("T")
_ADAPTERS: dict[type[Any], TypeAdapter[Any]] = {}


def to_said(defined: object) -> dict[str, Any]:
    """Returns a definition (`foveate.challenges.definition`) as what JSON can hold."""
    said: dict[str, Any] = _adapter(type(defined)).dump_python(defined, mode="json")
    return said


def of_said(kind: type[T], said: object, where: str) -> T:
    """Returns the definition that JSON holds.

    Args:
        kind: Which one: `Challenge`, `Phase` …
        said: The JSON.
        where: What messages call it.

    Raises:
        InputError: It does not hold one.
    """
    try:
        made: T = _adapter(kind).validate_python(said)
    except ValidationError as error:
        first = error.errors()[0]
        at = ".".join(map(str, first["loc"]))
        raise InputError(where, f"{at}: {first['msg']}", "It was changed, or made by another Foveate.") from error
    return made


def _adapter(kind: type[Any]) -> TypeAdapter[Any]:
    # Made once: that takes longer than all that is read with it.
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]
