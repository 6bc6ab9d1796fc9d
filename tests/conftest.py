"""Settings of the whole suite: hypothesis profiles, threads, and the seeded generator."""

import os

import hypothesis
import numpy
import pytest
import torch

# `make test` gives the same examples each time and no example is timed; `fuzz` looks further, and each run elsewhere.
hypothesis.settings.register_profile(
    "test", derandomize=True, deadline=None, print_blob=True, max_examples=60, database=None
)
hypothesis.settings.register_profile("fuzz", deadline=None, print_blob=True, max_examples=1000)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "test"))


@pytest.fixture(autouse=True, scope="session")
def one_torch_thread():
    """Run torch with one thread unless a test asks for more, so that the suite does not depend on the machine."""
    torch.set_num_threads(1)


@pytest.fixture
def two_threads():
    """Give torch a second thread meanwhile."""
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def rng():
    """Return a generator that gives the same numbers to each test."""
    return numpy.random.default_rng(20260101)
