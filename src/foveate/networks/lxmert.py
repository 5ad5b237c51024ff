"""LXMERT: words and regions read apart, then looking at each other; the answer is read off the question's beginning.

The layers are those of the class `LxmertForQuestionAnswering` of transformers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field
from torch import Tensor, nn
from transformers import LxmertConfig, LxmertForQuestionAnswering

from foveate.networks._batches import Output, RegionBatch
from foveate.networks._config import config_of
from foveate.networks._region_config import RegionConfig, Width
from foveate.networks._region_texts import OWN_MARKS, question_text


class LxmertOptions(RegionConfig):
    """What LXMERT is built with, beside what all networks over regions are.

    Attributes:
        language_layers: Layers of words alone.
        region_layers: Layers of regions alone.
        cross_layers: Layers of both.
    """

    network: Literal["lxmert"] = "lxmert"
    language_layers: Annotated[int, Field(ge=0)] = 9
    region_layers: Annotated[int, Field(ge=0)] = 5
    cross_layers: Width = 5


class Lxmert(nn.Module):
    """LXMERT over regions.

    Args:
        config: The fields of `LxmertOptions`.

    Raises:
        UsageError: An option is none, or its value is not one that it can have.

    References:
        Tan, Bansal: LXMERT: Learning Cross-Modality Encoder Representations from Transformers, EMNLP 2019, section 2.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        super().__init__()
        self._told = config_of(LxmertOptions, config)
        self.config: dict[str, Any] = self._told.model_dump()
        self.net = LxmertForQuestionAnswering(_of_transformers(self._told))

    def forward(self, batch: RegionBatch, layer: int = -1) -> Output:
        """Returns the answers' values and ``cross (B, heads, L, R)``: how words attend to regions.

        ``L`` counts the marks: the first row is the beginning, then come the words, then the end, then padding, whose
        rows attend, too. Padding is never attended to.

        Args:
            batch: Questions about regions.
            layer: The layer of both whose attention is told, from 0 on.
        """
        text = question_text(batch, self._told.marks, self._told.vocabulary)
        found = self.net(
            input_ids=text.ids,
            visual_feats=batch.features[batch.photo],
            visual_pos=batch.boxes[batch.photo],
            attention_mask=text.there.to(batch.features.dtype),
            visual_attention_mask=batch.valid[batch.photo].to(batch.features.dtype),
            token_type_ids=text.segments,
            output_attentions=True,
            return_dict=True,
        )
        cross: Tensor = found.cross_encoder_attentions[layer]
        return Output(found.question_answering_score, {"cross": cross})


def _of_transformers(told: LxmertOptions) -> LxmertConfig:
    kind: Any = LxmertConfig
    found: LxmertConfig = kind(
        vocab_size=told.vocabulary + (OWN_MARKS if told.marks == "own" else 0),
        hidden_size=told.width,
        num_attention_heads=told.heads,
        intermediate_size=told.inner,
        num_qa_labels=told.answers,
        l_layers=told.language_layers,
        r_layers=told.region_layers,
        x_layers=told.cross_layers,
        visual_feat_dim=told.features,
        max_position_embeddings=told.longest_text,
        hidden_dropout_prob=told.dropout,
        attention_probs_dropout_prob=told.dropout_attention,
        # No other way to attend tells what was attended to.
        attn_implementation="eager",
    )
    return found
