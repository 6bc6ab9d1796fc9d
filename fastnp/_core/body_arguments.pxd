"""Arguments of a call as its compiled or composed body gets them."""

# A list or tuple with arrays in the place of its plain torch.Tensors; None where it has none.
cdef object with_tensors_as_arrays(object values)
# An argument as a composed body gets it, by the conversion of its parameter; NotImplemented where the body is not for such.
cdef object plain_argument(unsigned char conversion, object value)
cdef object array_argument(unsigned char conversion, object value)
# Whether a composed body may get an argument that is not converted.
cdef bint is_plain(object value, int depth=*) except -1
