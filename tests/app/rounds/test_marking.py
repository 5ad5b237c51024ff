from __future__ import annotations

from functools import partial
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from foveate.annotation.origin import Origin
from foveate.app.accounts.models import AuditEvent, User
from foveate.app.annotate import projects
from foveate.app.annotate.models import Project
from foveate.app.refused import RefusedError
from foveate.app.rounds import making
from foveate.app.rounds.closing import answered, assign, close, reopen
from foveate.app.rounds.left import left_in
from foveate.app.rounds.lists import take_file
from foveate.app.rounds.making import create
from foveate.app.rounds.marking import LONGEST_NOTE, mark, mark_of, samples_for, take_back, to_do, way
from foveate.app.rounds.models import Mark, Sample, Screening, Turn
from foveate.app.rounds.onward import make_project
from foveate.app.rounds.results import list_of, reviews_of
from foveate.errors import InputError, UsageError
from tests.app.annotate.making import all_at_once
from tests.app.conftest import person
from tests.app.rounds.screened import answer_all, data_folder, number_of, plan, screening, turn


@pytest.fixture
def pair(db: None) -> tuple[User, User]:
    return person("rita", "annotator"), person("otto", "organiser")


@pytest.fixture
def made(tmp_path: Path, organiser: User, pair: tuple[User, User]) -> Screening:
    return screening(tmp_path, organiser, pair)


def code(refused: Any) -> tuple[int, str]:
    return refused.value.status, refused.value.code


def test_what_the_rules_say_is_stored_with_each_sample(made: Screening) -> None:
    rows = {sample.key: sample for sample in made.samples.all()}
    assert len(rows) == 6
    assert (rows["photo3.png"].step, rows["photo3.png"].line) == ("several_questions", "")
    assert "and" in rows["photo3.png"].why
    assert (rows["photo1.png"].asked, rows["photo1.png"].question) == ("What is this? What is this?", "What is this?")
    assert [rule for rule, _ in rows["photo2.png"].flags] == ["several_regions"]
    assert [rule for rule, _ in rows["photo4.png"].flags] == ["not_groundable"]
    # Nobody looks at the photo of what was removed.
    assert {key: sample.height for key, sample in rows.items()} == {
        **dict.fromkeys(rows, 48),
        "photo3.png": None,
    }
    assert [one.state for one in made.turns.order_by("number")] == ["open", "waiting", "waiting"]
    assert AuditEvent.objects.get(action="screening.made").details["samples"] == 6


def test_what_a_round_flags_comes_first_in_it(made: Screening) -> None:
    orders = [[sample.key for sample in left_in(turn(made, number))] for number in range(3)]
    assert orders[0] == [f"photo{n}.png" for n in (0, 1, 2, 4, 5)]
    assert orders[1] == [f"photo{n}.png" for n in (2, 0, 1, 4, 5)]
    assert orders[2] == [f"photo{n}.png" for n in (4, 0, 1, 2, 5)]


def test_an_answer_is_stored_changed_and_taken_back(made: Screening, pair: tuple[User, User]) -> None:
    number = number_of(made, "photo0.png")
    first = mark(pair[0], turn(made), number, True, "  two\n things ")
    again = mark(pair[0], turn(made), number, True, "two things")
    assert (first.pk, first.note, first.changed_at) == (again.pk, "two things", again.changed_at)
    changed = mark(pair[0], turn(made), number, False)
    assert (changed.pk, changed.flag, changed.note) == (first.pk, False, "")
    assert changed.changed_at > first.changed_at
    assert answered(turn(made)) == (1, 0)
    take_back(pair[0], turn(made), number)
    take_back(pair[0], turn(made), number)
    assert not Mark.objects.exists()
    assert len(mark(pair[0], turn(made), number, True, "x" * 2000).note) == LONGEST_NOTE


def test_two_reviewers_do_not_meet(made: Screening, pair: tuple[User, User]) -> None:
    number = number_of(made, "photo0.png")
    mark(pair[0], turn(made), number, True)
    assert to_do(pair[1], turn(made)).filter(pk=number).exists()
    mark(pair[1], turn(made), number, False)
    assert sorted(Mark.objects.values_list("place", "flag")) == [(1, True), (2, False)]
    take_back(pair[1], turn(made), number)
    assert Mark.objects.get().reviewer == pair[0]


def test_where_somebody_is(made: Screening, pair: tuple[User, User]) -> None:
    samples = list(samples_for(pair[0], turn(made)))
    begin = way(pair[0], turn(made), samples[0])
    assert (begin.done, begin.total, begin.before, begin.after) == (0, 5, None, samples[1].pk)
    mark(pair[0], turn(made), samples[0].pk, False)
    end = way(pair[0], turn(made), samples[4])
    assert (end.done, end.total, end.before, end.after) == (1, 5, samples[3].pk, None)


