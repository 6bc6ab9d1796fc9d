"""Threads: the GIL is released in long calls, two threads scale, many threads share (rows 28, 37; D15)."""

import hashlib
import os
import threading
import time

import numpy
import pytest
import torch

import fastnp as np

LARGE = {
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
        for _ in range(5):
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


def only_compute():
    """Work that has no part in Python, memory or fastnp."""
    hashlib.sha256(bytes(8_000_000)).digest()


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="machine: two threads need two cores")
@pytest.mark.parametrize("name", ["add", "exp", "matmul", "sum"])
def test_two_threads_scale(name):
    """Row 37: by 1.7 at least; the best of several tries counts, since others use the machine as well."""
    a, b = operands(200_000)
    c, d = a[:90_000].reshape(300, 300), b[:90_000].reshape(300, 300)
    works = {
        "add": lambda: [np.add(a, b) for _ in range(60)],
        "exp": lambda: [np.exp(a) for _ in range(60)],
        "matmul": lambda: [c @ d for _ in range(60)],
        "sum": lambda: [np.sum(a) for _ in range(600)],
    }
    work = works[name]
    # Twice the memory of one thread, so that no try pays for fresh pages.
    seconds(work, 2)
    best, fair = 0.0, 0
    for attempt in range(25):
        before, found, after = scaling(only_compute), scaling(work), scaling(only_compute)
        best, fair = max(best, found), fair + (min(before, after) >= 1.7)
        if best >= 1.7:
            return
        if fair == 5:
            break
        time.sleep(0.02 * attempt)
    if fair < 3:
        pytest.skip("machine: others use it, and two threads of pure computation do not scale either")
    pytest.fail(f"two threads do {best:.2f} times the work of one, those of pure computation 1.7 times and more")


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
