# Every target starts from a fresh clone: it creates .venv, installs the pinned dependencies and builds what it needs.
# Stamps inside .venv remember what is done, so a second run goes straight to its own work.

PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
BUILT := $(VENV)/.built
CORE := $(shell find fastnp/_core -name '*.pyx' -o -name '*.pxd' -o -name '*.h' -o -name '*.cpp')

BASE ?= main
HEAD ?= HEAD
BENCH ?= .

.DEFAULT_GOAL := help
.PHONY: help demo test lint build clean bench bench-compare bench-peers bench-limits bench-dtypes bench-instructions bench-drawn bench-drawn-functions bench-overrides bench-general bench-bodies bench-cuda docs fuzz numpy-suite array-api packages

help:  ## show the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | column -t -s '|'

demo: $(BUILT)  ## run the examples under NumPy and under fastnp, compare, and draw the picture
	$(BIN)/python examples/demo.py $(ARGS)

test: lint $(BUILT)  ## lint, then run the whole suite (ARGS="-k name" to select)
	$(BIN)/python -m pytest $(ARGS)

lint: $(INSTALLED)  ## ruff, cython-lint and mypy
	$(BIN)/ruff check .
	PATH="$(CURDIR)/$(BIN):$$PATH" cython-lint fastnp  # it calls pycodestyle by name
	$(BIN)/mypy

bench: $(BUILT)  ## quick pass over the benchmarks (BENCH=regex to select; ARGS for asv)
	cd asv_bench && ../$(BIN)/asv machine --yes >/dev/null && FASTNP_BENCH_SIZES=3,10000 ../$(BIN)/asv run --python=same --quick --launch-method forkserver --bench "$(BENCH)" $(ARGS)

bench-compare: $(BUILT)  ## what got slower between two commits (BASE=main HEAD=HEAD BENCH=regex)
	cd asv_bench && ../$(BIN)/asv machine --yes >/dev/null && FASTNP_SITE_PACKAGES=$$(../$(BIN)/python -c "import sysconfig; print(sysconfig.get_path('purelib'))") \
		FASTNP_BENCH_LIBRARIES=fastnp ../$(BIN)/asv continuous --launch-method forkserver --factor 1.1 --bench "$(BENCH)" $(ARGS) $(BASE) $(HEAD)

bench-peers: $(BUILT)  ## time fastnp beside its peers; without a selection, write docs/performance.md (ARGS="--sizes 3 --groups view --lib torch")
	OPENBLAS_NUM_THREADS=1 $(BIN)/python asv_bench/peers.py --docs $(ARGS)  # the clock counts every thread of the process

bench-limits: $(BUILT)  ## hold fastnp against every limit: NumPy, torch, programs, import, general path (ARGS="--parts 3,programs --docs")
	$(BIN)/python asv_bench/limits.py $(ARGS)

bench-dtypes: $(BUILT)  ## the calls of the table over eleven dtypes, beside NumPy and torch (ARGS="--sizes 1e6 --dtypes int8 --docs")
	OPENBLAS_NUM_THREADS=1 $(BIN)/python asv_bench/by_dtype.py $(ARGS)

bench-instructions: $(BUILT)  ## count instructions of the hottest calls and compare with the committed table
	$(BIN)/python asv_bench/instructions.py $(ARGS)

bench-drawn: $(BUILT)  ## time calls drawn at random beside NumPy's, and print what is slower (ARGS="--elements million --seconds 300")
	OPENBLAS_NUM_THREADS=1 $(BIN)/python asv_bench/drawn_calls.py $(ARGS)

bench-drawn-functions: $(BUILT)  ## time every public function with what the tests draw for it (ARGS="--examples 100 concatenate")
	OPENBLAS_NUM_THREADS=1 PYTHONPATH=. $(BIN)/python asv_bench/drawn_functions.py $(ARGS)

docs: $(BUILT) $(VENV)/.docs  ## build the pages into docs/_build/html; asv's own below benchmarks/ if there are results
	$(BIN)/python -m sphinx -q -W --keep-going -b html docs docs/_build/html $(ARGS)
	@if ls asv_bench/results/*/*-*.json >/dev/null 2>&1; then cd asv_bench && ../$(BIN)/asv publish --html-dir ../docs/_build/html/benchmarks; fi
	@echo "docs/_build/html/index.html"

$(VENV)/.docs: $(INSTALLED) requirements-docs.txt
	$(BIN)/pip install --disable-pip-version-check -r requirements-docs.txt
	@touch $@

fuzz: $(BUILT)  ## every public function and every parser against NumPy, 1,000 drawn examples each (ARGS="-k name")
	HYPOTHESIS_PROFILE=fuzz $(BIN)/python -m pytest --numprocesses auto --maxprocesses 8 --dist worksteal tests/conformance $(ARGS)

bench-overrides: $(BUILT)  ## what the check for overrides, hooks and subclasses cost, beside NumPy's and torch's
	$(BIN)/python asv_bench/override_costs.py

bench-general: $(BUILT)  ## what gradients, modes, subclasses, distributed tensors cost over torch (ARGS=--instructions)
	$(BIN)/python asv_bench/general_path.py $(ARGS)

bench-bodies: $(BUILT)  ## what functions with a Python body cost over their torch calls, derived from the registry
	$(BIN)/python asv_bench/body_costs.py

bench-cuda: $(BUILT)  ## time fastnp on CUDA beside torch, CuPy and JAX where they are installed (ARGS="--sizes 3,1e6")
	$(BIN)/python asv_bench/accelerator.py $(ARGS)

numpy-suite: $(BUILT)  ## run the installed NumPy's own tests on fastnp, pass rate by file (ARGS="-v fft/tests/test_helper.py")
	$(BIN)/python -m tests.numpy_suite $(ARGS)

array-api: $(BUILT)  ## run the array API's conformance suite (SUITE=checkout of data-apis/array-api-tests, with its submodule)
	@test -n "$(SUITE)" || { echo "make: name a checkout: make array-api SUITE=../array-api-tests"; exit 1; }
	$(BIN)/pip install --disable-pip-version-check --quiet -r $(SUITE)/requirements.txt
	$(BIN)/python -m tests.array_api $(SUITE) $(ARGS)

packages: $(BUILT)  ## run the suites of packages written for NumPy on fastnp (ARGS="transforms3d")
	$(BIN)/python -m tests.packages $(ARGS)

build: $(BUILT)  ## compile the core in place

clean:  ## remove what was built, the virtual environment included
	rm -rf $(VENV) build .mypy_cache .pytest_cache .ruff_cache examples/output
	find fastnp -name '*.so' -delete

# torch first and exactly: left to itself, pip would choose a newer torch of several GB.
$(INSTALLED): requirements-dev.txt
	@command -v $(PYTHON) >/dev/null || { echo "make: no $(PYTHON) here; name an interpreter of 3.11 or later: make PYTHON=python3.12 ..."; exit 1; }
	@echo "== environment in $(VENV)"
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "== dependencies"
	$(BIN)/pip install --disable-pip-version-check "$$(grep '^torch==' requirements-dev.txt)"
	$(BIN)/pip install --disable-pip-version-check -r requirements-dev.txt
	@touch $@

$(BUILT): $(INSTALLED) setup.py $(CORE)
	@echo "== build (one line for each module; some minutes the first time)"
	$(BIN)/python setup.py --quiet build_ext --inplace
	@touch $@
