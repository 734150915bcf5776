# make                  builds ./duiyi for this machine's processor
# make EXE=name         leaves the program as ./name
# make ARCH=x86-64-v2   builds for any processor of that level
# make install          installs the program of `make`, its manual pages, completions and documents
#                       (PREFIX=/usr/local DESTDIR=...); make uninstall removes them
# make play             builds the page play.html: the engine and all games in one file for a browser (Python 3.11 or later)
# make site             builds the folder site: the play page, the tour and the documents, for any static host
# make play-pictures    draws the pictures of the page for the documents (Debian package chromium)
# make packages         builds the program for several processors and systems, starts each build and packs it into
#                       target/packages (PACKAGES="linux-x86-64-v3 ..."; Python 3.11 or later)
# make test-panics      tests the handling of panics, in a build with the feature fault-injection
# make loom             runs the loom models: every order of the reads and writes that search threads share
# make fuzz             feeds each fuzz target with made-up inputs (FUZZ_SECONDS=60 FUZZ="fen session" ...)
# make sanitize         runs the tests of memory and threads under the address and the thread sanitizer
# make determinism      compares the bench's nodes in builds with and without optimisation, for this processor and for all
# make compare-docs     compares the methods of search on eleven positions, writes docs/compare.md and draws
#                       docs/compare.png
# make compare-plot     compares them on one position and draws a picture (PLOT=..., COMPARE="--time 8 ...")
# make tour             writes docs/tour.md and docs/tour.zh.md with the figures of this program
# make scripts          prepares what scripts/ needs: a Python environment with scripts/requirements.txt
# make test-scripts     tests scripts/
# make test-openbench   tests what OpenBench needs in a program that it builds as OpenBench does
# make test-pages       tests the pages for browsers in headless Chromium (Debian package chromium)
# make soak             plays sixteen games at once with faults and prints a table (MINUTES=10 SOAK="--journal soak.jsonl ...")
# `make site`, `make play-pictures` and the last eight need Python 3.11 or later (PYTHON=...) and, once, a network.
# The first build needs a network, for the crates.

EXE  ?= duiyi
ARCH ?= native
PYTHON ?= python3
COMPARE ?= --time 8
CARGO ?= cargo

ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif
PROGRAM := $(EXE:.exe=)$(SUFFIX)
TARGET_DIR := $(or $(CARGO_TARGET_DIR),target)
VENV := $(TARGET_DIR)/scripts-venv
PLOT ?= $(TARGET_DIR)/compare.png
export RUSTFLAGS := $(strip $(RUSTFLAGS) -C target-cpu=$(ARCH))
# Cargo schedules its own jobs: of `make -j` it would only see a job server that it may not use.
BUILD := env -u MAKEFLAGS -u MFLAGS $(CARGO) build --release --locked --bin duiyi --target-dir '$(TARGET_DIR)'

# The fastest program. `cargo build --release` takes less time: see Cargo.toml.
.PHONY: all
all: export CARGO_PROFILE_RELEASE_LTO ?= fat
all: export CARGO_PROFILE_RELEASE_CODEGEN_UNITS ?= 1
# The program names its crates in messages of panics; without this, by their paths on this machine. Flags cannot have blanks.
CRATES := $(or $(CARGO_HOME),$(HOME)/.cargo)/registry/src
all: RUSTFLAGS += $(if $(word 2,$(CRATES)),,--remap-path-prefix=$(CRATES)=crates)
all:
	$(BUILD)
	cp -f '$(TARGET_DIR)/release/duiyi$(SUFFIX)' '$(PROGRAM)'

