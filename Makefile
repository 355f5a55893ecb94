# A thin front to the CMake presets (CMakePresets.json) and the scripts in scripts/. `make help` lists what there is.
SHELL := /bin/bash
JOBS ?= $(shell nproc)
PRESET ?= release
FUZZ_SECONDS ?= 20
PREFIX ?= /usr/local

.PHONY: help setup setup-long build client check run view test test-long bench docs format format-check tidy install uninstall package clean
.DEFAULT_GOAL := help

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo "  Variables: JOBS=$(JOBS) PRESET=$(PRESET) (of build and check), FUZZ_SECONDS=$(FUZZ_SECONDS) each, PREFIX=$(PREFIX)"

setup: ## install the Debian packages that are missing, and the viewer's from npm
	@scripts/setup

setup-long: ## the same, with what test-long, docs, format and tidy need
	@scripts/setup long

build: build/$(PRESET)/build.ninja client ## the library, the program build/release/throng, the tests, the viewer's client
	@cmake --build build/$(PRESET) -j $(JOBS)

client: ## the viewer's client, build/viewer (where Node.js and its packages are; part of build)
	@scripts/build-client

build/%/build.ninja: CMakePresets.json
	@cmake --preset $*

check: build ## the quick inner loop: build and the fast tests
	@ctest --test-dir build/$(PRESET) -LE long -j $(JOBS) --output-on-failure --no-tests=error

run: setup ## set up, build, and see it work on an example
	@$(MAKE) --no-print-directory build PRESET=release
	@scripts/run

view: setup ## set up, build, and show the main example in the browser
	@$(MAKE) --no-print-directory build PRESET=release
	@build/release/throng view examples/station.json

test: setup ## set up, build, and every fast test
	@$(MAKE) --no-print-directory check PRESET=release

test-long: setup-long ## second compiler, sanitizers, long tests, fuzzers, tidy, format: an hour or so
	@JOBS=$(JOBS) FUZZ_SECONDS=$(FUZZ_SECONDS) scripts/test-long

bench: ## a benchmark: make bench NAME=environment (without NAME: which there are)
	@$(MAKE) --no-print-directory build PRESET=release
	@build/release/throng bench $(or $(NAME),--list)

docs: ## the reference of the public headers, in build/docs
	@mkdir -p build/docs
	@doxygen docs/Doxyfile
	@echo "open build/docs/html/index.html"

format: ## lay out the sources by .clang-format
	@scripts/format

format-check: ## say which sources are not laid out so
	@scripts/format --check

tidy: build/clang/build.ninja ## clang-tidy over the sources
	@JOBS=$(JOBS) scripts/tidy

install: build ## library, headers, program, manual and completion into PREFIX
	@cmake --install build/$(PRESET) --prefix "$(PREFIX)"

uninstall: ## take away what the last install put into PREFIX, and the folders it made
	@scripts/uninstall "$(CURDIR)/build/$(PRESET)"

package: build ## Debian packages and an archive, in build/packages
	@cpack --config build/$(PRESET)/CPackConfig.cmake

clean: ## remove everything that was built; out/, where recordings go, stays
	@rm -rf build
