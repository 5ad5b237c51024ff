"""The compose file and what it builds: no engine is at hand, so what can be read of them is looked at."""

from __future__ import annotations

import re
from typing import Any

import yaml

from tests.helpers import REPOSITORY

DEPLOY = REPOSITORY / "deploy"


def composed() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    return loaded


def test_there_are_a_database_a_server_and_two_workers() -> None:
    services = composed()["services"]
    assert sorted(services) == ["database", "server", "worker"]
    assert services["worker"]["deploy"]["replicas"] == 2
    assert services["server"]["command"][:2] == ["foveate", "serve"]
    assert services["worker"]["command"][:3] == ["foveate", "challenge", "worker"]
    # Workers wait until the server has brought the database up to date.
    assert services["server"]["depends_on"] == {"database": {"condition": "service_healthy"}}
    assert services["worker"]["depends_on"] == {"server": {"condition": "service_healthy"}}
    assert "healthcheck" in services["server"]


def test_both_see_one_state_and_nothing_stands_open() -> None:
    loaded = composed()
    server, worker = loaded["services"]["server"], loaded["services"]["worker"]
    assert server["environment"] == worker["environment"]
    assert server["volumes"] == worker["volumes"] == ["data:/data"]
    assert server["environment"]["FOVEATE_DATA"] == "/data"
    assert set(loaded["volumes"]) == {"data", "database"}
    assert server["ports"] == ["127.0.0.1:8321:8321"]
    assert not any("ports" in loaded["services"][name] for name in ("database", "worker"))
    text = (DEPLOY / "compose.yaml").read_text()
    assert not re.search(r"docker\.sock|podman\.sock|privileged: *true", text)
    # There is no password unless somebody says one, and both sides are told the same.
    assert text.count("${POSTGRES_PASSWORD:?") == 2
    assert text.count("POSTGRES_PASSWORD:?") == text.count("${POSTGRES_PASSWORD")


def test_what_is_built_is_there_and_runs_as_nobody_special() -> None:
    build = composed()["services"]["server"]["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).resolve() == DEPLOY / "Containerfile"
    lines = (DEPLOY / "Containerfile").read_text().splitlines()
    copied = [word for line in lines if line.startswith("COPY") for word in line.split()[1:-1]]
    assert copied
    assert all((REPOSITORY / name).exists() for name in copied)
    assert "USER foveate" in lines
    assert lines.index("USER foveate") < next(n for n, line in enumerate(lines) if line.startswith("CMD"))
