# entail: build, test, measure. `make` builds the program and runs its demo; `make test` runs all
# tests. Both install what is missing with apt. The target folder lies outside the checkout so that
# a fresh clone rebuilds fast; set CARGO_TARGET_DIR to choose another.

export CARGO_TARGET_DIR ?= $(HOME)/.cache/entail/target
ENTAIL := $(CARGO_TARGET_DIR)/release/entail
CARGO ?= cargo
# One profile everywhere: sv-parser takes minutes to build and is built once.
PROFILE := --release
# The pre-commit program, for the tests of its hooks, and a validator of JSON schemas.
VENV := $(CARGO_TARGET_DIR)/venv
PRE_COMMIT := $(VENV)/bin/pre-commit

.PHONY: all build demo test unit lint-code docs tools test-tools corpus bench long clean

all: build demo

build: tools
	$(CARGO) build $(PROFILE) --locked

demo: build
	$(ENTAIL) demo

# What the build needs: a linker, and what the SAT solvers are built with (C++, CMake, and libclang to read
# their headers); and what `entail explore` runs models on.
tools:
	@scripts/install.sh cc:gcc g++ cmake cargo:cargo '/usr/lib/llvm-*/lib/libclang.so:libclang-dev' \
		/usr/include/systemc.h:libsystemc-dev addr2line:binutils

# What the tests compare against.
test-tools: tools
	@scripts/install.sh iverilog verilator yosys ghdl berkeley-abc make g++ dot:graphviz sbatch:slurm-client \
		/usr/sbin/slurmctld:slurmctld /usr/sbin/slurmd:slurmd /usr/sbin/munged:munge git python3 pgrep:procps \
		chromium chromedriver:chromium-driver
	@test -x $(PRE_COMMIT) || { python3 -m venv $(VENV) && $(VENV)/bin/pip install -q pre-commit==4.7.0; }
	@$(VENV)/bin/python -c 'import jsonschema' 2>/dev/null || $(VENV)/bin/pip install -q jsonschema==4.25.1

test: test-tools lint-code unit docs

lint-code:
	$(CARGO) fmt --check
	$(CARGO) clippy $(PROFILE) --locked --all-targets -- -D warnings

# A fixed seed, so that a failure is about the change at hand; `make long` draws new ones.
unit: export ENTAIL_SEED ?= 1
unit: export ENTAIL_REQUIRE_SLURM ?= 1
unit: export ENTAIL_REQUIRE_TOOLS ?= 1
unit: export ENTAIL_PRE_COMMIT ?= $(PRE_COMMIT)
unit: export ENTAIL_PYTHON ?= $(VENV)/bin/python
unit:
	$(CARGO) test $(PROFILE) --locked

docs:
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc $(PROFILE) --locked --no-deps

# Public designs from PyPI wheels: downloaded outside the checkout, never committed.
corpus: test-tools build
	@scripts/install.sh python3 pip3:python3-pip
	ENTAIL_CORPUS=$$(scripts/corpus.sh) ENTAIL_CORPUS_TABLE=$(CARGO_TARGET_DIR)/corpus.md \
		$(CARGO) test $(PROFILE) --locked --test corpus --test corpus_vhdl -- --nocapture

bench: test-tools build
	scripts/bench.sh
	@scripts/install.sh python3
	scripts/bench_check.py $(ENTAIL)
	scripts/bench_cdc.sh $(ENTAIL)
	scripts/bench_flight.py $(ENTAIL) 30
	scripts/bench_ste.py $(ENTAIL) 30
	scripts/bench_explore.py $(ENTAIL)
	scripts/bench_flow.py $(ENTAIL)

# The long random runs, and all proofs.
long: test-tools
	ENTAIL_RANDOM_EXPRS=100000 ENTAIL_RANDOM_MODULES=3000 $(CARGO) test $(PROFILE) --locked --test random_sv -- --nocapture
	ENTAIL_RANDOM_VHDL_EXPRS=50000 ENTAIL_RANDOM_VHDL_ENTITIES=1000 \
		$(CARGO) test $(PROFILE) --locked --test random_vhdl agree -- --nocapture
	ENTAIL_MUTATIONS=10000 $(CARGO) test $(PROFILE) --locked --test mutate -- --nocapture
	ENTAIL_SYSTEMS=100000 $(CARGO) test $(PROFILE) --locked --test engines -- --nocapture
	ENTAIL_STE_TIMES=20 $(CARGO) test $(PROFILE) --locked --test ste -- --nocapture
	ENTAIL_PROOF_TIMES=20 $(CARGO) test $(PROFILE) --locked --test proof -- --nocapture
	ENTAIL_EXPLORE_PROGRAMS=1200 $(CARGO) test $(PROFILE) --locked --test explore -- --nocapture
	ENTAIL_SLOW=1 ENTAIL_TRACE_FULL=1 $(CARGO) test $(PROFILE) --locked --test check
	ENTAIL_CROSSINGS=2000 ENTAIL_TRACE_FULL=1 $(CARGO) test $(PROFILE) --locked --test flight -- --nocapture
	ENTAIL_REQUIRE_SLURM=1 ENTAIL_SLOW=1 $(CARGO) test $(PROFILE) --locked --test cluster -- --nocapture
	ENTAIL_EDITS=5000 ENTAIL_KILLS=500 $(CARGO) test $(PROFILE) --locked --test kept -- --nocapture
	ENTAIL_EQUIV_FULL=1 $(CARGO) test $(PROFILE) --locked --test equiv_vhdl -- --nocapture

clean:
	$(CARGO) clean
