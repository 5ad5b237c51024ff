"""Types of table cells that several forms share."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator


def _not_blank(value: str) -> str:
    if not value.strip():
        raise ValueError("a text is needed here")
    return value


NonBlank = Annotated[str, AfterValidator(_not_blank)]
