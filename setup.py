"""Build the compiled core against the torch that is installed."""

import os
import shutil
import sys
import time
from pathlib import Path

import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from torch import __version__ as torch_version
from torch.utils import cpp_extension

ROOT = Path(__file__).parent
JOBS = os.cpu_count() or 1
NUMPY_LIBRARIES = [str(Path(numpy.__path__[0]) / folder) for folder in ("random/lib", "_core/lib")]

# ATen's own parallel_for, compiled in. The runtime is the one that libtorch_cpu brings: it is not linked again.
OPENMP = ["-fopenmp"] if sys.platform == "linux" else []

if shutil.which("ccache"):
    os.environ.setdefault("CC", "ccache gcc")
    os.environ.setdefault("CXX", "ccache g++")


def extension(source: Path) -> Extension:
    """Return the extension module of one `.pyx`: C++, per-operator headers, linked to libtorch by a relative path."""
    relative = source.relative_to(ROOT)
    # NumPy's C functions for random numbers come as a static library.
    draws = relative.stem in ("distributions", "streams")
    name = ".".join(relative.with_suffix("").parts)
    up = "/".join([".."] * (len(relative.parts) - 1))
    return Extension(
        name,
        [str(relative)],
        language="c++",
        include_dirs=["fastnp/_core", *cpp_extension.include_paths(), numpy.get_include()],
        library_dirs=[*cpp_extension.library_paths(), *(NUMPY_LIBRARIES if draws else [])],
        libraries=["c10", "torch_cpu", "torch", "torch_python", *(["npyrandom", "npymath"] if draws else [])],
        runtime_library_dirs=[f"$ORIGIN/{up}/torch/lib", *cpp_extension.library_paths()],
        define_macros=[
            ("NPY_NO_DEPRECATED_API", "NPY_2_0_API_VERSION"),
            ("FASTNP_TORCH_VERSION", f'"{torch_version}"'),
        ],
        extra_compile_args=["-std=c++20", "-O3", "-g0", "-fvisibility=hidden", "-fno-math-errno",
                            "-Wno-unused-function", "-Wno-sign-compare", "-Wno-attributes", "-Wno-cpp", *OPENMP],
    )


def with_headers(modules: list[Extension]) -> list[Extension]:
    """Return the modules as depending on the headers: said to Cython, the names would be written into each C++ file.

    Cython's copies beside its output are removed: they would hide what has changed since.
    """
    for path in (ROOT / "build/cython").rglob("*.h"):
        path.unlink()
    headers = [str(path.relative_to(ROOT)) for path in sorted((ROOT / "fastnp/_core").rglob("*.h"))]
    for module in modules:
        module.depends = [*module.depends, *headers]
    return modules


class parallel_build_ext(build_ext):
    """Compile the modules side by side."""

    def initialize_options(self):
        """Use every core unless told otherwise."""
        super().initialize_options()
        self.parallel = JOBS

    def build_extension(self, ext):
        """Compile one module, and say so: the first build takes minutes."""
        start = time.perf_counter()
        super().build_extension(ext)
        if (seconds := time.perf_counter() - start) > 0.5:
            print(f"built {ext.name} in {seconds:.0f} s", flush=True)


setup(
    ext_modules=with_headers(cythonize(
        [extension(path) for path in sorted((ROOT / "fastnp/_core").rglob("*.pyx"))],
        build_dir="build/cython",
        nthreads=JOBS,
        compiler_directives={
            "language_level": 3,
            "cdivision": True,
            "binding": True,
            "embedsignature": False,
            "auto_pickle": False,
        },
    )),
    cmdclass={"build_ext": parallel_build_ext},
)
