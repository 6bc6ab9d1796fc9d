"""Threads: the GIL is released in long calls, two threads scale, many threads share (rows 28, 37; D15)."""

import hashlib
import os
import subprocess
import sys
import threading
import time

import numpy
import pytest
import threadpoolctl
import torch

import fastnp as np

PLACES = np.zeros(8_000_000, int)
LARGE = {
    "along": lambda a, b: np.take_along_axis(a, PLACES, 0),
    "exp": lambda a, b: np.exp(a),
    "add": np.add,
    "operator": lambda a, b: a * b,
    "out": lambda a, b: np.sin(a, out=b),
    "sum": lambda a, b: a.sum(),
    "axis": lambda a, b: a.reshape(1000, -1).std(axis=0),
    "sort": lambda a, b: np.sort(a),
    "copy": lambda a, b: a.copy(),
    "astype": lambda a, b: a.astype("f4"),
    "getitem": lambda a, b: a[::-1] + b[::-1],
    "mask": lambda a, b: a[a > 0],
    "setitem": lambda a, b: b.__setitem__(slice(None, None, 2), 3.0),
    "where": lambda a, b: np.where(a > 0, a, b),
    "cumsum": lambda a, b: a.cumsum(),
    "matmul": lambda a, b: a[:1_000_000].reshape(1000, -1) @ b[:1_000_000].reshape(-1, 1000),
}


def operands(size):
    rng = numpy.random.default_rng(0)
    return np.array(rng.standard_normal(size)), np.array(rng.standard_normal(size))


class Ticker:
    """A thread that writes down the time as often as it is let."""

    def __enter__(self):
        self.ticks, self.stopped = [], threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()
        while not self.ticks:
            time.sleep(0.001)
        return self

    def run(self):
        while not self.stopped.is_set():
            self.ticks.append(time.perf_counter())
            time.sleep(0.0005)

    def __exit__(self, *raised):
        self.stopped.set()
        self.thread.join()

    def between(self, start, end):
        """Ticks well inside a span: not those that the switch before and after the call allows."""
        margin = (end - start) * 0.1
        return sum(start + margin < tick < end - margin for tick in self.ticks)


@pytest.mark.parametrize("name", LARGE)
def test_gil_is_released_in_a_long_call(name):
    """Row 37: another Python thread goes on while the kernel runs."""
    a, b = operands(8_000_000)
    with Ticker() as ticker:
        for _ in range(20):
            start = time.perf_counter()
            LARGE[name](a, b)
            end = time.perf_counter()
            if ticker.between(start, end) >= 2:
                return
    pytest.fail(f"no other thread ran during {name}, which took {end - start:.3f} s")


def seconds(work, threads):
    """Wall time of `threads` threads doing the work once each, started together."""
    barrier = threading.Barrier(threads + 1)

    def run():
        torch.set_num_threads(1)  # each thread has a setting of its own
        barrier.wait()
        work()
        barrier.wait()

    workers = [threading.Thread(target=run) for _ in range(threads)]
    for worker in workers:
        worker.start()
    barrier.wait()
    start = time.perf_counter()
    barrier.wait()
    elapsed = time.perf_counter() - start
    for worker in workers:
        worker.join()
    return elapsed


def scaling(work):
    """Return how much more two threads do than one in the same time."""
    return 2 * seconds(work, 1) / seconds(work, 2)


READ = numpy.ones(200_000)


def fair_scaling():
    """Return `scaling` of work without Python and fastnp, the less of two: computing alone, and reading memory."""
    computing = scaling(lambda: hashlib.sha256(bytes(8_000_000)).digest())
    return min(computing, scaling(lambda: [numpy.add.reduce(READ) for _ in range(300)]))


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="machine: two threads need two cores")
@pytest.mark.parametrize("name", ["add", "exp", "matmul", "sum"])
def test_two_threads_scale(name):
    """Row 37: by 1.7 at least; the best of several tries counts, since others use the machine as well."""
    a, b = operands(200_000)
    c, d = a[:90_000].reshape(300, 300), b[:90_000].reshape(300, 300)
    works = {
        # Nothing is kept: 60 results of 1.6 MB are more than the caches, and memory is one for both threads.
        "add": lambda: [np.add(a, b) is None for _ in range(300)],
        "exp": lambda: [np.exp(a) for _ in range(60)],
        "matmul": lambda: [c @ d for _ in range(60)],
        "sum": lambda: [np.sum(a) for _ in range(600)],
    }
    work = works[name]
    # Twice the memory of one thread, so that no try pays for fresh pages.
    seconds(work, 2)
    best, fair = 0.0, 0
    for attempt in range(40):
        with threadpoolctl.threadpool_limits(1, user_api="blas"):
            before, found, after = fair_scaling(), scaling(work), fair_scaling()
        best, fair = max(best, found), fair + (min(before, after) >= 1.7)
        if best >= 1.7:
            return
        if fair == 15:
            break
        time.sleep(0.02 * attempt)
    if fair < 3:
        pytest.skip("machine: others use it, and two threads of pure computation do not scale either")
    pytest.fail(f"two threads do {best:.2f} times the work of one, those of pure computation 1.7 times and more")


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="machine: two threads need two cores")
def test_two_threads_that_keep_their_results_take_no_longer_than_numpy_s():
    """Row 37: what is kept leaves the caches, so the speed of memory bounds both, and NumPy's time is the measure."""
    a, b = operands(200_000)
    c, d = numpy.array(a), numpy.array(b)
    ours, theirs = [], []
    for _ in range(9):
        ours.append(seconds(lambda: [np.add(a, b) for _ in range(60)], 2))
        theirs.append(seconds(lambda: [numpy.add(c, d) for _ in range(60)], 2))
    assert min(ours) <= min(theirs)


