"""The options of attention to region, as a person, a checkpoint and the paper have them, in this order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from foveate.errors import InputError
from foveate.perception.attention import AttentionRule


def rule_of(told: Mapping[str, Any], where: str, **options: Any) -> AttentionRule:
    """Returns the rule.

    Args:
        told: What the checkpoint is meant to be read with.
        where: The checkpoint, for messages.
        options: What was asked for; None leaves it to the checkpoint, and that to the paper.

    Raises:
        UsageError: A value is none that there is.
        InputError: The checkpoint tells an option that there is not.
    """
    asked = {name: value for name, value in options.items() if value is not None}
    try:
        return AttentionRule(**{**told, **asked})
    except TypeError as error:
        problem = f"its rule has what there is not ({', '.join(told)})"
        raise InputError(where, problem, "Take the version of Foveate that it was trained with.") from error
