from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from foveate.cli.curate import curate
from foveate.datasets import vizwiz_grounding
from foveate.errors import InputError, UsageError

APP = typer.Typer(pretty_exceptions_enable=False)
APP.command("curate")(curate)


def run(*words: Any) -> Any:
    return CliRunner().invoke(APP, [str(word) for word in words], catch_exceptions=True)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    vizwiz_grounding.write_tiny(tmp_path / "data")
    return tmp_path / "data"


def test_the_funnel_is_printed_with_where_it_is(root: Path, tmp_path: Path) -> None:
    done = run("vizwiz_grounding:val", "--root", root, "--out", tmp_path / "out")
    assert done.exit_code == 0
    assert f"{tmp_path / 'out' / 'funnel.html'}: 3 of 3 samples left" in done.output
    assert "review.answer_not_shown" in done.stdout
    assert "a part" in done.stderr


def test_json_has_every_step(root: Path, tmp_path: Path) -> None:
    done = run("vizwiz_grounding:val", "--root", root, "--out", tmp_path / "out", "--json", "--rules", "few_agree")
    values = json.loads(done.stdout)
    assert (values["dataset"], values["n"], values["kept"]) == ("vizwiz_grounding:val", 3, 3)
    assert [step["step"] for step in values["steps"]] == [
        "few_agree",
        "review.several_questions",
        "review.several_regions",
        "review.answer_not_shown",
    ]
    assert values["steps"][1] == {
        "step": "review.several_questions",
        "kind": "people",
        "before": 3,
        "removed": 0,
        "trimmed": 0,
        "flagged": 0,
        "left": 3,
        "published": {"before": 11085, "removed": 66, "left": 11019},
        "reviewers": {},
        "agreement": None,
    }


def test_settings_reach_the_rules(root: Path, tmp_path: Path) -> None:
    words = ("vizwiz_grounding:val", "--root", root, "--out", tmp_path / "out", "--json")
    values = json.loads(run(*words, "--set", "few_agree.fewest=11").stdout)
    assert values["kept"] == 0
    assert values["steps"][1]["removed"] == 3
    wrong = run(*words, "--set", "few_agree.fewest=many")
    assert isinstance(wrong.exception, UsageError)


def test_options_of_the_data_set_reach_it(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("image,frage,width,height\na.png,What is it?,4,4\n")
    words = ("own", "--root", file, "--out", tmp_path / "out", "--json")
    assert isinstance(run(*words).exception, InputError)
    assert json.loads(run(*words, "--option", "question=frage").stdout)["n"] == 1
