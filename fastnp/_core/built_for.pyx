"""What the compiled core was built for and is made of. Uses nothing of torch, so that it loads under any."""

cdef extern from "built_of.h":
    const char* FASTNP_TORCH_VERSION
    const char* FASTNP_MODULES

TORCH_VERSION = FASTNP_TORCH_VERSION.decode()
MODULES = frozenset(FASTNP_MODULES.decode().split(","))
