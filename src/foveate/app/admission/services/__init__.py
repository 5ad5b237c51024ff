"""What the pages, the commands and the doors of Annotate call."""
