"""Options that would do nothing are refused in a sentence, before any work."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from foveate.annotation.submissions import write_submissions
from foveate.cli._app import app
from foveate.cli._idle import refuse_idle
from foveate.errors import UsageError
from tests.submissions import drawn, sent
from tests.unit.releases.made import lines, row

NEW = "release new samples.jsonl --name kitchen --version 1.0.0"
OF_PEOPLE = "release new sent.jsonl --name kitchen --version 1.0.0"
PATCH = "release patch kitchen@1.0.0 --version 1.0.1 --why w"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a release, and files of samples and of submissions, two with decisions."""
    monkeypatch.setenv("FOVEATE_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    lines(tmp_path / "samples.jsonl", [row(0), row(1)])
    write_submissions([sent(drawn(), "ann"), sent(drawn(), "bo")], tmp_path / "sent.jsonl")
    write_submissions([sent(drawn(), "ann"), sent(drawn(), "zoe", adjudicated=True)], tmp_path / "decided.jsonl")
    return tmp_path


def refused(command: str) -> UsageError:
    done = CliRunner().invoke(app, command.split())
    assert isinstance(done.exception, UsageError), (done.output, done.exception)
    return done.exception


@pytest.mark.parametrize(
    ("command", "option"),
    [
        (f"{NEW} --rule majority", "--rule"),
        (f"{NEW} --rule majority --set ties=in", "--rule"),
        # Also where the value is the usual one: it was typed.
        (f"{NEW} --flags any", "--flags"),
        (f"{NEW} --gold leave-out", "--gold"),
        (f"{NEW} --strip", "--strip"),
        (f"{NEW} --salt x", "--salt"),
        (f"{NEW} --old x:y", "--old"),
        (f"{NEW} --split a=1 --old-by name", "--old-by"),
        (f"{NEW} --split a=1 --old-to a", "--old-to"),
        (f"{OF_PEOPLE} --questions q.csv", "--questions"),
        ("release private sent.jsonl --out p.csv --questions q.csv", "--questions"),
        (PATCH, "--with"),
        (f"{PATCH} --remove a --rule larger", "--rule"),
        (f"{PATCH} --remove a --rejected no-target", "--rejected"),
        (f"{PATCH} --remove a --gold keep", "--gold"),
        (f"{PATCH} --remove a --data d", "--data"),
        (f"{PATCH} --remove a --database sqlite:///d", "--database"),
        (f"{PATCH} --with samples.jsonl --from-project p", "--from-project"),
        (f"{PATCH} --from-project p --rule larger", "--rule"),
        (f"{PATCH} --with samples.jsonl --rule larger", "--rule"),
        (f"{PATCH} --with samples.jsonl --rejected no-target", "--rejected"),
        (f"{PATCH} --with samples.jsonl --gold keep", "--gold"),
        (f"{PATCH} --with decided.jsonl --rule larger", "--rule"),
        (f"{PATCH} --with sent.jsonl --rejected no-target", "--rejected"),
        ("release show kitchen --folder x", "--folder"),
        ("release check kitchen --folder x", "--folder"),
        ("release check", "release"),
        ("agreement sent.jsonl --data d", "--data"),
        ("agreement sent.jsonl --root d", "--root"),
        ("agreement kitchen --skip-invalid", "--skip-invalid"),
        ("annotate check sent.jsonl --all", "--all"),
        ("annotate check sent.jsonl --database sqlite:///d", "--database"),
        ("annotate gold kitchen --ids ids.txt --root d", "--root"),
        ("annotate gold kitchen --ids ids.txt --ordinary --from x", "--ordinary"),
        ("annotate admission new kitchen --gold x --trial 0 --seed 3", "--seed"),
        ("annotate admission new kitchen --gold x --trial 0 --trial-from p", "--trial-from"),
        ("annotate admission new kitchen --gold x --least-tasks 0 --least-share -1 --imported-only", "--imported-only"),
        ("annotate export sent.jsonl --to jsonl --out o --dataset x", "--dataset"),
        ("annotate export sent.jsonl --to jsonl --out o --split val", "--split"),
        ("annotate export sent.jsonl --to submissions --out o --rule larger", "--rule"),
        ("annotate export sent.jsonl --to jsonl --out o --data d", "--data"),
        ("annotate export kitchen --to jsonl --out o --skip-invalid", "--skip-invalid"),
    ],
)
def test_an_option_that_would_do_nothing_is_refused(files: Path, command: str, option: str) -> None:
    if command.startswith("release patch"):
        assert CliRunner().invoke(app, [*NEW.split(), "--official", "none"]).exit_code == 0
    before = sorted(files.rglob("*"))
    assert refused(command).where == option
    assert sorted(files.rglob("*")) == before


def test_what_the_environment_says_is_no_wish(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOVEATE_DATA", "nowhere")
    monkeypatch.setenv("FOVEATE_DATABASE_URL", "postgres://nobody@nowhere/nothing")
    for command in ("agreement sent.jsonl --resamples 0", "annotate check sent.jsonl"):
        done = CliRunner().invoke(app, command.split())
        assert done.exit_code == 0, done.exception


def test_a_wrong_name_in_our_own_list_is_a_fault() -> None:
    own = typer.Typer()

    @own.command()
    def command(context: typer.Context) -> None:
        refuse_idle(context, "w", "r", "--not-there")

    assert isinstance(CliRunner().invoke(own, []).exception, KeyError)
