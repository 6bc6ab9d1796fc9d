"""Two plain arrays multiplied element by element and summed along some of their axes."""
from libc.stdint cimport int8_t

from fastnp._core.ndarray cimport ndarray

# Labels are numbered, those of the result first: `first` and `second` say which axis of either array has each. Both are of one
# dtype, of numbers of NumPy's (but float16), not empty, and as long along the axes of a label. The result lies as NumPy's
# einsum lays it, or in C order; `conjugates` the first.
cdef ndarray summed_products(ndarray a, const int8_t* first, ndarray b, const int8_t* second, int labels, int kept,
                             bint conjugates, bint in_c_order)
