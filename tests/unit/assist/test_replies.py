"""What is said to a question, and its JSON."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from foveate.assist.answers import Answered
from foveate.assist.certainty import TABLES, certainty, table, told
from foveate.assist.placing import Style
from foveate.assist.refusals import refusal_of
from foveate.assist.replies import reply, reply_object
from foveate.assist.why import why
from foveate.core.explanations import REFUSAL_KINDS, Evidence, Refusal, RefusalKind
from foveate.core.regions import Box, Mask, Polygon, Region
from foveate.core.rle import encode, parse
from foveate.perception.photo_quality import PhotoQuality
from tests.helpers import REPOSITORY, save_photo
from tests.unit.assist.made import BLURRED, DARK, GOOD, JAR, SIZE_HW, answered

UNMEASURED = "How often that is right was never measured."


def test_answer_place_and_certainty_are_said_in_this_order() -> None:
    found = answered(evidence=Evidence("thing", "creamy tomato basil", 0.85, measure="pocket.thing"))
    said = reply(found)
    sure = told(certainty(0.85, "pocket.thing"))
    assert sure in {"Very sure.", "Fairly sure."}
    assert said.said == f"Creamy tomato basil. Lower middle of the photo, about a tenth of it. {sure}"
    assert said.alt == (
        "The photo with the answer outlined. Creamy tomato basil. Lower middle of the photo, about a tenth of it."
    )


@pytest.mark.parametrize(
    ("style", "place"),
    [
        ("metric", "50 per cent across and 75 per cent down the photo; 40 per cent wide, 30 per cent high."),
        ("clock", "At 6 o'clock, about halfway to the edge of the photo, about a tenth of it."),
    ],
)
def test_the_place_has_its_style(style: Style, place: str) -> None:
    assert reply(answered(), style).said == f"Creamy tomato basil. {place} {UNMEASURED}"


@pytest.mark.parametrize(("answer", "measure"), [("no", "pocket.no"), ("0", "pocket.none"), ("no", None)])
def test_no_and_none_have_no_place(answer: str, measure: str | None) -> None:
    said = reply(answered(answer, None, evidence=Evidence("count", answer, measure=measure)))
    assert (said.answer, said.place) == (f"{answer.capitalize()}.", "")
    assert said.certainty == told(certainty(None, measure))
    assert (said.certainty == UNMEASURED) == (measure is None)
    assert said.alt == f"The photo; nothing is outlined in it. {answer.capitalize()}."


def test_of_a_number_the_sides_are_told() -> None:
    two = np.zeros(SIZE_HW, dtype=bool)
    two[40:60, 5:25] = two[40:60, 75:95] = True
    said = reply(answered("2", Mask(encode(two)), evidence=Evidence("count", "two cups")))
    assert said.place == "Left and right of the photo; together about a tenth of it."
    assert reply(answered("cups", Mask(encode(two)))).place.startswith("In two parts: left and right; together")


def test_a_place_without_words_is_told_by_what_the_method_says_of_it() -> None:
    said = reply(
        answered(None, reason="pocket sees this television, and no more", notes=("It holds several pictures.",))
    )
    assert said.said == "Pocket sees this television, and no more. Lower middle of the photo, about a tenth of it."
    assert said.notes == ("It holds several pictures.",)
    bare = reply(answered(None, quality=BLURRED))
    assert bare.answer == "I have no words for it, only its place."
    # Nothing was said that it could be sure of; and the photo may be why.
    assert (bare.certainty, bare.advice) == ("", ("The photo is very blurred; hold still and try again.",))


@pytest.mark.parametrize("quality", [DARK, BLURRED])
def test_no_answer_is_sure_where_a_thing_could_hardly_be_seen(quality: PhotoQuality) -> None:
    none = Evidence("count", "no cup", measure="pocket.no")
    assert reply(answered("no", None, evidence=none)).certainty == told(certainty(None, "pocket.no")) != UNMEASURED
    said = reply(answered("no", None, evidence=none, quality=quality))
    assert said.certainty.startswith("How often that is right was never measured on photos as ")
    assert len(said.advice) == 1
    found = Evidence("thing", "cup", 0.85, Region(JAR, 0.85), "pocket.thing")
    assert reply(answered("cup", evidence=found, quality=quality)).certainty == said.certainty


def test_of_a_place_without_words_it_is_told_how_sure_the_thing_is() -> None:
    thing = Evidence("thing", "television", 0.85, Region(JAR, 0.85), "pocket.thing")
    assert reply(answered(None, evidence=thing)).certainty == told(certainty(0.85, "pocket.thing"))


def test_text_that_was_read_keeps_its_letters() -> None:
    assert reply(answered("w1fi-pAss", evidence=Evidence("text", "w1fi-pAss", 0.9))).answer == "w1fi-pAss."
    assert reply(answered("w1fi-pAss", evidence=Evidence("thing", "w1fi-pAss", 0.9))).answer == "W1fi-pAss."


@pytest.mark.parametrize("kind", REFUSAL_KINDS)
def test_a_refusal_says_why_and_what_to_do(kind: RefusalKind) -> None:
    said = reply(answered(None, None, refusal=Refusal(kind)))
    assert said.said.startswith("I ")
    assert said.said.count(". ") >= 1
    assert (said.place, said.certainty, said.notes) == ("", "", ())
    assert len({reply(answered(None, None, refusal=Refusal(each))).said for each in REFUSAL_KINDS}) == 8


def test_what_was_looked_for_is_named() -> None:
    said = reply(answered(None, None, refusal=Refusal("nothing_found", "spoon"))).said
    assert said == (
        "I cannot answer this from the photo: I looked for this and did not find it: spoon. "
        "Try again from closer by or from another side."
    )
    said = reply(answered(None, None, refusal=Refusal("nothing_found", "text"))).said
    assert said.startswith("I cannot answer this from the photo: I found no text in it that I can read. Try again")


@pytest.mark.parametrize(
    ("kind", "quality", "becomes"),
    [
        ("nothing_found", DARK, "too_dark"),
        ("nothing_found", BLURRED, "too_blurred"),
        ("nothing_found", replace(GOOD, sharpness=0.0), "nothing_to_see"),
        ("nothing_to_see", DARK, "too_dark"),
        ("nothing_to_see", replace(GOOD, sharpness=0.0), "nothing_to_see"),
        ("nothing_to_see", replace(GOOD, sharpness=0.0, blown_out=1.0), "too_bright"),
        ("nothing_found", replace(GOOD, sharpness=0.0, blown_out=1.0), "too_bright"),
        ("nothing_found", replace(GOOD, blown_out=1.0), "nothing_found"),
        ("not_about_photo", DARK, "not_about_photo"),
        ("nothing_found", GOOD, "nothing_found"),
    ],
)
def test_what_is_not_found_in_a_dark_or_blurred_photo_is_hidden_by_that(
    kind: RefusalKind, quality: PhotoQuality, becomes: RefusalKind
) -> None:
    found = answered(None, None, refusal=Refusal(kind, "spoon"), quality=quality)
    assert refusal_of(found) == Refusal(becomes, "spoon")
    # What the refusal says is not said again as advice.
    word = {"too_dark": "dark", "too_bright": "bright", "too_blurred": "blurred", "nothing_to_see": "made out"}.get(
        becomes
    )
    assert not word or not any(word in each for each in reply(found).advice)


@pytest.mark.parametrize("kind", ["not_about_photo", "not_understood"])
@pytest.mark.parametrize("quality", [DARK, BLURRED])
def test_where_no_photo_would_do_nothing_is_advised_about_the_photo(kind: RefusalKind, quality: PhotoQuality) -> None:
    assert reply(answered(None, None, refusal=Refusal(kind), quality=quality)).advice == ()
    assert reply(answered(None, None, refusal=Refusal("nothing_found", "spoon"), quality=GOOD)).advice == ()


def test_a_method_that_does_not_explain_itself_is_refused_by_what_it_predicted() -> None:
    assert refusal_of(answered(None, None)) == Refusal("nothing_found")
    assert refusal_of(answered("no", None)) is None


def test_advice_comes_last_and_at_most_twice() -> None:
    quality = replace(BLURRED, tilted_degrees=20.0, blown_out=0.5)
    said = reply(answered("exit", Box((0, 30, 20, 70)), "What does it say?", quality=quality))
    assert said.said.endswith(
        "Cut off at the left edge. How often that is right was never measured. The photo is very blurred; hold still "
        "and try again. To get all of it in, turn the camera a little to the left."
    )


@pytest.mark.parametrize(
    ("flaw", "quality"), [("dark", DARK), ("blurred", BLURRED), ("bright", replace(GOOD, blown_out=0.5))]
)
def test_of_a_flawed_photo_nothing_was_measured(flaw: str, quality: PhotoQuality) -> None:
    found = answered(evidence=Evidence("thing", "jar", 0.9, measure="pocket.thing"), quality=quality)
    said = reply(found)
    assert said.certainty == f"How often that is right was never measured on photos as {flaw} as this."
    assert reply_object(found, said)["certainty"] == {
        "word": "unmeasured", "measure": "pocket.thing", "n": None, "right": None, "low": None, "flaw": flaw,
    }  # fmt: skip


FIELDS = {
    "version", "question", "grounder", "status", "said", "words", "answer", "answer_score", "reason", "refusal",
    "certainty", "region", "place", "rests_on", "others", "photo", "seconds",
}  # fmt: skip


@pytest.mark.parametrize(
    "found",
    [
        answered(evidence=Evidence("thing", "jar", 0.9, measure="pocket.thing")),
        answered(None, None, refusal=Refusal("nothing_found", "spoon"), quality=DARK),
        answered("no", None),
        answered("a", Mask(encode(np.eye(100, dtype=bool)))),
        answered("a", Polygon((((10, 10), (30, 10), (10, 30)),))),
    ],
)
def test_the_object_has_the_same_keys_for_every_answer_and_is_json(found: Answered) -> None:
    given = reply_object(found, reply(found, "clock", "de-AT"))
    assert json.loads(json.dumps(given, allow_nan=False)) == given
    assert set(given) == FIELDS
    assert given["said"] == reply(found, "clock").said
    assert (given["words"]["style"], given["words"]["language"], given["version"]) == ("clock", "de-AT", 1)


def test_the_object_tells_place_region_and_what_was_measured() -> None:
    found = answered(evidence=Evidence("thing", "jar", 0.9, measure="pocket.thing"))
    given = reply_object(found, reply(found))
    assert given["region"]["xyxy"] == list(JAR.xyxy)
    assert given["place"] == {
        "side": "lower middle",
        "share": 0.12,
        "centre": [0.5, 0.75],
        "box": [0.3, 0.6, 0.7, 0.9],
        "hour": 6,
        "cut_off": [],
        "near": [],
        "parts": 1,
    }
    measured = certainty(0.9, "pocket.thing").measured
    assert measured
    assert given["certainty"]["right"] == measured.right
    assert given["rests_on"] == [{"kind": "thing", "said": "jar", "score": 0.9, "measure": "pocket.thing", "box": None}]
    outlined = answered("a", Polygon((((10, 10), (30, 10), (30, 30), (10, 30)),)))
    rle = reply_object(outlined, reply(outlined))["region"]["rle"]
    assert parse(rle["counts"], (rle["size"][0], rle["size"][1])) == Box((10, 10, 30, 30)).rle(SIZE_HW)


def test_the_example_of_the_docs_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (REPOSITORY / "docs" / "assist-words.md").read_text(encoding="utf-8")
    example = page.split("```python\n")[1].split("```")[0]
    save_photo(tmp_path / "jar.jpg", colour=(180, 200, 190))
    monkeypatch.chdir(tmp_path)
    exec(compile(example, "assist-words.md", "exec"), {})
    # A photo of one colour: nothing is to be seen, and that is nowhere.
    said, place = capsys.readouterr().out.split("\n")[:2]
    assert said.startswith("I cannot answer this from the photo: there is nothing to see in it. ")
    assert place == ""


def test_the_docs_tell_every_field_and_every_measured_share() -> None:
    page = (REPOSITORY / "docs" / "assist-words.md").read_text(encoding="utf-8")
    keys = "".join(line.split("|")[1] for line in page.splitlines() if line.startswith("| `"))
    assert set(re.findall(r"`(\w+)`", keys)) >= FIELDS
    for path in TABLES.glob("*.toml"):
        row = next(line for line in page.splitlines() if line.startswith(f"| `{path.stem}`"))
        found = table(path.stem)
        assert found
        shares = [f"{each.right / each.n:.2f}".removeprefix("0") + f" ({each.n}; " for each in found.bins]
        assert all(share in row for share in shares), shares
        assert all(f"; {each.low:.2f}".replace(" 0", " ") in row for each in found.bins)


def test_what_is_read_cannot_drive_a_terminal_or_turn_the_sentence_around() -> None:
    said = reply(answered("jam\x1b[31m \u202eof\x9b1m\nplums\x07", None))
    assert said.answer == "Jam [31m of 1m plums."
    assert reply(answered("نمی\u200cدانم", None)).answer.startswith("نمی\u200cدانم")
    label = Evidence("thing", "jam\x1b]0;\u202e", 0.8)
    assert all(sentence.isprintable() for sentence in why(answered(evidence=label)))
    refused = Refusal("nothing_found", "jam\x1b[2J")
    assert "\x1b" not in reply(answered(None, None, refusal=refused)).said
