# Two commands do everything on a fresh machine: `make sample` and `make test`.

SWIFT ?= swift
SAMPLE ?= SampleData/curl-structured
RELEASE := .build/release/flatten

.PHONY: help dependencies release sample test samples format lint

help:
	@echo "make sample    flatten a capture of SampleData and print its text"
	@echo "make test      build and run all tests"
	@echo "make samples   draw SampleData again, bit for bit"
	@echo "make format    format the sources; make lint checks them"

dependencies:
	@Scripts/install-dependencies

release: dependencies
	$(SWIFT) build -c release --product flatten

sample: release
	@mkdir -p output
	@$(RELEASE) $(SAMPLE) -o output/flat.png --report output/report.json --text output/text.txt
	@echo
	@echo "The flat picture: output/flat.png (from $(SAMPLE)); its report: output/report.json. Its text:"
	@echo
	@cat output/text.txt

# The command's own tests run the release build: a debug build takes a minute for a 12 MP picture.
test: release
	$(SWIFT) build --build-tests
	FLATTEN="$(CURDIR)/$(RELEASE)" $(SWIFT) test --skip-build
	Tests/OutsidePackage/run

samples: dependencies
	$(SWIFT) run -c release draw-samples SampleData

format:
	$(SWIFT) format format --in-place --recursive Package.swift Sources Tests Snippets

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Snippets
