"""The ufunc object: its attributes, the keywords of a call, overlap, layouts of results, errors, in-place operators."""

import itertools
import operator
import pickle

import numpy
import pytest

from tests._oracle import Cells, Layout, agree, same_as_numpy, under_test
from tests._tables import (
    BINARY_UFUNCS,
    DISTINCT_UFUNCS,
    DTYPES,
    ELEMENTWISE_UFUNCS,
    FEW_DTYPES,
    SHAPES,
    UFUNCS,
    UNARY_UFUNCS,
    filled,
    moderate,
)

ATTRIBUTES = ("nin", "nout", "nargs", "ntypes", "types", "identity", "signature", "__name__", "__qualname__")
METHODS = ("reduce", "accumulate", "reduceat", "outer", "at")
NUMERIC_UFUNCS = tuple(name for name in ELEMENTWISE_UFUNCS if name != "isnat")  # that one is for dates alone
CASTINGS = ("no", "equiv", "safe", "same_kind", "unsafe")
ORDERS = ("C", "F", "A", "K")


def accepts(name, dtype):
    """Tell whether the ufunc `name` has a loop for operands that are all of `dtype`."""
    ufunc = getattr(numpy, name)
    try:
        ufunc.resolve_dtypes((dtype,) * ufunc.nin + (None,) * ufunc.nout)
    except TypeError:
        return False
    return True


def operands_of(name, *shapes, dtype="f8"):
    """Return operands that the ufunc `name` has a loop for: of `dtype` if it takes that, else of int8."""
    dtype = dtype if accepts(name, numpy.dtype(dtype)) else "i1"
    dtypes = (dtype, "i1") if name == "ldexp" else (dtype,) * len(shapes)
    return [abs(filled(shape, kind)) if dtype == "i1" else filled(shape, kind) for shape, kind in zip(shapes, dtypes)]


def call(xp, name, *operands, **keywords):
    return getattr(xp, name)(*operands, **keywords)


def result_dtypes(name, *operands):
    """Return the dtypes that NumPy's ufunc gives for `operands`."""
    with numpy.errstate(all="ignore"):
        results = getattr(numpy, name)(*operands)
    return [result.dtype for result in (results if isinstance(results, tuple) else (results,))]


class TestAttributes:
    def test_every_name_of_numpy_is_a_ufunc(self):
        with Cells() as cells:
            for name in UFUNCS:
                cells.require(name, isinstance(getattr(under_test, name, None), under_test.ufunc), "is not a ufunc")

    def test_attributes_equal_those_of_numpy(self):
        with Cells() as cells:
            for name, attribute in itertools.product(UFUNCS, ATTRIBUTES):
                cells.same(f"{name}.{attribute}", lambda xp, n, a: getattr(getattr(xp, n), a), name, attribute)

    def test_aliases_are_one_object(self):
        with Cells() as cells:
            for name in UFUNCS:
                original = getattr(numpy, name).__name__
                cells.same(name, lambda xp, a, b: getattr(xp, a) is getattr(xp, b), name, original)

    def test_repr_and_docstring(self):
        with Cells() as cells:
            for name in UFUNCS:
                cells.same(name, lambda xp, n: repr(getattr(xp, n)), name)
                doc = getattr(under_test, name).__doc__
                cells.require(f"{name}.__doc__", isinstance(doc, str) and len(doc) > 100, f"is {doc!r}")

    def test_methods_are_there_and_attributes_are_read_only(self):
        with Cells() as cells:
            for name, method in itertools.product(DISTINCT_UFUNCS, METHODS):
                cells.require(f"{name}.{method}", callable(getattr(getattr(under_test, name), method)), "not callable")
            for name in ATTRIBUTES[:-2]:
                cells.same(name, lambda xp, n: setattr(xp.add, n, 3), name)

    def test_pickle_and_copy_give_the_same_object(self):
        for name in UFUNCS:
            ufunc = getattr(under_test, name)
            assert pickle.loads(pickle.dumps(ufunc)) is ufunc

    def test_resolve_dtypes(self):
        with Cells() as cells:
            for name, dtype in itertools.product(DISTINCT_UFUNCS, DTYPES):
                ufunc = getattr(numpy, name)
                asked = (dtype,) * ufunc.nin + (None,) * ufunc.nout
                cells.same(f"{name} {dtype}", lambda xp, n, d: getattr(xp, n).resolve_dtypes(d), name, asked)


