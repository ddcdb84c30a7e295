"""M.League's viewer: the page that shows a game, with the game in its script."""

OFFERED = 15
TELLS = 4
READS_PAGES = True
VERSION = 1
