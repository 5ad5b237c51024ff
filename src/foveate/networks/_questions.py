"""A question as vectors: one of it all and one of each word in its place."""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class QuestionReader(nn.Module):
    """Embeds words and reads them from both ends by an LSTM.

    Args:
        vocabulary: How many ids there are; 0 is no word.
        embedding: The width of a word's vector.
        width: That of what comes out; half of it each way, so it is even.
        dropout_words: The share of a word's numbers that is dropped in training.
        dropout_question: That of the question's.

    References:
        Hudson, Manning: Compositional Attention Networks for Machine Reasoning, ICLR 2018, section 3.1.
    """

    def __init__(
        self, vocabulary: int, embedding: int, width: int, dropout_words: float, dropout_question: float
    ) -> None:
        super().__init__()
        self.words = nn.Embedding(vocabulary, embedding, padding_idx=0)
        nn.init.uniform_(self.words.weight, -1, 1)
        self.both_ways = nn.LSTM(embedding, width // 2, batch_first=True, bidirectional=True)
        self.drop_words, self.drop_question = nn.Dropout(dropout_words), nn.Dropout(dropout_question)

    def forward(self, words: Tensor, there: Tensor) -> tuple[Tensor, Tensor]:
        """Returns the question ``(B, width)`` and its words ``(B, L, width)``, nought where there is none.

        Args:
            words: ``int64 (B, L)``.
            there: ``bool (B, L)``; the words of a question come first, at least one.
        """
        lengths = there.sum(dim=1).cpu()
        embedded = self.drop_words(self.words(words))
        packed = pack_padded_sequence(embedded, lengths, batch_first=True, enforce_sorted=False)
        read, (last, _) = self.both_ways(packed)
        in_place, _ = pad_packed_sequence(read, batch_first=True, total_length=words.shape[1])
        question = last.transpose(0, 1).reshape(len(words), -1)
        return self.drop_question(question), in_place
