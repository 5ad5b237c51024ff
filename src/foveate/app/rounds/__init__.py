"""The rounds of screening in which people look at what the rules left."""
