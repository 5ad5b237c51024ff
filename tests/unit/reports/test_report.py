"""The page and its tables, as they are written: what is in them, what cannot be, and the same bytes each time."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path

import pytest

import foveate
from foveate.core.predictions import Prediction
from foveate.core.regions import Box
from foveate.errors import InputError, OutputError, UsageError
from foveate.reports import study as studies
from foveate.reports.report import report
from tests.helpers import Sides, write
from tests.unit.reports.made import QUESTIONS, SIZE, Page, answering, box_of, mask_of, write_run, write_table

HOSTILE = "</script><script>alert(1)</script> \"'&amp; <b>\u202e\u2028\U0001f600\nline <!-- ]]>"
MIDDLE: Sides = (16.0, 12.0, 48.0, 36.0)


def page_of(folder: Path, *sources: str, name: str = "r.html", **options: object) -> Page:
    out = folder / name
    report([folder / source for source in sources], out, resamples=20, permutations=20, **{"depth": None, **options})  # type: ignore[arg-type]
    return Page(out.read_text(encoding="utf-8"))


def the_json(page: Page) -> dict[str, object]:
    found: dict[str, object] = json.loads(page.texts["script"][0])
    return found


@pytest.mark.parametrize("sources", [("one",), ("one", "two")])
def test_the_page_is_whole_and_needs_nothing_beside_it(made: Path, sources: tuple[str, ...]) -> None:
    page = page_of(made, *sources)
    for value in page.values("href", "src", "xlink:href", "srcset", "poster", "data", "action", "formaction"):
        assert value.startswith(("#", "data:")), value
    for style in page.texts["style"]:
        assert "url(" not in style
        assert "@import" not in style
    script = page.texts["script"][1]
    assert not re.search(r"fetch|XMLHttpRequest|WebSocket|import\(|https?:|innerHTML|eval|document\.write", script)
    assert not [name for _, attributes in page.elements for name in attributes if name == "style" or name[:2] == "on"]
    assert [tag for tag, _ in page.elements if tag in {"iframe", "object", "embed", "base"}] == []


@pytest.mark.parametrize("sources", [("one",), ("one", "two")])
def test_names_lead_somewhere_and_are_given_once(made: Path, sources: tuple[str, ...]) -> None:
    page = page_of(made, *sources)
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    links = [value[1:] for value in page.values("href") if value.startswith("#")]
    clips = [value[5:-1] for value in page.values("clip-path")]
    labels = [name for value in page.values("aria-labelledby") for name in value.split()]
    assert clips
    assert set(links + clips + labels) <= set(ids)


@pytest.mark.parametrize("sources", [("one",), ("one", "two")])
def test_the_page_can_be_read_without_seeing_it(made: Path, sources: tuple[str, ...]) -> None:
    page = page_of(made, *sources)
    tags = [tag for tag, _ in page.elements]
    assert (tags.count("h1"), tags.count("main"), tags.count("footer")) == (1, 1, 1)
    assert dict(page.elements)["html"]["lang"] == "en"
    for tag, attributes in page.elements:
        if tag == "img":
            assert "alt" in attributes
        if tag == "svg":
            assert attributes.get("aria-label") if attributes.get("role") == "img" else "aria-hidden" in attributes
        if tag == "th":
            assert "scope" in attributes
    levels = [int(tag[1]) for tag in tags if re.fullmatch(r"h\d", tag)]
    assert all(after <= before + 1 for before, after in zip(levels, levels[1:], strict=False))


def test_only_this_style_and_script_may_work(made: Path) -> None:
    page = page_of(made, "one")
    policy = next(a["content"] for t, a in page.elements if a.get("http-equiv") == "Content-Security-Policy")
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    for kind, text in (("style", "".join(page.texts["style"])), ("script", page.texts["script"][1])):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy


def test_equal_runs_give_equal_bytes(made: Path) -> None:
    for name in ("first.html", "second.html", "first.md", "second.md"):
        report([made / "one", made / "two"], made / name, resamples=20, permutations=20, depth=None)
    assert (made / "first.html").read_bytes() == (made / "second.html").read_bytes()
    assert (made / "first.md").read_bytes() == (made / "second.md").read_bytes()
    report([made / "one", made / "two"], made / "third.html", resamples=20, permutations=20, seed=1)
    assert (made / "first.html").read_bytes() != (made / "third.html").read_bytes()


def test_what_was_written_is_told_and_is_a_path(made: Path) -> None:
    found = report([made / "one"], made / "r.html", resamples=0, depth=None)
    assert (found.samples, found.photos, found.absent) == (4, 4, 0)
    assert found.size == Path(found).stat().st_size


def test_a_card_tells_all_about_its_sample(made: Path) -> None:
    page = page_of(made, "one")
    assert len(page.of_class("card")) == 4
    assert len(page.of_class("picture")) == 4
    for told in (
        "Where is the cup?",
        "accepted: a box",
        "answers “a tin” ✗ wrong",
        "answers “cup” ✓ right",
        "IoU 0.50 score 0.75",
        "error IoU 0.00 out of memory",
        "no_region no target nothing there",
        "target covers 25 %",
        "no score map",
    ):
        assert told in page.text, told
    labels = {attributes["aria-label"] for attributes in page.of_class("picture")}
    assert "1.png: target and predicted region, IoU 0.50" in labels
    assert "3.png: target; error" in labels
    assert "2.png: no target; no_region" in labels


def test_layers_lie_over_the_photo_in_its_own_pixels(made: Path) -> None:
    page = page_of(made, "one")
    assert {attributes["viewbox"] for attributes in page.of_class("picture")} == {"0 0 64 48"}
    paths = {
        attributes["id"]: attributes["d"] for tag, attributes in page.elements if tag == "path" and "id" in attributes
    }
    assert paths["t0-0-0"] == "M0 0H32V24H0Z"
    assert paths["p1-0-0"] == "M16 12h16v24h-16z"
    assert "t2-0-0" not in paths
    photos = [attributes for tag, attributes in page.elements if tag == "image" and "id" in attributes]
    assert {(photo["width"], photo["height"]) for photo in photos} == {("64", "48")}
    (laid,) = [attributes for tag, attributes in page.elements if tag == "image" and "id" not in attributes]
    assert (laid["x"], laid["y"], laid["width"], laid["height"]) == ("0", "0", "64", "48")
    # Right, missed and needless of the two with a region on a target; what is only a target is all missed.
    kinds = [kind for kind in page.values("class") if kind in {"right", "missed", "needless"}]
    assert sorted(kinds) == ["missed"] * 3 + ["needless"] * 2 + ["right"] * 2


def test_a_sample_is_in_the_page_once_with_all_its_galleries(made: Path) -> None:
    page = page_of(made, "one", "two")
    cards = page.of_class("card")
    assert sorted(card["data-row"] for card in cards) == ["0", "1", "2", "3"]
    places = {card["data-row"]: set(card["data-places"].split()) for card in cards}
    assert {"best/0/0", "worst/0/1", "loss/1/0", "no_region/1/0", "needless/1/0"} <= places["0"]
    assert {"gain/1/0", "best/1/0", "worst/1/0"} <= places["1"]
    assert "missed/1/0" in places["2"]
    assert {"error/0/0", "missing/1/0"} <= places["3"]
    assert "missing of two" in page.text


def test_totals_counts_and_differences(made: Path) -> None:
    page = page_of(made, "one", "two", metrics=("mean_iou", "exact_match"))
    # 1, 1/2 and a failure; then a failure, 1, and a missing prediction.
    assert "mean IoU ↑ higher is better one 0.5000" in page.text
    assert "two 0.3333" in page.text
    assert "cannot be told apart in mean IoU: −0.1667" in page.text
    assert "1 × error out of memory" in page.text
    assert "two: 1 prediction missing: d" in page.text
    assert page.text.count("1 prediction missing: d") == 2  # In the notes, and in the Markdown to be copied.


def test_hostile_texts_stay_texts(tmp_path: Path) -> None:
    table = write_table(tmp_path / "data", [(HOSTILE, HOSTILE, MIDDLE, HOSTILE), ("b", HOSTILE, MIDDLE, HOSTILE)])
    sample = foveate.open_dataset("folder", table.parent, questions=table)
    first = next(iter(sample.queries())).id
    run = [
        Prediction(first, "error", answer=HOSTILE, size_hw=SIZE, reason=HOSTILE),
        answering("b", Box(MIDDLE), HOSTILE + "\ud800"),
    ]
    name = "<i>run' \u202e"
    write_run(tmp_path / name, table, run)
    page = page_of(tmp_path, name)
    assert [tag for tag, _ in page.elements].count("script") == 2
    assert "b" not in {tag for tag, _ in page.elements}
    assert "i" not in {tag for tag, _ in page.elements}
    data = the_json(page)
    rows = data["rows"]
    assert isinstance(rows, list)
    assert rows[0][2] == "</script><script>alert(1)</script> \"'&amp; <b> \U0001f600 line <!-- ]]>"
    assert data["runs"] == ["<i>run'"]
    raw = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "\u202e" not in raw
    assert "\u2028" not in raw
    assert page.text.count("<b> \U0001f600 line <!-- ]]>") >= 6
    report([tmp_path / name], tmp_path / "r.md", resamples=0, depth=None)
    assert "<i>" not in (tmp_path / "r.md").read_text(encoding="utf-8").replace("\\<i\\>", "")


def test_without_photos_the_regions_are_drawn_and_the_reader_told(made: Path) -> None:
    page = page_of(made, "one", photos=False)
    assert "data:image/jpeg" not in (made / "r.html").read_text(encoding="utf-8")
    assert "photos were left out of this report on purpose" in page.text
    assert page.text.count("photo not here") == 4
    assert len(page.of_class("picture")) == 4


def test_photos_that_are_absent_broken_or_another(made: Path) -> None:
    (made / "data" / "0.png").unlink()
    write(made / "data" / "1.png", "no photo")
    from tests.helpers import save_photo

    save_photo(made / "data" / "2.png", (64, 48))
    page = page_of(made, "one")
    assert "no photo: it is not below the root of the data set" in page.text
    assert "no photo: this is not a photo that can be read (8 bytes of something else)" in page.text
    assert "no photo: the photo is 48 wide and 64 high, not 64 wide and 48 high; it looks transposed" in page.text
    assert "3 photos of the 4 samples that are shown could not be put in; each picture says why" in page.text


def test_photos_that_are_nowhere_are_told_with_the_cure(made: Path) -> None:
    for n in range(4):
        (made / "data" / f"{n}.png").unlink()
    found = report([made / "one"], made / "r.html", resamples=0, depth=None)
    assert (found.photos, found.absent, found.nowhere) == (0, 4, 4)
    page = Page((made / "r.html").read_text(encoding="utf-8"))
    assert "4 photos of the 4 samples that are shown are not below the root of the data set; put them" in page.text
    found = report([made / "one"], made / "s.html", resamples=0, photos=False)
    assert (found.absent, found.nowhere) == (4, 0)


def test_a_photo_that_several_samples_share_is_in_the_page_once(tmp_path: Path) -> None:
    table = write_table(tmp_path / "data", [("a", "What?", MIDDLE, ""), ("b", "Who?", MIDDLE, "")])
    table.write_text(table.read_text().replace("1.png", "0.png"))
    write_run(tmp_path / "run", table, [answering("a", Box(MIDDLE), None), answering("b", Box(MIDDLE), None)])
    found = report([tmp_path / "run"], tmp_path / "r.html", resamples=0, depth=None)
    assert (found.samples, found.photos) == (2, 1)


def test_a_score_map_that_cannot_be_read_does_not_stop_the_report(made: Path) -> None:
    (made / "one" / "maps-00000.bin").write_bytes(b"x")
    page = page_of(made, "one")
    assert "the score map cannot be read" in page.text


def test_all_missing(tmp_path: Path) -> None:
    table = write_table(tmp_path / "data", QUESTIONS)
    page = page_of(tmp_path, str(write_run(tmp_path / "run", table, [])))
    assert "the run is not finished: 0 of 4" in page.text
    assert "4 predictions missing" in page.text
    assert len(page.of_class("state-missing")) >= 4


def test_no_target_at_all(tmp_path: Path) -> None:
    table = write_table(tmp_path / "data", [("a", "What?", None, ""), ("b", "Who?", None, "")])
    run = write_run(tmp_path / "run", table, [answering("a", None, None), answering("b", Box(MIDDLE), None)])
    page = page_of(tmp_path, str(run))
    assert "n/a" in page.text
    assert len(page.of_class("card")) == 2
    # Of two without a target one is left alone: 2 / (2 + 1).
    assert "abstention ↑ higher is better 0.6667" in page.text


def test_one_sample_and_no_resamples(tmp_path: Path) -> None:
    table = write_table(tmp_path / "data", QUESTIONS[:1])
    run = write_run(tmp_path / "run", table, [answering("a", Box((0, 0, 32, 24)), "cup")])
    out = tmp_path / "r.html"
    report([run], out, resamples=0, permutations=0, depth=None)
    page = Page(out.read_text(encoding="utf-8"))
    assert "mean IoU ↑ higher is better 1.0000 n/a 1.0000 1" in page.text
    assert "1 sample, 1 with a target" in page.text


def test_no_cards_leave_the_tables(made: Path) -> None:
    page = page_of(made, "one", cards=0)
    assert page.of_class("card") == []
    rows = the_json(page)["rows"]
    assert isinstance(rows, list)
    assert len(rows) == 4


def test_a_file_of_predictions_has_no_method_to_tell_of(made: Path) -> None:
    write(
        made / "boxes.csv",
        "image,id,left,top,right,bottom\n" + "".join(f"{n}.png,{s},0,0,32,24\n" for n, s in enumerate("abcd")),
    )
    out = made / "r.html"
    report([made / "boxes.csv"], out, "folder", made / "data", resamples=0, depth=None)
    text = Page(out.read_text(encoding="utf-8")).text
    assert "a file of predictions, which tells nothing of the method" in text
    made_by = (
        f"--out FILE.html --dataset folder --root {made}/data --resamples 0 --permutations 9999 --seed 0 --cards 12"
    )
    assert made_by in text


def test_a_run_tells_of_its_method(made: Path) -> None:
    text = page_of(made, "one").text
    for told in (
        "grounder made",
        "what it does Made by hand.",
        "its limits Knows nothing.",
        "threshold 0.5",
        "made 2024-01-01",
    ):
        assert told in text, told


def test_targets_without_a_size_are_told_not_fatal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from foveate.core.truths import Target, Truth
    from foveate.datasets import folder

    table = write_table(tmp_path / "data", [("a", "What?", MIDDLE, "")], photos=False)
    table.write_text(table.read_text().replace(",64,48,", ",,,"))
    region = answering("a", Box(MIDDLE), None)
    bare = Prediction("a", "ok", final=region.final)
    run = write_run(tmp_path / "run", table, [bare])
    mask = Truth("a", targets=(Target(mask_of((0, 0, 8, 8))),))
    monkeypatch.setattr(folder, "truths", lambda *_: iter([mask]))
    page = page_of(tmp_path, str(run))
    assert "mean_iou cannot be measured here: masks cannot be compared without the photo's size" in page.text
    assert "nothing tells the photo's size; the frame is a guess" in page.text
    with pytest.raises(InputError, match="without the photo's size"):
        report([run], tmp_path / "strict.html", metrics=["mean_iou"])
    assert not (tmp_path / "strict.html").exists()


def test_a_usual_metric_that_there_is_not_is_passed_over(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = ("mean_iou", "of_tomorrow@3")
    monkeypatch.setattr(studies, "REPORT_METRICS", usual)
    page = page_of(made, "one", metrics=usual)
    assert "of_tomorrow" not in page.text.partition("Made by")[0]
    with pytest.raises(UsageError, match="metric of_tomorrow"):
        page_of(made, "one", name="s.html", metrics=("of_tomorrow@3",))


@pytest.mark.parametrize(
    ("out", "options", "said"),
    [
        ("r.pdf", {}, "its suffix is that of no report"),
        ("r.html", {"cards": -1}, "too few"),
        ("r.html", {"photo_side": 0}, "too few"),
        ("r.html", {"seed": -1}, "none is below 0"),
        ("r.csv", {"resamples": -1}, "none is below 0"),
        ("r.html", {"metrics": ("mean_uoi",)}, "Did you mean mean_iou"),
    ],
)
def test_what_cannot_be_asked_for(made: Path, out: str, options: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        report([made / "one"], made / out, **options)  # type: ignore[arg-type]
    assert not (made / out).exists()


def test_no_run_and_runs_on_other_questions(made: Path) -> None:
    with pytest.raises(UsageError, match="Name one run or more"):
        report([], made / "r.html")
    table = write_table(made / "other", QUESTIONS[:1])
    write_run(made / "short", table, [])
    with pytest.raises(InputError, match="it was asked other questions"):
        report([made / "one", made / "short"], made / "r.html")
    assert not (made / "r.html").exists()
    report([made / "one", made / "short"], made / "r.md", common=True, depth=None)
    assert "left out, as --common says" in (made / "r.md").read_text()
    assert " --common " in (made / "r.md").read_text()


def test_a_file_that_is_there_stays(made: Path) -> None:
    write(made / "r.html", "mine")
    with pytest.raises(OutputError, match="there is a file already"):
        report([made / "one"], made / "r.html")
    assert (made / "r.html").read_text() == "mine"


def test_the_page_has_the_markdown_to_be_copied(made: Path) -> None:
    page = page_of(made, "one", "two", metrics=("mean_iou", "ece"))
    text = "".join(page.texts["textarea"])
    report(
        [made / "one", made / "two"],
        made / "r.md",
        metrics=["mean_iou", "ece"],
        resamples=20,
        permutations=20,
        depth=None,
    )
    assert text.strip() == (made / "r.md").read_text(encoding="utf-8").strip()


def test_ious_of_boxes_are_the_shares_that_they_are_named_for(tmp_path: Path) -> None:
    table = write_table(tmp_path / "data", [(f"s{n}", "What?", (0, 0, 10, 10), "") for n in range(4)])
    run = [answering(f"s{n}", Box(box_of(iou)), None) for n, iou in enumerate((0.0, 0.3, 0.6, 1.0))]
    page = page_of(tmp_path, str(write_run(tmp_path / "run", table, run)))
    rows = the_json(page)["rows"]
    assert isinstance(rows, list)
    assert [row[6] for row in rows] == [0.0, 0.3, 0.6, 1.0]
    assert "median 0.45 over 4 samples, 1 without overlap" in page.text