class TestOut:
    @staticmethod
    def into(xp, name, operands, outs, way):
        """Call with `outs` given in one of the ways, and return them, the results and whether these are the same."""
        ufunc = getattr(xp, name)
        if way == "positional":
            result = ufunc(*operands, *outs)
        elif way == "tuple":
            result = ufunc(*operands, out=tuple(outs))
        else:
            result = ufunc(*operands, out=outs[0]) if len(outs) == 1 else ufunc(*operands, out=tuple(outs))
        results = result if isinstance(result, tuple) else (result,)
        return [*outs, *results, all(a is b for a, b in zip(outs, results))]

    @pytest.mark.parametrize("way", ["positional", "keyword", "tuple"])
    def test_every_ufunc_writes_into_out_and_returns_it(self, way):
        with Cells() as cells:
            for name in NUMERIC_UFUNCS:
                operands = operands_of(name, *[(2, 3)] * getattr(numpy, name).nin)
                for dtype in result_dtypes(name, *operands):
                    outs = [numpy.zeros((2, 3), dtype) for dtype in result_dtypes(name, *operands)]
                    cells.same(f"{name} {dtype}", self.into, name, operands, outs, way)

    @pytest.mark.parametrize("name", ["add", "divide", "less", "sqrt", "power", "logical_and", "absolute"])
    def test_out_of_every_dtype_follows_same_kind(self, name):
        nin = getattr(numpy, name).nin
        with Cells() as cells:
            for dtype, target in itertools.product(DTYPES, DTYPES):
                operands = [abs(moderate(dtype, 6)).astype(dtype)] * nin
                cells.same(f"{dtype} -> {target}", self.into, name, operands, [numpy.ones(6, target)], "keyword")

    def test_out_of_another_layout_is_kept(self):
        targets = [
            numpy.zeros((3, 4), order="F"),
            Layout(numpy.zeros((6, 8)), (slice(None, None, 2), slice(None, None, 2))),
            Layout(numpy.zeros((4, 3)), (), (1, 0)),
            Layout(numpy.zeros((3, 4)), (slice(None, None, -1), slice(None, None, -1))),
        ]
        with Cells() as cells:
            for i, target in enumerate(targets):
                for dtype in ("f8", "f4", "i4"):
                    pair = filled((3, 4), dtype), filled((3, 4), dtype)[::-1].copy()
                    cells.same(f"target {i} of {dtype}", self.into, "multiply", pair, [target], "keyword")
                    cells.same(f"target {i} broadcast {dtype}", self.into, "add", (pair[0], 2), [target], "tuple")

    def test_out_may_be_larger_than_the_operands(self):
        agree(self.into, "add", [filled((3,)), filled((3,))], [numpy.zeros((2, 3))], "keyword")

    def test_out_errors(self):
        x = filled((2, 3))
        outs = {
            "too small": ([x, x], [numpy.zeros(3)]),
            "wrong shape": ([x, x], [numpy.zeros((3, 2))]),
            "broadcast out": ([x, x], [numpy.zeros((1, 3))]),
            "too many": ([x, x], [numpy.zeros((2, 3))] * 2),
            "a list": ([x, x], [[0.0] * 3]),
            "a number": ([x, x], [3.0]),
            "complex into float": ([x + 1j, x], [numpy.zeros((2, 3))]),
            "float into int": ([x, x], [numpy.zeros((2, 3), int)]),
        }
        with Cells() as cells:
            for label, (operands, out) in outs.items():
                cells.same(label, self.into, "add", operands, out, "positional")
            cells.same("out twice", lambda xp, a: xp.add(a, a, a, out=a), x)
            cells.same("out empty tuple", lambda xp, a: xp.add(a, a, out=()), x)
            cells.same("out tuple of two", lambda xp, a: xp.add(a, a, out=(a, a)), x)
            cells.same("modf out not a tuple", lambda xp, a: xp.modf(a, out=a), x)
            cells.same("modf one out of two", lambda xp, a: xp.modf(a, out=(None, a)), x)
            cells.same("out None", lambda xp, a: xp.add(a, a, out=None), x)
            cells.same("out tuple of None", lambda xp, a: xp.add(a, a, out=(None,)), x)

    @same_as_numpy
    def test_a_refused_out_is_left_as_it_was(xp):
        x = xp.arange(3)
        for value in (1.5, 2j):
            with pytest.raises(TypeError):
                xp.add(x, value, out=x)
        return x

    @same_as_numpy
    def test_out_is_read_only(xp):
        x = xp.arange(3.0)
        x.flags.writeable = False
        return xp.add(x, 1, out=x)


