"""Streams that a device draws itself, by an explicit switch."""

import pytest
import torch

import fastnp as np


@pytest.fixture
def rng():
    np.random.set_stream("device")
    yield np.random.default_rng(3)
    np.random.set_stream("host")


def test_the_switch_is_explicit(rng):
    assert isinstance(rng, np.random.DeviceGenerator)
    np.random.set_stream("host")
    assert isinstance(np.random.default_rng(3), np.random.Generator)
    with pytest.raises(ValueError, match="stream"):
        np.random.set_stream("elsewhere")


CALLS = {
    "choice": (np.arange(10), (2, 3)),
    "exponential": (2.0, (2, 3)),
    "integers": (0, 5, (2, 3)),
    "normal": (0.0, 1.0, (2, 3)),
    "poisson": (3.0, (2, 3)),
    "random": ((2, 3),),
    "standard_normal": ((2, 3),),
    "uniform": (1.0, 2.0, (2, 3)),
}


@pytest.mark.parametrize("name", sorted(CALLS))
def test_one_seed_gives_one_stream_of_numpys_shape_and_dtype(rng, name):
    drawn = getattr(rng, name)(*CALLS[name])
    again = getattr(np.random.default_rng(3), name)(*CALLS[name])
    np.random.set_stream("host")
    theirs = getattr(np.random.default_rng(3), name)(*CALLS[name])
    assert (drawn == again).all()
    assert (type(drawn), drawn.shape, drawn.dtype) == (np.ndarray, theirs.shape, theirs.dtype)


def test_distributions(rng):
    assert abs(float(rng.normal(5.0, 2.0, 20_000).mean()) - 5.0) < 0.1
    assert abs(float(rng.exponential(3.0, 20_000).mean()) - 3.0) < 0.15
    assert set(rng.integers(1, 3, 200, endpoint=True).tolist()) == {1, 2, 3}
    assert sorted(rng.permutation(6).tolist()) == [0, 1, 2, 3, 4, 5]
    assert sorted(rng.choice(5, 5, replace=False).tolist()) == [0, 1, 2, 3, 4]
    assert rng.choice(3, 50, p=[0, 1, 0]).tolist() == [1] * 50


def test_shuffle_in_place(rng):
    array = np.arange(20)
    rng.shuffle(array)
    assert array.tolist() != list(range(20))
    assert sorted(array.tolist()) == list(range(20))


def test_results_are_on_the_device():
    assert np.random.DeviceGenerator(0, "cpu").random(2).tensor.device == torch.device("cpu")


@pytest.mark.parametrize("call", [lambda rng: rng.normal(0, -1), lambda rng: rng.integers(3, 3),
                                  lambda rng: rng.choice(2, 3, replace=False), lambda rng: rng.poisson(-1.0)])
def test_wrong_parameters_raise(rng, call):
    with pytest.raises(ValueError):  # noqa: PT011  the messages are NumPy's and say no more than their type
        call(rng)
