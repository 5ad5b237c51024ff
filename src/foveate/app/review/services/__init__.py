"""What the pages and the command do."""