class TestOverlap:
    """Results are as if the operands had been copied first."""

    SHIFTS = (
        (slice(1, None), slice(None, -1)),
        (slice(None, -1), slice(1, None)),
        (slice(None, None, -1), slice(None)),
    )

    @pytest.mark.parametrize("size", [4, 7, 100, 5000])
    @pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "u1"])
    def test_out_overlaps_an_operand(self, size, dtype):
        def shifted(xp, values, target, source):
            xp.add(values[source], values[source], out=values[target])
            return values

        def both(xp, values, target, source):
            xp.subtract(values[target], values[source], out=values[target])
            return values

        def unary(xp, values, target, source):
            xp.square(values[source], out=values[target])
            return values

        with Cells() as cells:
            for (target, source), body in itertools.product(self.SHIFTS, (shifted, both, unary)):
                cells.same(f"{body.__name__} {target} {source}", body, moderate(dtype, size), target, source)

    @same_as_numpy
    def test_out_is_the_transposed_operand(xp):
        x = xp.arange(9.0).reshape(3, 3)
        xp.add(x, x.T, out=x)
        y = xp.arange(16.0).reshape(4, 4)
        y += y.T
        z = xp.arange(16.0).reshape(4, 4)
        z.T[...] = z
        return x, y, z

    @same_as_numpy
    def test_out_is_a_broadcast_row_of_itself(xp):
        x = xp.arange(12.0).reshape(3, 4)
        x -= x[0]
        y = xp.arange(12.0).reshape(3, 4)
        y -= y[:, 1:2]
        return x, y

    @same_as_numpy
    def test_two_outs_share_memory_with_the_operand(xp):
        x = xp.arange(12.0) / 7
        xp.modf(x[::2], out=(x[::2], x[1::2]))
        return x

    @same_as_numpy
    def test_out_of_a_wider_type_over_the_same_memory(xp):
        x = xp.arange(8.0)
        narrow = x.view("f4")[:8]
        xp.add(narrow, 1, out=x)
        return x


class TestWhere:
    @staticmethod
    def masked(xp, name, operands, out, where):
        return getattr(xp, name)(*operands, out=out, where=where)

    def test_every_ufunc_leaves_the_rest_of_out_alone(self):
        mask = numpy.array([[True, False, True], [False, False, True]])
        with Cells() as cells:
            for name in NUMERIC_UFUNCS:
                operands = operands_of(name, *[(2, 3)] * getattr(numpy, name).nin)
                outs = tuple(numpy.ones((2, 3), dtype) for dtype in result_dtypes(name, *operands))
                cells.same(name, self.masked, name, operands, outs, mask)

    def test_masks_broadcast_and_are_cast(self):
        x = filled((2, 3))
        masks = {
            "row": numpy.array([True, False, True]),
            "column": numpy.array([[True], [False]]),
            "true": True,
            "false": False,
            "list": [[True, False, False]],
            "0-d": numpy.array(False),
            "int": numpy.array([1, 0, 1]),
            "float": numpy.array([1.0, 0.0, 1.0]),
            "larger": numpy.ones((4, 2, 3), bool),
            "mismatched": numpy.ones(4, bool),
            "strided": Layout(numpy.array([[True, False] * 3] * 2), (slice(None), slice(None, None, 2))),
            "Python int": 1,
        }
        with Cells() as cells:
            for label, mask in masks.items():
                cells.same(label, self.masked, "add", (x, x), numpy.zeros((2, 3)), mask)
                cells.same(f"cast {label}", self.masked, "add", (x, x), numpy.zeros((2, 3), "f4"), mask)

    @same_as_numpy(warns=True)
    def test_masked_out_elements_raise_no_floating_point_flag(xp):
        x = xp.array([1.0, 0.0, 2.0])
        return xp.divide(1.0, x, out=xp.zeros(3), where=x != 0)


