"""What the methods share that answer by a network and point to what it attended to."""
