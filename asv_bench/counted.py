"""The process that callgrind counts: `counted.py LIBRARY NAMES START HELPER`, started by instructions.py."""

import ctypes
import gc
import sys

import torch
from cases import BY_NAME, COUNTED_TIMES, EMPTY
from libraries import load, ready
from timing import Loop

WARM_UP = 300


def loosen_pools() -> list[bytes]:
    """Leave free blocks in all pools of small blocks, so that no call is charged for a pool that is full or empty."""
    blocks = [[bytes(size) for _ in range(2000)] for size in range(0, 480, 16)]
    return [block for column in blocks for block in column[::2]]


def dump_each(helper: str, loops: dict[str, Loop], times: int) -> None:
    """Have callgrind dump the instructions of each loop, for `times` turns and for twice as many, as `name:turns`."""
    callgrind = ctypes.CDLL(helper)
    zero, dump = callgrind.zero, callgrind.dump
    callgrind.start()
    for name, loop in loops.items():
        # the first round is not read: its dump is written over by the second of the same name
        for turns in (times, times, 2 * times):
            zero()
            loop(turns)
            dump(f"{name}:{turns}".encode())
    callgrind.stop()


def drive(library: str, names: list[str], start: int, helper: str) -> None:
    """Run the calls, to be counted by callgrind: this is the process under valgrind.

    Operands lie elsewhere in memory for each `start`: a call takes some steps more where two of them share the low
    bits of their addresses.
    """
    before = [bytearray(48 + 592 * start) for _ in range(16 * start)]
    torch.set_num_threads(1)
    loops = {name: ready(load(library), BY_NAME[name], 3).loop for name in names}
    loops[EMPTY] = ready(load("numpy"), BY_NAME["len"]._replace(call="None"), 3).loop
    for loop in loops.values():
        loop(WARM_UP)
    gc.collect()
    gc.freeze()
    gc.disable()
    half_free = loosen_pools()
    dump_each(helper, loops, COUNTED_TIMES)
    del half_free, before


if __name__ == "__main__":
    drive(sys.argv[1], sys.argv[2].split(","), int(sys.argv[3]), sys.argv[4])
