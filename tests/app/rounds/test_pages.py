from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import PIL.Image
import pytest
from django.test import Client
from django.urls import reverse

from foveate.app.accounts import own_data
from foveate.app.accounts.models import AuditEvent, User
from foveate.app.annotate.models import Project
from foveate.app.rounds.closing import close
from foveate.app.rounds.marking import mark
from foveate.app.rounds.models import Mark, Sample, Screening
from tests.app.annotate.making import content_of
from tests.app.conftest import person, signed_in
from tests.app.rounds.screened import answer_all, data_folder, number_of, screening, turn

ROUND = "several_questions"


def url(name: str, *args: object) -> str:
    return reverse(f"rounds:{name}", args=args)


@pytest.fixture
def rita(db: None) -> User:
    return person("rita", "annotator")


@pytest.fixture
def made(tmp_path: Path, organiser: User, rita: User) -> Screening:
    return screening(tmp_path, organiser, (rita, organiser))


def form(folder: Path, first: User, second: User, **more: str) -> dict[str, str]:
    return {
        "title": "Tins & cats", "dataset": "vizwiz_vqa:val", "root": str(folder), "rules": "unanswerable, few_agree",
        "settings": "few_agree.fewest=3", "who": "named", "first": str(first.pk), "second": str(second.pk), **more,
    }  # fmt: skip


