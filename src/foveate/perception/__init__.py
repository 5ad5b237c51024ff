"""What several methods and the assistant share: reading text, proposing things, understanding a question."""
