"""Random streams: NumPy's numbers bit for bit, as our arrays."""

import pickle

import numpy
import pytest
import torch

import fastnp as np
from tests._oracle import same_as_numpy

BIT_GENERATORS = ("MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64")

# A call of each method that draws, the same for both modules.
DRAWS = {
    "beta": (2.0, 3.0, 4),
    "binomial": (10, 0.3, 4),
    "chisquare": (3, (2, 2)),
    "dirichlet": ((1.0, 2.0, 3.0), 2),
    "exponential": (2.0, 3),
    "f": (2, 3, 4),
    "gamma": (2.0, 1.0, 3),
    "geometric": (0.3, 3),
    "gumbel": (0.0, 1.0, 3),
    "hypergeometric": (5, 5, 3, 4),
    "laplace": (0.0, 1.0, 3),
    "logistic": (0.0, 1.0, 3),
    "lognormal": (0.0, 1.0, 3),
    "logseries": (0.3, 3),
    "multinomial": (10, [0.2, 0.8], 2),
    "multivariate_normal": ([0.0, 1.0], [[1.0, 0.2], [0.2, 1.0]], 3),
    "negative_binomial": (5, 0.3, 3),
    "noncentral_chisquare": (3, 1.0, 3),
    "noncentral_f": (3, 4, 1.0, 3),
    "normal": (1.0, 2.0, (2, 3)),
    "pareto": (2.0, 3),
    "permutation": (7,),
    "poisson": (3.0, 4),
    "power": (2.0, 3),
    "random": ((2, 2),),
    "rayleigh": (1.0, 3),
    "standard_cauchy": (3,),
    "standard_exponential": (3,),
    "standard_gamma": (2.0, 3),
    "standard_normal": (3,),
    "standard_t": (3, 3),
    "triangular": (0.0, 1.0, 2.0, 3),
    "uniform": (1.0, 2.0, 3),
    "vonmises": (0.0, 1.0, 3),
    "wald": (1.0, 2.0, 3),
    "weibull": (2.0, 3),
    "zipf": (2.0, 3),
}
NEW = {"integers": (0, 100, 5), "multivariate_hypergeometric": ([3, 4], 3), "choice": (10, 4, False)}
LEGACY = {
    "choice": (10, 4),
    "rand": (2, 3),
    "randint": (0, 100, 5),
    "randn": (3,),
    "random_sample": (3,),
    "tomaxint": (3,),
}


@pytest.mark.parametrize("name", sorted(DRAWS | NEW))
@same_as_numpy
def test_generator_draws_numpys_numbers(xp, name):
    rng = xp.random.default_rng(12)
    return [getattr(rng, name)(*(DRAWS | NEW)[name]), rng.random()]


@pytest.mark.parametrize("name", sorted(DRAWS | LEGACY))
@same_as_numpy
def test_random_state_draws_numpys_numbers(xp, name):
    return getattr(xp.random.RandomState(12), name)(*(DRAWS | LEGACY)[name])


@pytest.mark.parametrize("name", sorted((DRAWS | LEGACY).keys() - {"tomaxint"}))
@same_as_numpy
def test_functions_draw_numpys_numbers(xp, name):
    xp.random.seed(12)
    return getattr(xp.random, name)(*(DRAWS | LEGACY)[name])


@pytest.mark.parametrize("name", BIT_GENERATORS)
@same_as_numpy
def test_bit_generators_give_numpys_bits(xp, name):
    bits = getattr(xp.random, name)(7)
    rng = xp.random.Generator(bits)
    return [bits.random_raw(3), rng.normal(size=3), bits.jumped().random_raw(2) if name != "SFC64" else 0]


@pytest.mark.parametrize("name", BIT_GENERATORS)
def test_classes_are_numpys(name):
    bits = getattr(np.random, name)(1)
    assert isinstance(bits, getattr(numpy.random, name))
    assert isinstance(np.random.Generator(bits), numpy.random.Generator)
    assert isinstance(np.random.RandomState(1), numpy.random.RandomState)


@same_as_numpy
def test_spawned_streams_are_numpys(xp):
    children = xp.random.SeedSequence(5).spawn(2)
    grandchildren = xp.random.default_rng(children[1]).spawn(2)
    return [xp.random.default_rng(child).random(2) for child in children] + [rng.random(2) for rng in grandchildren]


@same_as_numpy
def test_an_array_is_a_seed(xp):
    seed = xp.array([1, 2, 3])
    state, bits = xp.random.RandomState(seed), xp.random.PCG64(seed)
    return [xp.random.default_rng(seed).random(2), state.rand(2), bits.random_raw(2)]


@same_as_numpy
def test_arrays_are_parameters(xp):
    rng = xp.random.default_rng(1)
    means = xp.array([0.0, 10.0, 100.0])
    drawn = [rng.normal(means, means.sum()), rng.integers(xp.array(3), xp.array([5, 9]))]
    return [*drawn, rng.choice(means, p=means / means.sum())]


