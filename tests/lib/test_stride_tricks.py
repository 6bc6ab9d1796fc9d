"""Views by shape and strides."""

import pytest
import torch

import fastnp as np
from tests._oracle import agree, same_as_numpy


@same_as_numpy
def test_sliding_window_view(xp):
    array = xp.arange(12.0).reshape(3, 4)
    view = xp.lib.stride_tricks.sliding_window_view
    views = [view(array, 2, axis=1), view(array, (2, 2)), view(array, (2, 3), axis=(1, 0))]
    return [*views, view(array, 2, axis=0).sum(-1)]


@pytest.mark.parametrize("window", [(5, 5), -1, (1, 1, 1)])
def test_wrong_windows_raise_numpys_errors(window):
    agree(lambda xp: xp.lib.stride_tricks.sliding_window_view(xp.ones((3, 4)), window))


def test_as_strided_shares_memory():
    array = np.arange(6.0)
    view = np.lib.stride_tricks.as_strided(array, (3, 2), (16, 8))
    view[0, 1] = 50.0
    assert array.tolist() == [0.0, 50.0, 2.0, 3.0, 4.0, 5.0]


def test_gradients_go_through_windows():
    tensor = torch.arange(4.0, requires_grad=True)
    np.lib.stride_tricks.sliding_window_view(tensor, 2).sum().backward()
    assert tensor.grad.tolist() == [1.0, 2.0, 2.0, 1.0]
