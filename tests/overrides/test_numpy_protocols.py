"""NumPy's machinery: `__array_ufunc__`, `__array_function__`, `__array_wrap__`, priorities (rows 4, 25, 26)."""

import operator
import warnings

import numpy
import pytest

import fastnp as np


class Told:
    """An object that says what NumPy's protocols gave it."""

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return ufunc, method, inputs, kwargs

    def __array_function__(self, func, types, args, kwargs):
        return func, types, args, kwargs


X = np.ones(2)


@pytest.mark.parametrize(
    "call",
    [
        lambda xp, x, duck: xp.add(x, duck),
        lambda xp, x, duck: xp.add(duck, x),
        lambda xp, x, duck: xp.add(x, x, out=duck),
        lambda xp, x, duck: xp.add(x, x, duck),
        lambda xp, x, duck: xp.modf(x, out=(None, duck)),
        lambda xp, x, duck: xp.add(x, duck, out=x, where=[True, False]),
        lambda xp, x, duck: xp.add(x, duck, dtype="f4"),
        lambda xp, x, duck: xp.add.reduce(duck),
        lambda xp, x, duck: xp.add.reduce(duck, axis=None, keepdims=True),
        lambda xp, x, duck: xp.add.accumulate(duck, axis=0),
        lambda xp, x, duck: xp.add.outer(x, duck),
        lambda xp, x, duck: xp.add.at(duck, 0, 1),
        lambda xp, x, duck: xp.add.reduceat(duck, [0]),
        lambda xp, x, duck: xp.matmul(x, duck),
        lambda xp, x, duck: x + duck,
        lambda xp, x, duck: x @ duck,
        lambda xp, x, duck: x < duck,
        lambda xp, x, duck: x.__iadd__(duck),
        lambda xp, x, duck: divmod(x, duck),
    ],
)
def test_array_ufunc_gets_what_numpy_gives_it(call):
    theirs_x, duck = numpy.ones(2), Told()
    want, got = call(numpy, theirs_x, duck), call(np, X, duck)
    assert got[:2] == want[:2]
    assert len(got[2]) == len(want[2])
    replaced = [theirs_x if value is X else value for value in got[2]]
    assert all(ours is theirs or numpy.array_equal(ours, theirs)
               for ours, theirs in zip(replaced, want[2], strict=True))
    axis = {"axis"} if got[1] in ("reduce", "accumulate", "reduceat") else set()
    assert set(got[3]) - axis == set(want[3]) - axis
    if "out" in want[3]:
        assert [X if value is theirs_x else value for value in want[3]["out"]] == list(got[3]["out"])


def test_array_ufunc_none_opts_out():
    """Row 25."""

    class OptsOut:
        __array_ufunc__ = None

        def __radd__(self, other):
            return "reflected"

        def __rmatmul__(self, other):
            return "reflected"

        def __gt__(self, other):
            return "reflected"

    assert X + OptsOut() == X @ OptsOut() == (OptsOut() > X) == "reflected"
    for module in (numpy, np):
        with pytest.raises(TypeError, match=r"operand 'OptsOut' does not support ufuncs \(__array_ufunc__=None\)"):
            module.add(module.ones(2), OptsOut())


def test_array_priority():
    class Higher:
        __array_priority__ = 2000.0

        def __radd__(self, other):
            return "reflected"

    assert X + Higher() == numpy.ones(2) + Higher() == "reflected"


def test_subclass_with_array_ufunc_of_its_own():
    """NumPy's guide to subclassing: the inputs are made plain, and `super()` computes."""

    class Logged(np.ndarray):
        log = []  # noqa: RUF012 - the class's log

        def __array_ufunc__(self, ufunc, method, *inputs, out=None, **kwargs):
            Logged.log.append((ufunc, method))
            plain = [value.view(np.ndarray) if isinstance(value, Logged) else value for value in inputs]
            result = super().__array_ufunc__(ufunc, method, *plain, **kwargs)
            return result.view(Logged) if result.ndim else result

    a = np.ones(2).view(Logged)
    assert type(a + a) is type(np.exp(a)) is type(1 - a) is Logged
    assert float(np.add.reduce(a)) == 2.0
    assert Logged.log == [(np.add, "__call__"), (np.exp, "__call__"), (np.subtract, "__call__"), (np.add, "reduce")]
    assert a.sum() == 2.0


def test_subclass_with_array_function_of_its_own():
    class Logged(np.ndarray):
        log = []  # noqa: RUF012 - the class's log

        def __array_function__(self, func, types, args, kwargs):
            Logged.log.append((func, types))
            return super().__array_function__(func, types, args, kwargs)

    a = np.ones(2).view(Logged)
    assert numpy.asarray(np.concatenate([a, a])).tolist() == [1.0] * 4
    assert float(np.mean(a)) == 1.0
    assert Logged.log == [(np.concatenate, (Logged,)), (np.mean, (Logged,))]


