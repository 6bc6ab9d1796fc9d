"""Build the compiled core against the torch that is installed."""

import os
import shutil
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.modified import newer_group
from torch import __version__ as torch_version
from torch.utils import cpp_extension

ROOT = Path(__file__).parent
CORE = ROOT / "fastnp/_core"
JOBS = os.cpu_count() or 1
NUMPY_LIBRARIES = [str(Path(numpy.__path__[0]) / folder) for folder in ("random/lib", "_core/lib")]

# ATen's own parallel_for, compiled in. The runtime is the one that libtorch_cpu brings: it is not linked again.
OPENMP = ["-fopenmp"] if sys.platform == "linux" else []
# Whether the linker can put `importing.cpp` in the place of a function of Python's, for our modules alone.
WRAPS = sys.platform == "linux"

if shutil.which("ccache"):
    os.environ.setdefault("CC", "ccache gcc")
    os.environ.setdefault("CXX", "ccache g++")


class Library(Extension):
    """The compiled modules in one shared object: to load it takes a quarter of what one for each of them takes.

    Parameters
    ----------
    name : str
        Name of the shared object, dotted.
    modules : list of Extension
        What it is made of; each has sources and settings of its own.
    sources : list of str
        Sources that are no modules.
    """

    def __init__(self, name: str, modules: list[Extension], sources: list[str], **settings) -> None:
        super().__init__(name, sources, language="c++", **settings)
        self.modules = modules
        self.depends = [path for module in modules for path in (*module.sources, *module.depends)]


def extension(source: Path, **settings) -> Extension:
    """Return the extension module of one `.pyx`: C++, with per-operator headers of ATen."""
    relative = source.relative_to(ROOT)
    return Extension(
        ".".join(relative.with_suffix("").parts),
        [str(relative)],
        language="c++",
        include_dirs=["fastnp/_core", *cpp_extension.include_paths(), numpy.get_include()],
        extra_compile_args=["-std=c++20", "-O3", "-g0", "-fvisibility=hidden", "-fno-math-errno",
                            "-Wno-unused-function", "-Wno-sign-compare", "-Wno-attributes", "-Wno-cpp",
                            # GCC's own headers of vectors make it warn of these, a few hundred times.
                            "-Wno-ignored-attributes", "-Wno-maybe-uninitialized", "-Wno-uninitialized", *OPENMP],
        **settings,
    )


def compiled_core() -> list[Extension]:
    """Return the library of the core, linked to libtorch by a relative path, and the module that is asked before it."""
    first = CORE / "built_for.pyx"
    api = ("NPY_NO_DEPRECATED_API", "NPY_2_0_API_VERSION")
    modules = with_headers(translated(
        [extension(path, define_macros=[api]) for path in sorted(CORE.rglob("*.pyx")) if path != first]
    ))
    names = ",".join(module.name for module in modules)
    library = Library(
        "fastnp._core.compiled",
        modules,
        ["fastnp/_core/importing.cpp"] if WRAPS else [],
        library_dirs=[*cpp_extension.library_paths(), *NUMPY_LIBRARIES],
        # NumPy's C functions for random numbers come as static libraries.
        libraries=["c10", "torch_cpu", "torch", "torch_python", "npyrandom", "npymath"],
        runtime_library_dirs=["$ORIGIN/../../torch/lib", *cpp_extension.library_paths()],
        extra_link_args=["-Wl,--wrap=PyImport_ImportModule"] if WRAPS else [],
    )
    described = extension(first, define_macros=[api], depends=[written_header(names)])
    described.include_dirs.append("build")
    return [*translated([described]), library]


def written_header(names: str) -> str:
    """Return the path of a header that says what the core is built of, written anew where that has changed."""
    header = ROOT / "build/built_of.h"
    content = f'#define FASTNP_TORCH_VERSION "{torch_version}"\n#define FASTNP_MODULES "{names}"\n'
    if not header.exists() or header.read_text() != content:
        header.parent.mkdir(exist_ok=True)
        header.write_text(content)
    return str(header.relative_to(ROOT))


def translated(modules: list[Extension]) -> list[Extension]:
    """Return the modules with the C++ that Cython makes of them as sources."""
    return cythonize(
        modules,
        build_dir="build/cython",
        nthreads=JOBS,
        compiler_directives={
            "language_level": 3,
            "cdivision": True,
            "binding": True,
            "embedsignature": False,
            "auto_pickle": False,
        },
    )


def with_headers(modules: list[Extension]) -> list[Extension]:
    """Return the modules as depending on the headers: said to Cython, the names would be written into each C++ file.

    Cython's copies beside its output are removed: they would hide what has changed since.
    """
    for path in (ROOT / "build/cython").rglob("*.h"):
        path.unlink()
    headers = [str(path.relative_to(ROOT)) for path in sorted(CORE.rglob("*.h"))]
    for module in modules:
        module.depends = [*module.depends, *headers]
    return modules


class build_core(build_ext):
    """Compile the modules of the library side by side, and link them."""

    def build_extension(self, ext):
        """Compile what is older than its sources, and say so: the first build takes minutes."""
        if isinstance(ext, Library):
            with ThreadPoolExecutor(JOBS) as pool:
                ext.extra_objects = list(pool.map(self.compile_module, ext.modules))
            ext.depends = ext.extra_objects
        super().build_extension(ext)

    def compile_module(self, module: Extension) -> str:
        """Return the path of a module's object file, made again where a source or a header is newer."""
        (made,) = self.compiler.object_filenames(module.sources, output_dir=self.build_temp)
        if self.force or newer_group([*module.sources, *module.depends], made):
            start = time.perf_counter()
            self.compiler.compile(
                module.sources,
                output_dir=self.build_temp,
                macros=module.define_macros,
                include_dirs=module.include_dirs,
                extra_postargs=module.extra_compile_args,
            )
            if (seconds := time.perf_counter() - start) > 0.5:
                print(f"built {module.name} in {seconds:.0f} s", flush=True)
        return made


setup(ext_modules=compiled_core(), cmdclass={"build_ext": build_core})
