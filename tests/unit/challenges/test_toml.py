"""`challenge.toml` is read strictly, and every fault is told with file, key, value and remedy."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from foveate.challenges import toml
from foveate.challenges._fields import FaultsError
from foveate.challenges.begin import TEMPLATES, begin
from foveate.challenges.definition import Challenge, Limits, Reference, Reproduction, Teams
from foveate.challenges.said import of_said, to_said
from foveate.errors import InputError, OutputError, UsageError
from tests.unit.challenges.folders import TOML, folder


def faults(at: Path, text: str = TOML, **changed: str) -> list[str]:
    with pytest.raises(FaultsError) as caught:
        toml.read(folder(at, text, **changed))
    return [str(fault) for fault in caught.value.faults]


def test_what_is_said_is_read_and_times_are_utc(tmp_path: Path) -> None:
    said = toml.read(folder(tmp_path))
    phase = said.phase("evaluation")
    assert (said.slug, said.title, said.published, said.folder) == ("cup", "The cup", False, tmp_path)
    assert said.data["public"].root == tmp_path / "hidden"
    assert phase.start == datetime(2026, 3, 1, tzinfo=UTC)
    assert phase.end == datetime(2026, 3, 31, 22, tzinfo=UTC)
    assert (phase.metrics, phase.main, phase.ties, phase.missing) == (
        ("mean_iou", "accuracy@0.5"), "mean_iou", "earlier", "refuse",
    )  # fmt: skip
    assert said.description.startswith("## What")
    assert said.rules == ""
    assert of_said(Challenge, to_said(said), "x") == said


def test_all_keys_are_read(tmp_path: Path) -> None:
    more = """
