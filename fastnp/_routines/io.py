"""Input and output: files, text, printing. The formats are NumPy's own, read and written by it.

https://numpy.org/doc/2.4/reference/routines.io.html
"""

from __future__ import annotations

import numpy

from fastnp._core.borrowed import as_ours
from fastnp._core.interchange import as_array
from fastnp._core.ndarray import as_subclass, ndarray
from fastnp._declare import Chapter

declare = Chapter("fastnp")

declare.borrow(
    "base_repr",
    "binary_repr",
    "format_float_positional",
    "format_float_scientific",
    "fromfile",
    "fromregex",
    "fromstring",
    "genfromtxt",
    "get_printoptions",
    "loadtxt",
    "printoptions",
    "set_printoptions",
)
declare.borrow("save", "savetxt", "savez", "savez_compressed", saves=True)


class NpzFile(numpy.lib.npyio.NpzFile):
    """NumPy's mapping over the arrays of a `.npz` file, which are ours."""

    def __getitem__(self, key):
        return as_ours(super().__getitem__(key))


class memmap(ndarray):
    """An array on the memory of a file: NumPy maps it, and `base` is NumPy's map."""

    def __new__(cls, filename, dtype=numpy.uint8, mode="r+", offset=0, shape=None, order="C"):
        return mapped(numpy.memmap(filename, dtype, mode, offset, shape, order), cls)

    def __array_finalize__(self, source):
        for name in ("filename", "mode", "offset"):
            setattr(self, name, getattr(source, name, None))

    def flush(self):
        """Write changes to the file."""
        self.base.flush()


def mapped(theirs, cls=memmap):
    """Return NumPy's map of a file as ours, without a copy."""
    array = as_subclass(as_array(theirs), cls)
    array.filename, array.mode, array.offset = theirs.filename, theirs.mode, theirs.offset
    return array


def load(file, mmap_mode=None, allow_pickle=False, fix_imports=True, encoding="ASCII", *, max_header_size=10000):
    """Load arrays from a `.npy`, `.npz` or pickle file, as `numpy.load` does."""
    theirs = numpy.load(
        file, mmap_mode, allow_pickle, fix_imports, encoding, max_header_size=max_header_size
    )
    if isinstance(theirs, numpy.lib.npyio.NpzFile):
        theirs.__class__ = NpzFile
        return theirs
    if isinstance(theirs, numpy.memmap) and theirs.dtype.kind in "biufc":
        return mapped(theirs)
    return as_ours(theirs)


for value, source in ((load, numpy.load), (memmap, numpy.memmap)):
    value.__module__ = "fastnp"
    value.__doc__ = source.__doc__

declare.publish(load=load, memmap=memmap)
