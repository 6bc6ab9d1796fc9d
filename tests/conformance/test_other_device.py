"""Every public function on arrays of another device: NumPy's values, dtypes, shapes and errors, on that device.

The device is CUDA where there is one. Where there is none it is one whose memory the host cannot touch either.
"""

import hypothesis
import numpy
import pytest

import fastnp
from tests import other_device
from tests._oracle import Layout, arrays_on, difference, each, run, within_our_dtypes
from tests.conformance.test_oracle import NAMES, called, calls

DEVICE = other_device.name()

#: What is not compared, and why.
LEFT_OUT = {
    "from_dlpack": "DLPack has no name for a device that only tests know",
    "linalg.cond": "of matrices that are singular but for rounding",
    "linalg.det": "of matrices that are singular but for rounding",
    "linalg.eig": "vectors of any length and sign",
    "linalg.eigh": "vectors of any length and sign",
    "linalg.inv": "of matrices that are singular but for rounding",
    "linalg.slogdet": "of matrices that are singular but for rounding",
    "linalg.solve": "of matrices that are singular but for rounding",
    "linalg.svd": "vectors of any sign",
    "linalg.tensorinv": "of matrices that are singular but for rounding",
    "partition": "the order of elements within the parts",
    "roots": "in the order in which a solver finds them",
    "polyfit": "residuals that are zero but for rounding",
}
#: Whose first argument is iterated over, element by element, like a list.
ITERATING = ("fromiter",)


@pytest.fixture(autouse=True)
def copies_to_the_host():
    """Let NumPy compute what no device does; the result is where the arguments are."""
    fastnp.set_transfer("allow")
    yield
    fastnp.set_transfer("refuse")


def devices(value):
    """Return the types of the devices that the arrays in `value` are on."""
    found = set()
    each(value, lambda leaf: found.add(leaf.tensor.device.type) if isinstance(leaf, fastnp.ndarray) else None)
    return found


def is_moderate(value):
    """Whether no product of numbers in `value` leaves the range: what comes out then depends on the order."""
    found = []
    each(value, lambda leaf: found.append(
        bool((abs(getattr(leaf, "values", leaf).astype("c16")) < 1e12).all())
    ) if isinstance(leaf, numpy.ndarray | Layout) else None)
    return all(found)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in LEFT_OUT])
def test_function_agrees_with_numpy_on_a_device(name):
    @hypothesis.settings(max_examples=hypothesis.settings().max_examples // 3)
    @hypothesis.given(calls(name))
    def check(call):
        positional, keywords = call
        hypothesis.assume(not keywords.get("assume_unique"))  # what is drawn may not be
        hypothesis.assume(not name.startswith(("linalg.", "hypot")) or is_moderate(positional))
        body = called(name)
        want, _ = run(body, numpy, *positional, **keywords)
        with arrays_on(DEVICE):
            got, _ = run(body, fastnp, *positional, **keywords)
        if isinstance(want, list):
            want[0] = within_our_dtypes(want[0])
            want = want[0] if within_our_dtypes(want[0]) is not want[0] else want
        there = isinstance(got, list) and DEVICE in devices(got[1])
        if keywords.get("overwrite_input") and isinstance(got, list) and isinstance(want, list):
            got, want = got[:1], want[:1]  # what is left in the input is of no promise
        text = difference(got, want, "device", layout=False)
        assert text is None, f"{name}(*{positional}, **{keywords}): {text}"
        if there and name not in ITERATING:
            assert devices(got[0]) <= {DEVICE}, f"{name}(*{positional}, **{keywords}) is on {devices(got[0])}"

    check()


RNG = numpy.random.default_rng(3)
SQUARE = RNG.normal(size=(2, 4, 4)) + 4 * numpy.eye(4)

def eigenvectors_fit(xp, a):
    """Return whether a matrix times its eigenvectors is these times the eigenvalues."""
    values, vectors = xp.linalg.eig(a)
    return abs(a @ vectors - vectors * values[:, None]) < 1e-9


#: What is left out above, of arguments that leave one answer.
ONE_ANSWER = {
    "linalg.cond": lambda xp, a: xp.linalg.cond(a),
    "linalg.det": lambda xp, a: xp.linalg.det(a),
    "linalg.eig": lambda xp, a: xp.sort(xp.linalg.eig(a).eigenvalues),
    "linalg.eig, vectors": eigenvectors_fit,
    "linalg.eigh": lambda xp, a: xp.linalg.eigh(a + a.mT)[0],
    "linalg.eigh, vectors": lambda xp, a: abs(xp.linalg.eigh(a + a.mT)[1]),
    "linalg.inv": lambda xp, a: xp.linalg.inv(a),
    "linalg.slogdet": lambda xp, a: tuple(xp.linalg.slogdet(a)),
    "linalg.solve": lambda xp, a: xp.linalg.solve(a, a[:, :3].mT),
    "linalg.tensorinv": lambda xp, a: xp.linalg.tensorinv(a.reshape(2, 4, 4)[0].reshape(4, 2, 2), 1),
    "linalg.svd": lambda xp, a: (xp.linalg.svd(a)[1], abs(xp.linalg.svd(a)[0]), abs(xp.linalg.svd(a)[2])),
    "partition": lambda xp, a: xp.sort(xp.partition(a.ravel(), 9)[:9]),
    "roots": lambda xp, a: xp.sort(xp.roots(a[0, 0])),
    "polyfit": lambda xp, a: xp.polyfit(xp.arange(16.0, device=a.device), a[0].ravel(), 3),
}


@pytest.mark.parametrize("name", ONE_ANSWER)
def test_function_that_has_one_answer_here(name):
    with arrays_on(DEVICE):
        got, _ = run(ONE_ANSWER[name], fastnp, SQUARE)
    want, _ = run(ONE_ANSWER[name], numpy, SQUARE)
    assert difference(got, want, "device", layout=False) is None
    assert devices(got) == {DEVICE}


def test_every_function_that_is_left_out_has_another_test():
    assert {name.partition(",")[0] for name in ONE_ANSWER} == set(LEFT_OUT) - {"from_dlpack"}
