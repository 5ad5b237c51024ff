"""What MAC and those that are made of it are built with."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, field_validator

from foveate.networks._config import NetworkConfig
from foveate.networks._control import Activation, Control

Share = Annotated[float, Field(ge=0, lt=1)]
Width = Annotated[int, Field(ge=1)]


class ReasonerConfig(NetworkConfig):
    """What every network of MAC's cells is built with; dropouts are shares dropped (the official code's: kept).

    Attributes:
        vocabulary: How many ids of words there are.
        answers: How many answers there are.
        features: The width of a cell of the grid.
        steps: How many steps of reasoning.
        width: Of control, attention and hidden layers; an even number.
        embedding: Of a word.
        stem_layers: How many convolutions of 3 x 3, 1 or 2.
        stem_normalise: Whether a cell's features are made of unit length first.
        coordinates: Whether a cell is told its place; not of the papers.
        control: `question` or `recurrent`; see `ControlUnit`.
        control_input: `tanh` or `relu`, of the question before a step's weights.
        self_attention: Whether memories of earlier steps are joined.
        gate: Whether the control says how much of the memory is new.
        answer_product: Whether the head is told memory times question.
        same_memory_dropout: Whether all steps drop the same numbers of the memory.
        dropout_words: Of a word's vector.
        dropout_question: Of the question's.
        dropout_stem: Before each convolution.
        dropout_memory: Of the memory where it is read.
        dropout_read: Of a place before it is scored.
        dropout_answer: Before each layer of the head.
    """

    vocabulary: Annotated[int, Field(ge=2)]
    answers: Width
    features: Width
    steps: Width = 4
    width: Annotated[int, Field(ge=2)] = 512
    embedding: Width = 300
    stem_layers: Annotated[int, Field(ge=1, le=2)] = 2
    stem_normalise: bool = False
    coordinates: bool = False
    control: Control = "question"
    control_input: Activation = "tanh"
    self_attention: bool = False
    gate: bool = False
    answer_product: bool = False
    same_memory_dropout: bool = False
    dropout_words: Share = 0.15
    dropout_question: Share = 0.08
    dropout_stem: Share = 0.18
    dropout_memory: Share = 0.15
    dropout_read: Share = 0.15
    dropout_answer: Share = 0.15

    @field_validator("width")
    @classmethod
    def _even(cls, width: int) -> int:
        if width % 2:
            raise ValueError(f"{width} is odd; half of it reads the question from each end")
        return width