def test_eight_threads_share_reads():
    """Rows 28 and 37: eight threads read, slice, print and reduce the same arrays and find the same."""
    a, _ = operands(30_000)
    x = a.reshape(100, 300)
    want = numpy.asarray(x).copy()
    found, failures = [], []

    def work(k):
        try:
            for n in range(60):
                row = x[(k * 7 + n) % 100]
                total = float((x[::-1] * 2).sum()) + float(row[::-1].sum())
                kept = [
                    x.T[n % 300],
                    x[x > 1],
                    np.exp(row),
                    x + row,
                    x.reshape(-1)[n],
                    repr(row[:3]),
                    row.base is not None,
                ]
                assert numpy.array_equal(numpy.asarray(kept[0]), want.T[n % 300])
                assert numpy.array_equal(numpy.asarray(kept[1]), want[want > 1])
                assert numpy.array_equal(numpy.asarray(kept[3]), want + numpy.asarray(row))
                if n == 0:
                    found.append(float((x[::-1] * 2).sum()))
                assert numpy.isfinite(total)
        except AssertionError as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures[0]
    assert len(found) == 8
    assert len(set(found)) == 1
    assert numpy.array_equal(numpy.asarray(x), want)


def test_eight_threads_make_and_drop_small_arrays():
    """Row 28: results that are recycled by one thread are never another's."""
    failures = []

    def work(k):
        mine = np.full(5, float(k))
        for n in range(4000):
            y = mine + n
            z = y * 2
            y = z - n
            if float(y[3]) != 2 * (k + n) - n or float(z[0]) != 2 * (k + n):
                failures.append((k, n, y.tolist(), z.tolist()))
                return

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_array_made_in_a_thread_lives_on():
    """Row 28: memory of a thread that has ended is still the array's; and it can be dropped elsewhere."""
    made = []
    thread = threading.Thread(target=lambda: made.extend(np.arange(6.0) + k for k in range(50)))
    thread.start()
    thread.join()
    assert [float(x[2]) for x in made] == [2.0 + k for k in range(50)]
    made.clear()
    assert (np.arange(6.0) + 1).tolist() == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]


def test_errors_in_threads_stay_there():
    """Row 52."""
    seen = []

    def work():
        for _ in range(200):
            try:
                np.zeros(3) + np.zeros(4)
            except ValueError:
                seen.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 800


# --- loops that are split over threads --------------------------------------------------------------------------------


@pytest.fixture
def set_threads():
    before = torch.get_num_threads()
    yield torch.set_num_threads
    torch.set_num_threads(before)


@pytest.mark.parametrize("threads", [2, 3, 5])
def test_split_loops_give_the_same_bits(threads, set_threads):
    rng = numpy.random.default_rng(3)
    x, y = rng.standard_normal(700_001), rng.standard_normal(700_001)
    a, b = np.asarray(x), np.asarray(y)
    works = [
        lambda: a + b,
        lambda: np.hypot(a, b),
        lambda: a[::-1] * b,
        a.sum,
        a.max,
        lambda: a.astype("f2"),
        lambda: np.where(a > b, a, b),
        lambda: a[:700_000].reshape(1000, 700).T + b[:700_000].reshape(700, 1000),
        lambda: a[:700_000].reshape(7, -1).sum(axis=0),
    ]
    set_threads(1)
    alone = [numpy.asarray(work()) for work in works]
    set_threads(threads)
    for _ in range(5):
        for work, wanted in zip(works, alone, strict=True):
            assert numpy.asarray(work()).tobytes() == wanted.tobytes()


def test_threads_that_split_at_the_same_time(set_threads):
    """One of them has the helpers, the others compute alone; none gets another's pieces."""
    failures = []

    def work(k):
        torch.set_num_threads(2)
        mine = np.full(400_000, float(k))
        for n in range(40):
            found = mine + n
            if float(found.min()) != k + n or float(found.max()) != k + n:
                failures.append((k, n))
                return

    workers = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not failures


ONE_CORE = """
import os, time, torch
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
import fastnp as np
a, b = np.ones(1_000_000), np.ones(1_000_000)
def spent(threads):
    torch.set_num_threads(threads)
    start = time.process_time()
    for _ in range(20):
        a + b
    return time.process_time() - start
spent(2), spent(1)
best = min(spent(2) / spent(1) for _ in range(10))
assert best < 1.5, f"two threads on one core take {best:.2f} times the time of one"
"""

IN_A_CHILD = """
import os, torch
import fastnp as np
torch.set_num_threads(2)
a = np.arange(500_000.0)
wanted = float((a + a).max())
child = os.fork()
if child == 0:
    torch.set_num_threads(2)
    os._exit(0 if float((a + a).max()) == wanted else 1)
assert os.waitpid(child, 0)[1] == 0
assert float((a + a).max()) == wanted
"""


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="machine: no way to bind a process to a core")
@pytest.mark.parametrize("program", [ONE_CORE, IN_A_CHILD], ids=["helpers without a core", "helpers of the parent"])
def test_nobody_waits_for_helpers_that_do_not_come(program):
    """Pieces are taken as they come: a helper that has no core takes none."""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)
