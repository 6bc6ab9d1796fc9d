"""The key of x[key], parsed once."""
from libc.stdint cimport int64_t

from fastnp._core.ndarray cimport ndarray
from fastnp._core.views cimport Layout

cdef enum Kind:
    INTEGER = 1        # start
    SLICE = 2          # start, stop, step as PySlice_Unpack leaves them
    ELLIPSIS = 4       # start: how many axes it stands for
    NEWAXIS = 8
    FANCY = 16         # an integer array, number `position` of the arrays
    MASK = 32          # a boolean array of one or more dimensions, likewise
    TRUTH = 64         # start: a 0-d boolean; picks from a new axis of length 1
    SCALAR_ARRAY = 128  # among the kinds only: an integer came as a 0-d array, so that the result is a copy
    MANY_PARTS = 128
    ANY_FANCY = 112    # FANCY | MASK | TRUTH

cdef struct Part:
    int kind
    int position
    int64_t start, stop, step

cdef struct Key:
    int count
    int kinds
    Part parts[MANY_PARTS + 1]

# Where the parts of a key lead. `rest` are the axes of the basic parts, `picked` those that index arrays pick from.
cdef struct Walk:
    Layout rest
    Layout picked
    int axes[64]       # the array's axis of each picked one, -1 for that of a 0-d boolean
    int order[129]     # the axes of both in the order of the key: n for a rest axis, -1 - n for a picked one
    int outgoing       # how many they are
    int by_stride[64]  # where each rest axis stands once they are sorted by stride (fancy.pyx)
    int place          # where the dimensions of the index arrays stand in the result

# Parse the key; the index arrays are returned, or None where there is none.
cdef list parse_key(ndarray array, object key, Key* parsed)
# Follow it over the array's layout. For arrays that are not plain, the key to torch is collected in `torch_key`.
cdef int walk_key(Layout* layout, Key* key, list arrays, Walk* walk, list torch_key) except -1
cdef int64_t wrap_index(int64_t index, int axis, int64_t size) except -1