metrics = ["accuracy", "mean_iou"]
main = "accuracy"
scores = "rank_only"
ties = "shared"
missing = "zero"
counts = "chosen"
only = ["Owls", "Larks"]
best_of = { phase = "first", teams = 10 }
after_end = "open"
[phases.limits]
valid_a_day = 2
valid_in_all = 9
all_a_day = 3
all_in_all = 30
at_once = 1
most_bytes = 1000
[[phases]]
name = "first"
title = "First"
data = "public"
[teams]
most_members = 5
closes = 2026-03-15T00:00:00Z
[[references]]
name = "paper"
phase = "first"
published = { mean_iou = 0.775, accuracy = 0 }
source = "a paper"
[[references]]
name = "whole"
phase = "first"
grounder = "whole_image"
[reproduction]
questions = "/q.csv"
cpus = 1.5
gpus = 0
seconds = 60
"""
    said = toml.read(
        folder(tmp_path, TOML + more, slug='slug = "cup"\nsign_up = "open"\nanonymous = true\nlicence = "CC0"')
    )
    phase = said.phase("evaluation")
    assert (phase.metrics, phase.main) == (("accuracy@0.5", "mean_iou"), "accuracy@0.5")
    assert (phase.scores, phase.ties, phase.missing, phase.counts) == ("rank_only", "shared", "zero", "chosen")
    assert (phase.only, phase.best_of, phase.after_end) == (("Owls", "Larks"), ("first", 10), "open")
    assert phase.limits == Limits(2, 9, 3, 30, 1, 1000)
    assert said.teams == Teams(5, datetime(2026, 3, 15, tzinfo=UTC))
    assert said.references == (
        Reference("paper", "first", published={"mean_iou": 0.775, "accuracy": 0.0}, source="a paper"),
        Reference("whole", "first", grounder="whole_image"),
    )
    assert said.reproduction == Reproduction(questions="/q.csv", cpus=1.5, gpus=0, seconds=60)
    assert (said.sign_up, said.anonymous, said.licence) == ("open", True, "CC0")


@pytest.mark.parametrize(
    ("changed", "where", "said"),
    [
        ({"title": 'titl = "x"'}, "challenge.toml, titl", "there is no such key. Did you mean title"),
        ({"title": "title = 3"}, "title", "it is 3, which is not a text"),
        ({"title": 'title = " "'}, "title", "it is missing"),
        ({"slug": 'slug = "a cup"'}, "slug", "a cup cannot stand in an address"),
        ({"slug": 'slug = "load"'}, "slug", "load cannot stand in an address"),
        ({"slug": 'slug = "cup"\npublished = "yes"'}, "published", "'yes', which is not true or false"),
        ({"slug": 'slug = "cup"\nsign_up = "opn"'}, "sign_up", "'opn' is none of open, invited. Did you mean open"),
        ({"slug": 'slug = "cup"\nwebsite = "javascript:x"'}, "website", "no address of the web"),
        ({"dataset": 'dataset = "tolok_vqa:x"'}, "data, public, dataset", "Did you mean toloka_vqa"),
        ({"root": 'root = "../other"'}, "data, public, root", "../other leads out of the folder"),
        ({"data": 'data = "publik"'}, "phases 1 (evaluation), data", "there are no data publik. Did you mean public"),
        ({"kind": 'kind = "evaluatio"'}, "kind", "Did you mean evaluation"),
        ({"name": 'name = "organise"'}, "name", "organise cannot stand in an address"),
        ({"forms": 'forms = ["tolka"]'}, "forms", "there is no form tolka. Did you mean toloka"),
        ({"forms": "forms = []"}, "forms", "is no list of texts"),
        ({"forms": 'forms = ["toloka", "toloka"]'}, "forms", "names something twice"),
        ({"forms": 'metrics = ["mean_io"]'}, "metrics", "Did you mean mean_iou"),
        ({"forms": 'metrics = ["accuracy"]\nmain = "mean_iou"'}, "main", "is none of the phase's metrics"),
        ({"forms": 'main = "mean_io"'}, "main", "Did you mean mean_iou"),
        ({"start": "start = 2026-03-01T00:00:00"}, "start", "does not say of which zone it is. Write it with its zone"),
        ({"start": "start = 2026-03-01"}, "start", "2026-03-01, which is no moment"),
        ({"start": "start = 2026-05-01T00:00:00Z"}, "end", "is not after the start, 2026-05-01T00:00:00+00:00"),
        ({"forms": 'targets = "open"'}, "targets", "targets of a phase of the kind evaluation. Only a practice"),
        ({"end": 'after_end = "open"'}, "after_end", "has no end after which"),
        ({"end": "limits = { valid_a_day = 0 }"}, "limits, valid_a_day", "it is 0, and at least 1 is needed"),
        ({"end": "limits = { valid_a_day = 5, all_a_day = 3 }"}, "all_a_day", "less than valid_a_day"),
        ({"end": "limits = { valid_a_dya = 5 }"}, "limits, valid_a_dya", "Did you mean valid_a_day"),
        ({"end": "limits = { at_once = true }"}, "at_once", "True, which is not a whole number"),
        ({"end": 'best_of = { phase = "x", teams = 3 }'}, "best_of, phase", "there is no other phase x"),
        ({"end": 'best_of = { phase = "evaluation" }'}, "best_of, teams", "it is missing"),
        ({"end": "[teams]\nmost_members = 0"}, "teams, most_members", "at least 1"),
        ({"end": "[reproduction]\ncpus = 0"}, "reproduction, cpus", "a number above 0 is needed"),
        ({"end": "[reproduction]\ncpus = nan"}, "reproduction, cpus", "a number above 0 is needed"),
        ({"end": '[reproduction]\nanswer = "../x"'}, "reproduction, answer", "no absolute path of a container"),
        ({"end": '[[references]]\nname = "x"\nphase = "evaluatoin"\ngrounder = "whole_image"'},
         "references 1 (x), phase", "Did you mean evaluation"),
        ({"end": '[[references]]\nname = "x"\nphase = "evaluation"\ngrounder = "whole"'}, "grounder", "whole_image"),
        ({"end": '[[references]]\nname = "x"\nphase = "evaluation"'}, "references 1 (x)", "it has no values"),
        ({"end": '[[references]]\nname = "x"\nphase = "evaluation"\ngrounder = "whole_image"\nfile = "x.csv"'}, "name",
         "grounder and file are given. Give exactly one"),
        ({"end": '[[references]]\nname = "x"\nphase = "evaluation"\npublished = { mean_io = 1 }'}, "mean_io",
         "mean_iou"),
        ({"end": '[[references]]\nname = "x"\nphase = "evaluation"\npublished = {}'}, "published", "it has no values"),
        ({"end": '[[references]]\nname = "x"\nphase = "evaluation"\npublished = { mean_iou = inf }'}, "mean_iou",
         "inf is no value"),
        ({"slug": 'slug = "cup"\nreferences = [3]'}, "references 1", "it is 3, which is not a table"),
        ({"root": 'root = "a\\u0000b"'}, "root", "holds control letters"),
    ],
)  # fmt: skip
def test_a_fault_names_file_key_value_and_remedy(
    tmp_path: Path, changed: dict[str, str], where: str, said: str
) -> None:
    found = faults(tmp_path, **changed)
    assert any(where in fault and said in fault and fault.startswith("challenge.toml") for fault in found), found


def test_a_mistyped_metric_is_one_fault(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, forms='metrics = ["mean_io", "accuracy"]\nmain = "mean_iou"')
    assert "Did you mean mean_iou" in fault


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    text = TOML + '[[phases]]\nname = "evaluation"\ntitle = ""\ndata = "no"\n[[phases]]\nnamed = "x"\n'
    found = faults(tmp_path, text, title='title = ""\ncolour = "red"', start="start = 3")
    for said in ("title: it is missing", "colour: there is no such key", "start: it is 3", "two phases are called",
                 "no data no", "named: there is no such key"):  # fmt: skip
        assert any(said in fault for fault in found), said
    with pytest.raises(FaultsError, match="more things"):
        toml.read(tmp_path)


def test_two_rows_of_one_name_and_nothing_at_all(tmp_path: Path) -> None:
    row = '[[references]]\nname = "x"\nphase = "evaluation"\ngrounder = "whole_image"\n'
    assert ["two rows of this phase are called x" in fault for fault in faults(tmp_path, TOML + row + row)] == [True]
    found = faults(tmp_path, "x = 1\n")
    assert [key for key in ("slug", "title", "data", "phases", "x") if any(f", {key}:" in one for one in found)] == [
        "slug", "title", "data", "phases", "x",
    ]  # fmt: skip


def test_what_is_no_file_or_no_toml_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        toml.read(tmp_path)
    folder(tmp_path)
    (tmp_path / "challenge.toml").write_text("slug =")
    with pytest.raises(InputError, match="no TOML"):
        toml.read(tmp_path)
    (tmp_path / "challenge.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="cannot be read as text"):
        toml.read(tmp_path)
    folder(tmp_path)
    (tmp_path / "description.md").write_text("x" * (1024**2 + 1))
    with pytest.raises(InputError, match="more than 65,536 bytes"):
        toml.read(tmp_path)


def test_places_outside_are_absolute_and_only_where_that_is_allowed(tmp_path: Path) -> None:
    own = folder(tmp_path / "own", root=f'root = "{tmp_path / "own" / "hidden"}"')
    assert toml.read(own).data["public"].root == own / "hidden"
    with pytest.raises(FaultsError, match="is outside the folder"):
        toml.read(own, anywhere=False)
    (own / "link").symlink_to(tmp_path)
    with pytest.raises(FaultsError, match="link leads out of the folder"):
        toml.read(folder(own, root='root = "link"'))
    settings = 'root = "hidden"\nsettings = { photos = "/etc" }'
    assert toml.read(folder(own, root=settings)).data["public"].settings == {"photos": "/etc"}
    with pytest.raises(FaultsError, match="may be a place outside"):
        toml.read(own, anywhere=False)


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_template_is_read_and_invents_nothing(tmp_path: Path, template: str) -> None:
    begin("mine", template, tmp_path / "mine", tmp_path / 'an "odd" place')
    said = toml.read(tmp_path / "mine")
    assert said.slug == "mine"
    assert not said.published
    assert {data.root for data in said.data.values()} == {tmp_path / 'an "odd" place'}
    # What lies beside the data is named there too, also where a comment offers it.
    assert 'file = "data/' not in (tmp_path / "mine" / "challenge.toml").read_text()
    assert (said.organisers, said.contact, said.rules) == ("", "", "")
    for phase in said.phases:
        # No text at hand states dates or limits.
        assert (phase.start, phase.end, phase.limits, phase.main) == (None, None, Limits(), "mean_iou")


def test_the_cups_template_has_what_its_texts_state(tmp_path: Path) -> None:
    begin("mine", "toloka", tmp_path / "mine")
    said = toml.read(tmp_path / "mine")
    assert [(phase.kind, phase.data, phase.targets) for phase in said.phases] == [
        ("practice", "train", "open"), ("evaluation", "public", "hidden"), ("reproduction", "private", "hidden"),
    ]  # fmt: skip
    assert said.teams.most_members == 5
    assert said.phase("evaluation").ties == "earlier"
    run = said.reproduction
    assert (run.questions, run.images, run.answer) == (
        "/mnt/data/test.csv", "/mnt/data/imgs", "/mnt/output/answer.csv",
    )  # fmt: skip
    assert (run.cpus, run.memory, run.gpus, run.seconds) == (16, 200 * 10**9, 1, 3 * 3600)


def test_no_template_no_name_no_place(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Did you mean toloka"):
        begin("x", "tolka", tmp_path / "x")
    with pytest.raises(UsageError, match="cannot stand in an address"):
        begin("a b", "toloka", tmp_path / "x")
    with pytest.raises(OutputError, match="already"):
        begin("x", "toloka", tmp_path)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("a = " + "[" * 50_000, "its lists lie too deep in one another"),
        ("a" + ".a" * 20_000 + " = 1", "line 1: a key has more than 16 parts"),
        ('"a"' + " . 'b'" * 20 + " = 1", "line 1: a key has more than 16 parts"),
        ("a = " + "9" * 5_000, "it is no TOML"),
        ("summary = 'a\0b'", "there is a byte of 0"),
        ("[data]\n" + "\n".join(f"a{n} = 1" for n in range(201)), "data: there are 201, and at most 200 may be"),
    ],
)
def test_what_would_hurt_the_reader_is_refused_at_once(tmp_path: Path, line: str, said: str) -> None:
    at = folder(tmp_path)
    (at / "challenge.toml").write_text(f"{line}\n", encoding="utf-8")
    began = time.process_time()
    with pytest.raises(InputError) as caught:
        toml.read(at)
    assert said in str(caught.value)
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    ("key", "line", "said"),
    [
        ("title", f'title = "{"a" * 201}"', "title: it has 201 letters, and at most 200 may be"),
        ("title", r'title = "The \u001b[31mcup"', "title: it holds control letters"),
        ("title", r'title = "The \u202epuc"', "title: it holds letters that turn the writing around"),
        ("title", r'title = "The \u0000cup"', "title: it holds control letters"),
        ("forms", r'forms = ["toloka"]' + '\nonly = ["a\\u0000"]', "only: it holds control letters"),
        ("start", "start = 0001-01-01T00:00:00+23:59", "start: the year 1 is not between 1970 and 9000"),
        ("end", "end = 9999-12-31T23:59:59Z", "end: the year 9999 is not between 1970 and 9000"),
    ],
)
def test_what_pages_and_the_database_cannot_hold_is_a_fault(tmp_path: Path, key: str, line: str, said: str) -> None:
    (fault,) = faults(tmp_path, **{key: line})
    assert said in fault


def test_texts_may_have_lines_and_marks_of_direction_and_exactly_the_most_letters(tmp_path: Path) -> None:
    hebrew, long = "\u05d0\u200f\u05d1", "a" * 200
    said = toml.read(folder(tmp_path, title=f'title = "{long}"\nsummary = "a\\n\\t{hebrew}"'))
    assert (said.title, said.summary) == (long, f"a\n\t{hebrew}")


def test_long_descriptions_are_refused(tmp_path: Path) -> None:
    at = folder(tmp_path)
    (at / "description.md").write_text("a" * 65_536)
    assert len(toml.read(at).description) == 65_536
    (at / "description.md").write_text("a" * 65_537)
    with pytest.raises(InputError, match="more than 65,536 bytes"):
        toml.read(at)
