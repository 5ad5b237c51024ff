"""The one door through which data sets, grounders and metrics come in.

A plugin is a module. The built-in ones are the files of ``foveate/<kind>/`` whose name has no leading underscore;
another distribution adds its own by an entry point of the group ``foveate.<kind>`` that names a module. Listing
imports nothing; a module is imported when it is asked for by name. What a module of each kind must hold is checked
by ``tests/contracts`` and told in ``design/plugins.md``.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from functools import cache
from importlib.metadata import entry_points
from types import ModuleType
from typing import Literal, get_args

from foveate.errors import UnavailableError, UsageError, did_you_mean

Kind = Literal["datasets", "grounders", "metrics"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_SINGULAR: dict[Kind, str] = {"datasets": "data set", "grounders": "grounder", "metrics": "metric"}


@cache
def modules(kind: Kind) -> dict[str, str]:
    """Returns ``{plugin name: dotted module name}`` of a kind, sorted by name, without importing any.

    Raises:
        UsageError: Two plugins have one name.
    """
    found = _built_in(kind)
    for point in entry_points(group=f"foveate.{kind}"):
        if found.get(point.name, point.value) != point.value:
            raise UsageError(
                f"{_SINGULAR[kind]} {point.name}",
                f"both {found[point.name]} and {point.value} have this name",
                "Uninstall one of the two packages, or rename its entry point.",
            )
        found[point.name] = point.value
    return dict(sorted(found.items()))


def load(kind: Kind, name: str) -> ModuleType:
    """Returns the module of a plugin.

    Raises:
        UsageError: There is no such plugin; the sentence suggests the nearest names.
        UnavailableError: The plugin needs a package that is not installed.
    """
    known = modules(kind)
    if name not in known:
        raise UsageError(f"{_SINGULAR[kind]} {name}", "there is none of this name", did_you_mean(name, list(known)))
    try:
        return importlib.import_module(known[name])
    except ModuleNotFoundError as error:
        raise UnavailableError(
            f"{_SINGULAR[kind]} {name}",
            f"{known[name]} needs the module {error.name}, which is not installed",
            f"Install what provides it: pip install {(error.name or known[name]).partition('.')[0]}",
        ) from error


def _built_in(kind: Kind) -> dict[str, str]:
    package = f"foveate.{kind}"
    spec = importlib.util.find_spec(package)
    places = spec.submodule_search_locations if spec else None
    return {m.name: f"{package}.{m.name}" for m in pkgutil.iter_modules(places) if not m.name.startswith("_")}
