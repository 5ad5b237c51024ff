from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.perception.questions import Asked, QuestionType, question_type, understand

TYPES: dict[str, QuestionType] = {
    "What does the label say?": "text",
    "Can you read this to me?": "text",
    "What brand is it?": "text",
    "When does this expire?": "text",
    "What is the title of this book?": "text",
    "How much is this?": "text",
    "What is in this can?": "text",
    "What kind of soup is this?": "text",
    "How many calories does it have?": "text",
    "Is this decaf or regular coffee?": "text",
    "What is the name on the badge?": "text",
    "Which names are on the round patch?": "text",
    "What is the due date?": "text",
    "What time does the clock show?": "text",
    "What is this?": "what_is_this",
    "what's that please": "what_is_this",
    "Can you tell me what this is?": "what_is_this",
    "What am I touching?": "what_is_this",
    "What spice is this?": "text",
    "What mineral is this?": "what_is_this",
    "What do you see?": "scene",
    "What is in the picture?": "scene",
    "Please describe the photo.": "scene",
    "Is it dark in here?": "scene",
    "Are the lights on or off?": "scene",
    "What's the weather like outside?": "scene",
    "Where am I?": "scene",
    "What kind of place is this?": "scene",
    "What time of day is it?": "scene",
    "Is it day or night?": "scene",
    "Is it night?": "scene",
    "Is the room light or dark?": "scene",
    "How dark is it?": "scene",
    "What colour is my shirt?": "colour",
    "Tell me the color of this car, please.": "colour",
    "Is this shirt green or blue?": "colour",
    "How many chairs are there?": "count",
    "How many red cars do you see?": "count",
    "Is the oven on?": "yes_no",
    "Is there a teddy bear on the bed?": "yes_no",
    "Could you tell me if this is milk?": "yes_no",
    "Does this match?": "yes_no",
    "Which way do I turn it?": "attribute",
    "How do I open this?": "attribute",
    "Is this the left or the right shoe?": "attribute",
    "What kind of dog is this?": "object",
    "What kind of animal is this?": "object",
    "What do we use to put a label on a box?": "object",
    "Where can I read a story?": "object",
    "What can I use to count the eggs?": "object",
    "How do we change the channels?": "object",
    "Is this night or day lotion?": "attribute",
    "Is my shirt light or dark?": "attribute",
    "What is lit on the road during nighttime?": "object",
    "What meows?": "object",
    "Where is my phone?": "object",
    "": "object",
    "What will the weather be tomorrow?": "not_about_photo",
    "Tell me a joke please.": "not_about_photo",
    "Can you hear me?": "not_about_photo",
    "What is 12 plus 30?": "not_about_photo",
    # What is to come, what somebody thinks, what one knows; beside each what is like it and is about the photo.
    "Who will win the election?": "not_about_photo",
    "Who's going to win the game?": "not_about_photo",
    "Which team will win tonight?": "not_about_photo",
    "Who will eat the cake?": "object",
    "Who is winning?": "object",
    "What will happen next?": "not_about_photo",
    "What will happen in the next election?": "not_about_photo",
    "What will happen if I press this button?": "text",
    "Will I get rich?": "not_about_photo",
    "Will this fit me?": "yes_no",
    "Is it going to rain?": "not_about_photo",
    "Is it raining?": "scene",
    "Who should I vote for?": "not_about_photo",
    "Is there a god?": "not_about_photo",
    "Is there a god in the picture?": "yes_no",
    "What is your opinion on politics?": "not_about_photo",
    "What do you think about politics?": "not_about_photo",
    "What do you think of my outfit?": "object",
    "Should I get married?": "not_about_photo",
    "Should I wear this?": "yes_no",
    "Does she love me?": "not_about_photo",
    "Does she wear a hat?": "yes_no",
    "Who is the richest man in the world?": "not_about_photo",
    "What is the largest animal on Earth?": "object",
    "What is the capital of France?": "not_about_photo",
    "What is the population of India?": "not_about_photo",
    "What is the currency of Japan?": "not_about_photo",
    "What is the currency of the bill?": "object",
    "Who is the queen of England?": "not_about_photo",
    "Who was the fifth president?": "not_about_photo",
    "Who wrote Hamlet?": "not_about_photo",
    "Who painted this picture?": "object",
    "When was Napoleon born?": "not_about_photo",
    "When was this made?": "attribute",
    "How many countries are in the world?": "not_about_photo",
    "How many people are in the room?": "count",
    "How far is the moon?": "not_about_photo",
    "How tall is the man?": "attribute",
}


