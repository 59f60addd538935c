# Everything sets itself up: a virtual environment in .venv and pinned packages from constraints.txt.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
export PIP_CONSTRAINT := $(CURDIR)/constraints.txt

.PHONY: run test lint types contracts doctests tests nightly other-processor docs gallery bench clean
.DEFAULT_GOAL := run

run: .venv/.run ## analyse the bundled example and write its report
	@$(BIN)/roclab report example --label outcome --positive deteriorated \
	    --score procalcitonin --score lactate --score concern --seed 1 -o report.html
	@echo "open $(CURDIR)/report.html in a browser"

test: lint types contracts doctests tests ## all checks, cheapest first

lint: .venv/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/.dev
	$(BIN)/mypy

contracts: .venv/.dev
	$(BIN)/lint-imports

doctests: .venv/.dev
	$(BIN)/python -m pytest --doctest-modules src

tests: .venv/.dev
	$(BIN)/python -m pytest -n 2 --dist worksteal

nightly: .venv/.dev ## property tests with many other examples than 'make test' tries; takes about an hour
	HYPOTHESIS_PROFILE=nightly $(BIN)/python -m pytest -n 2 --dist worksteal -m hypothesis

other-processor: .venv/.dev ## the tests with the arithmetic of a processor of 2008: no result may depend on the last bit
	OPENBLAS_CORETYPE=NEHALEM NPY_DISABLE_CPU_FEATURES="X86_V3 X86_V4 AVX512_ICL AVX512_SPR" \
	GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F $(BIN)/python -m pytest -n 2 --dist worksteal

bench: .venv/.dev ## side by side with scikit-learn and pROC
	$(BIN)/python benchmarks/run.py

docs: .venv/.docs ## the documentation as static HTML in docs/_build/html
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html
	$(BIN)/python docs/check_links.py docs/_build/html

gallery: .venv/.dev ## draw the figures of the documentation anew
	$(BIN)/python docs/gallery/make_gallery.py

clean:
	rm -rf docs/_build docs/generated report.html report.json .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/.run: .venv/bin/python pyproject.toml constraints.txt
	$(PIP) install -e .
	@touch $@

.venv/.dev: .venv/bin/python pyproject.toml constraints.txt
	$(PIP) install -e ".[dev]"
	@touch $@ .venv/.run

.venv/.docs: .venv/bin/python pyproject.toml constraints.txt
	$(PIP) install -e ".[docs]"
	@touch $@
