"""Networks that no library has, in PyTorch (`[torch]`), without any I/O (`design/attention-baselines.md`)."""
