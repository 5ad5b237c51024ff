"""VizWiz-VQA-Skills: how many of five people think that a question needs each skill.

References:
    Zeng, Wang, Chiu, Bhattacharya, Gurari: Vision Skills Needed to Answer Visual Questions, CSCW 2020; the files
    `vizwiz_skill_typ_{train,val,test}.csv`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from foveate.formats.fields import NonBlank
from foveate.formats.tables import OnInvalid, read_rows, refuse, typed_once
from foveate.formats.vizwiz_quality import PEOPLE
from foveate.formats.vizwiz_vqa import refuse_partly


def _votes(value: object) -> object:
    if not isinstance(value, str) or not (value.isascii() and value.isdigit()):
        raise ValueError("a whole number of votes is needed here")
    return int(value)


Votes = Annotated[int | None, BeforeValidator(_votes), Field(ge=0, le=PEOPLE)]


class VizwizSkillsRow(BaseModel):
    """One question; of the test split the votes are not public."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    image: NonBlank = Field(alias="IMG")
    question: NonBlank = Field(alias="QSN")
    text: Votes = Field(None, alias="TXT")
    object: Votes = Field(None, alias="OBJ")
    colour: Votes = Field(None, alias="COL")
    counting: Votes = Field(None, alias="CNT")
    other: Votes = Field(None, alias="OTH")

    @model_validator(mode="after")
    def _whole(self) -> Self:
        refuse_partly(self.model_dump(exclude={"image", "question"}, by_alias=True))
        return self

    @property
    def votes(self) -> dict[str, int] | None:
        """The votes by skill; None where the file does not tell them."""
        votes = self.model_dump(exclude={"image", "question"})
        return None if None in votes.values() else votes


def read_vizwiz_skills(path: Path, on_invalid: OnInvalid = refuse) -> Iterator[VizwizSkillsRow]:
    """Yields the rows in the order of the file; a photo stands there once.

    Raises:
        InputError: The file is missing or not of this form, or `on_invalid` raises for a row (the default).
    """
    rows = read_rows(path, ("IMG", "QSN"), on_invalid, ("TXT", "OBJ", "COL", "CNT", "OTH"))
    for row, _ in typed_once(rows, VizwizSkillsRow, lambda r: r.image, on_invalid):
        yield row
