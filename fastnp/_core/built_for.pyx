"""The torch that the compiled core was built for. Uses nothing of torch, so that it loads under any."""

cdef extern from *:
    const char* FASTNP_TORCH_VERSION

TORCH_VERSION = FASTNP_TORCH_VERSION.decode()
