"""Files, text and printing options: NumPy's formats, our arrays."""

import io

import numpy
import pytest

import fastnp as np
from tests._oracle import agree, same_as_numpy


@pytest.fixture
def path(tmp_path):
    return tmp_path / "array.npy"


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i8", "f2", "f4", "f8", "c8", "c16"])
def test_saved_arrays_are_numpys_bytes(path, dtype):
    values = numpy.arange(6).reshape(2, 3).astype(dtype)
    np.save(path, np.array(values))
    ours = path.read_bytes()
    numpy.save(path, values)
    assert path.read_bytes() == ours
    loaded = np.load(path)
    assert type(loaded) is np.ndarray
    assert loaded.dtype == dtype
    assert loaded.tolist() == values.tolist()


@pytest.mark.parametrize("save", ["savez", "savez_compressed"])
def test_archives(tmp_path, save):
    getattr(np, save)(tmp_path / "a.npz", np.arange(3), named=np.ones((2, 2)))
    with np.load(tmp_path / "a.npz") as archive:
        assert sorted(archive) == ["arr_0", "named"]
        assert [type(array) for array in archive.values()] == [np.ndarray, np.ndarray]
        assert archive["named"].tolist() == [[1.0, 1.0], [1.0, 1.0]]


def test_objects_are_refused(path):
    numpy.save(path, numpy.array([{}]), allow_pickle=True)
    with pytest.raises(ValueError, match="allow_pickle"):
        np.load(path)


@pytest.mark.parametrize("hostile", [b"", b"\x93NUMPY\x01\x00\xff\xff", b"\x93NUMPY\x09\x00v\x00", b"not an array"])
def test_hostile_files_raise_numpys_errors(hostile):
    agree(lambda xp: xp.load(io.BytesIO(hostile)))


def test_a_mapped_file_is_the_arrays_memory(path):
    numpy.save(path, numpy.arange(4.0))
    mapped = np.load(path, mmap_mode="r+")
    assert isinstance(mapped, np.memmap)
    assert str(mapped.filename) == str(path)
    mapped[1] = 50.0
    mapped.flush()
    assert numpy.load(path).tolist() == [0.0, 50.0, 2.0, 3.0]
    read_only = np.load(path, mmap_mode="r")
    with pytest.raises(ValueError, match="read-only"):
        read_only[0] = 1.0
    assert (read_only + 1).tolist() == [1.0, 51.0, 3.0, 4.0]


def test_memmap_makes_a_file(tmp_path):
    mapped = np.memmap(tmp_path / "raw", dtype="f4", mode="w+", shape=(2, 2))
    mapped[...] = 3
    mapped.flush()
    assert numpy.fromfile(tmp_path / "raw", "f4").tolist() == [3.0] * 4
    assert mapped.mode == "w+"


def test_text_round_trip(tmp_path):
    np.savetxt(tmp_path / "t", np.arange(6.0).reshape(2, 3), header="x")
    numpy.savetxt(tmp_path / "u", numpy.arange(6.0).reshape(2, 3), header="x")
    assert (tmp_path / "t").read_text() == (tmp_path / "u").read_text()
    loaded = np.loadtxt(tmp_path / "t")
    assert type(loaded) is np.ndarray
    assert loaded.tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]


@same_as_numpy
def test_readers_of_text_and_buffers(xp):
    return [
        xp.loadtxt(["1,2", "3,4"], delimiter=",", dtype=int),
        xp.genfromtxt(["1,,3", "4,5,6"], delimiter=",", filling_values=-1),
        xp.fromstring("1 2 3", sep=" "),
        xp.frombuffer(b"\x01\x00\x02\x00", dtype="i2"),
    ]


def test_frombuffer_shares_memory():
    buffer = bytearray(16)
    np.frombuffer(buffer, dtype="f8")[0] = 1.0
    assert buffer[:8] == numpy.float64(1.0).tobytes()
    assert not np.frombuffer(b"12345678").flags.writeable


@same_as_numpy
def test_wrong_text_raises_numpys_error(xp):
    return xp.loadtxt(["1 2", "3 x"])


@same_as_numpy
def test_text_of_arrays(xp):
    array = xp.array([[1.5, 2.25], [1e-9, 3.0]])
    return [
        xp.array2string(array, precision=2),
        xp.array_repr(array),
        xp.array_str(array[0]),
        xp.format_float_positional(array[0, 0]),
        xp.format_float_scientific(xp.float32(3)),
        xp.binary_repr(5, 8),
        xp.base_repr(255, 16),
    ]


def test_print_options_are_numpys():
    with np.printoptions(precision=2):
        assert numpy.get_printoptions()["precision"] == 2
        assert str(np.array([1.23456])) == "[1.23]"
    assert str(np.array([1.23456])) == "[1.23456]"
