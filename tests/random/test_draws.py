"""Draws straight into our memory: NumPy's numbers, and the stream left where NumPy leaves it."""

import threading

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastnp as np
from tests._oracle import same_as_numpy

SIZES = (None, 0, 1, 3, (), (2, 3), [2, 2], (0, 4), 5000)
INTEGERS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "bool")
BIT_GENERATORS = ("MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64")

# What draws into our memory: methods of Generator, by arguments without `size`.
GENERATOR = [
    ("exponential", ()),
    ("exponential", (2.5,)),
    ("integers", (7,)),
    ("integers", (-3, 4)),
    ("integers", (0, 2**40)),
    ("integers", (5, 6)),
    ("normal", ()),
    ("normal", (1.5, 0.25)),
    ("normal", (1, 2)),
    ("random", ()),
    ("standard_exponential", ()),
    ("standard_normal", ()),
    ("uniform", ()),
    ("uniform", (-1, 2.5)),
    ("uniform", (2.0, 2.0)),
]
STATE = [
    ("randint", (7,)),
    ("randint", (-3, 4)),
    ("randint", (0, 2**40)),
    ("random", ()),
    ("random_sample", ()),
    ("uniform", ()),
    ("uniform", (-1, 2.5)),
    ("normal", (1.0, 2.0)),
    ("standard_normal", ()),
]


DISTRIBUTIONS = [
    ("beta", (2.0, 3)), ("beta", (0.1, 0.2)), ("binomial", (10, 0.3)), ("binomial", (10, 0)), ("binomial", (0, 0.5)),
    ("binomial", (1000, 0.7)), ("binomial", (5, 1.0)), ("chisquare", (3,)), ("f", (2, 3.5)), ("gamma", (2.0,)),
    ("gamma", (0.3, 2.0)), ("geometric", (0.3,)), ("geometric", (1.0,)), ("geometric", (0.9,)), ("gumbel", ()),
    ("gumbel", (-1, 3)), ("laplace", ()), ("logistic", (1.0, 2)), ("lognormal", ()), ("lognormal", (1, 0.5)),
    ("logseries", (0.3,)), ("negative_binomial", (5, 0.3)), ("negative_binomial", (2.5, 1.0)),
    ("noncentral_chisquare", (3, 1.5)), ("noncentral_chisquare", (0.5, 1.5)), ("noncentral_f", (3, 4, 1.0)),
    ("pareto", (2,)), ("poisson", ()), ("poisson", (3.5,)), ("poisson", (300,)), ("power", (2.0,)), ("rayleigh", ()),
    ("standard_cauchy", ()), ("standard_gamma", (2.0,)), ("standard_t", (3,)), ("triangular", (0.0, 1, 2)),
    ("triangular", (0.0, 0.0, 2)), ("vonmises", (0.0, 1.0)), ("vonmises", (1, 1e-9)), ("vonmises", (1, 1e7)),
    ("wald", (1.0, 2)), ("weibull", (2.0,)), ("zipf", (2.0,)), ("zipf", (1.001,)),
]
# Parameters that are wrong, or at an edge.
EDGES = [
    ("beta", (0, 1)), ("binomial", (-1, 0.5)), ("binomial", (5, 1.5)), ("binomial", (2.5, 0.5)),
    ("binomial", (5, -0.1)), ("chisquare", (0,)), ("gamma", (0,)), ("gamma", (-1,)), ("gamma", (1, -0.0)),
    ("geometric", (0,)), ("geometric", (1.1,)),
    ("gumbel", (0, -1)), ("gumbel", (0, 0)), ("laplace", (float("nan"), 1)), ("logseries", (0,)), ("logseries", (1.0,)),
    ("negative_binomial", (0, 0.5)), ("negative_binomial", (1, 0)), ("negative_binomial", (1e300, 1e-300)),
    ("noncentral_chisquare", (1, 0)), ("noncentral_f", (1, 0, 1)), ("pareto", (float("inf"),)), ("poisson", (0,)),
    ("poisson", (-1,)), ("poisson", (1e19,)), ("poisson", (1e9,)), ("standard_gamma", (2, None, "f4")),
    ("triangular", (0, 3, 2)), ("triangular", (1, 1, 1)), ("triangular", (0, float("nan"), 1)), ("vonmises", (0, 0)),
    ("wald", (0, 1)), ("weibull", (0,)), ("zipf", (1,)), ("zipf", (float("nan"),)), ("poisson", (3.0, -1)),
    ("poisson", (3.0, 2.5)), ("normal", (2**70,)), ("poisson", ([1.0, 2.0],)), ("beta", (2.0, [1, 2], (3, 2))),
]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name, args", DISTRIBUTIONS)
@same_as_numpy
def test_distributions(xp, name, args, size):
    rng = xp.random.default_rng(3)
    return [getattr(rng, name)(*args, size=size), rng.random(), getattr(rng, name)(*map(xp.array, args))]


