from __future__ import annotations

import pytest
from django.test import Client


@pytest.mark.django_db
def test_the_server_says_that_it_is_well(client: Client) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}


@pytest.mark.django_db
def test_the_first_page_is_there(client: Client) -> None:
    assert client.get("/").status_code == 200
