# Everything sets itself up: a virtual environment in .venv and pinned packages from constraints.txt. 'make help' lists
# what there is.
PYTHON ?= python3
BIN := .venv/bin
SCRIPTS := $(wildcard src/roclab/report/static/*.js src/roclab/app/static/*.js src/roclab/app/static/views/*.js \
    src/roclab/app/static/charts/*.js src/roclab/app/static/views/tools/*.js \
    tests/report/javascript/*.js tests/app/javascript/*.js)
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
export PIP_CONSTRAINT := $(CURDIR)/constraints.txt

.PHONY: help run app test lint types contracts doctests tests coverage nightly other-processor test-oldest test-newest lint-js eslint docs \
        gallery screenshots bench bench-peers package clean
.DEFAULT_GOAL := run

help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/\1\t\2/p' Makefile | expand -t 18

run: .venv/.run ## analyse the bundled example and write its report
	@$(BIN)/roclab report example --label outcome --positive deteriorated \
	    --score procalcitonin --score lactate --score concern --seed 1 -o report.html
	@echo "open $(CURDIR)/report.html in a browser"

app: .venv/.run ## the workbench on the bundled example, in the browser
	@$(BIN)/python -m pip --disable-pip-version-check --quiet install -e ".[app]"
	@$(BIN)/roclab app example

test: lint lint-js types contracts doctests tests ## all checks, cheapest first

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

coverage: .venv/.dev ## which lines the tests run: the share of each room, and a page in htmlcov
	$(BIN)/python -m pytest -n 2 --dist worksteal --cov --cov-report=term:skip-covered --cov-report=html

nightly: .venv/.dev ## long simulations, and property tests with many other examples than 'make test' tries; half an hour
	HYPOTHESIS_PROFILE=nightly $(BIN)/python -m pytest -n 2 --dist worksteal -m "hypothesis or nightly"

other-processor: .venv/.dev ## the tests with the arithmetic of a processor of 2008: no result may depend on the last bit
	OPENBLAS_CORETYPE=NEHALEM NPY_DISABLE_CPU_FEATURES="X86_V3 X86_V4 AVX512_ICL AVX512_SPR" \
	GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F $(BIN)/python -m pytest -n 2 --dist worksteal

test-oldest: .venv-oldest/.made ## the tests with the oldest dependencies that pyproject.toml allows, on Python 3.11
	.venv-oldest/bin/python -m pytest --doctest-modules src
	.venv-oldest/bin/python -m pytest -n 2 --dist worksteal

test-newest: ## the tests with the newest dependencies there are today
	$(PYTHON) -m venv --clear .venv-newest
	PIP_CONSTRAINT= .venv-newest/bin/python -m pip --disable-pip-version-check --quiet install -e ".[test]"
	.venv-newest/bin/python -m pytest --doctest-modules src
	.venv-newest/bin/python -m pytest -n 2 --dist worksteal

lint-js: ## style of the scripts of report and workbench; said and passed over where there is no Node
	@if command -v npm >/dev/null && $(MAKE) --no-print-directory .ci/javascript/node_modules; \
	then $(MAKE) --no-print-directory eslint; \
	else echo "lint-js: no Node with eslint on this machine, the scripts were not linted"; fi

eslint: .ci/javascript/node_modules
	@for file in $(SCRIPTS); do node --input-type=module --check < $$file || exit 1; done
	@.ci/javascript/node_modules/.bin/eslint --config .ci/javascript/eslint.config.mjs $(SCRIPTS)

package: .venv/.dev ## wheel and source distribution in dist/, both tried as a user gets them
	.ci/package

bench: .venv/.dev ## side by side with scikit-learn and pROC
	$(BIN)/python benchmarks/run.py

bench-peers: ## side by side with fast peers from PyPI, in an environment of their own
	$(PYTHON) benchmarks/bench_peers.py

docs: .venv/.docs ## the documentation as static HTML in docs/_build/html
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html
	$(BIN)/python docs/check_links.py docs/_build/html

screenshots: .venv/.dev ## photograph every view of the workbench for the documentation; needs Chromium
	$(BIN)/python docs/pictures/make_workbench.py

gallery: .venv/.dev ## draw the figures of the documentation anew
	$(BIN)/python docs/gallery/make_gallery.py

clean:
	rm -rf docs/_build docs/generated report.html report.json dist .venv .venv-oldest .venv-newest .venv-peers \
	    .ci/javascript/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/.run: .venv/bin/python pyproject.toml constraints.txt
	$(PIP) install -e ".[all]"
	@touch $@

.venv/.dev: .venv/bin/python pyproject.toml constraints.txt
	$(PIP) install -e ".[dev]"
	@touch $@ .venv/.run

.venv-oldest/.made: pyproject.toml constraints-oldest.txt
	$(PYTHON) -m venv --clear .venv-oldest
	PIP_CONSTRAINT=$(CURDIR)/constraints-oldest.txt \
	    .venv-oldest/bin/python -m pip --disable-pip-version-check --quiet install -e ".[test]"
	@touch $@

.ci/javascript/node_modules: .ci/javascript/package.json
	npm install --prefix .ci/javascript --no-package-lock --no-audit --no-fund --silent
	@touch $@

.venv/.docs: .venv/bin/python pyproject.toml constraints.txt
	$(PIP) install -e ".[docs]"
	@touch $@