@pytest.mark.parametrize("name, args", EDGES)
@same_as_numpy
def test_distributions_at_their_edges(xp, name, args):
    rng = xp.random.default_rng(3)
    try:
        drawn = getattr(rng, name)(*args)
    except (TypeError, ValueError, OverflowError) as error:
        drawn = type(error).__name__
    return [drawn, rng.random()]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name, args", GENERATOR)
@same_as_numpy
def test_generator(xp, name, args, size):
    rng = xp.random.default_rng(3)
    return [getattr(rng, name)(*args, size=size), type(rng.random()) is float, rng.random()]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name, args", STATE)
@same_as_numpy
def test_random_state(xp, name, args, size):
    state = xp.random.RandomState(3)
    xp.random.seed(5)
    return [
        getattr(state, name)(*args, size=size), state.random(),
        getattr(xp.random, name)(*args, size=size), xp.random.random(),
    ]


@pytest.mark.parametrize("name", BIT_GENERATORS)
@same_as_numpy
def test_bit_generators(xp, name):
    rng = xp.random.Generator(getattr(xp.random, name)(11))
    return [rng.random(3), rng.integers(9, size=3, dtype="uint8"), rng.standard_normal(3), rng.permutation(4)]


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("size", [None, 3, 4000])
@same_as_numpy
def test_integers_of_every_dtype(xp, dtype, size):
    rng, state = xp.random.default_rng(3), xp.random.RandomState(3)
    low, high = (0, 2) if dtype == "bool" else (numpy.iinfo(dtype).min, numpy.iinfo(dtype).max)
    drawn = []
    for spelled in (dtype, numpy.dtype(dtype), numpy.dtype(dtype).type):
        drawn += [rng.integers(low, high, size, spelled), state.randint(low, high, size, spelled)]
        drawn += [rng.integers(0, 1, size, spelled, endpoint=True)]
    return [*drawn, rng.random(), state.rand()]


COUNTS = st.one_of(st.integers(0, 40), st.integers(500, 3000))
STEPS = st.one_of(
    st.tuples(
        st.just("integers"),
        st.one_of(st.integers(1, 40), st.integers(1, 2**32), st.sampled_from((2**31, 2**32 - 1, 2**33))),
        COUNTS,
        st.sampled_from(("int64", "uint64", "uint32", "uint8")),
    ),
    st.tuples(st.just("permutation"), COUNTS),
    st.tuples(st.just("random"), st.integers(0, 3)),
)


@pytest.mark.parametrize("legacy", [False, True])
@pytest.mark.parametrize("name", BIT_GENERATORS)
@given(steps=st.lists(STEPS, min_size=1, max_size=8))
def test_halves_of_numbers_are_drawn_in_turn(name, legacy, steps):
    """Two of many integers are drawn at a time, from where a stream is, and it is left as NumPy leaves it."""

    def drawn(xp):
        stream = (xp.random.RandomState if legacy else xp.random.Generator)(getattr(xp.random, name)(5))
        results = []
        for step, *args in steps:
            if step == "integers":
                range_, count, dtype = args
                range_ = min(range_, numpy.iinfo(dtype).max + (dtype[0] == "u"))
                method = stream.randint if legacy else stream.integers
                results.append(method(range_, size=count, dtype=dtype))
            else:
                results.append(getattr(stream, step)(*args))
        return [numpy.asarray(result) for result in results], stream._bit_generator.state

    (got, state), (want, numpys_state) = drawn(np), drawn(numpy)
    for one, other in zip(got, want, strict=True):
        numpy.testing.assert_array_equal(one, other, strict=True)
    numpy.testing.assert_equal(state, numpys_state)


