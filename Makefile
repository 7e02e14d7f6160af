# `make demo` and `make test` work on a fresh machine with Debian's python3, python3-venv and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
JOBS ?= 2

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-long lint format docs bench bench-watch peers build wheel oldest pythons clean

help: ## list these commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## */\1\t/' | awk -F '\t' '{printf "  make %-11s %s\n", $$1, $$2}'

# Each stamp records that its packages are installed; a changed pyproject.toml installs them again.
$(BIN)/python:
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

$(VENV)/demo.stamp: pyproject.toml | $(BIN)/python
	$(PIP) --editable '.[cli,plots]'
	@touch $@

# Groups of dependencies need pip 25.1.
GROUPED := --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
$(VENV)/dev.stamp: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install $(GROUPED)
	$(PIP) --editable '.[cli,plots,sklearn,mlflow,polars,spark,dask,daft]' --group dev
	@touch $(VENV)/demo.stamp $@

setup: $(VENV)/dev.stamp ## create .venv with everything a developer needs

demo: $(VENV)/demo.stamp ## decide between three credit models, draw why, and write the report (into out/)
	$(BIN)/isocost demo out

# Whole files go to a process, so that clusters and browsers are started once. Python is started
# often, so it may keep what it compiles.
test: $(VENV)/dev.stamp ## run every test, docstring and documented example but the long ones
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder

# The site, and whole matrices of which `make test` takes a part.
test-long: $(VENV)/dev.stamp ## run the tests that are marked `long`
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -m long -n $(JOBS) --dist loadgroup --no-loadscope-reorder tests

# The page's code is checked by programs that npm fetches; no lock file, so that any registry will do.
NPM := npm --no-package-lock --no-audit --no-fund
node_modules/.stamp: package.json
	@command -v npm >/dev/null || { echo 'npm is missing: the code of the page is linted with it (Debian: apt install npm)'; exit 1; }
	$(NPM) install --silent
	@touch $@

lint: $(VENV)/dev.stamp node_modules/.stamp ## ruff, mypy, the import contract, spelling, the limits of size, and npm's linters for page and workflows
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell
	$(BIN)/python scripts/check_size.py
	npm run --silent lint

format: $(VENV)/dev.stamp node_modules/.stamp ## let ruff, eslint and prettier fix what they can
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	npm run --silent format

docs: $(VENV)/dev.stamp ## build the documentation into docs/_build/html
	$(BIN)/python -m sphinx --fail-on-warning --keep-going -b html docs docs/_build/html

# The programs compared with want other versions than the tests do, so they live apart.
# PEERS=bench-torch adds torchmetrics, with several GB of torch.
PEERS ?= bench
$(VENV)-bench/$(PEERS).stamp: pyproject.toml
	$(PYTHON) -m venv $(VENV)-bench
	$(VENV)-bench/bin/python -m pip install $(GROUPED)
	$(VENV)-bench/bin/python -m pip install --quiet --disable-pip-version-check --editable . --group $(PEERS)
	@touch $@

bench: $(VENV)/dev.stamp $(VENV)-bench/$(PEERS).stamp ## run every benchmark; each prints its ratios and fails at a missed bar
	@missed=0; for script in benchmarks/*.py; do echo "== $$script"; \
		case $$script in */watch.py) continue;; */speed.py|*/parity.py) python=$(VENV)-bench/bin/python;; *) python=$(BIN)/python;; esac; \
		$$python $$script || { missed=1; echo "missed: $$script"; }; done; exit $$missed

# Packages of R and the two codes of VOROS are compared with where they are found: see the script.
peers: $(VENV)-bench/$(PEERS).stamp ## run every claim of the documentation about other packages
	$(VENV)-bench/bin/python scripts/check_peers.py
	@if $(MAKE) --quiet $(VENV)-watch/stamp; then $(VENV)-watch/bin/python scripts/check_peers.py --packages quapy nannyml; \
		else echo '== QuaPy and NannyML cannot be installed here and are left out'; fi

# QuaPy and NannyML want versions of their own, and a Python below 3.13.
$(VENV)-watch/stamp: pyproject.toml
	$(PYTHON) -m venv $(VENV)-watch
	$(VENV)-watch/bin/python -m pip install $(GROUPED)
	$(VENV)-watch/bin/python -m pip install --quiet --disable-pip-version-check --editable . --group bench-watch
	@touch $@

bench-watch: $(VENV)-watch/stamp ## estimates of the prevalence and alarms beside QuaPy and NannyML (an hour)
	$(VENV)-watch/bin/python benchmarks/watch.py

build: $(VENV)/dev.stamp ## build wheel and sdist into dist/
	$(BIN)/python -m build

wheel: $(VENV)/dev.stamp ## install the wheel alone in a new environment and run the core tests there
	$(BIN)/python scripts/check_release.py --jobs $(JOBS)

oldest: $(VENV)/dev.stamp ## the same with the oldest versions that pyproject.toml allows, and the extras with theirs
	$(BIN)/python scripts/check_release.py --jobs $(JOBS) --minimum --extras

pythons: $(VENV)/dev.stamp ## the same with every other Python from 3.11 on that is on the path
	@set -e; for version in 3.11 3.12 3.13 3.14; do if command -v python$$version >/dev/null; then \
		$(BIN)/python scripts/check_release.py --jobs $(JOBS) --python python$$version; fi; done

clean: ## remove everything made by these commands
	rm -rf $(VENV) $(VENV)-bench $(VENV)-watch node_modules build dist out docs/_build docs/*/_generated
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests benchmarks scripts docs -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
