"""The one door through which data sets, grounders, metrics, screening rules and aggregators come in.

A plugin is a module. The built-in ones are the files of the kind's package whose name has no leading underscore;
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

from foveate.errors import FoveateError, UnavailableError, UsageError, did_you_mean

Kind = Literal["datasets", "grounders", "metrics", "curation", "aggregators"]
KINDS: tuple[Kind, ...] = get_args(Kind)
# Where the built-in ones of each kind lie.
_PACKAGES: dict[Kind, str] = {
    "datasets": "foveate.datasets",
    "grounders": "foveate.grounders",
    "metrics": "foveate.metrics",
    "curation": "foveate.curation",
    "aggregators": "foveate.quality.aggregators",
}
# What a module of each kind must hold (design/plugins.md).
_PARTS: dict[Kind, tuple[str, ...]] = {
    "datasets": ("CARD", "queries", "truths", "write_tiny"),
    "grounders": ("CARD", "Grounder"),
    "metrics": ("CARD", "measure", "reduce", "CASES"),
    "curation": ("CARD", "judge"),
    "aggregators": ("CARD", "aggregate", "CASES"),
}
# The modules that an extra of pyproject.toml brings, so that a missing one is answered with the exact command.
_EXTRAS = {
    "app": {"django", "ninja"},
    "data": {"pyarrow", "datasets"},
    "analysis": {"matplotlib", "imagehash"},
    "aggregation": {"SimpleITK"},
    "torch": {"torch", "safetensors", "h5py", "tensorboardX"},
    "hf": {"transformers"},
    "ray": {"ray"},
    "postgres": {"psycopg"},
}
_SINGULAR: dict[Kind, str] = {
    "datasets": "data set",
    "grounders": "grounder",
    "metrics": "metric",
    "curation": "screening rule",
    "aggregators": "aggregator",
}


@cache
def modules(kind: Kind) -> dict[str, str]:
    """Returns ``{plugin name: dotted module name}`` of a kind, sorted by name, without importing any."""
    return {name: places[0] for name, places in _places(kind).items()}


def load(kind: Kind, name: str) -> ModuleType:
    """Returns the module of a plugin.

    Raises:
        UsageError: There is no such plugin (the sentence suggests the nearest names), or there are two.
        UnavailableError: The plugin needs a package that is not installed.
    """
    known = modules(kind)
    if name not in known:
        raise UsageError(f"{_SINGULAR[kind]} {name}", "there is none of this name", did_you_mean(name, list(known)))
    places = _places(kind)[name]
    if len(places) > 1:
        raise UsageError(
            f"{_SINGULAR[kind]} {name}",
            f"both {places[0]} and {places[1]} have this name",
            "Uninstall one of the two packages, or rename its entry point.",
        )
    try:
        module = importlib.import_module(known[name])
    except ModuleNotFoundError as error:
        missing = (error.name or known[name]).partition(".")[0]
        raise UnavailableError(
            f"{_SINGULAR[kind]} {name}",
            f"{known[name]} needs the module {missing}, which is not installed",
            f"Install it: {_install(missing)}",
        ) from error
    except Exception as error:
        raise UnavailableError(
            f"{_SINGULAR[kind]} {name}",
            f"{known[name]} cannot be imported ({type(error).__name__}: {error})",
            "Update or uninstall the package that it comes from.",
        ) from error
    lacking = [part for part in _PARTS[kind] if not hasattr(module, part)]
    if lacking:
        raise UnavailableError(
            f"{_SINGULAR[kind]} {name}", f"{known[name]} lacks {', '.join(lacking)}", "See design/plugins.md."
        )
    return module


def load_all(kind: Kind) -> tuple[dict[str, ModuleType], list[FoveateError]]:
    """Returns the modules of a kind by name, and the errors of those that are not whole; one must not hide the rest."""
    found: dict[str, ModuleType] = {}
    errors: list[FoveateError] = []
    for name in modules(kind):
        try:
            found[name] = load(kind, name)
        except FoveateError as error:
            errors.append(error)
    return found, errors


def _install(module: str) -> str:
    extra = next((extra for extra, names in _EXTRAS.items() if module in names), None)
    return f"pip install 'foveate[{extra}]'" if extra else f"find the package that has it, then pip install {module}"


@cache
def _places(kind: Kind) -> dict[str, list[str]]:
    found = {name: [module] for name, module in _built_in(kind).items()}
    for point in entry_points(group=f"foveate.{kind}"):
        places = found.setdefault(point.name, [])
        if point.value not in places:
            places.append(point.value)
    return dict(sorted(found.items()))


def _built_in(kind: Kind) -> dict[str, str]:
    package = _PACKAGES[kind]
    spec = importlib.util.find_spec(package)
    places = spec.submodule_search_locations if spec else None
    return {m.name: f"{package}.{m.name}" for m in pkgutil.iter_modules(places) if not m.name.startswith("_")}
