"""Stable sorts of lines, whichever way they are done: NumPy's order to the last place and bit."""

import numpy
import pytest

import fastnp
from tests._oracle import Cells

from .test_sets import DTYPES, RNG, bits, lines, same_draws

__all__ = ["same_draws"]

SIZES = (0, 1, 2, 3, 5, 8, 9, 63, 64, 65, 300, 767, 768, 2047, 4095, 4096, 20000)


def runs(line):
    """Return a line as it is, in order, against it, in two runs, and nearly in order."""
    up = numpy.sort(line)
    nearly = up.copy()
    places = RNG.integers(0, max(len(line), 1), len(line) // 20)
    nearly[places] = nearly[places[::-1]]
    return [line, up, up[::-1].copy(), numpy.concatenate((up[::2], up[1::2])), nearly]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_lines(dtype, size):
    with Cells() as cells:
        for name, drawn in lines(dtype, size):
            for number, line in enumerate(runs(drawn)):
                label = f"{name} {number}"
                for how in ({"kind": "stable"}, {"kind": "mergesort"}, {"stable": True}):
                    cells.same(label, lambda xp, a, how=how: xp.argsort(a, **how), line)
                cells.same(label, lambda xp, a: a.argsort(kind="stable"), line)
                cells.same(label, lambda xp, a: xp.sort(a, kind="stable"), line)
                cells.same(label, lambda xp, a: xp.sort(a), line)
                cells.same(label, lambda xp, a: xp.argsort(xp.repeat(a, 2)[::2], kind="stable"), line)
                cells.same(label, lambda xp, a: xp.argsort(a[::-1], kind="stable"), line)
                ours, theirs = fastnp.sort(fastnp.array(line), kind="stable"), numpy.sort(line, kind="stable")
                cells.require(f"bits of {label}", bits(ours) == bits(theirs))


@pytest.mark.parametrize("axis", [0, 1, -1, None])
@pytest.mark.parametrize("dtype", "lLdfi")
def test_tables(dtype, axis):
    with Cells() as cells:
        for name, line in lines(numpy.dtype(dtype), 70 * 80):
            table = line.reshape(70, 80)
            for given in (table, table.T, table[::-1, ::2], numpy.asfortranarray(table)):
                cells.same(name, lambda xp, a: xp.argsort(a, axis, kind="stable"), given)
                cells.same(name, lambda xp, a: xp.sort(a, axis, kind="stable"), given)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_several_keys(dtype, size):
    with Cells() as cells:
        for name, line in lines(dtype, size):
            for other_name, other in lines(numpy.dtype("d"), size):
                for keys in ((line, other), (other, line), (other, numpy.round(other), line)):
                    cells.same(f"{name} {other_name}", lambda xp, *keys: xp.lexsort(keys), *keys)


@pytest.mark.parametrize("size", [300, 1500, 5000, 20000])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_lines_with_nans(dtype, size):
    """NaNs go to the back before anything is sorted: few and many of them, among numbers that are few or many."""
    numbers = {
        "many": RNG.standard_normal(size) * 10.0 ** RNG.integers(-20, 20, size), "few": RNG.integers(-3, 4, size) + 0.5,
        "one": numpy.full(size, 2.5), "infinite": numpy.where(RNG.random(size) < 0.5, numpy.inf, -numpy.inf),
        "zeros": numpy.where(RNG.random(size) < 0.5, 0.0, -0.0), "in order": numpy.arange(size) / 7,
        "tiny": RNG.integers(-9, 9, size) * 5e-324,
    }
    with Cells() as cells:
        for name, values in numbers.items():
            for share in (0, 1e-3, 0.5, 0.9, 0.999, 1):
                line = values.astype(dtype)
                line[RNG.random(size) < share] = numpy.nan
                for call in ("sort", "unique", "unique_values", "argsort", "msort_of_rows"):
                    def body(xp, a, call=call):
                        if call == "msort_of_rows":
                            return xp.sort(a.reshape(-1, 100), axis=1), xp.sort(a.reshape(100, -1), axis=0)
                        return xp.argsort(a, kind="stable") if call == "argsort" else getattr(xp, call)(a)

                    cells.same(f"{name} {share} {call}", body, line)
                ours, theirs = fastnp.sort(fastnp.array(line)), numpy.sort(line)
                cells.require(f"bits of {name} {share}", bits(ours) == bits(theirs))
