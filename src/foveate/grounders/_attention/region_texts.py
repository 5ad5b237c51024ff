"""Questions, and names of what was seen, as ids for networks over regions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from foveate.errors import InputError, UnavailableError, reason_of
from foveate.formats._optional import needed
from foveate.perception.vocabulary import Words, words_of
from foveate.sources.home import offline


@dataclass(frozen=True)
class Asked:
    """A question as a network reads it.

    Attributes:
        ids: Of its words, with the marks of beginning and end where these are not the network's own.
        tags: Ids of the names of what was seen; none where nothing was.
        words: What is read, in the order of the attention's rows after that of the beginning.
        width: How many ids the question is padded to where padding counts.
    """

    ids: list[int]
    tags: list[int]
    words: tuple[str, ...]
    width: int


class Texts(Protocol):
    """Makes ids of texts."""

    def asked(self, question: str, labels: Sequence[str], slots: int) -> Asked:
        """Returns a question with the names that fit behind it.

        Args:
            question: The question.
            labels: Names of what was seen, each once.
            slots: How many places the whole text has, marks included.
        """


@dataclass(frozen=True)
class OwnWords:
    """Texts by the words that a network was trained with.

    Attributes:
        words: These.
        longest: How many of a question are read.
    """

    words: Words
    longest: int

    def asked(self, question: str, labels: Sequence[str], slots: int) -> Asked:
        """Returns a question with the names that fit behind it; the marks are the network's own."""
        ids = self.words.ids(question, max(1, min(self.longest, slots - 2)))
        tags = tag_ids(self.words, labels)[: max(0, slots - 3 - len(ids))]
        return Asked(ids, tags, tuple(words_of(question)[: len(ids)]), max(self.longest, len(ids)))


@dataclass(frozen=True)
class WordPieces:
    """Texts by the pieces of words of BERT.

    Attributes:
        tokenizer: That of transformers.
        longest: How many pieces of a question are read.
    """

    tokenizer: Any
    longest: int

    def asked(self, question: str, labels: Sequence[str], slots: int) -> Asked:
        """Returns a question with the names that fit behind it, with marks."""
        pieces = self.tokenizer.tokenize(question.strip())[: max(1, min(self.longest, slots - 2))]
        begin, end = self.tokenizer.cls_token_id, self.tokenizer.sep_token_id
        ids = [begin, *self.tokenizer.convert_tokens_to_ids(pieces), end]
        names = self.tokenizer.tokenize(" ".join(labels))[: max(0, slots - 1 - len(ids))]
        tags = [*self.tokenizer.convert_tokens_to_ids(names), end] if names else []
        return Asked(ids, tags, tuple(pieces), self.longest + 2)


def tag_ids(words: Words, labels: Sequence[str]) -> list[int]:
    """Returns the ids of names, one after another; none where there are no names."""
    text = " ".join(labels)
    return words.ids(text, len(words_of(text))) if words_of(text) else []


def names_of(labels: Sequence[str] | None) -> tuple[str, ...]:
    """Returns the names of what was seen, each once, in the order of the regions."""
    return tuple(dict.fromkeys(label for label in labels or () if label))


def word_pieces(place: str, longest: int, vocabulary: int) -> WordPieces:
    """Returns BERT's pieces of words.

    Args:
        place: A `vocab.txt`, a folder that has one, or a repository of a model hub (`OWNER/NAME` or
            `OWNER/NAME@REVISION`).
        longest: How many pieces of a question are read.
        vocabulary: How many ids the network has.

    Raises:
        InputError: It has more or fewer pieces than the network has ids, or no marks.
        UnavailableError: It is not to be had, or transformers is not installed.
    """
    needed("transformers", place, "hf")
    tokenizer = _of_file(Path(place)) if Path(place).is_file() else _of_hub(place)
    count = len(tokenizer.get_vocab())
    if count != vocabulary:
        problem = f"it has {count:,} pieces of words, and the network {vocabulary:,} ids"
        raise InputError(place, problem, "Take the vocab.txt that the network was trained with.")
    return WordPieces(tokenizer, longest)


def _of_file(path: Path) -> Any:
    from transformers import BertTokenizer

    lines = path.read_text(encoding="utf-8").splitlines()
    pieces = {piece: number for number, piece in enumerate(lines)}
    lacking = [mark for mark in ("[PAD]", "[UNK]", "[CLS]", "[SEP]") if mark not in pieces]
    if lacking or len(pieces) != len(lines):
        problem = f"it has no {lacking[0]}" if lacking else "a piece is there twice"
        raise InputError(str(path), f"it is no vocabulary of BERT: {problem}", "Give the vocab.txt of the model.")
    # Whatever marks a vocabulary lacks would be put behind it; [MASK] is of no use here.
    return BertTokenizer(vocab=pieces, do_lower_case=True, mask_token="[MASK]" if "[MASK]" in pieces else "[UNK]")


def _of_hub(place: str) -> Any:
    # Of the file itself: a tokenizer that is not there, transformers takes for one without any words.
    from transformers.utils.hub import cached_file

    name, _, revision = place.partition("@")
    told: dict[str, Any] = {"revision": revision or None, "local_files_only": offline() or Path(name).is_dir()}
    try:
        return _of_file(Path(str(cached_file(name, "vocab.txt", **told))))
    except (OSError, ValueError) as error:
        raise UnavailableError(
            place,
            f"its pieces of words cannot be had ({reason_of(error)})",
            "Pass --set vocabulary=FILE with the model's vocab.txt; google-bert/bert-base-uncased has that of most.",
        ) from error
