"""Rendered scenes of simple solids, with questions, answers and exact masks (`design/attention-baselines.md`)."""
