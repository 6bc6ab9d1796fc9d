"""asv's benchmarks, by chapter; most of their classes are made of the table in cases.py."""

import sys
from pathlib import Path

# asv imports this package by itself: the tools lie beside it, and fastnp, where it is not installed, above.
FOLDER = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(FOLDER))
sys.path.append(str(FOLDER.parent))
