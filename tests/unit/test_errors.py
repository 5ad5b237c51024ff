from __future__ import annotations

from foveate.errors import FoveateError, InputError, OutputError, UnavailableError, UsageError, did_you_mean, some


def test_an_error_is_one_sentence_and_a_remedy() -> None:
    error = InputError("answers.csv, line 7", "the box has no area", "Fix the row.")
    assert str(error) == "answers.csv, line 7: the box has no area. Fix the row."


def test_exit_codes_are_told_apart() -> None:
    codes = [kind.exit_code for kind in (FoveateError, UsageError, InputError, UnavailableError, OutputError)]
    assert codes == [1, 2, 3, 4, 5]


def test_some_names_the_first_and_counts_the_rest() -> None:
    assert some(["a", "b"]) == "a, b"
    assert some(["a", "b", "c", "d"], limit=2) == "a, b and 2 more"


def test_did_you_mean_lists_all_when_nothing_is_near() -> None:
    assert did_you_mean("zzz", ["b", "a"]) == "There are: b, a."
    assert did_you_mean("zzz", []) == "There are none at all."


def test_a_question_in_a_problem_is_not_stopped_twice() -> None:
    error = InputError("a", "is it a width?", "Look.")
    assert str(error) == "a: is it a width? Look."
    assert error.fault == "a: is it a width?"


def test_a_sentence_stays_one_line_whatever_it_names() -> None:
    error = InputError("a\nb.csv", "the id \x1b[31mred\u202e is long", "Change it.")
    assert str(error) == r"a\nb.csv: the id \x1b[31mred\u202e is long. Change it."
    assert str(InputError("é 日本.jpg", "odd \udcff", "Go.")) == r"é 日本.jpg: odd \udcff. Go."


def test_a_sentence_is_not_as_long_as_what_it_names() -> None:
    assert len(InputError("x" * 10_000, "it is unknown", "Look.").fault) == 1_000


def test_names_in_a_list_stay_on_their_line_and_drive_no_terminal() -> None:
    assert some(["a\nb", "\x1b[31mred", "plain", "more"]) == r"a\nb, \x1b[31mred, plain and 1 more"
