"""Calls that nobody chose: any spelling on any dtype, shape and layout gives what NumPy gives, in its words."""

import numpy
from hypothesis import given, settings
from hypothesis import strategies as st

from asv_bench.spellings import CHANGES, DTYPES, LAYOUTS, RARE, spellings
from tests._oracle import agree

VIEWS = LAYOUTS | {
    "columns backwards": lambda a: a[..., ::-1], "one third": lambda a: a[1::3],
    "swapped": lambda a: a.swapaxes(0, -1)[::-1], "inner": lambda a: a[..., 1:-1], "of one": lambda a: a[:, None],
    "in Fortran's order": lambda a: a.copy("F"),
    "stretched": lambda a: a[:1].repeat(3, 0) if a.ndim == 1 else numpy_of(a).broadcast_to(a[:1], (3, *a.shape[1:])),
}
SIZES = st.sampled_from((1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 100))
FEW = st.one_of(st.tuples(SIZES), st.tuples(SIZES, SIZES), st.tuples(SIZES, st.integers(1, 9), st.integers(1, 9)))
MANY = st.sampled_from(((5000,), (33_000,), (100, 70), (40, 300), (3000, 3), (3, 1500), (10, 10, 50)))
DRAWN_DTYPES, DRAWN_VIEWS = st.sampled_from(DTYPES), st.sampled_from(sorted(VIEWS))

# What NumPy leaves open: the order of equal elements, where a number belongs among others that are in no order, memory
# that is not filled. Or it adds to numbers that the second operand nearly cancels.
OPEN = (
    "argsort(a, axis", "np.argsort(a, 0)", "partition", "searchsorted(a, a)", "empty_like(a)", "np.linspace",
    "np.roots", "np.cov", "np.corrcoef", "np.cross", "np.var", "np.std", "np.nanvar", "np.nanstd", "a.std",
)
# A matrix of all elements with all others, or as long a loop of Python's.
LONG = (
    "outer", "kron", "meshgrid", "vander", "diagflat", "ix_", "j...->ij", "cov", "corrcoef", "np.diag(", "a.T)",
    "@ a.T", "convolve", "correlate", "polymul", "roots", "inner", "tensordot", "linspace", "unstack", "tri", "ij,jk",
    "list(", "np.array([a", "apply_along_axis",
)
CALLS = [call for call in (*spellings(), *RARE) if not any(part in call for part in OPEN)]
SHORT = [call for call in CALLS if not any(part in call for part in LONG)]


def numpy_of(array):
    """Return the library that an array is one of."""
    return array.__array_namespace__()


def numbers(dtype, shape, kind, seed):
    """Return few numbers that are many times the same, numbers below fifty, or any that the dtype has."""
    generator = numpy.random.default_rng(seed)
    if dtype == "?":
        return generator.random(shape) < 0.5
    if dtype[0] in "iu":
        least, most = [(0, 2), (0, 50), (numpy.iinfo(dtype).min, numpy.iinfo(dtype).max)][kind]
        return generator.integers(least, most, shape, dtype, endpoint=True)
    found = generator.normal(size=shape) * (1, 10, 100)[kind]
    if dtype in "FD":
        found = found + 1j * generator.normal(size=shape)
    return (numpy.round(found) if kind == 0 else found).astype(dtype)


def called(xp, call, layout, base, seed):
    """Return what a call returns, or what a change leaves, and the operand as it is then."""
    a = VIEWS[layout](base)
    generator = numpy.random.default_rng(seed)
    names = {
        "m": generator.random(a.shape) < 0.5, "c": generator.random(len(a)) < 0.5,
        "i": generator.integers(0, len(a), min(len(a), 20)), "s": numpy.sort(generator.random(20) * 10),
    }
    names = {name: xp.asarray(value) for name, value in names.items()} | {"np": xp, "numpy": numpy, "a": a}
    if call not in CHANGES:
        return eval(call, names), a  # the spellings are the table's own
    names["b"] = a.copy("K")
    exec(call, names)
    return names["b"], a


def check(call, dtype, shape, layout, kind, seed):
    """Compare one call, with the texts of its warnings."""
    if layout == "stretched" and "nan" in call:
        return  # NumPy copies what is stretched, so that its results lie as the copy does
    agree(called, call, layout, numbers(dtype, shape, kind, seed), seed, tolerance="sum", warns="text")


@settings(max_examples=4000)
@given(st.sampled_from([*CALLS, *CHANGES]), DRAWN_DTYPES, FEW, DRAWN_VIEWS, st.integers(0, 2), st.integers(0, 99))
def test_calls_of_few_elements(call, dtype, shape, layout, kind, seed):
    check(call, dtype, shape, layout, kind, seed)


@settings(max_examples=2000)
@given(st.sampled_from([*SHORT, *CHANGES]), DRAWN_DTYPES, MANY, DRAWN_VIEWS, st.integers(0, 2), st.integers(0, 99))
def test_calls_of_many_elements(call, dtype, shape, layout, kind, seed):
    check(call, dtype, shape, layout, kind, seed)
