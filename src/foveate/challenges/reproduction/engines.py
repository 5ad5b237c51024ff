"""The engines by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from foveate.challenges.reproduction.engine import ContainerEngine, Name
from foveate.challenges.reproduction.running import Engine
from foveate.challenges.reproduction.sandbox import Sandbox
from foveate.errors import UnavailableError, UsageError, did_you_mean

ENGINES = ("docker", "podman", "process")


def engine_named(name: str, registries: Sequence[str] = ()) -> Engine:
    """Returns an engine.

    Args:
        name: `docker`, `podman`, or `process` for the sandbox.
        registries: From which hosts images may be fetched.

    Raises:
        UsageError: There is no such one.
    """
    if name == "process":
        return Sandbox()
    if name in ("docker", "podman"):
        return ContainerEngine(cast(Name, name), tuple(registries))
    raise UsageError("the engine", f"there is no {name!r}", did_you_mean(name, ENGINES))


def best_here() -> str:
    """Returns the first engine that can run something here; `process` where none can."""
    return next((name for name in ENGINES if not engine_named(name).refusal()), "process")


def ready(engine: Engine, name: str) -> Engine:
    """Returns an engine that can run something here.

    Raises:
        UnavailableError: It cannot.
    """
    if refusal := engine.refusal():
        remedy = "Install Docker, Podman, or bubblewrap (Debian: bubblewrap), or name another engine."
        raise UnavailableError(f"the engine {name}", refusal, remedy)
    return engine
