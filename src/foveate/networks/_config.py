"""How a network is built: plain values that are checked once, and say themselves what is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from foveate.errors import UsageError, did_you_mean


class NetworkConfig(BaseModel):
    """What all networks are built with; each adds its own.

    Attributes:
        network: Its name.
        vocabulary: How many ids of words there are, those of no word and of an unknown one among them.
        answers: How many answers there are.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    network: str
    vocabulary: int
    answers: int


C = TypeVar("C", bound=NetworkConfig)


def config_of(kind: type[C], config: Mapping[str, Any]) -> C:
    """Returns the checked values that a network is built with.

    Raises:
        UsageError: There is no such option, one is lacking, or its value is none that it can have.
    """
    name = f"network {config.get('network', '')}".strip()
    unknown = [key for key in config if key not in kind.model_fields]
    if unknown:
        raise UsageError(name, f"it has no option {unknown[0]}", did_you_mean(unknown[0], kind.model_fields))
    try:
        return kind(**config)
    except ValidationError as error:
        first = error.errors()[0]
        option = ".".join(str(part) for part in first["loc"]) or "config"
        raise UsageError(
            f"{name}, {option}", first["msg"][:1].lower() + first["msg"][1:], "Change this value."
        ) from error