@same_as_numpy
def test_no_size_gives_pythons_numbers_where_numpy_does(xp):
    rng = xp.random.default_rng(1)
    xp.random.seed(1)
    return [type(value) is float for value in (rng.random(), rng.normal(), xp.random.rand(), xp.random.normal())]


@same_as_numpy
def test_shuffle_in_place(xp):
    rng = xp.random.default_rng(1)
    array, table, items = xp.arange(10), xp.arange(12).reshape(4, 3), [1, 2, 3, 4]
    view = array[::2]
    for target in (array, table, items, view):
        rng.shuffle(target)
    rng.shuffle(table, axis=1)
    return [array, table, items, view]


@pytest.mark.parametrize("generator", ["PCG64", "MT19937", "SFC64", "Philox"])
@pytest.mark.parametrize("count", [2, 16, 17, 33, 127, 128, 129, 257, 1000, 4097, 70_000])
def test_shuffles_of_many_draw_the_same_numbers(generator, count):
    """Places are drawn one by one below 128 and sixteen at a time above; the stream goes on behind them."""
    drawn = []
    for xp in (np, numpy):
        rng = xp.random.Generator(getattr(xp.random, generator)(count))
        both = [xp.arange(2 * count).astype(dtype) for dtype in ("u1", "i2", "f4", "f8", "c16")]
        arrays = [array[::2] for array in both] + [array[:count].copy() for array in both]
        for array in arrays:
            rng.shuffle(array)
        arrays += [rng.permutation(count), rng.integers(0, 1000, 3), rng.random(2)]
        drawn.append([array.tolist() for array in arrays])
    assert drawn[0] == drawn[1]


def test_shuffle_keeps_arrays_inside_a_list():
    items = [np.array([1.0]), np.array([2.0]), np.array([3.0])]
    kept = set(map(id, items))
    np.random.default_rng(0).shuffle(items)
    assert set(map(id, items)) == kept


def test_out_is_returned_and_filled():
    out = np.zeros(3)
    assert np.random.default_rng(3).standard_normal(out=out) is out
    assert out.tolist() == numpy.random.default_rng(3).standard_normal(3).tolist()


def test_results_own_their_memory_and_need_no_second_copy():
    drawn = np.random.default_rng(0).random(100_000)
    assert drawn.base is None
    assert drawn.flags.writeable


def test_a_program_and_its_libraries_share_the_stream_of_the_process():
    np.random.seed(4)
    first, second = np.random.rand(), numpy.random.rand()
    numpy.random.seed(4)
    assert [first, second] == [numpy.random.rand(), np.random.mtrand._rand.rand()]
    assert isinstance(np.random.mtrand._rand, np.random.mtrand.RandomState)


def test_states_are_exchanged_with_numpy():
    theirs, ours = numpy.random.default_rng(9), np.random.default_rng(0)
    ours.bit_generator.state = theirs.bit_generator.state
    assert ours.random() == theirs.random()
    legacy = np.random.RandomState(0)
    legacy.set_state(numpy.random.RandomState(3).get_state())
    assert legacy.rand() == numpy.random.RandomState(3).rand()


def test_default_rng_keeps_a_stream():
    ours = np.random.default_rng(2)
    theirs = numpy.random.default_rng(2)
    assert np.random.default_rng(ours) is ours
    taken = np.random.default_rng(theirs)
    assert type(taken) is np.random.Generator
    assert taken.bit_generator is theirs.bit_generator


@pytest.mark.parametrize("make", [lambda: np.random.default_rng(5), lambda: np.random.RandomState(5)])
def test_pickled_streams_go_on(make):
    stream = make()
    stream.random(3)
    copy = pickle.loads(pickle.dumps(stream))
    assert type(copy) is type(stream)
    assert copy.random() == stream.random()


@same_as_numpy
def test_wrong_parameters_raise_numpys_errors(xp):
    raised = []
    for call in (
        lambda: xp.random.default_rng(1).normal(0, -1),
        lambda: xp.random.default_rng(-1),
        lambda: xp.random.default_rng(1).choice(3, 5, replace=False),
        lambda: xp.random.default_rng(1).integers(5, 2),
        lambda: xp.random.seed("text"),
    ):
        try:
            call()
        except (TypeError, ValueError) as error:
            raised.append(type(error))
    return raised


def test_a_gradient_is_not_lost_in_silence():
    mean = torch.zeros(3, requires_grad=True)
    with pytest.raises(TypeError, match="gradient"):
        np.random.default_rng(0).normal(mean)


def test_results_are_on_the_default_device():
    with torch.device("meta"):
        assert np.random.default_rng(0).random(3).tensor.device.type == "meta"


def test_no_draw_counts_as_a_fallback():
    np.clear_fallback_records()
    np.random.default_rng(0).normal(size=3)
    np.random.rand(2)
    assert np.fallback_records() == []