# What `make install` makes in PREFIX, after DESTDIR: the program, names of it that choose a protocol, a page for man(1) for the
# program and each tool, completions, an entry for menus, the file by which XBoard finds engines, documents and licences.
PREFIX ?= /usr/local
INSTALL_DATA := install -m 644
TO := $(DESTDIR)$(PREFIX)
NAMES := pbrain-duiyi$(SUFFIX) duiyi-cyclone$(SUFFIX) gtp-duiyi$(SUFFIX)
TOOLS = $$('./$(PROGRAM)' man | sed -n 's/^duiyi\\-\([a-z]*\)(1)$$/\1/p')
.PHONY: install
install:
	@test -x './$(PROGRAM)' || { echo 'expected the program ./$(PROGRAM), found none: run make first; nothing is installed' >&2; exit 1; }
	install -d '$(TO)/bin' '$(TO)/share/man/man1' '$(TO)/share/bash-completion/completions' '$(TO)/share/zsh/site-functions' \
		'$(TO)/share/fish/vendor_completions.d' '$(TO)/share/applications' '$(TO)/share/games/plugins/uci' '$(TO)/share/doc/duiyi/docs'
	install -m 755 './$(PROGRAM)' '$(TO)/bin/duiyi$(SUFFIX)'
	for name in $(NAMES); do ln -sf duiyi$(SUFFIX) '$(TO)/bin/'$$name || exit 1; done
	'./$(PROGRAM)' man > '$(TO)/share/man/man1/duiyi.1'
	for tool in $(TOOLS); do './$(PROGRAM)' man $$tool > '$(TO)/share/man/man1/duiyi-'$$tool.1 || exit 1; done
	'./$(PROGRAM)' completions bash > '$(TO)/share/bash-completion/completions/duiyi'
	'./$(PROGRAM)' completions zsh > '$(TO)/share/zsh/site-functions/_duiyi'
	'./$(PROGRAM)' completions fish > '$(TO)/share/fish/vendor_completions.d/duiyi.fish'
	$(INSTALL_DATA) packaging/duiyi.desktop '$(TO)/share/applications'
	$(INSTALL_DATA) packaging/duiyi.eng '$(TO)/share/games/plugins/uci'
	$(INSTALL_DATA) *.md LICENSE-* '$(TO)/share/doc/duiyi'
	$(INSTALL_DATA) docs/* '$(TO)/share/doc/duiyi/docs'

.PHONY: uninstall
uninstall:
	rm -f '$(TO)/bin/duiyi$(SUFFIX)' $(NAMES:%='$(TO)/bin/%') '$(TO)/share/man/man1/duiyi.1' '$(TO)/share/man/man1/duiyi-'*.1 \
		'$(TO)/share/bash-completion/completions/duiyi' '$(TO)/share/zsh/site-functions/_duiyi' \
		'$(TO)/share/fish/vendor_completions.d/duiyi.fish' '$(TO)/share/applications/duiyi.desktop' \
		'$(TO)/share/games/plugins/uci/duiyi.eng'
	rm -rf '$(TO)/share/doc/duiyi'

# The flags of the processor above are not for WebAssembly, whose own are in .cargo/config.toml.
WASM := wasm32-unknown-unknown
WASM_PROFILE ?= web
PAGE ?= play.html
BUILD_WASM := env -u RUSTFLAGS -u MAKEFLAGS -u MFLAGS $(CARGO) rustc --lib --crate-type cdylib --target $(WASM) \
	--profile '$(WASM_PROFILE)' --locked --target-dir '$(TARGET_DIR)'
.PHONY: play
play:
	@rustup target list --installed | grep -qx $(WASM) || rustup target add $(WASM)
	$(BUILD_WASM)
	$(PYTHON) scripts/play_page.py '$(TARGET_DIR)/$(WASM)/$(WASM_PROFILE)/duiyi.wasm' --out '$(PAGE)'

.PHONY: packages
packages:
	env -u RUSTFLAGS -u MAKEFLAGS -u MFLAGS $(PYTHON) scripts/packages.py --target-dir '$(TARGET_DIR)' $(PACKAGES)

$(VENV)/ready: scripts/requirements.txt
	@$(PYTHON) -c 'import sys; v = sys.version.split()[0]; sys.exit(sys.version_info < (3, 11) and "expected Python 3.11 or later, got " + v)'
	$(PYTHON) -m venv '$(VENV)'
	'$(VENV)/bin/python' -m pip install --quiet --requirement scripts/requirements.txt
	touch '$@'

.PHONY: scripts
scripts: $(VENV)/ready

# Four processes also on two cores: many tests wait for a process or a clock. An idle process takes tests of a busy one
# (worksteal), because the tests of a cluster take as long as all others.
.PHONY: test-scripts
test-scripts: scripts
	'$(VENV)/bin/ruff' check --quiet --no-cache scripts
	'$(VENV)/bin/ruff' format --check --quiet --no-cache scripts
	'$(VENV)/bin/python' -m pytest --quiet -rs --durations 20 -p no:cacheprovider --numprocesses 4 --dist worksteal scripts/tests

.PHONY: tour
tour: all scripts
	'$(VENV)/bin/python' scripts/tour.py --program './$(PROGRAM)'

.PHONY: site
site: all play scripts
	'$(VENV)/bin/python' scripts/website.py --program './$(PROGRAM)' --play play.html --out site

.PHONY: play-pictures
play-pictures: play scripts
	'$(VENV)/bin/python' scripts/play_pictures.py --play play.html

.PHONY: test-openbench
test-openbench: scripts
	DUIYI_BUILD=1 '$(VENV)/bin/python' -m pytest --quiet -p no:cacheprovider scripts/tests/test_openbench.py

.PHONY: test-pages
test-pages: scripts
	'$(VENV)/bin/python' -m pytest --quiet -rs -p no:cacheprovider scripts/tests/test_pages.py scripts/tests/test_play.py

MINUTES ?= 10
.PHONY: soak
soak: all scripts
	'$(VENV)/bin/python' scripts/soak.py --program './$(PROGRAM)' --minutes $(MINUTES) $(SOAK)

.PHONY: compare-docs
compare-docs: all scripts
	'$(VENV)/bin/python' scripts/compare_docs.py --program './$(PROGRAM)'

.PHONY: compare-plot
compare-plot: all scripts
	'./$(PROGRAM)' compare $(COMPARE) --json > '$(TARGET_DIR)/compare.json'
	'$(VENV)/bin/python' scripts/compare_plot.py '$(TARGET_DIR)/compare.json' -o '$(PLOT)'

.PHONY: test-panics
test-panics:
	$(CARGO) test --features fault-injection --target-dir '$(TARGET_DIR)/test-panics' --test suite panics::

.PHONY: loom
loom:
	RUSTFLAGS='--cfg loom' CARGO_PROFILE_RELEASE_LTO=off $(CARGO) test --release --lib --target-dir '$(TARGET_DIR)/loom' models

HOST := $(shell rustc -vV | sed -n 's/^host: //p')
SANITIZED := $(addsuffix ::,search threads transcripts datagen data fuzz)
SANITIZE_ADDRESS := ASAN_OPTIONS=allocator_may_return_null=1 RUSTFLAGS='-Zsanitizer=address' \
	$(CARGO) test --target $(HOST) --target-dir '$(TARGET_DIR)/address'
SANITIZE_THREADS := TSAN_OPTIONS='allocator_may_return_null=1 suppressions=$(CURDIR)/tests/data/thread_sanitizer.supp' \
	RUSTFLAGS='-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer' \
	$(CARGO) test --target $(HOST) --target-dir '$(TARGET_DIR)/thread'
.PHONY: sanitize
sanitize: export RUSTC_BOOTSTRAP = 1
sanitize:
	$(SANITIZE_ADDRESS) --lib
	$(SANITIZE_ADDRESS) --test suite -- $(SANITIZED)
	$(SANITIZE_THREADS) --lib
	$(SANITIZE_THREADS) --test suite -- $(SANITIZED)

# LibFuzzer on the stable toolchain: its counters are put in by a pass of LLVM. What is found lands in
# $(TARGET_DIR)/fuzz/artifacts, and inputs that reach new code in $(TARGET_DIR)/fuzz/corpus.
FUZZ ?= protocol fen game session data judge epd pgn sgf network
FUZZ_SECONDS ?= 60
COVERAGE := -Cpasses=sancov-module $(addprefix -Cllvm-args=-sanitizer-coverage-,\
	level=4 inline-8bit-counters pc-table trace-compares) -Ccodegen-units=16 --cfg fuzzing
.PHONY: fuzz
fuzz:
	RUSTFLAGS='$(COVERAGE)' $(CARGO) build --release --locked --target $(HOST) \
	--manifest-path fuzz/Cargo.toml --target-dir '$(TARGET_DIR)/fuzz' $(addprefix --bin ,$(FUZZ))
	@for target in $(FUZZ); do \
	mkdir -p '$(TARGET_DIR)/fuzz/corpus/'$$target '$(TARGET_DIR)/fuzz/artifacts/'$$target && \
	'$(TARGET_DIR)/fuzz/$(HOST)/release/'$$target -max_total_time=$(FUZZ_SECONDS) -timeout=20 -max_len=2048 \
	-dict=fuzz/words.dict -artifact_prefix='$(TARGET_DIR)/fuzz/artifacts/'$$target/ \
	-print_final_stats=1 '$(TARGET_DIR)/fuzz/corpus/'$$target fuzz/corpus/$$target || exit 1; done

.PHONY: determinism
determinism: NODES = bench | sed -nE 's/^(evaluation classical: )?([0-9]+) nodes .*/\2/p'
determinism:
	$(CARGO) build --locked --bin duiyi --target-dir '$(TARGET_DIR)'
	$(BUILD)
	RUSTFLAGS='-C target-cpu=generic' $(BUILD:'$(TARGET_DIR)'='$(TARGET_DIR)/portable')
	@debug=$$('$(TARGET_DIR)/debug/duiyi' $(NODES)) && native=$$('$(TARGET_DIR)/release/duiyi' $(NODES)) && \
	portable=$$('$(TARGET_DIR)/portable/release/duiyi' $(NODES)) && \
	echo "nodes of the bench: debug $$debug, release $$native, for any processor $$portable" && \
	test -n "$$debug" && test "$$debug" = "$$native" && test "$$debug" = "$$portable"