class TestDtypeCastingSignature:
    def test_dtype_over_casting(self):
        names = ("add", "divide", "sqrt", "less", "bitwise_and", "arctan2", "negative", "floor_divide", "isnan")
        with Cells() as cells:
            for name, source, target in itertools.product(names, FEW_DTYPES, FEW_DTYPES):
                operands = [abs(moderate(source, 5)).astype(source)] * getattr(numpy, name).nin
                cells.same(f"{name} {source} {target}", call, name, *operands, dtype=target)
            for name, source, target, casting in itertools.product(names[:4], FEW_DTYPES, FEW_DTYPES, CASTINGS):
                if (source.kind, target.kind) not in {("f", "u"), ("c", "u")}:  # a negative to unsigned: C's own affair
                    operands = [moderate(source, 5)] * getattr(numpy, name).nin
                    label = f"{name} {source} {target} {casting}"
                    cells.same(label, call, name, *operands, dtype=target, casting=casting)

    def test_signature(self):
        x, k = filled((4,)), moderate("i4", 4)
        signatures = [
            "dd->d",
            "ff->f",
            "ii->i",
            "d",
            "dd",
            ("f8", "f8", "f8"),
            (None, None, "f4"),
            "DD->D",
            ("f4",),
            "xx->x",
            3,
        ]
        with Cells() as cells:
            for signature, operand, casting in itertools.product(signatures, (x, k), ("same_kind", "unsafe")):
                label = f"{signature} {operand.dtype} {casting}"
                cells.same(label, call, "add", operand, operand, signature=signature, casting=casting)
            cells.same("sig", lambda xp, a: xp.add(a, a, sig="ff->f"), x)
            cells.same("both", lambda xp, a: xp.add(a, a, sig="ff->f", signature="ff->f"), x)
            cells.same("with dtype", lambda xp, a: xp.add(a, a, signature="dd->d", dtype="f8"), x)

    @pytest.mark.parametrize("name", NUMERIC_UFUNCS)
    def test_unsafe_casting_opens_every_loop(self, name):
        nin = getattr(numpy, name).nin
        with Cells() as cells:
            for dtype in ("f4", "f8", "i4", "?", "c16"):
                cells.same(dtype, call, name, *operands_of(name, *[(4,)] * nin), dtype=dtype, casting="unsafe")

    def test_keyword_errors(self):
        x = filled((3,))
        keywords = [
            {"casting": "sometimes"}, {"casting": 3}, {"order": "Z"}, {"order": 3}, {"nonsense": 1}, {"axis": 0},
            {"axes": [(0,)]}, {"keepdims": True}, {"dtype": "nonsense"}, {"subok": "yes"}, {"where": "yes"},
            {"order": None}, {"dtype": None}, {"subok": False}, {"initial": 0}, {"extobj": []},
        ]  # fmt: skip
        with Cells() as cells:
            for keyword in keywords:
                cells.same(keyword, call, "add", x, x, **keyword)
            for count in (0, 1, 4, 5):
                cells.same(f"{count} operands", call, "add", *[x] * count)
                cells.same(f"{count} operands of sin", call, "sin", *[x] * count)
            cells.same("shapes", call, "add", filled((3,)), filled((4,)))
            cells.same("shapes of three axes", call, "add", filled((2, 3, 4)), filled((3, 3, 1)))
            cells.same("None", call, "add", x, None)
            cells.same("dictionary", call, "sin", {})


