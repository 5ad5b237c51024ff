"""Image quality issues of VizWiz: how many of five people saw each flaw, and could not recognise what is there.

References:
    Chiu, Zhao, Gurari: Assessing Image Quality Issues for Real-World Problems, CVPR 2020; the files
    `{train,val,test}.json`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from foveate.formats.fields import NonBlank
from foveate.formats.tables import OnInvalid, refuse, typed_once
from foveate.formats.vizwiz_vqa import FIX, list_rows, refuse_partly

PEOPLE = 5
Votes = Annotated[int, Field(ge=0, le=PEOPLE, strict=True)]


class FlawVotes(BaseModel):
    """How many of five people saw each flaw; of several flaws each is a vote."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    framing: Votes = Field(alias="FRM")
    blur: Votes = Field(alias="BLR")
    dark: Votes = Field(alias="DRK")
    bright: Votes = Field(alias="BRT")
    obstruction: Votes = Field(alias="OBS")
    rotation: Votes = Field(alias="ROT")
    other: Votes = Field(alias="OTH")
    none: Votes = Field(alias="NON")


class VizwizQualityRecord(BaseModel):
    """One photo; of the test split the votes are not public."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    image: NonBlank
    flaws: FlawVotes | None = None
    unrecognizable: Votes | None = None

    @model_validator(mode="after")
    def _whole(self) -> Self:
        refuse_partly({"flaws": self.flaws, "unrecognizable": self.unrecognizable})
        return self


def read_vizwiz_quality(path: Path, on_invalid: OnInvalid = refuse) -> Iterator[VizwizQualityRecord]:
    """Yields the records in the order of the file; a photo stands there once.

    Raises:
        InputError: The file is missing or no such JSON, or `on_invalid` raises for a record (the default).
    """
    for record, _ in typed_once(list_rows(path, on_invalid), VizwizQualityRecord, lambda r: r.image, on_invalid, FIX):
        yield record
