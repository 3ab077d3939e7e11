# Two commands are all that a new machine with a Swift toolchain needs: make run, and make test.

.PHONY: help run test packages lint format

help:
	@echo "make run     install what is missing, build, and run the BookShelf demo"
	@echo "make test    install what is missing, and run all tests"
	@echo "make lint    check the format of the sources"
	@echo "make format  format the sources"

run: packages
	swift build --product BookShelf
	swift run --skip-build BookShelf demo

test: packages
	swift test

packages:
	@Scripts/install-packages

lint:
	swift format lint --strict --parallel --recursive Sources Tests Examples Package.swift

format:
	swift format --in-place --parallel --recursive Sources Tests Examples Package.swift
