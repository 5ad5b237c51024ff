from __future__ import annotations

import pytest

from foveate import plugins
from foveate.core.cards import MetricCard
from foveate.evaluation.compare import Difference
from foveate.reports._svg import element
from foveate.reports._text import code_marked, cut, markdown, parted, percent, plain, size_text
from foveate.reports.totals import judged, p_text, verdict


def card(name: str) -> MetricCard:
    found: MetricCard = plugins.load("metrics", name).CARD
    return found


def difference(metric: str, by: float | None, p: float | None, holm: float | None) -> Difference:
    low, high = (None, None) if by is None else (by - 0.03, by + 0.02)
    return Difference(metric, "A", "B", 0.3, 0.5, by, low, high, p, holm)


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (
            difference("mean_iou", 0.12, 0.0002, 0.0004),
            "B is better than A by 0.1200 [0.0900, 0.1400] in mean IoU, p = 0.0002, with Holm 0.0004.",
        ),
        (
            difference("mean_iou", -0.12, 0.0002, 0.0002),
            "B is worse than A by 0.1200 [0.1000, 0.1500] in mean IoU, p = 0.0002.",
        ),
        (
            difference("aurc", -0.12, 0.01, 0.02),
            "B is better than A by 0.1200 [0.1000, 0.1500] in AURC, p = 0.01, with Holm 0.02.",
        ),
        (
            difference("accuracy@0.5", 0.01, 0.03, 0.06),
            "B and A cannot be told apart in accuracy@0.5: +0.0100 [−0.0200, 0.0300], p = 0.03, with Holm 0.06.",
        ),
        (difference("mean_iou", None, None, None), "mean IoU has no value in one of the two."),
    ],
)
def test_a_difference_in_a_sentence(found: Difference, sentence: str) -> None:
    assert verdict(found, card(found.metric.partition("@")[0])) == sentence


def test_without_permutations_nothing_is_claimed() -> None:
    found = difference("mean_iou", 0.12, None, None)
    assert verdict(found, card("mean_iou")) == (
        "B minus A is +0.1200 [0.0900, 0.1400] in mean IoU; nothing was tested."
    )


@pytest.mark.parametrize(
    ("found", "word"),
    [
        (difference("mean_iou", 0.12, 0.01, 0.02), "better"),
        (difference("aurc", 0.12, 0.01, 0.02), "worse"),
        (difference("aurc", -0.12, 0.01, 0.02), "better"),
        (difference("mean_iou", 0.12, 0.01, 0.05), "not told apart"),
        (difference("mean_iou", 0.12, None, None), "not tested"),
        (difference("mean_iou", None, None, None), "not tested"),
    ],
)
def test_a_difference_in_a_word(found: Difference, word: str) -> None:
    assert judged(found, card(found.metric)) == word


@pytest.mark.parametrize(
    ("p", "text"), [(1.0, "1"), (0.9951, "1"), (0.5, "0.50"), (0.0456, "0.046"), (1e-4, "0.0001"), (3e-6, "3.0e-06")]
)
def test_p_values_keep_the_digits_that_count(p: float, text: str) -> None:
    assert p_text(p) == text
    assert p_text(None) == "n/a"


def test_texts_from_outside_can_start_nothing() -> None:
    assert plain("a\tb\r\n c\x00d\x1b\ud800\u2028e") == "a b c\ufffdd\ufffd\ufffd e"
    assert plain("abc\u202edcb\u2066x") == "abcdcbx"  # No override of the direction.
    assert markdown("a|b *c* [d](e) <f> `g` \\ #\n- h") == "a\\|b \\*c\\* \\[d\\](e) \\<f\\> \\`g\\` \\\\ \\# - h"
    assert code_marked("`<b>` and ` alone") == "<code>&lt;b&gt;</code> and ` alone"
    assert element("a", "<b>", title='"x"') == '<a title="&#34;x&#34;">&lt;b&gt;</a>'


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0, "0 %"), (1.0, "100 %"), (0.0995, "10 %"), (0.05, "5 %"), (0.00001, "0.001 %"), (None, "n/a")],
)
def test_shares_in_percent(share: float | None, text: str) -> None:
    assert percent(share) == text


def test_only_long_names_are_parted_and_where_a_person_would() -> None:
    assert parted("000000408805.jpg#0") == "000000408805.jpg#0"
    assert parted("VizWiz_train_00000042.jpg#12") == "VizWiz_<wbr>train_<wbr>00000042<wbr>.jpg<wbr>#12"
    assert parted("<b>" * 9) == "&lt;b&gt;" * 9


def test_sizes_and_long_texts() -> None:
    assert (size_text(10), size_text(12_400), size_text(3_140_000)) == ("1 KB", "12 KB", "3.1 MB")
    assert (cut("abc", 3), cut("abcd ef", 6)) == ("abc", "abcd…")
