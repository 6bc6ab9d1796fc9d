"""Functions of functions, iterators and index objects, by both paths."""

import itertools

import numpy

import fastnp
from tests._oracle import Cells, agree
from tests._paths import by_both_paths, check
from tests._tables import filled

MATRIX = filled((3, 4))


@by_both_paths
def test_functions_along_axes(path):
    check(
        [
            ("sum", lambda xp, x: xp.apply_along_axis(lambda line: line.sum(), 0, x), MATRIX),
            ("sort", lambda xp, x: xp.apply_along_axis(xp.sort, 1, x), MATRIX),
            ("outer", lambda xp, x: xp.apply_along_axis(lambda line: xp.outer(line, line), 0, x), filled((3, 2))),
            ("middle", lambda xp, x: xp.apply_along_axis(lambda line: line[:2], 1, x), filled((2, 3, 4))),
            ("bad axis", lambda xp, x: xp.apply_along_axis(xp.sort, 2, x), MATRIX),
            ("over axes", lambda xp, x: xp.apply_over_axes(xp.sum, x, [0, 2]), filled((2, 3, 4))),
            ("piecewise", lambda xp, x: xp.piecewise(x, [x < 0, x >= 0], [lambda v: -v, 7]), MATRIX),
            ("otherwise", lambda xp, x: xp.piecewise(x, [x < 0], [-1, lambda v: v * 2]), MATRIX),
            ("too many", lambda xp, x: xp.piecewise(x, [x < 0], [1, 2, 3]), MATRIX),
        ],
        path,
        tolerance="sum",
    )


@by_both_paths
def test_iterators(path):
    check(
        [
            ("ndenumerate", lambda xp, x: [(index, float(value)) for index, value in xp.ndenumerate(x.T)], MATRIX),
            ("broadcast", lambda xp, x: [(float(a), float(b)) for a, b in xp.broadcast(x, [1, 2, 3, 4])], MATRIX),
            ("broadcast shape", lambda xp, x: (xp.broadcast(x, 1).shape, xp.broadcast(x, 1).size), MATRIX),
            ("broadcast error", lambda xp, x: xp.broadcast(x, [1, 2]), MATRIX),
            ("flat", lambda xp, x: [float(value) for value in x.T.flat], MATRIX),
            ("flat item", lambda xp, x: (x.T.flat[3], x.flat[2:9:3], x.flat[[1, 2]]), MATRIX),
            ("flat coords", lambda xp, x: [(it := x.flat).coords, next(it) * 0 + it.index, it.coords], MATRIX),
            ("ndindex", lambda xp, x: list(xp.ndindex(x.shape)), MATRIX),
            ("vectorize", lambda xp, x: xp.vectorize(lambda v: v * 2 if v > 0 else 0.0)(x), MATRIX),
        ],
        path,
    )


@by_both_paths
def test_broadcast(path):
    def counted(xp, *operands):
        joined = xp.broadcast(*operands)
        first = [tuple(map(float, next(joined))) for _ in range(min(2, joined.size))]
        indices = (joined.index, [iterator.index for iterator in joined.iters])
        joined.reset()
        rest = [tuple(map(float, values)) for values in joined]
        return (joined.shape, joined.size, joined.nd, joined.ndim, joined.numiter, first, indices, joined.index, rest)

    operands = {
        "turned": lambda xp, x: (x.T, xp.arange(3.0)),
        "reversed": lambda xp, x: (x[::-1, ::-1], x[:, ::-1][:1]),
        "one row reversed": lambda xp, x: (x[:1, ::-1], x),
        "scalar": lambda xp, x: (x[0, 0], x, 7),
        "nothing": lambda xp, x: (x[:, :0], 1),
        "of no arrays": lambda xp, x: (),
        "of another": lambda xp, x: (xp.broadcast(x, 1), [1, 2, 3, 4]),
        "lists": lambda xp, x: ([[1], [2]], [1, 2, 3]),
        "most": lambda xp, x: (x[0, :1],) * 64,
    }
    cases = [(label, lambda xp, x, make=make: counted(xp, *make(xp, x)), MATRIX) for label, make in operands.items()]
    errors = {
        "too many": lambda xp, x: xp.broadcast(*[x] * 65),
        "too many within": lambda xp, x: xp.broadcast(xp.broadcast(*[x] * 60), *[x] * 5),
        "too large": lambda xp, x: xp.broadcast(xp.broadcast_to(0.0, (2**40, 1)), xp.broadcast_to(0.0, (1, 2**40))),
        "shapes": lambda xp, x: xp.broadcast(x, x.T),
        "exhausted": lambda xp, x: [next(it) for it in [xp.broadcast(1.0, 2.0)] for _ in range(2)],
    }
    check([*cases, *((label, call, MATRIX) for label, call in errors.items())], path)


