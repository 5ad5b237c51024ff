"""What holds for all tests."""

from __future__ import annotations

import os

import hypothesis

# Two processes test at once: threads of PyTorch that wait for each other take up to a hundred times as long then.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# How long a test takes says how busy the machine is; speed is measured in benchmarks/.
hypothesis.settings.register_profile("house", deadline=None)
hypothesis.settings.load_profile("house")
