// NumPy's own compiled inner loops.
#pragma once

#include <Python.h>

#include <numpy/ndarraytypes.h>
#include <numpy/ufuncobject.h>

#include <cstring>

#include "copies.h"
#include "float_flags.h"
#include "interpreter.h"

namespace fastnp {

// The dense index of a NumPy type number, or -1.
inline int dense_index(int type_num) {
    switch (type_num) {
        case NPY_BOOL: return BOOL;
        case NPY_BYTE: return INT8;
        case NPY_UBYTE: return UINT8;
        case NPY_SHORT: return INT16;
        case NPY_USHORT: return UINT16;
        case NPY_INT: return INT32;
        case NPY_UINT: return UINT32;
        case NPY_LONG: return sizeof(long) == 8 ? INT64 : INT32;
        case NPY_ULONG: return sizeof(long) == 8 ? UINT64 : UINT32;
        case NPY_LONGLONG: return INT64;
        case NPY_ULONGLONG: return UINT64;
        case NPY_HALF: return FLOAT16;
        case NPY_FLOAT: return FLOAT32;
        case NPY_DOUBLE: return FLOAT64;
        case NPY_CFLOAT: return COMPLEX64;
        case NPY_CDOUBLE: return COMPLEX128;
        default: return -1;
    }
}

// Find the inner loop for exactly these dtypes, inputs first.
inline bool find_loop(PyObject* ufunc, const int* types, Loop* loop) {
    auto* u = reinterpret_cast<PyUFuncObject*>(ufunc);
    for (int k = 0; k < u->ntypes; ++k) {
        const char* row = u->types + k * u->nargs;
        bool found = u->functions[k] != nullptr;
        for (int i = 0; i < u->nargs && found; ++i) found = dense_index(row[i]) == types[i];
        if (!found) continue;
        loop->function = reinterpret_cast<LoopFunction>(u->functions[k]);
        loop->data = u->data ? u->data[k] : nullptr;
        return true;
    }
    return false;
}

// Whether a reduction may go over several axes at once.
inline bool is_reorderable(PyObject* ufunc) { return reinterpret_cast<PyUFuncObject*>(ufunc)->identity != PyUFunc_None; }

// Call `loop` once and return the flags that are up then.
inline unsigned run_loop(const Loop& loop, char** args, const intptr_t* count, const intptr_t* strides, bool software) {
    if (*count < kReleaseFrom) {
        loop.function(args, count, strides, loop.data);
        return raised_float_flags(software);
    }
    InterpreterRelease release(true);
    if (loop.streams(args, strides, *count))
        loop.streamed(args, count, strides, const_cast<Loop*>(&loop));
    else
        loop.function(args, count, strides, loop.data);
    return raised_float_flags(software);
}

// The first place from `i` on where a packed or strided mask is not `truth`, eight places at a time where it can be.
inline int64_t end_of_run(const char* mask, intptr_t stride, int64_t i, int64_t count, bool truth) {
    if (stride == 1) {
        const uint64_t same = truth ? 0x0101010101010101u : 0;
        for (uint64_t word; i + 8 <= count; i += 8) {
            std::memcpy(&word, mask + i, 8);
            if (word != same) break;
        }
    }
    while (i < count && (mask[i * stride] != 0) == truth) ++i;
    return i;
}

// Call `loop` on every run of true values of the mask, as NumPy's masked loops do.
inline void run_masked(const Loop& loop, int nargs, char** args, const intptr_t* strides, const char* mask, intptr_t mask_stride,
                       int64_t count) {
    char* at[kMaxOperands];
    for (int64_t end = 0;;) {
        const int64_t start = end_of_run(mask, mask_stride, end, count, false);
        if (start == count) return;
        end = end_of_run(mask, mask_stride, start, count, true);
        for (int k = 0; k < nargs; ++k) at[k] = args[k] + start * strides[k];
        intptr_t n = end - start;
        loop.function(at, &n, strides, loop.data);
    }
}

}  // namespace fastnp
