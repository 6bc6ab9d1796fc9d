"""Arrays joined whatever their layouts."""

# Join arrays of one number of dimensions, not zero, along an axis that they have, or stack them along a new one;
# NotImplemented where they are not plain, or NumPy has more to say.
cdef object joined_by_copies(tuple arrays, bint stacked, int axis)
