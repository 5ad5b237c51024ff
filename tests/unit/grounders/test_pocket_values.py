from __future__ import annotations

import pytest

from foveate.grounders._pocket.values import Hit, values_in
from foveate.perception.text_lines import TextLine
from foveate.perception.text_wishes import TextWish
from tests.unit.grounders.eyes import line


def stacked(*texts: str) -> list[TextLine]:
    """Returns lines far below one another, so that none tells what another means."""
    return [line(text, (0, 100 * row, 90, 100 * row + 20)) for row, text in enumerate(texts)]


def best(wish: TextWish, question: str, *texts: str) -> str | None:
    hits = values_in(stacked(*texts), wish, question)
    return hits[0].value if hits else None


@pytest.mark.parametrize(
    ("wish", "text", "value"),
    [
        ("date", "USE BY 12/03/2027 L44", "12/03/2027"),
        ("date", "EXP 03.27", "03.27"),
        ("date", "03.27", None),
        ("date", "BB 14NOV25", "14NOV25"),
        ("date", "AUG 0 6 2007", "AUG 0 6 2007"),
        ("date", "2027-03-12", "2027-03-12"),
        ("date", "12/2027", "12/2027"),
        ("date", "4 July", "4 July"),
        ("date", "best before 2027", "2027"),
        ("date", "since 1901", None),
        ("date", "212-645-2190", None),
        ("date", "version 1.2.3.4", None),
        ("date", "Lot 4711", None),
        ("date", "marker 3", None),
        ("phone", "Call (212) 645-2190 now", "(212) 645-2190"),
        ("phone", "+44 20 7946 0958", "+44 20 7946 0958"),
        ("phone", "030 / 12345", None),
        ("phone", "phone 311", "311"),
        ("phone", "12/03/2027", None),
        ("phone", "4006381333931", None),
        ("address", "visit www.example.org/shop today", "www.example.org/shop"),
        ("address", "mail to info@example.org", "info@example.org"),
        ("address", "neweracap.com", "neweracap.com"),
        ("address", "ground coffee.", None),
        ("time", "12:30 PM", "12:30 PM"),
        ("time", "open until 9 pm", "9 pm"),
        ("time", "ratio 1:2", None),
        ("time", "25:10", None),
        ("duration", "microwave 3-4 minutes", "3-4 minutes"),
        ("duration", "serves 4", None),
        ("temperature", "bake at 350°F", "350°F"),
        ("temperature", "72", "72"),
        ("temperature", "Room 101 left", None),
        ("money", "FIVE DOLLARS", "FIVE DOLLARS"),
        ("money", "20", "20"),
        ("money", "B 1234", None),
        ("price", "only $4.99 each", "$4.99"),
        ("price", "6.75", "6.75"),
        ("price", "4,50 €", "4,50 €"),
        ("price", "37.4913", None),
        ("price", "12.03.2027", None),
        ("price", "fat 6.75 g", None),
        ("price", "Lot 7", None),
        ("amount", "NET WT 12 oz (340 g)", "12 oz"),
        ("amount", "2.5% fat", "2.5%"),
        ("amount", "Room 12", None),
        ("number", "Serial AB-1234", "AB-1234"),
        ("number", "coffee", None),
    ],
)
def test_forms_of_values(wish: TextWish, text: str, value: str | None) -> None:
    assert best(wish, "What is it?", text) == value


def test_a_value_beside_words_of_the_question_goes_before_others() -> None:
    question = "How much sodium is in each serving?"
    assert best("amount", question, "NET WT 340 g", "Sodium 460mg", "Protein 5 g") == "460mg"
    assert best("date", "When does it expire?", "MFG 01/02/2024", "01/02/2026", "EXPIRES 01/02/2025") == "01/02/2025"
    assert best("number", "What is the model number?", "Serial 99-1", "12", "Model 55-2") == "55-2"


def test_a_mere_number_goes_before_a_date_a_price_or_a_time() -> None:
    assert best("number", "What number is on it?", "$4.99", "12/2027", "10:30", "Gate 7") == "7"


@pytest.mark.parametrize(
    ("label", "told"),
    [
        (line("BEST BEFORE", (0, 0, 90, 20)), True),
        (line("BEST BEFORE", (-100, 22, -10, 42)), True),
        (line("BEST BEFORE", (0, 100, 90, 120)), False),
        (line("BEST BEFORE", (100, 22, 190, 42)), False),
        (line("BEST BEFORE", (200, 0, 290, 20)), False),
    ],
)
def test_the_words_for_a_value_stand_above_it_or_to_its_left(label: TextLine, told: bool) -> None:
    hits = values_in([label, line("03.27", (0, 22, 50, 42))], "date", "What is the date?")
    assert bool(hits) is told


def test_a_hit_knows_how_well_it_fits() -> None:
    (first, second, third) = stacked("temperature 72", "350°F", "65")
    assert values_in([first, second, third], "temperature", "What is it?") == [
        Hit(second, "350°F", 0.8),
        Hit(third, "65", 0.4, told=False),
    ]