def test_others_and_other_samples_are_not_found(made: Screening, pair: tuple[User, User], annotator: User) -> None:
    number = number_of(made, "photo0.png")
    for who, which in [(annotator, number), (pair[0], number_of(made, "photo3.png")), (pair[0], 10**15)]:
        with pytest.raises(RefusedError) as refused:
            mark(who, turn(made), which, True)
        assert code(refused) == (404, "not_found")


def test_a_yes_of_either_removes_and_the_next_round_sees_what_is_left(made: Screening, pair: tuple[User, User]) -> None:
    answer_all(pair[0], turn(made), ["photo0.png"], "two in one")
    with pytest.raises(RefusedError) as refused:
        close(turn(made))
    assert code(refused) == (409, "round_unfinished")
    answer_all(pair[1], turn(made), ["photo5.png"])
    close(turn(made), actor=pair[1])
    removed = made.samples.exclude(step="").values_list("key", "step", "why").order_by("key")
    assert list(removed)[0] == ("photo0.png", "review.several_questions", "reviewer1 flags it: two in one")
    assert list(removed)[2] == ("photo5.png", "review.several_questions", "reviewer2 flags it")
    assert [one.state for one in made.turns.order_by("number")] == ["closed", "open", "waiting"]
    assert [sample.key for sample in left_in(turn(made, 1))] == ["photo2.png", "photo1.png", "photo4.png"]
    event = AuditEvent.objects.get(action="screening.round_closed")
    assert event.details == {"round": "several_questions", "removed": 2, "missing": 0}
    with pytest.raises(RefusedError) as refused:
        mark(pair[0], turn(made), number_of(made, "photo1.png"), True)
    assert code(refused) == (409, "round_closed")
    with pytest.raises(RefusedError) as refused:
        take_back(pair[0], turn(made), number_of(made, "photo1.png"))
    assert code(refused) == (409, "round_closed")
    with pytest.raises(RefusedError) as refused:
        close(turn(made))
    assert code(refused) == (409, "round_not_open")


def test_a_round_is_closed_without_the_answers_that_are_missing(made: Screening, pair: tuple[User, User]) -> None:
    mark(pair[0], turn(made), number_of(made, "photo1.png"), True)
    close(turn(made), unfinished=True)
    assert left_in(turn(made, 1)).count() == 4


def test_the_round_that_was_closed_last_is_opened_again(made: Screening, pair: tuple[User, User]) -> None:
    for who in pair:
        answer_all(who, turn(made), ["photo0.png"])
    close(turn(made))
    mark(pair[0], turn(made, 1), number_of(made, "photo1.png"), True)
    reopen(turn(made))
    assert [one.state for one in made.turns.order_by("number")] == ["open", "waiting", "waiting"]
    assert made.samples.filter(step="").count() == 5
    mark(pair[0], turn(made), number_of(made, "photo1.png"), True)
    mark(pair[0], turn(made), number_of(made, "photo0.png"), False)
    mark(pair[1], turn(made), number_of(made, "photo0.png"), False)
    close(turn(made))
    # What was answered in the second round is kept, though its sample is gone now; what came back is to be answered.
    assert [review.gone for review in reviews_of(turn(made, 1))] == [1]
    assert "photo0.png" in [sample.key for sample in to_do(pair[0], turn(made, 1))]
    for number in (1, 2):
        with pytest.raises(RefusedError) as refused:
            reopen(turn(made, number))
        assert code(refused) == (409, "round_not_last")


def test_all_three_rounds_to_the_end(made: Screening, pair: tuple[User, User]) -> None:
    for number in range(3):
        for who in pair:
            answer_all(who, turn(made, number))
        close(turn(made, number))
    assert [one.state for one in made.turns.all()] == ["closed"] * 3
    reopen(turn(made, 2))
    assert turn(made, 2).state == "open"


def test_a_round_closes_itself_where_that_is_wanted(tmp_path: Path, organiser: User, pair: tuple[User, User]) -> None:
    made = screening(tmp_path, organiser, pair, closes_itself=True)
    for who in pair:
        answer_all(who, turn(made))
    assert (turn(made).state, turn(made, 1).state) == ("closed", "open")


