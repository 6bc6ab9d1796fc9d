// Instances of subclasses of the array: what is known of their class, and their memory, which is used again.
//
// To make and to end an instance with a dict takes CPython longer than three elements take to be added. A class that adds
// nothing to the array but that dict therefore gets a deallocator of our own, which keeps what a dead instance lay in for
// the next one. So it is done in CPython 3.11, in which an instance's dict is a pointer that is null until it is needed.
#pragma once
#include <Python.h>

#include <new>
#include <unordered_map>

#include "type_slots.h"

namespace fastnp {

struct Subclass {
  PyTypeObject* type;
  unsigned version;  // of the type, when the next two were read; 0: to be read
  bool finalizes;    // has an `__array_finalize__` of its own
  bool protocols;    // leaves all calls to the protocols of the array
  bool recycles;
  int count;
  PyObject* spare[32];  // memory of dead instances: not tracked, no reference to the type
};

inline unsigned version_of(const PyTypeObject* type) noexcept {
  return PyType_HasFeature(const_cast<PyTypeObject*>(type), Py_TPFLAGS_VALID_VERSION_TAG) ? type->tp_version_tag : 0;
}

inline std::unordered_map<PyTypeObject*, Subclass*>* const subclasses = new std::unordered_map<PyTypeObject*, Subclass*>;
inline Subclass* recent_subclasses[64] = {};

inline Subclass*& recent_subclass(const PyTypeObject* type) noexcept {
  return recent_subclasses[reinterpret_cast<size_t>(type) >> 4 & 63];
}

inline Subclass* recently_known(const PyTypeObject* type) noexcept {
  Subclass* const recent = recent_subclass(type);
  return recent != nullptr && recent->type == type ? recent : nullptr;
}

// The same, as long as the type has not changed.
inline Subclass* currently_known(const PyTypeObject* type) noexcept {
  Subclass* const recent = recently_known(type);
  return recent != nullptr && recent->version != 0 && recent->version == version_of(type) ? recent : nullptr;
}

// What is known of a type; null where nothing is.
inline Subclass* find_subclass(PyTypeObject* type) noexcept {
  if (Subclass* const recent = recently_known(type)) return recent;
  const auto found = subclasses->find(type);
  return found == subclasses->end() ? nullptr : recent_subclass(type) = found->second;
}

// The array's own end of an object, and how it makes a header as good as new.
inline destructor destroy_array = nullptr;
inline void (*reset_array)(PyObject*) = nullptr;

#if PY_VERSION_HEX < 0x030C0000
inline bool can_recycle(const PyTypeObject* type, const PyTypeObject* array, const PyTypeObject* ordinary) noexcept {
  constexpr unsigned long flags = Py_TPFLAGS_HEAPTYPE | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_MANAGED_DICT;
  return (type->tp_flags & flags) == flags && type->tp_dealloc == ordinary->tp_dealloc &&
         type->tp_alloc == ordinary->tp_alloc && type->tp_free == ordinary->tp_free &&
         type->tp_basicsize == array->tp_basicsize && type->tp_itemsize == 0 &&
         type->tp_weaklistoffset == array->tp_weaklistoffset && type->tp_del == nullptr;
}

// Give the memory of an instance back to Python. It is untracked, and refers to nothing.
inline void free_instance(PyObject* dead) {
  PyTypeObject* const type = Py_TYPE(dead);
  destroy_array(dead);
  Py_DECREF(type);
}

// Clear what a dead and untracked instance refers to, and keep its memory, or free it.
inline void end_instance(PyObject* dead, PyObject** dict) {
  PyTypeObject* const type = Py_TYPE(dead);
  clear_weak_references(dead);
  if (dict != nullptr && *dict != nullptr) Py_CLEAR(*dict);
  reset_array(dead);
  Subclass* const known = find_subclass(type);  // not earlier: all of these run code of others
  if (known == nullptr || !known->recycles || known->count == sizeof(known->spare) / sizeof(PyObject*) ||
      dict == nullptr || PyObject_GC_IsFinalized(dead)) {
    free_instance(dead);
    return;
  }
  known->spare[known->count++] = dead;
  Py_DECREF(type);
}

inline void bury_instance(PyObject* dead) {
  PyTypeObject* const type = Py_TYPE(dead);
  PyObject_GC_UnTrack(dead);
  if (type->tp_dealloc != &bury_instance) {
    // The last step in the end of an instance of a derived class, which has cleared the dict.
    free_instance(dead);
    return;
  }
  PyObject** const dict = _PyObject_GetDictPtr(dead);
  if (type->tp_finalize == nullptr && dict != nullptr && *dict == nullptr) {
    end_instance(dead, dict);
    return;
  }
  Py_TRASHCAN_BEGIN(dead, bury_instance)
  bool ends = true;
  if (type->tp_finalize != nullptr) {
    PyObject_GC_Track(dead);
    ends = PyObject_CallFinalizerFromDealloc(dead) == 0;
    if (ends) PyObject_GC_UnTrack(dead);
  }
  if (ends) end_instance(dead, _PyObject_GetDictPtr(dead));
  Py_TRASHCAN_END
}

inline PyObject* take_instance(Subclass* known) {
  PyObject* const instance = known->spare[--known->count];
  Py_INCREF(known->type);
  Py_SET_REFCNT(instance, 1);
  PyObject_GC_Track(instance);
  return instance;
}

inline void end_spares(Subclass* known) {
  while (known->count > 0) {
    Py_INCREF(known->type);
    free_instance(known->spare[--known->count]);
  }
}
#else
inline bool can_recycle(const PyTypeObject*, const PyTypeObject*, const PyTypeObject*) noexcept { return false; }
inline void bury_instance(PyObject*) {}
inline PyObject* take_instance(Subclass*) { return nullptr; }
inline void end_spares(Subclass*) {}
#endif

// Begin to know a subclass of the array; `ordinary` is any class that a class statement has made.
inline Subclass* add_subclass(PyTypeObject* type, const PyTypeObject* array, const PyTypeObject* ordinary) {
  auto* const known = new Subclass{type, 0, false, false, can_recycle(type, array, ordinary), 0, {}};
  try {
    subclasses->emplace(type, known);
  } catch (...) {
    delete known;
    throw;
  }
  if (known->recycles) type->tp_dealloc = &bury_instance;
  known->recycles = type->tp_dealloc == &bury_instance;
  return recent_subclass(type) = known;
}

// Forget a subclass that is about to die.
inline void forget_subclass(PyTypeObject* type) noexcept {
  Subclass* const known = find_subclass(type);
  if (known == nullptr) return;
  recent_subclass(type) = nullptr;
  subclasses->erase(type);
  end_spares(known);
  delete known;
}

inline PyObject* new_instance(Subclass* known) {
  return known->count > 0 ? take_instance(known) : new_bare_header(known->type);
}

}  // namespace fastnp