def test_a_screening_is_made_on_its_page(tmp_path: Path, rita: User, organiser: User, as_organiser: Client) -> None:
    data_folder(tmp_path)
    page = as_organiser.post(url("new"), form(tmp_path, rita, organiser, first_samples="4"), follow=True)
    assert page.redirect_chain == [(url("screening", "tins-cats"), 302)]
    made = Screening.objects.get()
    assert (made.rules, made.settings, made.named) == (["unanswerable", "few_agree"], ["few_agree.fewest=3"], True)
    assert made.samples.count() == 4
    assert [(one.first, one.second) for one in made.turns.all()] == [(rita, organiser)] * 3
    assert "4 of 4 samples left" in page.content.decode()


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("dataset", "vizwiz_vq:val", "Did you mean vizwiz_vqa"),
        ("root", "/nowhere/at/all", "there is no such folder"),
        ("rules", "few_agreed", "few_agree"),
        ("settings", "few_agree.most=3", "the rule has no such option"),
        ("second", "", "Name a person"),
        ("slug", "ä", "cannot stand in an address"),
        ("title", "", "required"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(
    tmp_path: Path, rita: User, organiser: User, as_organiser: Client, field: str, value: str, said: str
) -> None:
    data_folder(tmp_path)
    page = as_organiser.post(url("new"), {**form(tmp_path, rita, organiser, settings=""), field: value})
    assert page.status_code == 422
    assert said in str(page.context["form"].errors[field])
    assert not Screening.objects.exists()


def test_one_person_is_not_both_and_a_guest_is_none(
    tmp_path: Path, rita: User, participant: User, as_organiser: Client
) -> None:
    data_folder(tmp_path)
    page = as_organiser.post(url("new"), form(tmp_path, rita, rita))
    assert "cannot be both" in str(page.context["form"].errors["second"])
    page = as_organiser.post(url("new"), form(tmp_path, rita, participant))
    assert "second" in page.context["form"].errors
    page = as_organiser.post(url("new"), {**form(tmp_path, rita, rita), "who": "anyone", "dataset": "folder"})
    assert "dataset" in page.context["form"].errors
    assert as_organiser.post(url("new"), {**form(tmp_path, rita, rita), "who": "anyone"}).status_code == 302


def test_a_reviewer_goes_through_without_javascript(made: Screening, rita: User) -> None:
    client = signed_in(rita)
    assert "0 of 5 answered" in client.get(url("screenings")).content.decode()
    begun = client.get(url("begin", made.slug, ROUND), follow=True)
    first = number_of(made, "photo0.png")
    assert begun.redirect_chain == [(url("review", made.slug, ROUND, first), 302)]
    text = begun.content.decode()
    assert "What colour is it?" in text
    assert "Does it ask more than one question?" in text
    # In this round only the question counts.
    assert "Most common answer" not in text
    photo = re.search(r'src="(/annotate/screenings/photos/[^"]+full)"', text)
    assert photo
    picture = PIL.Image.open(io.BytesIO(content_of(client.get(photo[1]))))
    assert picture.size == (64, 48)
    following = client.post(url("review", made.slug, ROUND, first), {"flag": "yes", "note": "so it is"}, follow=True)
    assert following.redirect_chain == [(url("review", made.slug, ROUND, number_of(made, "photo1.png")), 302)]
    assert "1 of 5 answered" in following.content.decode()
    assert "Asked as: What is this? What is this?" in following.content.decode()
    back = client.get(url("review", made.slug, ROUND, first)).content.decode()
    assert "Your answer: yes." in back
    assert 'value="so it is"' in back
    client.post(url("review", made.slug, ROUND, first), {"flag": "back"})
    assert not Mark.objects.exists()
    for sample in made.samples.filter(step=""):
        done = client.post(url("review", made.slug, ROUND, sample.pk), {"flag": "no", "note": "a\0b"}, follow=True)
    assert "You are through" in done.content.decode()
    assert set(Mark.objects.values_list("note", "reviewer", "place")) == {("ab", rita.pk, 1)}


def test_the_first_that_is_left_comes_after_the_last(made: Screening, rita: User) -> None:
    last = number_of(made, "photo5.png")
    answered = signed_in(rita).post(url("review", made.slug, ROUND, last), {"flag": "no"}, follow=True)
    assert answered.redirect_chain[-1][0] == url("review", made.slug, ROUND, number_of(made, "photo0.png"))


def test_later_rounds_show_the_answer_and_why_a_rule_flags(made: Screening, rita: User, organiser: User) -> None:
    for who in (rita, organiser):
        answer_all(who, turn(made), ["photo0.png"])
    close(turn(made))
    page = signed_in(rita).get(url("begin", made.slug, "several_regions"), follow=True).content.decode()
    assert "How many tins are there?" in page
    assert "A rule flags it:" in page
    assert "<strong>red</strong>" in page
    # The round that is closed can be looked at, not changed; one that waits is not there.
    closed = signed_in(rita).get(url("begin", made.slug, ROUND)).content.decode()
    assert "The round is closed" in closed
    number = number_of(made, "photo0.png")
    assert 'name="flag"' not in signed_in(rita).get(url("review", made.slug, ROUND, number)).content.decode()
    refused = signed_in(rita).post(url("review", made.slug, ROUND, number), {"flag": "no"})
    assert (refused.status_code, "The round is closed" in refused.content.decode()) == (409, True)
    assert signed_in(rita).get(url("begin", made.slug, "answer_not_shown")).status_code == 404
    gone = signed_in(rita).get(url("review", made.slug, "several_regions", number))
    assert gone.headers["Location"] == url("begin", made.slug, "several_regions")


def test_nobody_sees_what_another_says_before_the_round_is_closed(made: Screening, rita: User, organiser: User) -> None:
    secret = "rita's own words"
    for sample in made.samples.filter(step=""):
        mark(rita, turn(made), sample.pk, True, secret)
    client = signed_in(organiser)
    number = number_of(made, "photo0.png")
    pages = [
        *(url("screening", made.slug), url("review", made.slug, ROUND, number), url("screenings")),
        *(url("list", made.slug, ROUND, place) for place in (1, 2)),
        *(url("file", made.slug, name) for name in ("kept.jsonl", "removed.csv", "funnel.csv")),
    ]
    for address in pages:
        text = client.get(address).content.decode()
        assert secret not in text, address
        assert "yes," not in text, address
    # The sample page of the second reviewer is as if nobody had answered, and the funnel has removed nothing.
    assert "Your answer" not in client.get(pages[1]).content.decode()
    assert "5 of 6 samples left" in client.get(pages[0]).content.decode()
    refused = client.get(url("compared", made.slug, ROUND))
    assert (refused.status_code, secret in refused.content.decode()) == (409, False)
    exported = json.loads("".join(own_data.export(organiser)))
    assert exported["screening_answers"] == []
    assert {row["note"] for row in json.loads("".join(own_data.export(rita)))["screening_answers"]} == {secret}


def test_what_differs_is_shown_side_by_side_once_it_is_closed(made: Screening, rita: User, organiser: User) -> None:
    answer_all(rita, turn(made), ["photo0.png", "photo1.png"], "so I say")
    answer_all(organiser, turn(made), ["photo1.png"])
    client = signed_in(organiser)
    client.post(url("change", made.slug, ROUND), {"act": "close"})
    text = client.get(url("compared", made.slug, ROUND)).content.decode()
    assert "What colour is it?" in text
    assert "yes: so I say" in text
    assert "1 sample<" in text
    both = client.get(url("compared", made.slug, ROUND), {"which": "flagged"}).content.decode()
    assert "2 samples<" in both
    page = client.get(url("screening", made.slug)).content.decode()
    # Four of five alike; by chance 0.4 * 0.2 + 0.6 * 0.8 = 0.56 are, so that kappa is 0.24 / 0.44.
    assert "on 80" in page
    assert "kappa 0.55" in page
    rows = list(csv.DictReader(io.StringIO(client.get(url("list", made.slug, ROUND, 1)).content.decode())))
    assert [row["flag"] for row in rows] == ["yes", "yes", "no", "no", "no"]
    client.post(url("change", made.slug, ROUND), {"act": "reopen"})
    assert client.get(url("compared", made.slug, ROUND)).status_code == 409
    assert set(AuditEvent.objects.values_list("action", flat=True)) >= {
        "screening.round_closed",
        "screening.round_reopened",
    }


def test_closing_too_early_is_told(made: Screening, as_organiser: Client) -> None:
    page = as_organiser.post(url("change", made.slug, ROUND), {"act": "close"}, follow=True)
    assert "Answers are missing: 0 and 0 of 5" in page.content.decode()
    page = as_organiser.post(url("change", made.slug, ROUND), {"act": "close", "unfinished": "on"}, follow=True)
    assert "The round is closed." in page.content.decode()
    assert as_organiser.post(url("change", made.slug, ROUND), {"act": "burn"}).status_code == 404


def test_reviewers_are_named_on_their_page(made: Screening, rita: User, annotator: User, as_organiser: Client) -> None:
    address = url("people", made.slug, ROUND)
    page = as_organiser.post(address, {"first": annotator.pk, "second": annotator.pk})
    assert (page.status_code, "cannot be both" in page.content.decode()) == (422, True)
    mark(rita, turn(made), number_of(made, "photo0.png"), True)
    page = as_organiser.post(address, {"first": annotator.pk, "second": rita.pk})
    assert (page.status_code, "in the other list already" in page.content.decode()) == (422, True)
    assert as_organiser.post(address, {"first": rita.pk, "second": annotator.pk}).status_code == 302
    assert turn(made).second == annotator


def test_both_reviewers_must_be_named_on_their_page(made: Screening, rita: User, as_organiser: Client) -> None:
    address = url("people", made.slug, ROUND)
    assert "(optional)" not in as_organiser.get(address).content.decode()
    page = as_organiser.post(address, {"first": rita.pk, "second": ""})
    assert (page.status_code, "Name a person." in page.content.decode()) == (422, True)


def test_nobody_is_named_where_whoever_comes_reviews(
    tmp_path: Path, rita: User, organiser: User, as_organiser: Client
) -> None:
    data_folder(tmp_path)
    sent = {**form(tmp_path, rita, organiser, who="anyone"), "first": "", "second": ""}
    assert as_organiser.post(url("new"), sent).status_code == 302
    assert [(one.first, one.second) for one in Screening.objects.get().turns.all()] == [(None, None)] * 3


def test_annotators_have_the_link_while_there_is_something_to_review(
    made: Screening, rita: User, annotator: User, as_organiser: Client
) -> None:
    def has_link(client: Client) -> bool:
        top = client.get("/").content.decode().partition("</nav>")[0]
        return f'href="{url("screenings")}"' in top

    assert [has_link(signed_in(who)) for who in (rita, annotator)] == [True, False]
    close(turn(made), unfinished=True)
    assert has_link(signed_in(rita)), "of the next round"
    Screening.objects.update(named=False)
    assert has_link(signed_in(annotator)), "whoever comes"
    for number in (1, 2):
        close(turn(made, number), unfinished=True)
    assert [has_link(signed_in(who)) for who in (rita, annotator)] == [False, False]
    assert has_link(as_organiser)


def test_a_project_is_made_of_what_is_left(made: Screening, as_organiser: Client) -> None:
    Sample.objects.filter(key="photo0.png").update(step="review.several_questions")
    shown = as_organiser.get(url("onward", made.slug)).content.decode()
    assert "4 samples are left" in shown
    assert "3 rounds are not closed yet" in shown
    page = as_organiser.post(url("onward", made.slug), {"title": "Tins", "slug": "tins"}, follow=True)
    assert "The project is made, with 4 tasks" in page.content.decode()
    again = as_organiser.post(url("onward", made.slug), {"title": "Tins", "slug": "tins"})
    assert "slug" in again.context["form"].errors
    assert (again.status_code, Project.objects.count()) == (422, 1)


def test_a_data_set_that_went_away_is_told(made: Screening, tmp_path: Path, as_organiser: Client) -> None:
    (tmp_path / "val.json").unlink()
    page = as_organiser.post(url("onward", made.slug), {"title": "Tins", "slug": "tins"})
    assert (page.status_code, "val.json" in page.content.decode()) == (422, True)
    # What was read is here all the same.
    assert len(as_organiser.get(url("file", made.slug, "kept.jsonl")).content.splitlines()) == 5


def test_photos_that_are_not_there_are_said(tmp_path: Path, organiser: User, rita: User) -> None:
    made = screening(tmp_path, organiser, (rita, organiser), photos=False)
    page = signed_in(rita).get(url("begin", made.slug, ROUND), follow=True).content.decode()
    assert "The photo is not here." in page
    assert "<img" not in page.split('id="review"')[1]
    number = number_of(made, "photo0.png")
    assert signed_in(rita).get(url("photo", number, "0" * 12, "full")).status_code == 404


def test_photos_are_for_reviewers_and_organisers(made: Screening, rita: User, annotator: User, organiser: User) -> None:
    page = signed_in(rita).get(url("begin", made.slug, ROUND), follow=True).content.decode()
    photo = re.search(r'src="(/annotate/screenings/photos/[^"]+full)"', page)
    assert photo
    assert signed_in(annotator).get(photo[1]).status_code == 404
    assert signed_in(person("guest", "participant")).get(photo[1]).status_code == 404
    assert Client().get(photo[1]).status_code == 302
    for who, address in [(organiser, photo[1]), (rita, photo[1].replace("full", "thumb"))]:
        assert content_of(signed_in(who).get(address))[:2] in (b"\x89P", b"\xff\xd8")
    assert signed_in(rita).get(re.sub("[0-9a-f]{12}", "0" * 12, photo[1])).status_code == 404


def test_who_is_named_only_reviews(made: Screening, annotator: User) -> None:
    client, number = signed_in(annotator), number_of(made, "photo0.png")
    assert "Nothing to review just now" in client.get(url("screenings")).content.decode()
    assert client.get(url("begin", made.slug, ROUND)).status_code == 404
    assert client.post(url("review", made.slug, ROUND, number), {"flag": "yes"}).status_code == 404
    assert not Mark.objects.exists()


def test_an_answer_that_is_none_is_none(made: Screening, rita: User) -> None:
    address = url("review", made.slug, ROUND, number_of(made, "photo0.png"))
    assert signed_in(rita).post(address, {"flag": "perhaps"}).status_code == 404
    assert signed_in(rita).post(url("review", made.slug, ROUND, 10**30), {"flag": "yes"}).status_code == 404


def test_the_third_who_comes_is_told(tmp_path: Path, organiser: User, rita: User, annotator: User) -> None:
    made = screening(tmp_path, organiser)
    number = number_of(made, "photo0.png")
    for who in (rita, organiser):
        mark(who, turn(made), number, False)
    page = signed_in(annotator).post(url("review", made.slug, ROUND, number), {"flag": "yes"}, follow=True)
    assert "Two others have answered this one meanwhile" in page.content.decode()
    assert page.redirect_chain[-1][0] == url("review", made.slug, ROUND, number_of(made, "photo1.png"))


def test_files_that_there_are_not(made: Screening, as_organiser: Client) -> None:
    assert as_organiser.get(url("file", made.slug, "secret.key")).status_code == 404
    assert as_organiser.get(url("list", made.slug, ROUND, 3)).status_code == 404
    assert as_organiser.get(url("list", made.slug, "several_regions", 1)).status_code == 404
