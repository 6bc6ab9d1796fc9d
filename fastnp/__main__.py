"""Run a NumPy program on fastnp: `python -m fastnp [--device DEVICE] [--report] program.py [args]`."""

import argparse
import sys

from fastnp._runner import NotRunnable, run

parser = argparse.ArgumentParser(
    prog="python -m fastnp",
    usage="python -m fastnp [--device DEVICE] [--report] (program.py | -m module) [args]",
    description="Run an unmodified NumPy program with fastnp in the place of numpy. "
    "Its own modules get fastnp; third-party packages keep numpy.",
    allow_abbrev=False,
)
parser.add_argument("--device", help="where new arrays live: cpu, cuda, cuda:1, meta, ...")
parser.add_argument("--report", action="store_true",
                    help="print at the end what was called, how long it took and what fell back to NumPy")
parser.add_argument("-m", dest="module", action="store_true", help="run a module or package, as python -m does")
parser.add_argument("program", help="the program's file, or the module's name after -m")
parser.add_argument("args", nargs=argparse.REMAINDER, help="handed to the program as they are")

if __name__ == "__main__":
    options = parser.parse_args()
    try:
        status = run(options.program, options.args, module=options.module, device=options.device, report=options.report)
    except NotRunnable as error:
        parser.error(str(error))
    sys.exit(status)
