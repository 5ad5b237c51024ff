"""Challenges on the web: phases, teams, entries, leaderboards."""
