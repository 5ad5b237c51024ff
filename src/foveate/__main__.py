"""Lets `python -m foveate` be the command `foveate`."""

from foveate.cli import main

main()