@by_both_paths
def test_flat_assignment(path):
    def assigned(xp, x, key, value):
        x.flat[key] = value
        return x

    check(
        [
            (f"{key} {value}", assigned, MATRIX, key, value)
            for key, value in (
                (0, 5),
                (slice(1, 9, 2), [1, 2]),
                ([0, 3], 9),
                (Ellipsis, 1.5),
                (99, 1),
                (slice(None), [1, 2, 3]),
            )
        ],
        path,
    )


@by_both_paths
def test_index_objects(path):
    check(
        [
            ("r_", lambda xp: xp.r_[1:4, 0, 4]),
            ("r_ numbers", lambda xp: xp.r_[3, 4]), ("r_ nothing", lambda xp: xp.r_[()]),
            ("r_ ranges", lambda xp: xp.r_[0, 1:2:0.5, 3, 4, 1:4]), ("r_ long", lambda xp: xp.r_[1:3, 2**63]),
            ("r_ truth", lambda xp: xp.r_[1:3, True]), ("r_ float", lambda xp: xp.r_[1:3, 0.5, 1]),
            ("r_ axis of numbers", lambda xp: xp.r_["1", 1:3, 4]),
            ("r_ arrays", lambda xp, x: xp.r_[x, x], MATRIX),
            ("r_ complex step", lambda xp: xp.r_[0:1:5j, numpy.float32(2)]),
            ("r_ directive", lambda xp: xp.r_["0,2", [1, 2, 3], [4, 5, 6]]),
            ("r_ axis", lambda xp: xp.r_["-1", [[1, 2]], [[3, 4]]]),
            ("r_ trans", lambda xp: xp.r_["0,2,0", [1, 2, 3], [4, 5, 6]]),
            ("r_ nonsense", lambda xp: xp.r_["nonsense", 1]),
            ("c_", lambda xp: xp.c_[[1, 2, 3], [4, 5.5, 6]]),
            ("c_ row", lambda xp: xp.c_[xp.array([[1, 2, 3]]), 0, 0]),
            ("mgrid", lambda xp: xp.mgrid[0:3, 0:2:0.5]),
            ("mgrid one", lambda xp: xp.mgrid[0:2:3j]),
            ("ogrid", lambda xp: xp.ogrid[0:3, 0:2]),
            ("s_", lambda xp, x: x[xp.s_[1:, ::2]], MATRIX),
        ],
        path,
    )


def test_grids_of_any_slices():
    """Python's numbers are spelled here, the rest by NumPy: both give NumPy's values, dtypes and errors."""
    ends = [None, 0, 1, -3, 2.5, -0.0, numpy.int32(2)]
    stops = [0, 5, -2, 3.5, 7, None, numpy.float32(4)]
    steps = [None, 1, 2, -1, 0.5, 3j, 1j, 0j, 2 + 3j, 0, -2.5]
    slices = [slice(*parts) for parts in itertools.product(ends, stops, steps)]
    rng = numpy.random.default_rng(3)
    lengths = rng.choice([0, 1, 2, 2, 2, 3], 1200)
    keys = slices + [tuple(slices[i] for i in rng.integers(0, len(slices), length)) for length in lengths]
    with Cells(layout=False) as cells:
        for key in keys:
            for name in ("mgrid", "ogrid"):
                cells.same(f"{name} {key}", lambda xp, name=name, key=key: getattr(xp, name)[key])