def test_whoever_comes_reviews_at_most_two_a_sample(tmp_path: Path, organiser: User, pair: tuple[User, User]) -> None:
    made, third = screening(tmp_path, organiser), person("third", "annotator")
    number = number_of(made, "photo0.png")
    mark(third, turn(made), number, False)
    mark(pair[0], turn(made), number, True)
    with pytest.raises(RefusedError) as refused:
        mark(pair[1], turn(made), number, True)
    assert code(refused) == (409, "two_answered")
    assert samples_for(pair[1], turn(made)).count() == 4
    assert samples_for(pair[0], turn(made)).count() == 5
    # Each may still change their own answer.
    assert mark(third, turn(made), number, True).place == 1
    with pytest.raises(RefusedError) as refused:
        mark(person("guest", "participant"), turn(made), number, True)
    assert code(refused) == (404, "not_found")


def test_the_database_itself_lets_nobody_be_both(made: Screening, pair: tuple[User, User]) -> None:
    number, now = number_of(made, "photo0.png"), timezone.now()
    mark(pair[0], turn(made), number, True)
    other = Mark(turn=turn(made), sample_id=number, place=2, reviewer=pair[0], flag=False, made_at=now, changed_at=now)
    with pytest.raises(IntegrityError), transaction.atomic():
        other.save(force_insert=True)
    with pytest.raises(IntegrityError), transaction.atomic():
        Turn.objects.filter(screening=made).update(second=pair[0])
    with pytest.raises(IntegrityError), transaction.atomic():
        Turn.objects.filter(screening=made).update(state="open")


def test_reviewers_are_named_anew(made: Screening, pair: tuple[User, User], annotator: User, participant: User) -> None:
    mark(pair[0], turn(made), number_of(made, "photo0.png"), True)
    assign(turn(made), annotator, pair[1])
    # Who takes the list over goes on with what is answered in it.
    assert to_do(annotator, turn(made)).count() == 4
    assert mark(annotator, turn(made), number_of(made, "photo0.png"), False).reviewer == annotator
    wrong = [(pair[1], annotator), (annotator, annotator), (participant, pair[1])]
    assert [(_refused(turn(made), *people)) for people in wrong] == [
        (409, "other_list"),
        (422, "not_valid"),
        (422, "not_valid"),
    ]
    close(turn(made), unfinished=True)
    assert _refused(turn(made), annotator, pair[1]) == (409, "round_closed")


def _refused(of: Turn, first: User, second: User, actor: User | None = None) -> tuple[int, str]:
    with pytest.raises(RefusedError) as refused:
        assign(of, first, second, actor=actor)
    return code(refused)


def test_two_reviewers_are_two_people_whoever_names_them(
    made: Screening, pair: tuple[User, User], annotator: User
) -> None:
    """An organiser who reviews cannot come to the other list, nor to one that somebody else has begun."""
    first, organiser = pair
    number = number_of(made, "photo0.png")
    # Nothing is answered: both lists may change hands, and who named whom stands in the log.
    assign(turn(made), organiser, first, actor=organiser)
    assign(turn(made), first, organiser, actor=organiser)
    mark(first, turn(made), number, True)
    other = person("olga", "organiser")
    assert _refused(turn(made), other, organiser, actor=other) == (409, "own_naming")
    assert _refused(turn(made), organiser, annotator, actor=organiser) == (409, "own_naming")
    assert mark_of(other, turn(made), made.samples.get(pk=number)) is None
    # Somebody else may name them: there it is known who reads what.
    assign(turn(made), other, organiser, actor=organiser)
    assert mark(other, turn(made), number, False).reviewer == other
    # The first has no answer in the list any more, and yet has had it.
    assert not Mark.objects.filter(reviewer=first).exists()
    assert _refused(turn(made), other, first, actor=organiser) == (409, "other_list")
    events = AuditEvent.objects.filter(action="screening.reviewers_named").order_by("pk")
    names = {one.pk: one.username for one in User.objects.all()}
    assert [names[event.actor_id or 0] for event in events] == ["otto"] * 3
    last = events[2].details
    assert last["before"] == [str(one.pseudonym) for one in (first, organiser)]
    assert last["reviewers"] == [str(one.pseudonym) for one in (other, organiser)]


def test_who_only_reads_a_list_is_not_let_into_the_other(
    made: Screening, pair: tuple[User, User], annotator: User
) -> None:
    mark(pair[0], turn(made), number_of(made, "photo0.png"), True)
    assign(turn(made), annotator, pair[1])
    # Has looked, and answered nothing.
    assert _refused(turn(made), pair[0], annotator) == (409, "other_list")


