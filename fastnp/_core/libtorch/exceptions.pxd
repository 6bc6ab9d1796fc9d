# torch/csrc/Exceptions.h


cdef extern from "exceptions.h":
    void translate_torch_error "fastnp::translate_torch_error"()
