"""Count the instructions of the forty hottest calls and compare them with the committed table.

One process under callgrind runs all the calls; importing torch is not counted and takes most of the time. The count of
a call is the difference between a long and a short loop, less that of an empty loop, so neither the machine's speed nor
its load shows. Counted are the instructions inside fastnp's own shared objects: what NumPy's loops, the C library and
the interpreter spend depends on the processor that they choose their code for. What is left depends on the compiler and
on the headers that are compiled in, so the table says what it was counted with, and a build of another kind is not
compared with it, which is said and is no failure.

A call that lies above the table is counted again with its operands elsewhere in memory; the smallest count is taken.

`--accept NAME "reason"` measures NAME (or `all`) and writes the new count and the reason into the table.
"""

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import libraries  # noqa: F401 - puts the checkout on the path
import numpy
import torch
from cases import BY_NAME, COUNTED_TIMES, EMPTY, HOTTEST

from fastnp._core import dispatcher

HERE = Path(__file__).resolve().parent
TABLE = HERE / "instructions.json"
ALLOWED = 0.03
"""How far above the table a count may lie."""
SLACK = 8
"""Instructions that a count may always differ by: three in a hundred of a very short call is less than one branch."""
STARTS = 3
"""Places in memory that a call is counted at before it is said to be above the table."""
OURS = re.compile(r"/fastnp/_core/[^ ]*\.so$")
MISSING = """valgrind is not installed, so instructions cannot be counted. It comes with every distribution:
  Debian, Ubuntu: apt-get install valgrind      Fedora: dnf install valgrind      Arch: pacman -S valgrind"""


def compile_helper(folder: Path) -> Path:
    """Compile the functions that talk to callgrind."""
    helper = folder / "callgrind.so"
    compiler = os.environ.get("CC", "cc").split()
    subprocess.run([*compiler, "-shared", "-fPIC", "-O1", "-o", helper, HERE / "callgrind.c"], check=True)
    return helper


def read_dumps(folder: Path, own: bool) -> dict[str, int]:
    """Return the instructions of every dump by its name: those inside fastnp's shared objects, or all."""
    totals = {}
    for path in sorted(folder.glob("counts.*"), key=lambda path: int(path.suffix[1:])):
        text = path.read_text(errors="replace")
        trigger = re.search(r"^desc: Trigger: Client Request: (.*)$", text, re.MULTILINE)
        total = re.search(r"^(?:summary|totals): (\d+)", text, re.MULTILINE)
        if trigger and total:
            totals[trigger.group(1)] = own_instructions(text) if own else int(total.group(1))
    return totals


def own_instructions(text: str) -> int:
    """Return the instructions inside fastnp's shared objects that a dump of callgrind's tells of."""
    objects: dict[str, str] = {}
    ours = called = False
    total = 0
    for line in text.splitlines():
        if named := re.match(r"(c?ob)=(\(\d+\))(?: (.*))?$", line):
            kind, number, path = named.groups()
            if path is not None:
                objects[number] = path
            if kind == "ob":
                ours = OURS.search(objects[number]) is not None
        elif line.startswith("calls="):
            called = True  # the next line is what was spent in there
        elif cost := re.match(r"[-+*\d]\S* (\d+)$", line):
            total += int(cost.group(1)) if ours and not called else 0
            called = False
    return total


def build() -> str:
    """Return what the counts of a build depend on."""
    binary = Path(dispatcher.__file__).read_bytes()
    compiler = re.search(rb"(GCC: \([^)]*\) \d+|clang version \d+)", binary)
    return ", ".join((
        re.sub(r"\([^)]*\) ", "", compiler.group(1).decode()) if compiler else "unknown compiler",
        platform.machine(),
        f"Python {sys.version_info.major}.{sys.version_info.minor}",
        f"torch {'.'.join(torch.__version__.split('.')[:2])}",
        f"NumPy {'.'.join(numpy.__version__.split('.')[:2])}",
        # Extensions are compiled with the interpreter's own flags, and some distributions ask for guards of the stack.
        *(["guarded stack"] if b"__stack_chk_fail" in binary else []),
    ))