class TestBroadcasting:
    @pytest.mark.parametrize("name", ["add", "less", "divide", "arctan2", "bitwise_xor", "logaddexp", "divmod"])
    def test_all_pairs_of_shapes(self, name):
        with Cells() as cells:
            for left, right in itertools.product(SHAPES, SHAPES):
                cells.same(f"{left} {right}", call, name, *operands_of(name, left, right))

    @pytest.mark.parametrize("name", UNARY_UFUNCS)
    def test_unary_over_shapes(self, name):
        with Cells() as cells:
            for shape in SHAPES:
                cells.same(shape, call, name, *operands_of(name, shape))

    def test_lists_tuples_and_scalars_are_operands(self):
        with Cells() as cells:
            for operands in ([1, 2], 3), ((1.5, 2), [3]), (2, 3.5), ([[1], [2]], [1, 2]), ([], []), (True, [False]):
                cells.same(operands, call, "add", *operands)
                cells.same(f"one array {operands}", call, "multiply", numpy.array(operands[0]), operands[1])
                cells.same(f"comparison {operands}", call, "less", *operands)

    def test_numpy_limit_of_axes(self):
        with Cells() as cells:
            for ndim in (5, 16, 32, 64):
                x = numpy.full((1,) * (ndim - 1) + (3,), 2.0)
                cells.same(ndim, call, "add", x, x)
                cells.same(f"broadcast {ndim}", call, "add", x, numpy.arange(3.0))


def random_layout(rng, shape, dtype="f8"):
    """Return a recipe for a random view of `shape`: axes permuted, some strided, flipped or broadcast by a cut."""
    axes = tuple(int(a) for a in rng.permutation(len(shape)))
    steps = [int(rng.choice([1, 1, 1, 2, 3, -1, -2])) for _ in shape]
    stored = [shape[axes.index(i)] * abs(step) for i, step in enumerate(steps)]
    values = moderate(dtype, max(int(numpy.prod(stored)), 1))[: int(numpy.prod(stored))].reshape(stored)
    return Layout(values, tuple(slice(None, None, step) for step in steps), axes)


class TestLayout:
    def test_results_have_the_strides_of_numpy(self, rng):
        with Cells() as cells:
            for number in range(300):
                shape = tuple(int(n) for n in rng.integers(1, 5, rng.integers(1, 5)))
                left = random_layout(rng, shape)
                right = random_layout(
                    rng, tuple(n if rng.random() < 0.8 else 1 for n in shape), rng.choice(["f8", "f4"])
                )
                label = f"{number}: {left} {right}"
                cells.same(f"unary {label}", call, "negative", left)
                cells.same(f"binary {label}", call, "add", left, right)
                cells.same(f"swapped {label}", call, "less", right, left)
                cells.same(f"scalar {label}", call, "multiply", left, 2)
                cells.same(f"two results {label}", call, "modf", left)
                cells.same(f"general {label}", call, "arctan2", left, right)

    def test_order_keyword(self, rng):
        with Cells() as cells:
            for number, order in itertools.product(range(40), ORDERS):
                shape = tuple(int(n) for n in rng.integers(1, 5, 3))
                left, right = random_layout(rng, shape), random_layout(rng, shape)
                cells.same(f"{number} {order}: {left} {right}", call, "add", left, right, order=order)
                cells.same(f"{number} {order}: {left}", call, "sqrt", left, order=order)
                fortran = numpy.asfortranarray(filled(shape))
                cells.same(f"{number} {order}: fortran", call, "add", fortran, fortran, order=order)

    @pytest.mark.parametrize("name", NUMERIC_UFUNCS)
    def test_every_ufunc_on_strided_operands(self, name):
        nin = getattr(numpy, name).nin
        with Cells(tolerance="rounded") as cells:
            for dtype in ("f8", "f4"):
                values = operands_of(name, *[(6, 8)] * nin, dtype=dtype)
                fortran = [numpy.asfortranarray(value) for value in values]
                strided = [Layout(value, (slice(None, None, -2), slice(1, None, 3))) for value in values]
                cells.same(f"fortran {dtype}", call, name, *fortran)
                cells.same(f"strided {dtype}", call, name, *strided)
                cells.same(f"transposed {dtype}", call, name, *[Layout(value, (), (1, 0)) for value in values])


