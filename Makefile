# A thin front to the CMake presets (CMakePresets.json) and the scripts in scripts/. `make help` lists what there is.
SHELL := /bin/bash
JOBS ?= $(shell nproc)
PRESET ?= release
FUZZ_SECONDS ?= 20
PREFIX ?= /usr/local

.PHONY: help setup setup-test setup-long configure program build client check run view test test-long bench docs format format-check tidy install uninstall package clean
.DEFAULT_GOAL := help

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo "  Variables: JOBS=$(JOBS) PRESET=$(PRESET) (of build and check), FUZZ_SECONDS=$(FUZZ_SECONDS) each, PREFIX=$(PREFIX)"

setup: ## install the Debian packages that the program needs and this machine lacks
	@scripts/setup

setup-test: ## the same, with what the tests and the viewer need
	@scripts/setup test

setup-long: ## the same, with what test-long, docs, format and tidy need
	@scripts/setup long

# The program needs none of the packages of the tests, so a folder that was configured for it alone is configured again for them.
program: ## the program build/release/throng and its manual; no tests
	@[ -f build/$(PRESET)/build.ninja ] || cmake --preset $(PRESET) -D THRONG_TESTS=OFF
	@cmake --build build/$(PRESET) -j $(JOBS) --target throng_cli throng_manual

build: configure client ## the libraries, the program build/release/throng, the tests, the viewer's client
	@cmake --build build/$(PRESET) -j $(JOBS)

configure:
	@[ -f build/$(PRESET)/build.ninja ] && ! grep -qs '^THRONG_TESTS:BOOL=OFF' build/$(PRESET)/CMakeCache.txt || cmake --preset $(PRESET) -D THRONG_TESTS=ON

client: ## the viewer's client, build/viewer (where Node.js and its packages are; part of build)
	@scripts/build-client

check: build ## the quick inner loop: build and the fast tests
	@ctest --test-dir build/$(PRESET) -LE long -j $(JOBS) --output-on-failure --no-tests=error

run: setup ## set up, build the program, and see it work on an example
	@$(MAKE) --no-print-directory program PRESET=release
	@scripts/run

view: ## set up, build program and viewer, and show the main example in the browser
	@scripts/setup view
	@$(MAKE) --no-print-directory program client PRESET=release
	@build/release/throng view examples/station.json

test: setup-test ## set up, build, and every fast test
	@$(MAKE) --no-print-directory check PRESET=release

test-long: setup-long ## second compiler, sanitizers, long tests, fuzzers, tidy, format: an hour or so
	@JOBS=$(JOBS) FUZZ_SECONDS=$(FUZZ_SECONDS) scripts/test-long

bench: ## a benchmark: make bench NAME=environment (without NAME: which there are)
	@scripts/setup bench
	@$(MAKE) --no-print-directory program PRESET=release
	@cmake --build build/release -j $(JOBS) --target throng_bench
	@build/release/throng bench $(or $(NAME),--list)

docs: ## the reference of the public headers, in build/docs
	@mkdir -p build/docs
	@doxygen docs/Doxyfile
	@echo "open build/docs/html/index.html"

format: ## lay out the sources by .clang-format
	@scripts/format

format-check: ## say which sources are not laid out so
	@scripts/format --check

tidy: ## clang-tidy over the sources
	@[ -f build/clang/build.ninja ] || cmake --preset clang
	@JOBS=$(JOBS) scripts/tidy

install: program client ## library, headers, program, manual and completion into PREFIX
	@cmake --build build/$(PRESET) -j $(JOBS) --target throng
	@cmake --install build/$(PRESET) --prefix "$(PREFIX)"

uninstall: ## take away what the last install put into PREFIX, and the folders it made
	@scripts/uninstall "$(CURDIR)/build/$(PRESET)"

package: ## Debian packages and an archive, in build/packages
	@scripts/setup package
	@$(MAKE) --no-print-directory program client PRESET=$(PRESET)
	@cpack --config build/$(PRESET)/CPackConfig.cmake

clean: ## remove everything that was built; recordings and reports in out/ stay
	@rm -rf build
