// One element of host memory as a Python scalar.
#pragma once
#include <Python.h>

#include <complex>

#include <c10/util/BFloat16.h>
#include <c10/util/Float8_e4m3fn.h>
#include <c10/util/Float8_e4m3fnuz.h>
#include <c10/util/Float8_e5m2.h>
#include <c10/util/Float8_e5m2fnuz.h>

#include "dtype.h"

namespace fastnp {

template <class T>
inline T load(const char* data) {
  return *reinterpret_cast<const T*>(data);
}

inline PyObject* read_item(const char* data, int dtype) {
  switch (dtype) {
    case BOOL: return PyBool_FromLong(load<uint8_t>(data) != 0);
    case INT8: return PyLong_FromLong(load<int8_t>(data));
    case UINT8: return PyLong_FromLong(load<uint8_t>(data));
    case INT16: return PyLong_FromLong(load<int16_t>(data));
    case UINT16: return PyLong_FromLong(load<uint16_t>(data));
    case INT32: return PyLong_FromLong(load<int32_t>(data));
    case UINT32: return PyLong_FromUnsignedLong(load<uint32_t>(data));
    case INT64: return PyLong_FromLongLong(load<int64_t>(data));
    case UINT64: return PyLong_FromUnsignedLongLong(load<uint64_t>(data));
    case FLOAT16: return PyFloat_FromDouble(half_to_double(load<uint16_t>(data)));
    case FLOAT32: return PyFloat_FromDouble(load<float>(data));
    case FLOAT64: return PyFloat_FromDouble(load<double>(data));
    case COMPLEX64: return PyComplex_FromDoubles(load<float>(data), load<float>(data + 4));
    case COMPLEX128: return PyComplex_FromDoubles(load<double>(data), load<double>(data + 8));
    case BFLOAT16: return PyFloat_FromDouble(load<c10::BFloat16>(data));
    case FLOAT8_E5M2: return PyFloat_FromDouble(load<c10::Float8_e5m2>(data));
    case FLOAT8_E4M3FN: return PyFloat_FromDouble(load<c10::Float8_e4m3fn>(data));
    case FLOAT8_E5M2FNUZ: return PyFloat_FromDouble(load<c10::Float8_e5m2fnuz>(data));
    case FLOAT8_E4M3FNUZ: return PyFloat_FromDouble(load<c10::Float8_e4m3fnuz>(data));
  }
  PyErr_Format(PyExc_SystemError, "no dtype has index %d", dtype);
  return nullptr;
}

}  // namespace fastnp
