# `make` alone lists the targets. After `make setup`, plain cargo commands work as well.

CARGO  ?= cargo
PYTHON ?= python3
CARGO_TARGET_DIR ?= target

# Z3 is the shared library inside the Python package z3-solver: a download instead of an
# hour of C++. Its version is written once, in .cargo/config.toml.
Z3_VERSION := $(shell sed -n 's/^Z3_SYS_Z3_VERSION = "\(.*\)"/\1/p' .cargo/config.toml)
Z3_PACKAGE := z3-solver==$(Z3_VERSION).0
Z3_DIR     := third_party/z3
Z3_STAMP   := $(Z3_DIR)/.installed-$(Z3_VERSION)

# --target touches no Python environment, so the guards for those do not apply.
# Everything else that configures pip (index, proxy, certificates) is yours and is kept.
PIP := PIP_BREAK_SYSTEM_PACKAGES=1 PIP_REQUIRE_VIRTUALENV=0 PIP_USER=0 \
       PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1 $(PYTHON) -m pip

.PHONY: help setup release run dist check-dist test check check-fmt check-clippy check-doc clean distclean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1	/p' $(MAKEFILE_LIST) | expand -t 14

setup: $(Z3_STAMP) ## install Z3 into third_party (once)

release: setup ## build the release binary
	CARGO="$(CARGO)" tools/build-release

# Exit status 1 is the verdict `unsafe`, and what is expected of the first example.
run: release ## build, then verify an example with a bug and the corrected one
	"$(CARGO_TARGET_DIR)/release/lapidary" verify examples/absolute_bug.c || [ $$? -eq 1 ]
	"$(CARGO_TARGET_DIR)/release/lapidary" verify examples/absolute.c

dist: release ## pack the binary, libz3, licenses and examples into an archive
	@mkdir -p "$(CARGO_TARGET_DIR)/dist"
	@CARGO="$(CARGO)" $(PYTHON) tools/dist "$(CARGO_TARGET_DIR)/release/lapidary" $(Z3_DIR)/z3/lib "$(CARGO_TARGET_DIR)/dist"

check-dist: dist ## check the archive
	tools/check-dist "$$(ls -t "$(CARGO_TARGET_DIR)"/dist/lapidary-*.tar.gz | head -n 1)"

test: setup ## run all tests
	$(CARGO) test --workspace

check: check-fmt check-clippy check-doc ## formatting, lints, documentation; warnings are errors

check-fmt:
	$(CARGO) fmt --all --check

check-clippy: setup
	$(CARGO) clippy --workspace --all-targets -- -D warnings

check-doc: setup
	RUSTDOCFLAGS="$$RUSTDOCFLAGS -D warnings" $(CARGO) doc --workspace --no-deps

clean: ## remove what cargo built
	$(CARGO) clean

distclean: clean ## remove Z3 as well
	rm -rf third_party

# Installed under another name, stamped, and only then renamed: an interrupted install
# leaves no stamp. Only wheels: a source package would compile Z3 here and now.
$(Z3_STAMP):
	@$(PYTHON) -m pip --version >/dev/null 2>&1 || { \
	  echo "make setup: '$(PYTHON) -m pip' does not run, and pip is what installs Z3:" \
	       "install Python 3 with pip, or name another Python with PYTHON=..." >&2; exit 1; }
	@echo "Installing $(Z3_PACKAGE) into $(Z3_DIR)"
	@rm -rf $(Z3_DIR).part && mkdir -p $(dir $(Z3_DIR))
	@$(PIP) install --quiet --no-deps --no-compile --only-binary :all: \
	    --target $(Z3_DIR).part $(Z3_PACKAGE) || { rm -rf $(Z3_DIR).part; \
	  echo "make setup: could not install $(Z3_PACKAGE), for the reason above." \
	       "'cargo build --features vendored' compiles Z3 from source instead." >&2; exit 1; }
	@touch $(Z3_DIR).part/$(notdir $(Z3_STAMP))
	@rm -rf $(Z3_DIR) && mv $(Z3_DIR).part $(Z3_DIR)
