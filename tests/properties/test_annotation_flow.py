"""Whatever people send, a task goes on as it should: it ends, by other people each time, and only rightly."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from foveate.annotation.flow import next_step
from foveate.annotation.kinds import KINDS, Kind, ProjectSettings
from foveate.annotation.work import AskWork, BoxWork, PolygonWork, VerifyWork, Work
from tests.submissions import boxed, drawn

asked = [AskWork(outcome="asked", question="Where?"), AskWork(outcome="nothing"), AskWork()]
boxes = [boxed(0, 0, 5, 5), BoxWork(outcome="whole_image"), BoxWork(outcome="cannot_draw"), BoxWork()]
verdicts = [
    VerifyWork(outcome="right"),
    VerifyWork(outcome="box_wrong"),
    VerifyWork(outcome="no_answer"),
    VerifyWork(),
]
anything: st.SearchStrategy[Work] = st.sampled_from([*asked, *boxes, *verdicts, drawn()])
histories = st.lists(anything, max_size=12)
some_settings = st.builds(
    ProjectSettings,
    submissions=st.integers(1, 4),
    most_redraws=st.integers(0, 3),
    shape=st.sampled_from(["box", "polygon"]),
)
kinds: st.SearchStrategy[Kind] = st.sampled_from(KINDS)


@settings(max_examples=300)
@given(kinds, some_settings, histories)
def test_every_history_has_a_step(kind: Kind, how: ProjectSettings, sent: list[Work]) -> None:
    step = next_step(kind, how, sent)
    there = sum(work.stage == step.stage for work in sent)
    # What is wanted counts what is there, and one more exactly where the task is open.
    assert step.wanted >= there
    assert (step.wanted > there) == (step.state == "open")
    assert bool(step.why) == (step.state == "set_aside")


@settings(max_examples=300)
@given(kinds, some_settings, histories, anything)
def test_what_is_over_stays_over(kind: Kind, how: ProjectSettings, sent: list[Work], late: Work) -> None:
    before, after = next_step(kind, how, sent), next_step(kind, how, [*sent, late])
    if before.state != "open":
        assert (after.state, after.stage, after.why) == (before.state, before.stage, before.why)


@settings(max_examples=300)
@given(some_settings, histories)
def test_a_photo_is_done_only_where_the_newest_box_was_found_right(how: ProjectSettings, sent: list[Work]) -> None:
    step = next_step("box_collection", how, sent)
    if step.state == "done":
        assert step.question is not None
        assert any(isinstance(work, VerifyWork) and work.outcome == "right" for work in sent)
    assert (step.question is None) <= (step.stage == "ask")


@settings(max_examples=300)
@given(kinds, some_settings, st.data())
def test_it_ends_by_no_more_people_than_can_be_wanted(kind: Kind, how: ProjectSettings, data: st.DataObject) -> None:
    """Each person does the stage that the task is in; nobody does two."""
    of_stage: dict[str, list[Work]] = {"ask": list(asked), "box": list(boxes), "verify": list(verdicts)}
    drawings: dict[str, list[Work]] = {"grounding": [drawn()], "box": list(boxes), "polygon": [PolygonWork()]}
    sent: list[Work] = []
    while (step := next_step(kind, how, sent)).state == "open":
        choices = of_stage[step.stage] if kind == "box_collection" else drawings[step.stage]
        sent.append(data.draw(st.sampled_from(choices)))
        most = how.submissions + 2 * (how.most_redraws + 1)
        assert len(sent) <= (most if kind == "box_collection" else how.submissions)
