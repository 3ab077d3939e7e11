# Two commands are all that a new machine with a Swift toolchain needs: make run, and make test.

.PHONY: help run test packages servers lint format fuzz bench

# How long each target of make fuzz runs, and which; all without.
SECONDS ?= 60
TARGETS ?=
# The Python that make bench looks for orjson in.
PYTHON ?= python3

SWIFT_SOURCES = Sources Tests Examples Fuzz/Sources Fuzz/Package.swift Benchmarks/Sources Benchmarks/Package.swift \
	Package.swift

help:
	@echo "make run     install what is missing, build, and run the BookShelf demo"
	@echo "make test    install what is missing, and run all tests"
	@echo "make servers prepare the servers of others that the tests run against; make test does it too"
	@echo "make lint    check the format of the sources"
	@echo "make format  format the sources"
	@echo "make fuzz    feed the readers with broken input, SECONDS=$(SECONDS) for each of TARGETS"
	@echo "make bench   measure reading and writing, and put the figures into Benchmarks/RESULTS.md"

run: packages
	swift build --product BookShelf
	swift run --skip-build BookShelf demo

test: packages servers
	swift test

packages:
	@Scripts/install-packages

servers:
	@Scripts/prepare-servers

lint:
	swift format lint --strict --parallel --recursive $(SWIFT_SOURCES)

format:
	swift format --in-place --parallel --recursive $(SWIFT_SOURCES)

fuzz: packages
	Scripts/fuzz $(SECONDS) $(TARGETS)

bench: packages
	swift build -c release --package-path Benchmarks
	Benchmarks/.build/release/ODataBenchmarks --python $(PYTHON) --results Benchmarks/RESULTS.md
