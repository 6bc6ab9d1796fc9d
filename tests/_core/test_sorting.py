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
