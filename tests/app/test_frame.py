from __future__ import annotations

import pytest
from django.test import Client


@pytest.mark.django_db
def test_the_first_page_is_there(client: Client) -> None:
    assert client.get("/").status_code == 200
