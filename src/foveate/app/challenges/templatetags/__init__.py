"""What templates of challenges use."""
