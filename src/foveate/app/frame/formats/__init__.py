"""How dates and times are written, where Django would write them as only one country does."""
