"""From sources to a lake: workers prepare units of logs, one committer stores them in order."""