@pytest.mark.parametrize(("question", "expected"), TYPES.items())
def test_question_types(question: str, expected: str) -> None:
    assert question_type(question) == expected


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("What color are my pants?", "pants"),
        ("What colour shirt am I wearing?", "shirt"),
        ("What is the color of the cat in this picture?", "cat"),
        ("How many candles are on the cake?", "candles"),
        ("What does the big sign say?", "big sign"),
        ("What is the title of this book?", "book"),
        ("What is in this small jar?", "small jar"),
        ("What flavor is this yogurt?", "yogurt"),
        ("Where is my remote control, please?", "remote control"),
        ("Is there also a scale in the picture?", "scale"),
        ("Is the shirt dirty?", "shirt"),
        ("Is the cat on the bed?", "cat"),
        ("Is there more than one person?", "person"),
        ("Are there at least two red cars?", "red cars"),
        ("Does the word stop appear on the sign?", "sign"),
        ("Can you tell me where the card reader is?", "card reader"),
        ("Where's the cat?", "cat"),
        ("Where does the horse eat?", ""),
        ("Is there only one cat?", "cat"),
        ("Are there 2 cats?", "cats"),
        ("Are there two or more people?", "people"),
        ("Is there no dog?", "dog"),
        ("Is there a cat without a tail?", "cat"),
        ("What color isn't the cat?", "cat"),
        ("Is the cat orange?", "cat"),
        ("Is the sky blue?", "sky"),
        ("Does the picture contain a unicorn?", "unicorn"),
        ("Is this pair of socks clean?", "socks"),
        ("I know this is a keyboard, but what color is it?", "keyboard"),
        ("What color is this?", ""),
        ("What is this?", ""),
        ("What is in the picture?", ""),
        ("What barks?", ""),
        ("What can I use to cut the cake?", ""),
    ],
)
def test_what_a_question_is_about(question: str, about: str) -> None:
    assert understand(question)[-1].about == about


@pytest.mark.parametrize(
    ("question", "choices"),
    [
        ("Is this shirt green or blue?", ("green", "blue")),
        ("Is this regular or decaf coffee?", ("regular", "decaf coffee")),
        ("Is this a cat or a dog?", ("cat", "dog")),
        ("Is it my cup or the red one?", ("cup", "red")),
        ("Are the lights on or off?", ()),
        ("Is it green?", ()),
        ("Are there two or more people?", ()),
        ("Is the car orange or red?", ("orange", "red")),
    ],
)
def test_choices_are_what_the_question_offers(question: str, choices: tuple[str, ...]) -> None:
    asked = understand(question)[0]
    assert asked.choices == (choices or asked.choices)
    assert bool(asked.choices) == bool(choices)


def test_skills_are_told_apart_from_the_type() -> None:
    wine = understand("Is this red wine?")[0]
    assert (wine.type, sorted(wine.skills)) == ("yes_no", ["text"])
    shirt = understand("Is my shirt blue?")[0]
    assert (shirt.type, sorted(shirt.skills)) == ("yes_no", ["colour"])
    assert understand("How many red cars are there?")[0].skills == {"count"}
    assert understand("What color is the label?")[0].skills == {"colour", "text"}


def test_a_use_needs_no_skill_whatever_its_words() -> None:
    assert understand("What do we use to write down numbers?")[0] == Asked(
        "What do we use to write down numbers", "object"
    )


def test_several_questions_are_understood_one_by_one() -> None:
    asked = understand("Hi. What does this sign say, what color is it and how many people are there? Thanks!")
    assert [(each.type, each.about) for each in asked] == [("text", "sign"), ("colour", "sign"), ("count", "people")]
    assert asked[1].text == "what color is it"


@given(st.text(max_size=300))
def test_anything_said_is_at_least_one_question(said: str) -> None:
    asked = understand(said)
    assert asked
    assert question_type(said) == asked[0].type


def test_a_very_long_text_is_understood_in_no_time() -> None:
    assert len(understand("is it red or blue and what color is this shirt outside or on " * 20_000)) < 50
