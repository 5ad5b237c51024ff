"""The people and their work: gold, checks, agreement, and one region made of many (`design/quality.md`)."""