@pytest.mark.parametrize("kind", [int, bool])
@same_as_numpy
def test_integers_of_pythons_types(xp, kind):
    rng, state = xp.random.default_rng(3), xp.random.RandomState(3)
    one, other = rng.integers(0, 2, dtype=kind), state.randint(0, 2, dtype=kind)
    return [type(one) is kind, type(other) is kind, int(one), int(other), rng.integers(0, 2, 3, dtype=kind)]


@pytest.mark.parametrize("name", ["random", "standard_normal", "standard_exponential"])
@pytest.mark.parametrize("dtype", ["float32", "f4", numpy.float32, numpy.dtype("float64"), float, "d"])
@same_as_numpy
def test_dtypes_of_floats(xp, name, dtype):
    rng = xp.random.default_rng(3)
    return [getattr(rng, name)(dtype=dtype), getattr(rng, name)((2, 2), dtype), getattr(rng, name)(3000, dtype)]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("method", ["zig", "inv"])
@same_as_numpy
def test_standard_exponential_methods(xp, dtype, method):
    return xp.random.default_rng(3).standard_exponential(5, dtype, method)


@pytest.mark.parametrize("shape", [(3,), (2, 3), (0,), (), (3000,)])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["random", "standard_normal", "standard_exponential"])
@same_as_numpy
def test_out(xp, name, dtype, shape):
    rng, out = xp.random.default_rng(3), xp.zeros(shape, dtype)
    result = getattr(rng, name)(dtype=dtype, out=out)
    return [result is out, out, rng.random()]


@pytest.mark.parametrize("make", [
    lambda xp: {"out": xp.zeros(3, "f4")},
    lambda xp: {"out": xp.zeros(6)[::2]},
    lambda xp: {"out": xp.zeros(3)[::-1]},
    lambda xp: {"out": xp.zeros(3), "size": 2},
    lambda xp: {"out": xp.zeros(3, int)},
    lambda xp: {"dtype": "int64"},
    lambda xp: {"dtype": ">f8"},
    lambda xp: {"size": -1},
    lambda xp: {"size": (2, -1)},
    lambda xp: {"size": 2.5},
    lambda xp: {"size": "3"},
    lambda xp: {"wrong": 3},
])
@same_as_numpy
def test_wrong_targets_and_sizes(xp, make):
    rng = xp.random.default_rng(3)
    try:
        rng.random(**make(xp))
    except (TypeError, ValueError) as error:
        return [type(error).__name__, rng.random()]
    return [None, rng.random()]


@pytest.mark.parametrize("name, args", [
    ("integers", (5, 5)), ("integers", (5, 2)), ("integers", (0, 300, 3, "uint8")), ("integers", (-1, 3, 3, "uint8")),
    ("integers", (0,)), ("integers", (1.5,)), ("integers", (0, 2**63)), ("integers", (0, 2**64, 3, "uint64")),
    ("integers", (0, 2**64 + 1, 3, "uint64")), ("integers", (-2**63, 2**63)), ("integers", (3, None, 2, "float64")),
    ("integers", (True, 5)), ("normal", (0, -1)), ("normal", (0, -0.0)), ("normal", (0, float("nan"), 2)),
    ("normal", (2**70, 1, 2)), ("uniform", (2, 1)), ("uniform", (0, float("inf"))), ("uniform", (0, float("nan"))),
    ("exponential", (-1,)), ("exponential", (float("nan"), 2)), ("standard_exponential", (3, "f8", "zag")),
    ("choice", (0, 3)), ("choice", (-1, 3)), ("choice", (0, 0)), ("choice", ([], 2)), ("permutation", (-2,)),
    ("permutation", (2.5,)), ("shuffle", (3,)), ("choice", (3, 2, True, None, 1)), ("permutation", (4, 1)),
])
@same_as_numpy
def test_rare_and_wrong_parameters(xp, name, args):
    rng = xp.random.default_rng(3)
    try:
        drawn = getattr(rng, name)(*args)
    except (TypeError, ValueError, IndexError, OverflowError) as error:
        return [type(error).__name__, rng.random()]
    return [drawn, rng.random()]


@pytest.mark.parametrize("stream", ["generator", "state"])
@pytest.mark.parametrize("dtype", ["int64", "float32", "int8", "complex128", "float64"])
@same_as_numpy
def test_permutations_of_arrays(xp, stream, dtype):
    rng = xp.random.default_rng(3) if stream == "generator" else xp.random.RandomState(3)
    base = xp.arange(24).astype(dtype)
    table, cube = base.reshape(6, 4).copy(), base.reshape(2, 3, 4).copy()
    kept = [rng.permutation(base), rng.permutation(base[::-3]), rng.permutation(table), rng.permutation(base[:0])]
    for target in (base, base[::2], base[::-1], table, table.T, cube, table[:, 1], base[:0], base[:1]):
        rng.shuffle(target)
    return [*kept, base, table, cube, rng.permutation(3000), rng.permutation(0), rng.random()]


