"""Rules: hands, yaku, points and settlement; nothing here knows logs, lakes or command lines."""
