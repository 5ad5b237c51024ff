"""The pages of asking."""
