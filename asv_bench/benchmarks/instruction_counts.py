"""Instructions of the forty hottest calls, counted by callgrind: they do not depend on the machine or its load."""

import shutil

from cases import HOTTEST
from instructions import count


class TrackInstructions:
    """Instructions of one call at three elements."""

    params = (HOTTEST, ("fastnp", "numpy"))
    param_names = ("call", "lib")
    unit = "instructions"
    timeout = 240

    def setup_cache(self):
        if shutil.which("valgrind") is None:
            return {}
        return {library: count(list(HOTTEST), library) for library in ("fastnp", "numpy")}

    def track_instructions(self, found, call, lib):
        return found[lib][call] if found else float("nan")
