"""Rules: hands, yaku, points and settlement; knows nothing of logs, lakes or command lines."""
