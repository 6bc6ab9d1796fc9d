"""`like=` (row 135, NEP 35): every function that NumPy has it on asks the type of that array, as NumPy does."""

import numpy
import pytest

import fastnp as np

WITH_LIKE = sorted(
    name for name in numpy.__all__ if "like : array_like" in (getattr(getattr(numpy, name), "__doc__", None) or "")
    and callable(getattr(numpy, name)) and not isinstance(getattr(numpy, name), type)
)
CALLS = {
    "arange": (3,), "array": ([1.0],), "asanyarray": ([1.0],), "asarray": ([1.0],), "ascontiguousarray": ([1.0],),
    "asfortranarray": ([1.0],), "empty": (0,), "eye": (2,), "frombuffer": (bytes(16),), "fromfile": ("{file}",),
    "fromfunction": (lambda i, j: i + j, (2, 2)), "fromiter": ([1.0, 2.0], float), "fromstring": ("1 2", float),
    "full": (2, 1.5), "genfromtxt": (["1 2"],), "identity": (2,), "loadtxt": (["1 2"],), "ones": (2,),
    "require": ([1.0],), "tri": (2,), "zeros": (2,),
}


class Duck:
    def __array_function__(self, func, types, args, kwargs):
        return func, types, args, kwargs


class Hook:
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return func, types, args, kwargs


class Subclass(np.ndarray):
    pass


@pytest.fixture
def arguments(tmp_path):
    """Return a function that gives a function's arguments, `sep` for fromstring among the keywords."""
    numpy.arange(4.0).tofile(tmp_path / "numbers")

    def arguments(name):
        positional = tuple(str(tmp_path / "numbers") if value == "{file}" else value for value in CALLS[name])
        return positional, {"sep": " "} if name == "fromstring" else {}

    return arguments


def test_table_is_numpys_list():
    assert sorted(CALLS) == WITH_LIKE


@pytest.mark.parametrize("name", WITH_LIKE)
def test_array_function_gets_what_numpy_gives_it(name, arguments):
    args, kwargs = arguments(name)
    like = Duck()  # NumPy borrows it from a dict that it then takes it out of
    func, types, theirs, _ = getattr(numpy, name)(*args, like=like, **kwargs)
    ours = getattr(np, name)(*args, like=Duck(), **kwargs)
    assert ours[0].__name__ == func.__name__ == name
    assert ours[1] == types == (Duck,)
    assert ours[2] == theirs
    assert "like" not in ours[3]


@pytest.mark.parametrize("name", WITH_LIKE)
def test_hook_gets_our_function_without_like(name, arguments):
    args, kwargs = arguments(name)
    assert getattr(np, name)(*args, like=Hook(), **kwargs) == (getattr(np, name), (Hook,), args, kwargs)


@pytest.mark.parametrize("name", WITH_LIKE)
def test_numpys_function_gives_our_array(name, arguments):
    args, kwargs = arguments(name)
    like = np.ones(1)  # NumPy borrows it from a dict that it then takes it out of
    got = getattr(numpy, name)(*args, like=like, **kwargs)
    want = getattr(numpy, name)(*args, **kwargs)
    assert type(got) is np.ndarray
    assert numpy.array_equal(numpy.asarray(got), want)
    assert got.dtype == want.dtype


LIKES = {"ours": np.ones(1), "subclass": np.ones(1).view(Subclass), "numpy": numpy.ones(1)}


@pytest.mark.parametrize("like", LIKES.values(), ids=LIKES)
@pytest.mark.parametrize("name", WITH_LIKE)
def test_arrays_give_an_array_of_the_base_class(name, like, arguments):
    """NumPy: `like=` of a subclass that overrides nothing gives the base class."""
    args, kwargs = arguments(name)
    got = getattr(np, name)(*args, like=like, **kwargs)
    assert type(got) is np.ndarray
    assert numpy.array_equal(numpy.asarray(got), getattr(numpy, name)(*args, **kwargs))


@pytest.mark.parametrize("name", WITH_LIKE)
def test_like_that_is_no_array_is_numpys_error(name, arguments):
    args, kwargs = arguments(name)
    for module in (numpy, np):
        with pytest.raises(TypeError, match="The `like` argument must be an array-like that implements"):
            getattr(module, name)(*args, like=5, **kwargs)
