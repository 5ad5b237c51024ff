"""Audits read again: which labels are suspicious, in which order, and of which data set."""

from __future__ import annotations

from pathlib import Path

import pytest

from foveate.datasets._open import open_dataset
from foveate.errors import FoveateError, InputError, UsageError
from foveate.evaluation.suspects import AuditOrigin, Suspected, origin_text, read_origin, read_suspects
from tests.helpers import write

TABLE = 'rank,id,suspicion,verdict,tiny,why\n2,b,0.25,right,,"off_image: 3 pixels; or 4"\n1,a,0.5,wrong,0.5,tiny: 1\n'


def test_the_most_suspicious_first_with_why(tmp_path: Path) -> None:
    table = write(tmp_path / "audit.csv", TABLE)
    found = read_suspects(table)
    assert found == [
        Suspected("a", 1, 0.5, "tiny: 1", "wrong"),
        Suspected("b", 2, 0.25, "off_image: 3 pixels; or 4", "right"),
    ]
    assert read_suspects(tmp_path) == found
    assert read_suspects(table, top=1) == found[:1]
    assert read_suspects(table, verdict="right") == found[1:]
    saved = write(tmp_path / "v.csv", "id,verdict\nb,wrong\n")
    # Verdicts that are given take the place of those of the table.
    assert [(one.id, one.verdict) for one in read_suspects(table, verdicts=saved)] == [("a", ""), ("b", "wrong")]
    assert [one.id for one in read_suspects(table, verdicts=saved, verdict="wrong")] == ["b"]


def test_a_table_of_verdicts_alone_keeps_its_order(tmp_path: Path) -> None:
    found = read_suspects(write(tmp_path / "v.csv", "id,verdict\nz,wrong\na,unsure\n"))
    assert found == [Suspected("z", 1, None, "", "wrong"), Suspected("a", 2, None, "", "unsure")]


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("id,verdict\na,bad\n", '"bad" is no verdict'),
        ("id,verdict,rank\na,,1\na,,2\n", "a is there twice"),
        ("id,verdict,rank\na,,first\n", "rank or suspicion is no number"),
        ("id,verdict,suspicion\na,,2\n", "the suspicion is 2"),
        ("id,verdict,suspicion\na,,nan\n", "the suspicion is nan"),
        ("id,verdict\n,wrong\n", "id"),
        ("rank,verdict\n1,wrong\n", "id"),
    ],
)
def test_what_is_no_audit_is_refused(tmp_path: Path, table: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_suspects(write(tmp_path / "audit.csv", table))


def test_verdicts_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    table = write(tmp_path / "audit.csv", TABLE)
    with pytest.raises(InputError, match="no label was judged unsure"):
        read_suspects(table, verdict="unsure")
    with pytest.raises(UsageError, match="is no verdict. Say wrong, right, unsure"):
        read_suspects(table, verdict="bad")
    with pytest.raises(InputError, match="the audit has no label c"):
        read_suspects(table, verdicts=write(tmp_path / "v.csv", "id,verdict\nc,wrong\n"))


def test_an_audit_says_what_it_is_of(tmp_path: Path) -> None:
    table = write(tmp_path / "own.jsonl", '{"id": "a", "image": "a.png", "question": "What?"}\n')
    data = open_dataset(str(table))
    (tmp_path / "audit").mkdir()
    write(tmp_path / "audit" / "audit.json", origin_text(data))
    assert read_origin(tmp_path / "audit") == AuditOrigin("own:all", str(table), None, (), "mask")
    assert read_origin(table) is None
    for text in ("{", "[]", '{"dataset": "x"}', '{"settings": []}'):
        (tmp_path / "audit" / "audit.json").write_text(text)
        with pytest.raises(InputError, match="does not say what was audited"):
            read_origin(tmp_path / "audit")
    (tmp_path / "audit" / "audit.json").unlink()
    with pytest.raises(FoveateError, match="cannot be read"):
        read_origin(tmp_path / "audit")
