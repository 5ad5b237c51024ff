"""Chapters on how well methods do, and why: each takes what was found of runs and gives a section."""
