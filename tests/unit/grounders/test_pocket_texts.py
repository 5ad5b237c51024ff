from __future__ import annotations

import pytest

from foveate.core.regions import Polygon
from foveate.grounders._pocket import texts
from foveate.grounders._pocket.seen import Seen
from foveate.perception.questions import Asked
from foveate.perception.text_lines import TextLine
from tests.unit.grounders.eyes import SIZE, Eyes, Photo, ask, line


def seen() -> Seen:
    return Seen(Photo(), SIZE)


def test_all_text_is_read_in_order_with_the_box_around_it(eyes: Eyes) -> None:
    eyes.lines = [line("Ground coffee", (20, 10, 120, 40)), line("250 g", (150, 60, 200, 80), 0.95)]
    found = ask("What does it say?")
    assert found.answer == "Ground coffee 250 g"
    assert [c.shape.xyxy for c in found.candidates] == [(20, 10, 200, 80), (20, 10, 120, 40), (150, 60, 200, 80)]
    # 13 characters of 0.9 and 5 of 0.95; the parts by their share of 16 letters and digits.
    assert found.answer_score == pytest.approx((13 * 0.9 + 5 * 0.95) / 18)
    assert [c.score for c in found.candidates[1:]] == pytest.approx([0.9 * 12 / 16, 0.95 * 4 / 16])
    assert eyes.looks == 0


PACKET = [
    line("ACME COFFEE", (0, 0, 220, 40)),
    line("roasted in small batches by people who like their", (0, 100, 294, 112)),
    line("coffee strong; store it in a cool and dry place, and", (0, 112, 294, 124)),
]


def test_much_small_print_is_left_out_unless_every_word_is_asked_for(eyes: Eyes) -> None:
    eyes.lines = PACKET
    found = ask("What does it say?")
    assert found.answer == "ACME COFFEE"
    assert found.reason == "There is small print too; ask for all of the text to hear it."
    every = ask("Please read me all of the text.")
    assert (every.answer or "").startswith("ACME COFFEE roasted in")
    assert every.reason is None
    eyes.lines = PACKET[:1] + [line("beans", (0, 100, 30, 112))]
    assert ask("What does it say?").answer == "ACME COFFEE beans"


def test_the_block_with_the_largest_letters_is_the_brand(eyes: Eyes) -> None:
    eyes.lines = [line("by", (0, 0, 20, 10)), line("ACME", (0, 20, 120, 70)), line("since 1901", (0, 80, 60, 95))]
    found = ask("What brand is this?")
    assert found.answer == "ACME"
    assert [c.label for c in found.candidates] == ["ACME", "since 1901"]


def test_a_stray_large_number_is_no_brand(eyes: Eyes) -> None:
    eyes.lines = [line("088", (0, 0, 150, 100)), line("ACME", (0, 150, 80, 180))]
    assert ask("What brand is this?").answer == "ACME"
    eyes.lines = eyes.lines[:1]
    assert ask("What brand is this?").answer == "088"


def test_a_block_with_a_word_of_the_question_goes_before_a_somewhat_larger_one(eyes: Eyes) -> None:
    eyes.lines = [line("Campbell", (0, 0, 112, 28)), line("Tomato soup", (0, 100, 110, 120))]
    assert ask("What kind of soup is this?").answer == "Tomato soup"
    assert ask("What flavour is this?").answer == "Campbell"


def test_the_paragraph_is_the_block_with_most_letters(eyes: Eyes) -> None:
    eyes.lines = PACKET
    assert (ask("Read me the paragraph below the title.").answer or "").startswith("roasted in small batches")


def test_a_value_is_given_as_it_is_written_at_its_line(eyes: Eyes) -> None:
    eyes.lines = [line("Coffee", (0, 0, 90, 20), 0.99), line("best before 12/2027 L7", (0, 90, 90, 110))]
    found = ask("What is the expiration date?")
    assert found.answer == "12/2027"
    assert found.final is not None
    assert (found.final.label, found.final.shape.xyxy) == ("best before 12/2027 L7", (0, 90, 90, 110))
    assert found.answer_score == pytest.approx(0.9 * 0.9)


def test_values_that_fit_alike_share_their_score(eyes: Eyes) -> None:
    eyes.lines = [line("tea $1.50", (0, 0, 90, 20)), line("rolls $2.50", (0, 100, 90, 120))]
    assert [c.score for c in ask("What prices does it say?").candidates] == pytest.approx([0.9 * 0.8 / 2] * 2)
    tea = ask("How much is the tea?")
    assert tea.answer == "$1.50"
    assert tea.answer_score == pytest.approx(0.9)