def test_functions_of_elements():
    """Each call that NumPy makes, of the same objects in the same order; its dtypes, its errors."""
    numbers, places = numpy.array([0.5, -1.5, 2.0]), numpy.array([[3, 1], [2, 5]], "i4")
    single, truths = numpy.array([0.1, 0.2], "f4"), numpy.array([True, False])

    def calls(xp, function, *args, **kwargs):
        seen = []

        def noted(*values):
            seen.append([(type(value), value) for value in values])
            return function(*values)

        return xp.vectorize(noted, **kwargs)(*args), seen

    cases = [
        (lambda v: v * 2, (numbers,), {}), (lambda v: v * 2, (places,), {}), (lambda v: not v, (truths,), {}),
        (lambda v: v, (single,), {}), (lambda v, w: v + w, (numbers, 2), {}), (lambda v, w: v + w, (1.5, places), {}),
        (lambda v: (v, -v), (numbers,), {}), (lambda v: (int(v), v, str(v)), (numbers,), {}),
        (lambda v: v * 2, (numbers,), {"cache": True}), (lambda v, w: v + w, (numbers, 3.0), {"cache": True}),
        (lambda v: v * 2, (numbers,), {"otypes": "f"}), (lambda v: v * 2, (numbers,), {"otypes": "l"}),
        (lambda v: v * 2, (numbers,), {"otypes": [float]}), (lambda v: (v, v), (numbers,), {"otypes": [float, int]}),
        (lambda v: v > 0, (numbers,), {"otypes": [bool]}),
        (lambda v: (v, v), (numbers,), {"otypes": "dl"}), (str, (numbers,), {}),
        (lambda v: v if v > 0 else 0, (numbers,), {}), (lambda v: 0 if v > 0 else v, (numbers,), {}),
        (lambda v, w: v + w, (numbers, numbers[:, None]), {}), (lambda v: v, (places.T,), {}),
        (lambda v: v, (numbers[:0],), {"otypes": "d"}), (lambda v, w: v - w, (numbers, numbers[::-1]), {}),
        (lambda v: v.sum(), (numbers,), {"signature": "(n)->()"}),
        (lambda v, k=2: v * k, (numbers,), {"excluded": {"k"}}),
        (lambda v: v + 1, (numpy.array(2.0),), {}), (lambda v: complex(v, 1), (numbers,), {}),
    ]
    for function, args, kwargs in cases:
        theirs, seen = calls(numpy, function, *args, **kwargs)
        given = [fastnp.asarray(arg) if isinstance(arg, numpy.ndarray) else arg for arg in args]
        ours, also = calls(fastnp, function, *given, **kwargs)
        if kwargs.get("signature") is None:
            assert also == seen
        several = type(theirs) is tuple
        for result, other in zip(ours if several else [ours], theirs if several else [theirs], strict=True):
            one = numpy.asarray(result)
            assert one.dtype == other.dtype
            numpy.testing.assert_array_equal(one, other)
    for function, args, kwargs in (
        (lambda v: v, (numbers[:0],), {}), (lambda v: None, (numbers,), {"otypes": "d"}),
        (lambda v: 1 / (v - v), (numbers.tolist(),), {}), (lambda v: 10**30 if v > 1 else 1, (numbers,), {}),
        (lambda v: v, (), {}), (lambda v: (v,), (numbers,), {}), (lambda v: (), (numbers,), {}),
        (lambda v: "a", (numbers,), {"otypes": "l"}),
    ):
        agree(lambda xp, f=function, a=args, k=kwargs: xp.vectorize(f, **k)(
            *(xp.asarray(x) if isinstance(x, numpy.ndarray) else x for x in a)))
    plus = fastnp.frompyfunc(lambda v, w: v + w, 2, 1)
    result = plus(fastnp.asarray(numbers), 1)
    assert type(result) is numpy.ndarray
    assert result.dtype == object
    assert result.tolist() == [1.5, -0.5, 3.0]
