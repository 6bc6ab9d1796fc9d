"""torch.Tensors as arguments: a call gives what it gives for arrays, in Tensors where there is no array (row 6, D8).

The arguments are those of the oracle; a Tensor stands in the place of every array that torch can hold.
"""

import numpy
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import fastnp as np
from tests._oracle import Raised, difference, each, give
from tests.conformance._strategies import TOLERANCE
from tests.conformance.test_oracle import FUNCTIONS, NAMES, called, calls

EXAMPLES = max(8, settings.default.max_examples // 6)

#: What NumPy's own code computes gives arrays for Tensors as well.
TAKING_TENSORS = [name for name in NAMES if not name.startswith(("lib.scimath.", "polynomial.", "random."))]
#: torch's own hook builds each tuple from one iterable, which named tuples do not take.
NAMED_TUPLES = ("linalg.eig", "linalg.eigh", "linalg.qr", "linalg.slogdet", "linalg.svd",
                "unique_all", "unique_counts", "unique_inverse")
#: The array is asked for overrides alone.
ASKED_ALONE = ("apply_over_axes",)


class Silent(torch.Tensor):
    """A subclass with torch's own hook."""


def as_tensors(value, cls=torch.Tensor):
    """Return `value` with every array in it as a Tensor; torch knows no negative strides."""
    def tensor_of(leaf):
        if not isinstance(leaf, np.ndarray):
            return leaf
        tensor = torch.from_numpy(numpy.array(leaf))
        return tensor if cls is torch.Tensor else tensor.as_subclass(cls)

    return each(value, tensor_of)


def as_arrays(value):
    """Return a result with every Tensor in it as an array over its memory."""
    def array_over(leaf):
        return np.asarray(leaf.as_subclass(torch.Tensor)) if isinstance(leaf, torch.Tensor) else leaf

    return each(value, array_over)


def as_numpy(value):
    """Return a result with every array in it as one of NumPy's."""
    return each(value, lambda leaf: numpy.array(leaf) if isinstance(leaf, np.ndarray) else leaf)


def leaves(value):
    """Return what stands in lists and tuples, those taken apart that are not empty."""
    return [leaf for item in value for leaf in leaves(item)] if isinstance(value, list | tuple) and value else [value]


def outcome(name, positional, keywords):
    """Return what a call ends in."""
    with numpy.errstate(all="ignore"):
        try:
            return called(name)(np, *positional, **keywords)
        except Exception as error:  # noqa: BLE001 - the type is what is compared
            return Raised.by(error)


def has_lists(value):
    """Tell whether there is a list or tuple of anything but Tensors among arguments: it counts as an array."""
    lists = [item for item in value if isinstance(item, list | tuple)]
    return any(not isinstance(leaf, torch.Tensor) for item in lists for leaf in leaves(item))


@pytest.mark.parametrize("name", TAKING_TENSORS)
@pytest.mark.filterwarnings("ignore")
def test_tensors_are_arguments_like_arrays(name):
    kept = getattr(FUNCTIONS[name], "keeps_container", True) and name not in ASKED_ALONE

    @settings(max_examples=EXAMPLES)
    @given(calls(name), st.sampled_from([torch.Tensor] if name in NAMED_TUPLES else [torch.Tensor, Silent]))
    def check(call, cls):
        want = outcome(name, *give(np, list(call)))
        positional, keywords = as_tensors(give(np, list(call)), cls)
        got = outcome(name, positional, keywords)
        said = f"{name}(*{positional}, **{keywords})"
        if keywords.get("overwrite_input") and isinstance(want, list):
            want, got = want[:1], got[:1]  # what is left there is nobody's to rely on
        text = difference(as_arrays(got), as_numpy(want), TOLERANCE.get(name, "exact"), layout=False)
        assert text is None, f"{said}: {text}"
        values = [*positional, *keywords.values()]
        has_tensors = any(isinstance(leaf, torch.Tensor) for leaf in leaves(values)) and not has_lists(values)
        if has_tensors and isinstance(got, list) and isinstance(got[0], torch.Tensor | np.ndarray):
            assert isinstance(got[0], cls if kept else np.ndarray), f"{said}: {type(got[0])}"

    check()
