"""`a.flags`: how the memory of an array is laid out, and whether it may be written."""
cimport cython

from libc.stdint cimport int64_t

from fastnp._core.ndarray cimport MAXDIMS, fill_strides, is_c_contiguous, is_f_contiguous, ndarray

import numpy

cdef extern from "vectorcall.h" namespace "fastnp":
    tuple tuple_of_integers(const int64_t*, Py_ssize_t)

#: NumPy's names and short names of the flags that an array of ours can have.
KEYS = {
    "C_CONTIGUOUS": "c_contiguous", "CONTIGUOUS": "c_contiguous", "C": "c_contiguous",
    "F_CONTIGUOUS": "f_contiguous", "FORTRAN": "f_contiguous", "F": "f_contiguous",
    "OWNDATA": "owndata", "O": "owndata",
    "WRITEABLE": "writeable", "W": "writeable",
    "ALIGNED": "aligned", "A": "aligned",
    "WRITEBACKIFCOPY": "writebackifcopy", "X": "writebackifcopy",
    "FNC": "fnc", "FORC": "forc", "BEHAVED": "behaved", "B": "behaved",
    "CARRAY": "carray", "CA": "carray", "FARRAY": "farray", "FA": "farray",
}


cdef bint may_become_writeable(ndarray array) except -1:
    """Whether the memory is an array's own, or that of an owner that lets it be written."""
    base = array.base_
    while isinstance(base, ndarray):
        if (<ndarray>base).base_ is None:
            return (<ndarray>base).writeable_
        base = (<ndarray>base).base_
    if base is None:
        return True
    if isinstance(base, numpy.ndarray):
        return base.flags.writeable
    try:
        return not memoryview(base).readonly
    except TypeError:
        return False


cdef bint is_nobodys(ndarray array) noexcept:
    """Whether flags are of a scalar, or of nothing at all, as those that `flagsobj.__new__` makes."""
    return array is None or array.scalar_


cdef int set_writeable(ndarray array, bint value) except -1:
    if is_nobodys(array):
        raise ValueError("Cannot set flags on array scalars.")
    # NumPy asks this of an array that is writeable already as well.
    if value and not may_become_writeable(array):
        raise ValueError("cannot set WRITEABLE flag to True of this array")
    array.writeable_ = value
    return 0


cdef enum:
    C_CONTIGUOUS = 0x1
    F_CONTIGUOUS = 0x2
    OWNDATA = 0x4
    ALIGNED = 0x100
    WRITEABLE = 0x400


@cython.freelist(4)
cdef class flagsobj:
    """Information about the memory layout of an array: attributes, or the same by NumPy's keys.

    As NumPy's, it shows what the array was when it was made, and sets the array.
    """

    cdef ndarray array
    cdef readonly int num  # the flags as NumPy's bits

    def __init__(self):
        raise TypeError("cannot create 'flagsobj' instances: `a.flags` has those of an array")

    @property
    def c_contiguous(self):
        """Whether the elements lie in C order, without gaps."""
        return self.num & C_CONTIGUOUS != 0

    @property
    def f_contiguous(self):
        """Whether the elements lie in Fortran order, without gaps."""
        return self.num & F_CONTIGUOUS != 0

    @property
    def contiguous(self):
        """The same as `c_contiguous`."""
        return self.c_contiguous

    @property
    def fortran(self):
        """The same as `f_contiguous`."""
        return self.f_contiguous

    @property
    def owndata(self):
        """Whether the memory is the array's own."""
        return self.num & OWNDATA != 0

    @property
    def writeable(self):
        """Whether elements can be assigned."""
        return self.num & WRITEABLE != 0

    @writeable.setter
    def writeable(self, value):
        set_writeable(self.array, bool(value))

    @writeable.deleter
    def writeable(self):
        raise AttributeError("Cannot delete flags writeable attribute")

    @property
    def aligned(self):
        """Whether elements lie at addresses that the hardware wants: always."""
        return True

    @aligned.setter
    def aligned(self, value):
        if is_nobodys(self.array):
            raise ValueError("Cannot set flags on array scalars.")

    @property
    def writebackifcopy(self):
        """Whether the array is a copy that is written back: never."""
        return False

    @writebackifcopy.setter
    def writebackifcopy(self, value):
        if value:
            raise ValueError("cannot set WRITEBACKIFCOPY flag to True")

    @property
    def fnc(self):
        """Whether in Fortran order and not in C order."""
        return self.f_contiguous and not self.c_contiguous

    @property
    def forc(self):
        """Whether in Fortran or in C order."""
        return self.f_contiguous or self.c_contiguous

    @property
    def behaved(self):
        """Whether aligned and writeable."""
        return self.writeable

    @property
    def carray(self):
        """Whether behaved and in C order."""
        return self.writeable and self.c_contiguous

    @property
    def farray(self):
        """Whether not in C order: NumPy looks for any of the bits of a behaved Fortran array, aligned being one."""
        return not self.c_contiguous

    def __getitem__(self, key):
        if type(key) is not str or key not in KEYS:
            raise KeyError("Unknown flag")
        return getattr(self, KEYS[key])

    def __setitem__(self, key, value):
        if type(key) is str and KEYS.get(key) in ("writeable", "aligned", "writebackifcopy"):
            setattr(self, KEYS[key], value)
        else:
            raise KeyError("Unknown flag")

    def __eq__(self, other):
        if not isinstance(other, flagsobj):
            return NotImplemented
        return self.num == other.num

    __hash__ = None

    def __repr__(self):
        names = ("C_CONTIGUOUS", "F_CONTIGUOUS", "OWNDATA", "WRITEABLE", "ALIGNED", "WRITEBACKIFCOPY")
        return "".join([f"  {name} : {self[name]}\n" for name in names])


def flags_of(ndarray array not None):
    """Return how the memory of an array is laid out, and whether it may be written."""
    cdef flagsobj flags = flagsobj.__new__(flagsobj)
    flags.array = array
    flags.num = ALIGNED
    if is_c_contiguous(array):
        flags.num |= C_CONTIGUOUS
    if is_f_contiguous(array):
        flags.num |= F_CONTIGUOUS
    if array.base_ is None:
        flags.num |= OWNDATA
    if array.writeable_:
        flags.num |= WRITEABLE
    return flags


def strides_of(ndarray array not None):
    """Return the steps in bytes when walking an axis; negative along an axis that runs backwards."""
    cdef int64_t strides[MAXDIMS]
    return tuple_of_integers(strides, fill_strides(array, strides))
