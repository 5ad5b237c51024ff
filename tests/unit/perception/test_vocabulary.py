from __future__ import annotations

from foveate.perception.vocabulary import Words, padded, words_of


def test_words_are_lower_case_and_marks_that_part_a_question_stay() -> None:
    assert words_of("What's left, of the RED_cube; 2 spheres? (Größe)") == [
        "what's", "left", ",", "of", "the", "red", "cube", ";", "2", "spheres", "?", "größe",
    ]  # fmt: skip


def test_the_most_frequent_words_come_first_and_rare_ones_are_unknown() -> None:
    words = Words.of(["what is it", "what is red", "what now"], least=2)
    assert words.words == ("what", "is")
    assert len(words) == 4
    assert words.ids("What is that?", 10) == [2, 3, 1, 1]
    assert words.ids("what what what", 2) == [2, 2]
    assert words.ids("!!!", 5) == [1]


def test_rows_are_padded_with_noughts() -> None:
    ids, there = padded([[2, 3, 4], [1]])
    assert ids.tolist() == [[2, 3, 4], [1, 0, 0]]
    assert there.tolist() == [[True] * 3, [True, False, False]]
    assert padded([[5]], 3)[0].tolist() == [[5, 0, 0]]
