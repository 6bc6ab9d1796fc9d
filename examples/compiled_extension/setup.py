"""Build the example in place: python setup.py build_ext --inplace.

The module is compiled against the fastnp and the torch that are installed, as fastnp itself is.
"""

import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup
from torch.utils import cpp_extension

import fastnp

setup(
    name="softplus",
    ext_modules=cythonize(
        Extension(
            "softplus",
            ["softplus.pyx"],
            language="c++",
            include_dirs=[fastnp.get_include(), *cpp_extension.include_paths(), numpy.get_include()],
            library_dirs=cpp_extension.library_paths(),
            runtime_library_dirs=cpp_extension.library_paths(),
            libraries=["c10", "torch_cpu", "torch", "torch_python"],
            extra_compile_args=["-std=c++20", "-O1", "-g0", "-fvisibility=hidden"],
        ),
        language_level=3,
    ),
)
