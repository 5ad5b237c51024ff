"""Any network from what it is built with."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from foveate.errors import UsageError, did_you_mean
from foveate.formats._optional import needed

if TYPE_CHECKING:
    from torch import nn

# Module and class of each network by its name.
NETWORKS: Mapping[str, tuple[str, str]] = {
    "lxmert": ("lxmert", "Lxmert"),
    "mac": ("mac", "Mac"),
    "mac_caps": ("mac_caps", "MacCaps"),
    "oscar": ("oscar", "Oscar"),
}
# Those whose layers are a library's.
FROM_TRANSFORMERS = frozenset({"lxmert", "oscar"})


def build(config: Mapping[str, Any]) -> nn.Module:
    """Returns a network with numbers by chance; `torch.manual_seed` decides them.

    Args:
        config: `network`, its name, and its options; what a network's `config` tells builds the same again.

    Raises:
        UsageError: There is no such network or option, or a value that it cannot have.
        UnavailableError: Its layers are those of a package that is not installed.
    """
    name = str(config.get("network", ""))
    if name not in NETWORKS:
        raise UsageError(f"network {name}".strip(), "there is none of this name", did_you_mean(name, NETWORKS))
    module, kind = NETWORKS[name]
    if name in FROM_TRANSFORMERS:
        needed("transformers", f"network {name}", "hf")
    found: nn.Module = getattr(importlib.import_module(f"foveate.networks.{module}"), kind)(config)
    return found
