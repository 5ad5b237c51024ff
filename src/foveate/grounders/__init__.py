"""The grounding methods, one file each: `CARD` and a class `Grounder` (`design/plugins.md`)."""