@pytest.mark.parametrize("dtype", ["int64", "float32", "int8", "complex128", "bool"])
@pytest.mark.parametrize("size", [None, 3, (), (2, 2), 0, 3000])
@same_as_numpy
def test_choices_with_replacement(xp, dtype, size):
    rng, state = xp.random.default_rng(3), xp.random.RandomState(3)
    values = xp.arange(12).astype(dtype)
    drawn = [stream.choice(a, size) for stream in (rng, state) for a in (9, values, values[::-2], values[3:4])]
    return [*drawn, rng.choice(values.reshape(3, 4), 2), rng.choice(5, 3, False), rng.random(), state.rand()]


def test_shuffle_of_what_cannot_be_written_raises():
    array = np.arange(5)
    array.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        np.random.default_rng(3).shuffle(array)


def test_threads_share_a_stream_without_loss():
    shared, alone = np.random.default_rng(3), numpy.random.default_rng(3)
    drawn = []

    def draw():
        for _ in range(50):
            drawn.extend(shared.random(5000).tolist())

    threads = [threading.Thread(target=draw) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(drawn) == sorted(alone.random(4 * 50 * 5000).tolist())


def test_a_draw_waits_for_the_lock():
    rng = np.random.default_rng(3)
    drawn = []
    with rng.bit_generator.lock:
        thread = threading.Thread(target=lambda: drawn.append(rng.random()))
        thread.start()
        thread.join(0.05)
        assert drawn == []
    thread.join()
    assert drawn == [numpy.random.default_rng(3).random()]


def test_methods_of_numpys_own_instances():
    theirs, ours = numpy.random.default_rng(3), numpy.random.default_rng(3)
    assert np.random.Generator.random(ours, 3).tolist() == theirs.random(3).tolist()
    with pytest.raises(TypeError):
        np.random.Generator.random()


@pytest.mark.parametrize("name", BIT_GENERATORS)
@pytest.mark.parametrize("sizes", [(8191, 8192), (1, 8192, 1), (1, 8193, 3), (8193, 8193, 2), (20_000, 5, 20_001, 1)])
@pytest.mark.parametrize(
    "method, args", [("standard_normal", ()), ("normal", ()), ("normal", (-2, 0.5)), ("randn", None)]
)
def test_many_legacy_normals(name, sizes, method, args):
    """Where every second number is held by the stream, many are NumPy's, and it holds what NumPy's does."""
    ours, numpys = (xp.random.RandomState(getattr(xp.random, name)(11)) for xp in (np, numpy))
    for size in sizes:
        parameters = (size,) if args is None else args
        options = {} if args is None else {"size": (1, size)}
        found, wanted = (getattr(state, method)(*parameters, **options) for state in (ours, numpys))
        numpy.testing.assert_array_equal(numpy.asarray(found), wanted, strict=True)
        assert type(found) is np.ndarray
        numpy.testing.assert_equal(ours.get_state(legacy=False), numpys.get_state(legacy=False))


def test_many_legacy_normals_of_wrong_parameters():
    ours = np.random.RandomState(3)
    before = ours.get_state(legacy=False)
    for args in ((0, -1, 10_000), (0, 1, -10_000), (0, 1, (3, -5000)), ("a", 1, 10_000)):
        with pytest.raises((ValueError, TypeError)):
            ours.normal(*args)
    numpy.testing.assert_equal(ours.get_state(legacy=False), before)
    assert ours.normal(0, 0, 10_000).tolist() == [0.0] * 10_000


def test_threads_share_a_legacy_stream():
    """Draws of two threads are those of one stream, in some order: none is lost, none comes twice."""
    ours, together = np.random.RandomState(5), []

    def draw():
        for size in (8192, 9001, 1, 8200, 3):
            together.extend(numpy.asarray(ours.standard_normal(size)).tolist())

    threads = [threading.Thread(target=draw) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(together) == sorted(numpy.random.RandomState(5).standard_normal(len(together)).tolist())
