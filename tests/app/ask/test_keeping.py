from __future__ import annotations

import io
import json
import os
import uuid
from pathlib import Path

import numpy as np
import PIL.Image
import pytest
from django.conf import settings as django_settings
from django.contrib.admin import site
from django.test import Client, RequestFactory

from foveate.app.accounts import own_data
from foveate.app.accounts.models import User
from foveate.app.ask.models import Kept
from foveate.app.ask.services import keeping
from tests.app.ask.asked import API, answered, ask, bring, opened, with_place
from tests.app.conftest import signed_in, streamed

pytestmark = pytest.mark.django_db(transaction=True)


def files() -> list[Path]:
    return sorted((Path(django_settings.MEDIA_ROOT) / "ask").glob("*"))


def test_what_is_kept_is_the_photo_the_question_and_the_reply(annotator: User, admin: User) -> None:
    client = signed_in(annotator)
    smooth = np.linspace(0, 255, 60 * 90 * 3).reshape(60, 90, 3).astype(np.uint8)
    told = ask(client, bring(client, with_place(smooth))["key"], "Which soup?", keep=True).json()
    (row,) = client.get(f"{API}/kept").json()
    assert row["id"] == told["kept"]
    assert row["question"] == "Which soup?"
    assert row["reply"] == told["reply"]
    content = streamed(client.get(row["photo"]))
    assert b"SECRET" not in content
    assert not PIL.Image.open(io.BytesIO(content)).getexif()
    # The photo lay on its side.
    assert np.abs(opened(content).astype(int) - np.rot90(smooth, -1)).mean() < 4
    (file,) = files()
    assert file.stat().st_mode & 0o777 == 0o600
    again = client.post(f"{API}/kept", {"ticket": told["ticket"], "style": "clock"}, content_type="application/json")
    assert (again.status_code, again.json()["id"]) == (201, row["id"]), "twice is once"
    assert files() == [file]
    other = signed_in(admin)
    for method, path in (("get", ""), ("get", "/photo"), ("delete", "")):
        assert getattr(other, method)(f"{API}/kept/{row['id']}{path}").status_code == 404
    assert other.get(f"{API}/kept").json() == []
    assert client.get(f"{API}/kept/{row['id']}").json() == row
    assert client.delete(f"{API}/kept/{row['id']}").status_code == 204
    assert files() == []
    assert client.get(f"{API}/kept/{row['id']}").status_code == 404


def test_nothing_is_kept_unasked_or_for_nobody(client: Client, annotator: User) -> None:
    assert answered(signed_in(annotator))["kept"] is None
    told = answered(client)
    body = {"ticket": told["ticket"]}
    assert client.post(f"{API}/kept", body, content_type="application/json").status_code == 401
    assert ask(client, told["key"], keep=True).status_code == 401
    assert not Kept.objects.exists()
    assert files() == []


def test_it_is_a_persons_own_data_and_leaves_with_them(annotator: User, organiser: User) -> None:
    for user in (annotator, organiser):
        answered(signed_in(user), "Which soup?", keep=True)
    held = json.loads("".join(own_data.export(annotator)))["kept_answers"]
    assert [row["question"] for row in held] == ["Which soup?"]
    assert held[0]["reply"]["answer"].startswith("Which soup?")
    assert streamed(signed_in(annotator).get(held[0]["photo"]))
    own_data.leave(None, annotator)
    assert [row.person for row in Kept.objects.all()] == [organiser]
    assert len(files()) == 1
    assert keeping.photo_of(Kept.objects.get()) == files()[0]


def test_no_more_than_so_many_are_kept_and_no_file_is_left(annotator: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "MOST", 1)
    client = signed_in(annotator)
    answered(client, keep=True)
    second = ask(client, bring(client)["key"], keep=True)
    assert (second.status_code, second.json()["error"]["code"]) == (409, "keeps_too_many")
    assert len(files()) == 1
    orphan, young = files()[0].with_name("a.jpg"), files()[0].with_name("b.jpg")
    for each in (orphan, young):
        each.write_bytes(b"x")
    os.utime(orphan, (0, 0))
    keeping.tidy()
    assert len(files()) == 2
    assert young in files()


def test_a_photo_that_cannot_be_written_is_told(annotator: User) -> None:
    Path(django_settings.MEDIA_ROOT).write_text("no folder")
    told = ask(signed_in(annotator), bring(signed_in(annotator))["key"], keep=True)
    assert told.status_code == 503
    assert told.json()["error"]["message"].startswith("the photo: it cannot be kept")
    assert not Kept.objects.exists()


def test_admins_see_whose_and_when_and_nothing_else(admin: User, annotator: User) -> None:
    answered(signed_in(annotator), "Does XYZZY show?", keep=True)
    client, row = signed_in(admin), Kept.objects.get()
    for path in ("/admin/ask/kept/", f"/admin/ask/kept/{row.pk}/change/"):
        page = client.get(path)
        assert page.status_code == 200
        assert "XYZZY" not in page.content.decode()
        assert row.photo not in page.content.decode()
    assert not site.get_model_admin(Kept).has_delete_permission(RequestFactory().get("/"))


def test_a_row_without_its_file_is_told_without_it(annotator: User) -> None:
    client = signed_in(annotator)
    kept = answered(client, keep=True)["kept"]
    files()[0].unlink()
    assert client.get(f"{API}/kept/{kept}/photo").status_code == 404
    assert client.delete(f"{API}/kept/{kept}").status_code == 204
    assert client.get(f"{API}/kept/{uuid.uuid4()}").status_code == 404
