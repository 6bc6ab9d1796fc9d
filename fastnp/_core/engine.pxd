"""iteration.h, copies.h, casts.h, numpy_loops.h, elementwise.h, reduction.h: the compute engine."""
from libc.stdint cimport int64_t, intptr_t, uint64_t


cdef extern from "parallel.h" namespace "fastnp" nogil:
    # Elements from which a loop lets other threads run Python.
    enum: RELEASE_FROM "fastnp::kReleaseFrom"

    bint may_split(int64_t elements)

cdef extern from "moves.h" namespace "fastnp" nogil:
    void fill_items(int64_t item, char* into, const char* value, int64_t n)
    void interleave_items(int64_t item, char* into, const char* const* pieces, int count, int64_t n)

cdef extern from "iteration.h" namespace "fastnp" nogil:
    enum: MAX_OPERANDS "fastnp::kMaxOperands"
    ctypedef void (*LoopFunction)(char** args, const intptr_t* dimensions, const intptr_t* strides, void* data)
    cppclass Loop:
        LoopFunction function
        void* data
    cppclass Operand:
        char* data
        int type
        int ndim
        int64_t shape[64]
        int64_t strides[64]
    enum class Order "fastnp::Order"(int):
        kC
        kF
        kAny
        kKeep
    void c_strides(int ndim, const int64_t* shape, int64_t itemsize, int64_t* strides)
    bint is_contiguous(const Operand&, bint fortran)
    bint may_overlap(const Operand&, const Operand&)
    bint extents_overlap(const Operand&, const Operand&)
    bint same_layout(const Operand&, const Operand&)
    bint may_overlap_itself(const Operand&)

cdef extern from "copies.h" namespace "fastnp" nogil:
    void copy_operand(const Operand& dst, const Operand& src) except +
    void copy_block(char* into, const char* source, int64_t bytes) except +

cdef extern from "numpy_loops.h" namespace "fastnp" nogil:
    enum:
        INVALID "fastnp::kInvalid"
        DIVIDE "fastnp::kDivide"
        OVERFLOW "fastnp::kOverflow"
        UNDERFLOW "fastnp::kUnderflow"
    bint find_loop(object ufunc, const int* types, Loop* loop)
    bint is_reorderable(object ufunc)
    void clear_float_flags(bint software)
    unsigned raised_float_flags(bint software)
    # Both `run_loop` and the calls below let other threads go on while a long loop runs.
    unsigned run_loop(const Loop&, char** args, const intptr_t* count, const intptr_t* strides, bint software)

cdef extern from "elementwise.h" namespace "fastnp" nogil:
    enum class Status "fastnp::Status"(int):
        kOk
        kNoBroadcast
        kTooLarge
    cppclass ElementwiseCall:
        int ndim
        int64_t shape[64]
        int64_t count
        bint splits
        Status prepare(int nin, int nout, const Operand* const* operands, const Operand* mask, const int* types, Order) except +
        void result_strides(int i, int64_t* strides)
        void bind(int i, char* data, const int64_t* strides)
        unsigned run(const Loop&, bint software) except +

cdef extern from "reduction.h" namespace "fastnp" nogil:
    cppclass ReductionCall:
        int out_ndim
        int64_t out_shape[64]
        bint empty
        bint splits
        Status prepare(const Operand* operand, const Operand* out, const Operand* where, uint64_t axes, bint keepdims,
                       int result_type, int operand_type)
        void result_strides(int64_t* strides)
        void bind(char* data, const int64_t* strides)
        unsigned run(const Loop&, const char* initial, bint software) except +
    unsigned reduce_in_parts(const Loop&, char* target, char* source, int64_t count, intptr_t stride, int64_t item,
                             bint software) except +