def count_process(
    script: str, *arguments: str, times: int, keep: Path | None = None, own: bool = False
) -> dict[str, float]:
    """Run a script of this folder under callgrind and return the instructions of a turn of each loop that it dumps.

    Its last argument is the path of the functions that talk to callgrind, for `counted.dump_each`; `times` is the
    number of turns that it is told.
    """
    with tempfile.TemporaryDirectory() as scratch:
        folder = keep or Path(scratch)
        folder.mkdir(exist_ok=True)
        helper = compile_helper(Path(scratch))
        command = ["valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={folder / 'counts'}",
                   sys.executable, str(HERE / script), *arguments, str(helper)]  # fmt: skip
        environment = {**os.environ, "PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "PYTHONMALLOC": "pymalloc"}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"the counted process failed:\n{done.stderr[-4000:]}")
        totals = read_dumps(folder, own)
    names = dict.fromkeys(name.rpartition(":")[0] for name in totals)
    return {name: (totals[f"{name}:{2 * times}"] - totals[f"{name}:{times}"]) / times for name in names}


def count(
    names: list[str], library: str = "fastnp", keep: Path | None = None, own: bool = False, start: int = 0
) -> dict[str, int]:
    """Return the instructions of one call of each case, run at three elements by callgrind.

    `own` leaves only those inside fastnp's shared objects. `keep` is a folder for callgrind's own files, for
    callgrind_annotate. `start` chooses where in memory the operands lie.
    """
    counts = count_process("counted.py", library, ",".join(names), str(start), times=COUNTED_TIMES, keep=keep, own=own)
    return {name: round(counts[name] - counts[EMPTY]) for name in names}


def is_above(instructions: int, known: int) -> bool:
    """Whether a count lies further above the table's than is allowed."""
    return instructions > known * (1 + ALLOWED) and instructions > known + SLACK


def fewest(names: list[str], table: dict[str, dict], keep: Path | None) -> dict[str, int]:
    """Count the calls; those above the table at other places in memory as well, of which the fewest count."""
    found = count(names, keep=keep, own=True)
    for start in range(1, STARTS):
        above = [name for name in names if name in table and is_above(found[name], table[name]["instructions"])]
        if not above:
            break
        print(f"counted again at place {start + 1} of {STARTS}: {', '.join(above)}", flush=True)
        for name, instructions in count(above, own=True, start=start).items():
            found[name] = min(found[name], instructions)
    return found


def read_table() -> dict[str, Any]:
    """Return the committed table: the build it was counted with, and a count and a reason for each call."""
    return json.loads(TABLE.read_text()) if TABLE.exists() else {"build": build(), "calls": {}}


def accept(found: dict[str, int], reason: str) -> None:
    """Write counts and the reason for them into the table."""
    table = read_table()
    if table["build"] != build():
        if set(found) != set(HOTTEST):
            raise SystemExit(f"the table was counted with {table['build']}, this is {build()}: accept all, or none")
        table = {"build": build(), "calls": {}}
    for name, instructions in found.items():
        if table["calls"].get(name, {}).get("instructions") != instructions:
            table["calls"][name] = {"instructions": instructions, "reason": reason}
    TABLE.write_text(json.dumps(table, indent=2, ensure_ascii=False) + "\n")
    for name, instructions in found.items():
        print(f"accepted: {name} {instructions}")


def compare(found: dict[str, int], table: dict[str, dict], calls: dict[str, str]) -> int:
    """Print counts beside the table's and return how many lie too far above, or are not in it."""
    failed = 0
    print(f"{'case':<22}{'call':<26}{'table':>9}{'now':>9}{'change':>9}")
    for name, instructions in found.items():
        line = f"{name:<22}{calls[name]:<26}"
        if name not in table:
            print(f"{line}{'':>9}{instructions:>9}   NOT IN THE TABLE")
            failed += 1
            continue
        known = table[name]["instructions"]
        above = is_above(instructions, known)
        failed += above
        print(
            f"{line}{known:>9}{instructions:>9}{instructions / max(known, 1) - 1:>+9.1%}"
            f"{'   TOO MANY' if above else ''}"
        )
    if failed:
        print(
            f"\n{failed} calls are more than {ALLOWED:.0%} above the table. Mend them, or accept the new count:\n"
            f'  python asv_bench/instructions.py --accept NAME "why it has to cost more"'
        )
    return failed


def arguments(argv: list[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="instructions.py", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--accept", nargs=2, metavar=("NAME", "REASON"), help="measure NAME and accept its count")
    parser.add_argument(
        "--lib", default="", help="print the counts of these libraries side by side instead of comparing"
    )
    parser.add_argument("--cases", default="", help="names of cases, separated by commas, instead of the forty")
    parser.add_argument("--keep", type=Path, help="keep callgrind's files in this folder")
    return parser.parse_args(argv)


def main(argv: list[str]) -> int:
    """Count and compare, or accept."""
    options = arguments(argv)
    if shutil.which("valgrind") is None:
        print(MISSING, file=sys.stderr)
        return 2
    names = options.cases.split(",") if options.cases else list(HOTTEST)
    calls = {name: BY_NAME[name].call for name in names}
    if options.accept:
        name, reason = options.accept
        accept(count(names if name == "all" else [name], own=True), reason)
        return 0
    if options.lib:
        columns = {library: count(names, library, options.keep) for library in options.lib.split(",")}
        print(f"{'case':<22}{'call':<26}" + "".join(f"{library:>12}" for library in columns))
        for name in names:
            print(f"{name:<22}{calls[name]:<26}" + "".join(f"{found[name]:>12}" for found in columns.values()))
        return 0
    table = read_table()
    failed = compare(fewest(names, table["calls"], options.keep), table["calls"], calls)
    if table["calls"] and table["build"] != build():
        print(f"\nNOT COMPARED: the table was counted with {table['build']}, this is {build()}.")
        return 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
