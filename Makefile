# `make demo` sets everything up and does the main job; `make test` passes the tests; `make check` is what CI checks.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PLUGIN := $(VENV)/test-plugin
# How many processes test at once; a file's tests stay together, since they share what is slow to make. The web layer's
# long files come first as they are collected, the many short ones last, so that neither process waits for the other.
JOBS ?= 2
PYTEST := $(BIN)/python -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder
PIP := $(BIN)/python -m pip --disable-pip-version-check
# Each process that a test starts, and each run of tests after the first, would compile all modules anew.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: assets check-assets .check-assets demo test test-postgres test-all check format docs texts lock clean

demo: $(VENV)/.runtime
	$(BIN)/foveate demo --show

test: $(PLUGIN)/.installed
	$(BIN)/foveate weights pull
	$(PYTEST) -m "not slow" --cov --cov-report= -p tests.measured
	$(BIN)/python -m coverage report --include='src/foveate/core/*,src/foveate/metrics/*,src/foveate/annotation/*,src/foveate/quality/*' --show-missing --fail-under=100

# The web layer's tests once more, on a PostgreSQL that they start themselves; those of backups use both engines anyhow.
test-postgres: $(PLUGIN)/.installed
	$(BIN)/python -m tests.app.postgres $(PYTEST) -m "not slow" tests/app --ignore tests/app/browser --ignore tests/app/test_backup.py

test-all: $(PLUGIN)/.installed
	$(BIN)/foveate weights pull
	$(BIN)/python -m pytest

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell
	$(BIN)/python docs/generate.py --check
	$(MAKE) --no-print-directory check-assets

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The pages' scripts and styles, from web/; the result is committed, so that nobody needs Node to install or to run.
assets: web/node_modules/.made
	cd web && npm run --silent build

check-assets:
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory .check-assets; \
	else echo "No Node here: whether the pages' scripts are what web/ builds is not checked."; fi

.check-assets: web/node_modules/.made
	cd web && npm run --silent check && npm run --silent test && npm run --silent build -- --check

web/node_modules/.made: web/package.json web/package-lock.json
	cd web && npm ci --ignore-scripts --silent
	touch $@

docs: $(VENV)/.dev
	$(BIN)/python docs/generate.py

# The sentences of the assistant for translators (docs/assist-words.md); run after a change of one.
texts: $(VENV)/.dev
	$(BIN)/pybabel -q extract --keyword marked --keyword p_marked:1c,2 --add-location file --project Foveate --version '' \
	    --copyright-holder 'the authors of Foveate' -o src/foveate/assist/locale/foveate-assist.pot src/foveate/assist

# The pinned versions, as one machine resolved them; run after a change of pyproject.toml and commit the result.
lock:
	rm -rf $(VENV)/lock && $(PYTHON) -m venv $(VENV)/lock
	$(VENV)/lock/bin/python -m pip install -q '.[dev]'
	(echo "# Made by 'make lock': the versions that an install takes. Names without a pin here are not needed on Linux."; \
	 $(VENV)/lock/bin/python -m pip freeze --exclude foveate) > constraints.txt
	rm -rf $(VENV)/lock

clean:
	rm -rf $(VENV) web/node_modules demo-out .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Foveate needs Python 3.11 or newer, $(PYTHON) is " + sys.version.split()[0] + ". Say: make demo PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "On Debian: apt-get install python3-venv" >&2; exit 1; }

$(VENV)/.runtime: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) install -q -c constraints.txt -e '.[analysis,app]'
	touch $@

$(VENV)/.dev: $(VENV)/.runtime
	$(PIP) install -q -c constraints.txt -e '.[dev]'
	touch $@

# The tests' own plugin lies in a folder that only the tests see, so that nobody's `foveate` lists it.
$(PLUGIN)/.installed: $(VENV)/.dev $(shell find tests/plugin_package -name '*.py' -o -name '*.toml')
	rm -rf $(PLUGIN)
	$(PIP) install -q --no-deps --target $(PLUGIN) ./tests/plugin_package
	touch $@
