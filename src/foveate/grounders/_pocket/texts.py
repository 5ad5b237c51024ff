"""Text: the line or block that answers, with its reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from foveate.core.explanations import Evidence
from foveate.core.regions import Region
from foveate.grounders._pocket.finding import Finding
from foveate.grounders._pocket.lines import Reading, find_words, read_out, shape_of
from foveate.grounders._pocket.listing import shortened
from foveate.grounders._pocket.named import named
from foveate.grounders._pocket.reasons import missing
from foveate.grounders._pocket.seen import Seen
from foveate.grounders._pocket.things import MOST_CANDIDATES, each_of
from foveate.grounders._pocket.values import VALUES
from foveate.perception.questions import Asked
from foveate.perception.text_lines import TextLine
from foveate.perception.text_wishes import text_wish
from foveate.perception.words import content_stems, stem, words

NO_TEXT = missing("There is no text that pocket can read in this photo.", "text")
_NONE_ON_IT = "pocket reads text in this photo, but none on the {}."
_NOT_SURE = "pocket is not sure where the {} is; this is from all the text in the photo."
_A_GUESS = 1 / 3
# Text belongs to a thing when its middle lies in the thing's box, or outside by no more than this share of its sides.
_NEAR = 0.1


def find(seen: Seen, asked: Asked) -> Finding:
    """Returns the text that answers a question, and where it stands, or why there is none.

    Where the question names a thing that the photo surely shows, only the text on the thing or near it counts.
    """
    if not seen.lines:
        return Finding(reason=NO_TEXT)
    # "Where does it say exit?" tells the words and wants their place.
    if words(asked.text)[:1] == ("where",):
        hit = find_words(seen.lines, asked.text, seen.size_hw, exact=True)
        if hit:
            return _finding(hit)
    lines, note = _on_the_thing(seen, asked)
    if not lines:
        return Finding(reason=note, others=read_instead(seen))
    reading = read_out(lines, asked.text, seen.size_hw)
    if reading is None:
        return Finding(reason=_none_of_them(asked.text), others=read_instead(seen))
    return _finding(reading, note)


def find_said(seen: Seen, said: str) -> Finding | None:
    """Returns the lines in which the words of a text stand, best first, or None where none of them does.

    The score is the reader's certainty times the share of the words that stand in the line.
    """
    hit = find_words(seen.lines, said, seen.size_hw)
    return _finding(hit) if hit else None


def find_name(seen: Seen, said: str) -> Finding | None:
    """Returns the lines in which the name of what is looked for stands, where nothing else was found, or None.

    A word counts as it is said or in the plural: who looks for something to eat means no sign "EATS". That a thing is
    where its name stands is a guess, and has a third of the score of `find_said`.
    """
    meaning = content_stems(said)
    asked = {form for word in words(said) if stem(word) in meaning for form in (word, f"{word}s")}
    hit = find_words([line for line in seen.lines if asked & set(words(line.text))], said, seen.size_hw)
    if hit is None:
        return None
    guessed = tuple(replace(region, score=_A_GUESS * (region.score or 0.0)) for region in hit.regions)
    return _finding(replace(hit, regions=guessed))


def read_all(seen: Seen, question: str) -> Finding | None:
    """Returns what the text says, joined, or None where there is none, for "What is this?"."""
    reading = read_out(seen.lines, question, seen.size_hw)
    return _finding(reading) if reading else None


def read_instead(seen: Seen) -> tuple[Evidence, ...]:
    """Returns the largest lines of the photo: what is read where it is not what was asked for."""
    largest = sorted(seen.lines, key=lambda line: -line.height)[:MOST_CANDIDATES]
    regions = (Region(shape_of([line], seen.size_hw), line.score, line.text) for line in largest)
    return tuple(_as_text(region, region.score or 0.0) for region in regions)


def _on_the_thing(seen: Seen, asked: Asked) -> tuple[Sequence[TextLine], str | None]:
    """Returns the lines on the thing that a question is about, and a note; all lines where it is not sure of any.

    Of several such things, it is the best with text on it; one that was surely found and has no text stays without.
    """
    kinds = named(asked.about).kinds
    # A phone number is on no phone.
    if not kinds or text_wish(asked.about) != "all":
        return seen.lines, None
    sure = sorted((thing for kind in kinds for thing in each_of(seen, kind)), key=lambda thing: -(thing.score or 0.0))
    for thing in sure:
        lines = [line for line in seen.lines if _is_near(line, thing)]
        if lines:
            return lines, None
    if sure:
        return (), missing(_NONE_ON_IT.format(sure[0].label), "text")
    # A label that fills the photo is no bottle to the detector.
    return seen.lines, _NOT_SURE.format(asked.about)


def _is_near(line: TextLine, thing: Region) -> bool:
    x0, y0, x1, y1 = thing.shape.xyxy
    left, top, right, bottom = line.xyxy
    x, y = (left + right) / 2, (top + bottom) / 2
    beside, below = _NEAR * (x1 - x0), _NEAR * (y1 - y0)
    return x0 - beside <= x <= x1 + beside and y0 - below <= y <= y1 + below


def _none_of_them(question: str) -> str:
    value = VALUES.get(text_wish(question))
    noun = value.noun if value else "such words"
    return missing(f"pocket reads text in this photo, but no {noun}.", noun)


def _finding(reading: Reading, note: str | None = None) -> Finding:
    notes = " ".join(filter(None, (note, reading.note))) or None
    regions = reading.regions[:MOST_CANDIDATES]
    read = tuple(_as_text(region, sure) for region, sure in zip(regions, reading.sure, strict=False))
    rests_on, others = (read, ()) if reading.parts else (read[:1], read[1:])
    return Finding(reading.answer, regions, notes, regions[0].score, rests_on, others)


def _as_text(region: Region, sure: float) -> Evidence:
    return Evidence("text", shortened(region.label or "") or "text", sure, region)
