from __future__ import annotations

from tests.app.live import LiveFoveate


def test_it_serves_and_stops_cleanly(live_foveate: LiveFoveate) -> None:
    status, body, headers = live_foveate.ask("/healthz")
    assert (status, body["status"]) == (200, "ok")
    assert "waitress" not in str(headers)
    assert live_foveate.stop() == 0


def test_a_port_that_is_taken_is_told(live_foveate: LiveFoveate) -> None:
    said = live_foveate.foveate("serve", "--port", str(live_foveate.port), expect=4)
    assert said == (
        f"127.0.0.1:{live_foveate.port}: something listens there already. "
        "Stop that, or choose another --port; --port 0 takes a free one.\n"
    )
