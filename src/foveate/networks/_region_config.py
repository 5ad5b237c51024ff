"""What networks over regions are built with."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from foveate.networks._config import NetworkConfig
from foveate.networks._region_texts import Marks

Share = Annotated[float, Field(ge=0, lt=1)]
Width = Annotated[int, Field(ge=1)]


class RegionConfig(NetworkConfig):
    """What LXMERT and OSCAR are built with; the usual values are those of BERT-base.

    Attributes:
        vocabulary: How many ids of words there are, without the network's own marks.
        answers: How many answers there are.
        features: How many numbers a region has, without those of its place.
        width: Of hidden states.
        heads: Of attention; the width is a multiple of them.
        inner: The width between the two layers after attention.
        longest_text: How many places of words there are.
        marks: `own`: the network puts the marks of beginning and end around words; `given`: they are among the words.
        dropout: The share of numbers that is dropped in training.
        dropout_attention: The share of attention.
    """

    vocabulary: Annotated[int, Field(ge=2)]
    answers: Width
    features: Width
    width: Width = 768
    heads: Width = 12
    inner: Width = 3072
    longest_text: Width = 512
    marks: Marks = "own"
    dropout: Share = 0.1
    dropout_attention: Share = 0.1

    @model_validator(mode="after")
    def _heads_fit(self) -> RegionConfig:
        if self.width % self.heads:
            raise ValueError(f"width {self.width} is no multiple of {self.heads} heads")
        return self
