"""The tests of paifu; what several folders of them share is in ``helpers``."""
