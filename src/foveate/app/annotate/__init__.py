"""Annotate: projects, their tasks, and the people who draw."""