def test_array_wrap_with_numpy_2_signature():
    """Row 26: `(arr, context, return_scalar)`, on arrays, scalars, subclasses, and what an array cannot hold."""
    sub = np.ones(2).view(type("Sub", (np.ndarray,), {}))
    assert type(X.__array_wrap__(numpy.ones(2))) is np.ndarray
    assert type(sub.__array_wrap__(numpy.ones(2), None, False)) is type(sub)
    scalar = X.__array_wrap__(numpy.array(1.5), None, True)
    assert scalar.is_scalar
    assert hash(scalar) == hash(1.5)
    assert not X.__array_wrap__(numpy.array(1.5), None, False).is_scalar
    text = numpy.array(["a"])
    assert X.__array_wrap__(text) is text


@pytest.mark.filterwarnings("error")
def test_numpy_functions_that_wrap():
    assert type(numpy.delete(X, 0)) is np.ndarray
    assert type(numpy.spacing(X)) is np.ndarray
    assert type(numpy.apply_along_axis(lambda row: row.sum(), 0, X)) is np.ndarray


def test_numpy_functions_convert_nothing(monkeypatch):
    """Row 4: the function of NumPy's name on our arrays is ours, and no host copy is made."""
    norm = numpy.linalg.norm(np.array([3.0, 4.0]))
    assert type(norm) is np.ndarray
    assert float(norm) == 5.0
    meta = np.zeros(3, device="meta")
    assert numpy.concatenate([meta, meta]).device == "meta"
    assert numpy.add(meta, 1).device == "meta"


MASKED = numpy.ma.array([1.0, 2.0, 3.0], mask=[False, True, False])
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # NumPy advises against matrices
    MATRIX = numpy.asmatrix([[1.0, 2.0], [3.0, 4.0]])
#: What NumPy does with an array and an instance of a subclass of its own.
WITH_SUBCLASSES = {
    "x + m": (lambda xp, x, m, a: x + m, MASKED), "m + x": (lambda xp, x, m, a: m + x, MASKED),
    "x < m": (lambda xp, x, m, a: x < m, MASKED), "np.add": (lambda xp, x, m, a: xp.add(x, m), MASKED),
    "np.exp": (lambda xp, x, m, a: xp.exp(m), MASKED), "np.sum": (lambda xp, x, m, a: xp.sum(m), MASKED),
    "np.mean": (lambda xp, x, m, a: xp.mean(m), MASKED), "np.max": (lambda xp, x, m, a: xp.max(m, axis=0), MASKED),
    "np.concatenate": (lambda xp, x, m, a: xp.concatenate([x, m]), MASKED),
    "np.add.reduce": (lambda xp, x, m, a: xp.add.reduce(m), MASKED),
    "np.add.outer": (lambda xp, x, m, a: xp.add.outer(x, m), MASKED),
    "np.sort": (lambda xp, x, m, a: xp.sort(m), MASKED),
    "np.reshape": (lambda xp, x, m, a: xp.reshape(m, (3, 1)), MASKED),
    "a * matrix": (lambda xp, x, m, a: a * m, MATRIX), "matrix * a": (lambda xp, x, m, a: m * a, MATRIX),
    "matrix @ a": (lambda xp, x, m, a: m @ a, MATRIX), "matrix / a": (lambda xp, x, m, a: m / a, MATRIX),
    "matrix *= a": (lambda xp, x, m, a: operator.imul(m.copy(), a), MATRIX),
    "a ** matrix": (lambda xp, x, m, a: a**m, MATRIX), "matrix ** 2": (lambda xp, x, m, a: m**2, MATRIX),
    "a + matrix": (lambda xp, x, m, a: a + m, MATRIX), "a @ matrix": (lambda xp, x, m, a: a @ m, MATRIX),
    "np.sum of a matrix": (lambda xp, x, m, a: xp.sum(m, axis=0), MATRIX),
    "np.dot": (lambda xp, x, m, a: xp.dot(a, m), MATRIX),
    "np.multiply": (lambda xp, x, m, a: xp.multiply(a, m), MATRIX),
    "np.asarray": (lambda xp, x, m, a: xp.asarray(m).ndim, MATRIX),
}


@pytest.mark.filterwarnings("ignore:the matrix subclass")
@pytest.mark.parametrize("name", WITH_SUBCLASSES)
def test_numpys_own_subclasses_keep_what_they_know(name):
    """A mask or a matrix is computed with as NumPy does, in every place."""
    body, instance = WITH_SUBCLASSES[name]
    got, want = (
        body(xp, xp.array([1.0, 2.0, 3.0]), instance, xp.array([[1.0, 2.0], [3.0, 4.0]])) for xp in (np, numpy)
    )
    if isinstance(want, numpy.ma.MaskedArray | numpy.matrix):
        assert type(got) is type(want)
        assert numpy.array_equal(numpy.ma.getmaskarray(got), numpy.ma.getmaskarray(want))
    assert numpy.array_equal(numpy.ma.filled(got, -1.0), numpy.ma.filled(want, -1.0))


def test_in_place_with_numpys_own_subclasses():
    x, theirs = np.array([1.0, 2.0, 3.0]), numpy.array([1.0, 2.0, 3.0])
    same = x
    x += MASKED
    theirs += MASKED
    assert x is same
    assert numpy.array_equal(numpy.asarray(x), theirs)
    out = np.zeros(3)
    assert np.multiply(MASKED, 2.0, out=out) is out