def test_a_reviewer_does_not_bring_the_list_of_the_other(
    made: Screening, pair: tuple[User, User], organiser: User, tmp_path: Path
) -> None:
    path = tmp_path / "several_questions.reviewer1.csv"
    answer_all(pair[0], turn(made))
    path.write_text(list_of(turn(made), 1, filled=True), encoding="utf-8")
    with pytest.raises(RefusedError) as refused:
        take_file(turn(made), 1, path, by=pair[1])
    assert code(refused) == (409, "other_list")
    for by in (pair[0], organiser, None):
        assert take_file(turn(made), 1, path, by=by)[1].marks == 0


def test_what_cannot_be_made_is_said(tmp_path: Path, organiser: User, pair: tuple[User, User]) -> None:
    made = screening(tmp_path, organiser, pair)
    with pytest.raises(UsageError, match="there is a screening of this short name"):
        create(plan(tmp_path), organiser)
    made.delete()
    with pytest.raises(UsageError, match="one person cannot be both"):
        create(plan(tmp_path, (pair[0], pair[0])), organiser)
    with pytest.raises(UsageError, match="few_agree"):
        create(plan(tmp_path, settings=["few_agre.fewest=3"]), organiser)
    with pytest.raises(InputError, match="it has no sample"):
        create(plan(tmp_path, first=0), organiser)
    assert not Sample.objects.exists()


def test_what_is_left_becomes_a_project(made: Screening, pair: tuple[User, User], organiser: User) -> None:
    answer_all(pair[0], turn(made), ["photo0.png"])
    close(turn(made), unfinished=True)
    project = make_project(made, "tins-2", "Tins", organiser)
    tasks = dict(project.tasks.values_list("key", "question"))
    assert tasks == {
        "photo1.png": "What is this?",
        "photo2.png": "How many tins are there?",
        "photo4.png": "Is there a cat?",
        "photo5.png": "Who is that?",
    }
    assert project.state == "draft"
    made.samples.update(step="x")
    with pytest.raises(UsageError, match="no sample is left"):
        make_project(made, "tins-3", "Tins", organiser)
    assert Project.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_three_who_come_at_once_are_two(tmp_path: Path) -> None:
    people = [person(f"reviewer-{n}", "annotator") for n in range(3)]
    made = screening(tmp_path, person("boss", "organiser"))
    number, now = number_of(made, "photo0.png"), turn(made)

    def act(who: User) -> str:
        try:
            mark(who, now, number, True)
        except RefusedError as refused:
            return refused.code
        return "stored"

    assert sorted(all_at_once([partial(act, who) for who in people])) == ["stored", "stored", "two_answered"]
    assert sorted(Mark.objects.values_list("place", flat=True)) == [1, 2]
    connection.close()


@pytest.mark.django_db(transaction=True)
def test_who_answers_while_the_round_closes_is_in_it_or_told(tmp_path: Path) -> None:
    pair = person("rita", "annotator"), person("otto", "annotator")
    made = screening(tmp_path, person("boss", "organiser"), pair)
    now, number = turn(made), number_of(made, "photo0.png")

    def answer() -> str:
        try:
            mark(pair[0], now, number, True)
        except RefusedError as refused:
            return refused.code
        return "stored"

    def closing() -> str:
        close(now, unfinished=True)
        return "closed"

    said, _ = all_at_once([answer, closing])
    removed = made.samples.filter(step="review.several_questions").exists()
    assert (said, removed) in {("stored", True), ("round_closed", False)}


def test_a_number_that_no_database_has_is_taken_back_by_nobody(made: Screening, pair: tuple[User, User]) -> None:
    mark(pair[0], turn(made), number_of(made, "photo0.png"), True)
    take_back(pair[0], turn(made), 10**30)
    assert Mark.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_screening_or_project_that_is_made_twice_at_once_is_made_once(
    tmp_path: Path, organiser: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = Barrier(2)
    data_folder(tmp_path)
    for module, name in ((making, "opened"), (projects, "read_tasks")):
        read = getattr(module, name)

        def slowly(*asked: Any, read: Any = read, **more: Any) -> Any:
            both.wait(timeout=30)
            return read(*asked, **more)

        monkeypatch.setattr(module, name, slowly)

    def press(act: Any) -> str:
        try:
            act()
        except UsageError as error:
            return error.problem
        return "made"

    a_project = projects.Plan("tins", "grounding", Origin("vizwiz_vqa:val", tmp_path))
    for act, what in (
        (lambda: making.create(plan(tmp_path), organiser), "screening"),
        (lambda: projects.create(a_project, organiser), "project"),
    ):
        told = all_at_once([lambda act=act: press(act)] * 2)  # type: ignore[misc]
        assert sorted(told) == ["made", f"there is a {what} of this short name"]
