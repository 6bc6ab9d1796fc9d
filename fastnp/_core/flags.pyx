"""`a.flags`: how the memory of an array is laid out, and whether it may be written."""
from fastnp._core.ndarray cimport is_c_contiguous, is_f_contiguous, ndarray

import numpy

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


cdef int set_writeable(ndarray array, bint value) except -1:
    if array.scalar_:
        raise ValueError("Cannot set flags on array scalars.")
    if value and not array.writeable_ and not may_become_writeable(array):
        raise ValueError("cannot set WRITEABLE flag to True of this array")
    array.writeable_ = value
    return 0


cdef class flagsobj:
    """Information about the memory layout of an array: attributes, or the same by NumPy's keys."""

    cdef ndarray array

    def __init__(self, ndarray array not None):
        self.array = array

    @property
    def c_contiguous(self):
        """Whether the elements lie in C order, without gaps."""
        return bool(is_c_contiguous(self.array))

    @property
    def f_contiguous(self):
        """Whether the elements lie in Fortran order, without gaps."""
        return bool(is_f_contiguous(self.array))

    @property
    def contiguous(self):
        """The same as `c_contiguous`."""
        return bool(is_c_contiguous(self.array))

    @property
    def fortran(self):
        """The same as `f_contiguous`."""
        return bool(is_f_contiguous(self.array))

    @property
    def owndata(self):
        """Whether the memory is the array's own."""
        return self.array.base_ is None

    @property
    def writeable(self):
        """Whether elements can be assigned."""
        return bool(self.array.writeable_)

    @writeable.setter
    def writeable(self, value):
        set_writeable(self.array, bool(value))

    @property
    def aligned(self):
        """Whether elements lie at addresses that the hardware wants: always."""
        return True

    @aligned.setter
    def aligned(self, value):
        if self.array.scalar_:
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
        return bool(is_f_contiguous(self.array) and not is_c_contiguous(self.array))

    @property
    def forc(self):
        """Whether in Fortran or in C order."""
        return bool(is_f_contiguous(self.array) or is_c_contiguous(self.array))

    @property
    def behaved(self):
        """Whether aligned and writeable."""
        return bool(self.array.writeable_)

    @property
    def carray(self):
        """Whether behaved and in C order."""
        return bool(self.array.writeable_ and is_c_contiguous(self.array))

    @property
    def farray(self):
        """Whether behaved and in Fortran order, not in C order."""
        return bool(self.array.writeable_ and is_f_contiguous(self.array) and not is_c_contiguous(self.array))

    @property
    def num(self):
        """The flags as NumPy's bits."""
        return (self.c_contiguous | self.f_contiguous << 1 | self.owndata << 2 | 0x100 | self.writeable * 0x400)

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
