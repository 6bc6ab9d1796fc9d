"""Arrays joined whatever their layouts."""

# Join arrays of one number of dimensions, not zero, along an axis that they have, or stack them along a new one, as a dtype
# or, if that is -1, as the one that holds them all; NotImplemented where they are not plain, or NumPy has more to say.
cdef object joined_by_copies(tuple arrays, bint stacked, int axis, int dtype)
