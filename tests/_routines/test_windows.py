"""Window functions."""

import numpy
import pytest
import torch

import fastnp as np
from tests._oracle import agree
from tests._tables import ELEMENTARY

WINDOWS = {"bartlett": (), "blackman": (), "hamming": (), "hanning": (), "kaiser": (8.6,)}


@pytest.mark.parametrize("name", sorted(WINDOWS))
@pytest.mark.parametrize("points", [0, 1, 2, 7, 12, 301])
def test_windows(name, points):
    agree(lambda xp: getattr(xp, name)(points, *WINDOWS[name]), tolerance=ELEMENTARY.get(name, "exact"))


@pytest.mark.parametrize("name", sorted(WINDOWS))
def test_windows_by_torch_have_numpys_values(name):
    np.set_default_dtype("pytorch")
    try:
        made = getattr(np, name)(9, *WINDOWS[name])
    finally:
        np.set_default_dtype()
    numpy.testing.assert_allclose(made.tensor.numpy(), getattr(numpy, name)(9, *WINDOWS[name]), atol=1e-12)


def test_windows_are_on_the_default_device():
    with torch.device("meta"):
        assert np.hanning(4).tensor.device.type == "meta"
