"""The tests of paifu; what several folders of them share is in ``helpers``.

Python keeps what it compiles of paifu and of the tests, even where the environment forbids that:
otherwise each of the many processes of the tests compiles all of it again.
"""

import os
import sys

sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
