"""torch.Tensor objects: their tensor, and the object of a tensor. The one module that includes python_variable.h."""
from fastnp._core.libtorch.Tensor cimport Tensor

# torch.Tensor or torch.nn.Parameter, not another subclass.
cdef bint is_exact_tensor(object) noexcept
cdef bint is_tensor(object) noexcept
# Whether no class is asked about calls of torch with a tensor: it is of the class itself, its subclass has no hook, or
# hooks are disabled.
cdef bint asks_no_class(const Tensor&) noexcept
cdef Tensor unwrap(object) except *
cdef object wrap(const Tensor&)
# Whether a tensor has values that may decide what happens: not on the meta device, nor fake, traced or batched.
cdef bint values_are_known(object tensor) except -1
