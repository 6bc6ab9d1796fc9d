"""What `import fastnp` adds to `import torch`."""

import json
import subprocess
import sys
from pathlib import Path

# Where fastnp is not installed it lies above; one that is installed comes first.
ABOVE = Path(__file__).resolve().parents[2]

SCRIPT = """
import json, sys, time
sys.path.append(sys.argv[1])
start = time.perf_counter()
import torch
middle = time.perf_counter()
import fastnp
print(json.dumps([middle - start, time.perf_counter() - middle, torch.cuda.is_initialized()]))
"""


class TrackImport:
    """Seconds, the least of five processes."""

    unit = "seconds"

    def setup_cache(self):
        command = [sys.executable, "-c", SCRIPT, str(ABOVE)]
        found = [json.loads(subprocess.check_output(command, text=True)) for _ in range(5)]
        return min(found, key=lambda times: times[1])

    def track_import_fastnp_after_torch(self, found):
        return found[1]

    def track_import_torch(self, found):
        return found[0]

    def track_cuda_initialised(self, found):
        return int(found[2])
