"""Training the methods that can be trained: examples, the loop, recipes (`design/attention-baselines.md`)."""
