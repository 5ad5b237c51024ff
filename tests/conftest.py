"""What holds for all tests."""

from __future__ import annotations

import hypothesis

# How long a test takes says how busy the machine is; speed is measured in benchmarks/.
hypothesis.settings.register_profile("house", deadline=None)
hypothesis.settings.load_profile("house")
