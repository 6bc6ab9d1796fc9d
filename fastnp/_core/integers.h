// Python's integers as 64 bits: most that index an array or count in a loop are of one digit, and read in place.
#pragma once
#include <Python.h>

#include <cstdint>

namespace fastnp {

// As PyLong_AsLongLongAndOverflow.
inline int64_t as_int64(PyObject* number, int* overflow) noexcept {
#if PY_VERSION_HEX >= 0x030C0000
  const auto* const given = reinterpret_cast<const PyLongObject*>(number);
  if (PyUnstable_Long_IsCompact(given)) {
    *overflow = 0;
    return PyUnstable_Long_CompactValue(given);
  }
#else
  const Py_ssize_t digits = Py_SIZE(number);
  if (digits == 1 || digits == 0) {
    *overflow = 0;
    return digits == 0 ? 0 : reinterpret_cast<const PyLongObject*>(number)->ob_digit[0];
  }
#endif
  return PyLong_AsLongLongAndOverflow(number, overflow);
}

}  // namespace fastnp
