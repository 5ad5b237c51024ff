"""What a report tells of where and why methods fail: one chapter a file."""