class TestInPlace:
    OPERATORS = (
        "iadd",
        "isub",
        "imul",
        "itruediv",
        "ifloordiv",
        "imod",
        "ipow",
        "ilshift",
        "irshift",
        "iand",
        "ior",
        "ixor",
    )

    @staticmethod
    def apply(xp, name, left, right):
        """Return the array after the in-place operator, and whether it is the same object."""
        result = getattr(operator, name)(left, right)
        return result, result is left

    @pytest.mark.parametrize("name", OPERATORS)
    def test_operator_over_dtypes(self, name):
        with Cells() as cells:
            for left, right in itertools.product(DTYPES, DTYPES):
                operands = (abs(moderate(dtype, 6)).astype(dtype) for dtype in (left, right))
                cells.same(f"{left} {right}", self.apply, name, *operands)
            for left, right in itertools.product(DTYPES, (True, 2, 300, 1.5, 2j, [1, 2, 0, 1, 2, 0])):
                cells.same(f"{left} {right!r}", self.apply, name, abs(moderate(left, 6)).astype(left), right)

    @same_as_numpy
    def test_int_plus_float_in_place_raises_and_changes_nothing(xp):
        x = xp.arange(3)
        with pytest.raises(TypeError, match="Cannot cast ufunc 'add' output from"):
            x += 1.5
        return x

    @same_as_numpy
    def test_a_larger_operand_does_not_fit(xp):
        x = xp.arange(3.0)
        x += xp.ones((2, 3))

    @same_as_numpy
    def test_in_place_writes_through_views(xp):
        x = xp.arange(12.0).reshape(3, 4)
        x[1] += 10
        x[:, ::2] *= 2
        x.T[0] -= 1
        x[::-1] **= 2
        x[[0, 1]] += 100
        x[x > 150] /= 4
        return x

    @same_as_numpy
    def test_in_place_with_itself(xp):
        x = xp.arange(1.0, 7)
        x += x
        x *= x[::-1]
        x[1:] -= x[:-1]
        return x

    @same_as_numpy
    def test_in_place_on_what_was_a_scalar_binds_a_new_object(xp):
        x = xp.arange(3.0)
        first = x[0]
        kept = first
        first += 5
        total = x.sum()
        total /= 2
        return x, first, kept, total

    @same_as_numpy
    def test_in_place_on_a_0d_array_writes(xp):
        x = xp.array(3.0)
        alias = x[...]
        x += 2
        return x, alias

    @same_as_numpy
    def test_in_place_matmul(xp):
        x = xp.arange(4.0).reshape(2, 2)
        alias = x
        x @= xp.array([[0.0, 1.0], [1.0, 0.0]])
        return x, alias is x


def test_results_do_not_share_memory_with_operands():
    def share(xp, name, *operands):
        results = getattr(xp, name)(*operands)
        results = results if isinstance(results, tuple) else (results,)
        return [xp.shares_memory(result, operand) for result in results for operand in operands]

    with Cells() as cells:
        for name in NUMERIC_UFUNCS:
            cells.same(name, share, name, *operands_of(name, *[(3,)] * getattr(numpy, name).nin))


@pytest.mark.parametrize("name", BINARY_UFUNCS)
def test_floating_point_warnings_are_those_of_numpy(name):
    values = numpy.array([0.0, -0.0, 1.0, -1.0, numpy.inf, numpy.nan, 1e308, 1e-308])
    with Cells(warns=True) as cells:
        for dtype in ("f8", "f4", "i4"):
            with numpy.errstate(all="ignore"):
                operands = values.astype(dtype) if dtype != "i4" else numpy.array([0, 1, -1, 5, 7, 2**31 - 1], "i4")
            if accepts(name, numpy.dtype(dtype)) and not (name == "power" and dtype == "i4"):
                cells.same(dtype, call, name, operands[:, None], operands)


def test_errstate_decides_what_happens_to_flags():
    def divide(xp, **state):
        with xp.errstate(**state):
            return xp.divide(xp.array([1.0, 0.0]), 0.0)

    with Cells(warns=True) as cells:
        for divide_by_zero, invalid in itertools.product(("ignore", "warn", "raise"), repeat=2):
            cells.same(f"{divide_by_zero} {invalid}", divide, divide=divide_by_zero, invalid=invalid)
