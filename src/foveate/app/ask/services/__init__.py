"""What page and API share; neither talks to the desk itself (`design/assist.md`)."""
