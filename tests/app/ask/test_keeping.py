from __future__ import annotations

import io
import json
import os
import uuid
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest
from django.conf import settings as django_settings
from django.contrib.admin import site
from django.db import connection
from django.test import Client, RequestFactory

from foveate.app.accounts import own_data
from foveate.app.accounts.models import User
from foveate.app.ask.models import Kept
from foveate.app.ask.services import keeping
from foveate.app.backup.write import back_up
from foveate.assist.photos import Photo
from tests.app.ask.asked import API, answered, ask, bring, opened, with_place
from tests.app.ask.conftest import configure
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


def test_keeping_twice_at_once_is_once(annotator: User) -> None:
    ticket = answered(signed_in(annotator))["ticket"]
    clients = [signed_in(annotator) for _ in range(4)]

    def keep(client: Client) -> str:
        try:
            response = client.post(f"{API}/kept", {"ticket": ticket}, content_type="application/json")
            return str(response.json()["id"])
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(keep, clients))) == 1
    assert Kept.objects.count() == len(files()) == 1


def test_who_has_left_keeps_nothing_more(annotator: User, monkeypatch: pytest.MonkeyPatch) -> None:
    client = signed_in(annotator)
    told = answered(client)
    write = keeping._write

    def left_meanwhile(photo: Photo) -> Path:
        own_data.leave(None, User.objects.get(pk=annotator.pk))
        return write(photo)

    monkeypatch.setattr(keeping, "_write", left_meanwhile)
    assert client.post(f"{API}/kept", {"ticket": told["ticket"]}, content_type="application/json").status_code == 401
    assert not Kept.objects.exists()
    assert files() == []


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


def test_what_is_kept_stays_kept_where_the_photo_is_forgotten_since(annotator: User) -> None:
    client = signed_in(annotator)
    told = answered(client, keep=True)
    other = answered(client)
    for one in (told, other):
        assert client.delete(f"{API}/photos/{one['key']}").status_code == 204
    body = {"ticket": told["ticket"]}
    again = client.post(f"{API}/kept", body, content_type="application/json")
    assert (again.status_code, again.json()["id"]) == (201, told["kept"])
    assert client.post(f"/ask/answers/{told['ticket']}/keep/")["Location"] == "/ask/kept/"
    # What was not kept cannot be any more, and nobody else's word keeps it.
    assert client.post(f"/ask/answers/{other['ticket']}/keep/").status_code == 404
    gone = client.post(f"{API}/kept", {"ticket": other["ticket"]}, content_type="application/json")
    assert gone.status_code == 404
    assert Kept.objects.count() == len(files()) == 1


def test_who_signed_out_meanwhile_comes_back_to_a_page(annotator: User) -> None:
    client = signed_in(annotator)
    told = answered(client, keep=True)
    client.logout()
    answer = f"/ask/answers/{told['ticket']}/"
    for path, back in ((f"{answer}keep/", answer), (f"/ask/kept/{told['kept']}/remove/", "/ask/kept/")):
        response = client.post(path)
        assert (response.status_code, response["Location"]) == (302, f"/accounts/login/?next={back}")
        client.force_login(annotator)
        assert client.get(back).status_code == 200
        client.logout()
    assert Kept.objects.count() == 1


def test_what_is_kept_is_theirs_where_nobody_may_ask_any_more(annotator: User, settings: Any) -> None:
    client = signed_in(annotator)
    told = answered(client, "Which soup?", keep=True)
    configure(settings, ask="nobody")
    page = client.get("/ask/kept/")
    text = page.content.decode()
    assert (page.status_code, "Which soup?" in text, page["Cache-Control"]) == (200, True, "private, no-store")
    assert 'href="/ask/"' not in text, "it would lead to nothing"
    assert client.post(f"/ask/kept/{told['kept']}/remove/").status_code == 303
    assert not files()


def test_a_backup_holds_what_is_kept_and_nothing_that_is_not(annotator: User, tmp_path: Path) -> None:
    client = signed_in(annotator)
    answered(client, "Which ZEBRA?", keep=True)
    told = answered(client, "Which LION?")
    (kept,) = files()
    # Of a process that died before its row was there, or after it was gone.
    kept.with_name("orphan.jpg").write_bytes(b"ORPHAN")
    other = kept.parent.parent / "other" / "a.bin"
    other.parent.mkdir()
    other.write_bytes(b"of another app")
    back_up(tmp_path / "b.zip")
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        names, rows = archive.namelist(), archive.read("rows.jsonl")
    assert sorted(name for name in names if name.startswith("media/")) == [
        f"media/ask/{kept.name}",
        "media/other/a.bin",
    ]
    assert b"ZEBRA" in rows
    assert not [secret for secret in ("LION", told["key"], told["ticket"]) if secret.encode() in rows]


def test_nothing_is_tidied_by_a_database_that_knows_of_nothing(annotator: User) -> None:
    told = answered(signed_in(annotator), keep=True)
    (file,) = files()
    os.utime(file, (0, 0))
    Kept.objects.filter(pk=told["kept"])._raw_delete("default")
    keeping.tidy()
    assert files() == [file], "the folder may be another database's"