def test_a_number_that_nothing_tells_the_meaning_of_is_given_with_a_note(eyes: Eyes) -> None:
    eyes.lines = [line("72", (0, 0, 90, 60))]
    found = ask("What is the temperature?")
    assert found.answer == "72"
    assert found.reason == "No word or sign beside it says that this is the temperature."
    assert found.answer_score == pytest.approx(0.9 * 0.4)


def test_where_it_says_so_is_the_place_of_the_words(eyes: Eyes) -> None:
    eyes.lines = [line("Entrance", (0, 0, 90, 20)), line("way to exit", (0, 30, 110, 50))]
    found = ask("Where does it say exit?")
    assert found.answer == "way to exit"
    assert found.final is not None
    # The last 4 of 11 letters.
    assert found.final.shape.xyxy == pytest.approx((70, 30, 110, 50))
    assert ask("Where does it say entrance?").candidates[0].shape.xyxy == (0, 0, 90, 20)


def test_a_photo_without_text_says_so_and_one_without_such_text_too(eyes: Eyes) -> None:
    eyes.things = [("book", 0.9, (0, 0, 50, 50))]
    assert ask("What does it say?").reason == "There is no text that pocket can read in this photo."
    eyes.lines = [line("Coffee 4711", (0, 0, 90, 20))]
    for question, noun in (
        ("What is the expiry date?", "date"),
        ("How much does it cost?", "price"),
        ("What is the phone number?", "telephone number"),
    ):
        found = ask(question)
        assert (found.status, found.reason) == ("no_region", f"pocket reads text in this photo, but no {noun}.")


def test_only_the_text_on_the_thing_that_is_asked_about_counts(eyes: Eyes) -> None:
    eyes.things = [("bus", 0.6, (0, 0, 100, 100)), ("bottle", 0.5, (150, 0, 200, 100))]
    eyes.lines = [line("AIRPORT", (10, 10, 90, 30)), line("cola", (160, 40, 190, 50))]
    assert ask("What does the bus say?").answer == "AIRPORT"
    assert ask("What does the bottle say?").answer == "cola"
    assert ask("What does the sign say?").answer == "AIRPORT cola"


def test_a_thing_without_text_has_none_and_one_that_is_not_sure_leaves_all_text(eyes: Eyes) -> None:
    eyes.things = [("bottle", 0.5, (150, 0, 200, 100))]
    eyes.lines = [line("AIRPORT", (10, 10, 90, 30))]
    assert ask("What does the bottle say?").reason == "pocket reads text in this photo, but none on the bottle."
    # A faint thing is often another one.
    eyes.things = [("bottle", 0.02, (0, 0, 100, 40))]
    eyes.lines += [line("DUTY FREE", (150, 60, 250, 80))]
    found = ask("What does the bottle say?")
    assert found.answer == "AIRPORT DUTY FREE"
    assert found.reason == "pocket is not sure where the bottle is; this is from all the text in the photo."
    # No phone has to be found for its number.
    eyes.lines = [line("call 212-555-0199", (10, 10, 190, 30))]
    assert ask("What is the phone number?").reason is None


def test_tilted_text_is_outlined_and_level_text_boxed(eyes: Eyes) -> None:
    tilted = ((0.0, 20.0), (90.0, 0.0), (94.0, 20.0), (4.0, 40.0))
    eyes.lines = [TextLine("slanting", 0.9, tilted, (0, 0, 94, 40)), line("level", (0, 100, 50, 120))]
    found = ask("What does it say?")
    assert found.final is not None
    assert isinstance(found.final.shape, Polygon)
    assert found.final.shape.parts[0] == tilted
    assert ask("Where does it say level?").candidates[0].shape.xyxy == (0, 100, 50, 120)


def test_what_the_other_routes_call(eyes: Eyes) -> None:
    assert (texts.read_all(seen(), "What is this?"), texts.find_said(seen(), "coins")) == (None, None)
    eyes.lines = [line("markers of the coins", (0, 0, 100, 20)), line("histogram", (0, 100, 50, 120))]
    said = texts.find_said(seen(), "Does the text mention coins?")
    assert said is not None
    assert said.answer == "markers of the coins"
    assert said.answer_score == pytest.approx(0.9)
    read = texts.read_all(seen(), "What is this?")
    assert read is not None
    assert read.answer == "markers of the coins histogram"
    assert texts.find(seen(), Asked("Read this.", "text")).answer == read.answer
