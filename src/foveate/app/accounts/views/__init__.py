"""The pages of accounts, one file a subject."""
