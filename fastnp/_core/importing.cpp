// What Cython's modules ask for by name while they are imported: six hundred times a module that is there already.
//
// PyImport_ImportModule asks for the package as well, which is being imported then, and waits for it in Python: 3 us each.
// The linker puts this in its place (--wrap).
#include <Python.h>

extern "C" PyObject* __real_PyImport_ImportModule(const char* name);

// Whether the import of a module has come to its end. Another thread may still be at it.
static bool is_imported(PyObject* module) {
    PyObject* const spec = PyObject_GetAttrString(module, "__spec__");
    PyObject* const busy = spec != nullptr ? PyObject_GetAttrString(spec, "_initializing") : nullptr;
    const bool imported = busy == Py_False;
    Py_XDECREF(busy);
    Py_XDECREF(spec);
    PyErr_Clear();
    return imported;
}

extern "C" __attribute__((visibility("hidden"))) PyObject* __wrap_PyImport_ImportModule(const char* name) {
    PyObject* const module = PyDict_GetItemString(PyImport_GetModuleDict(), name);
    if (module != nullptr) {
        Py_INCREF(module);
        if (is_imported(module)) return module;
        Py_DECREF(module);
    }
    return __real_PyImport_ImportModule(name);
}
