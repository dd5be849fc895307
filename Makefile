# make run DIR=~/notes   obtain what is missing, build, index, open the terminal UI
# make quick             between two edits: what has changed and what imports it, in under a minute
# make test              obtain what is missing and run every test
# make test-full         obtain more, and run what takes hours (ONLY="identity kills" for parts)
SHELL := /bin/bash
DIR ?= testdata/notes
GO ?= go
LINT_VERSION := v2.5.0
LINT := .cache/bin/golangci-lint-$(LINT_VERSION)

# Programs, tests and what the linter reads are compiled once, with one set of flags.
export GOFLAGS := $(filter-out -trimpath,$(shell $(GO) env GOFLAGS)) -trimpath

.PHONY: run build lab models quick test test-full test-race test-neon lint bench fuzz release packages platforms clean

run: models
	@bin/dowse index "$(DIR)"
	@if [ -t 0 ] && [ -t 1 ]; then bin/dowse "$(DIR)"; \
	else echo 'no terminal here; try:  bin/dowse -q "your question"'; fi

build:
	@$(GO) build -o bin/dowse .

# Measurements: bin/lab bench embed DIR, bin/lab eval DIR.
lab: build
	@$(GO) build -o bin/lab ./lab

# What speeds up or judges, if it can be had: the ONNX Runtime library and a language model, into the user's cache.
models: build
	@bin/dowse models pull

# Tests run with their skips and reasons listed at the end, and in SKIPPED if set. make lint
# vets them.
report = set -o pipefail; $(GO) build -o bin/testreport ./internal/testreport && \
  $(GO) test -json -vet=off -timeout 30m $(1) | bin/testreport $(if $(SKIPPED),-skipped $(SKIPPED))

# Lint of the packages changed since BASE; vet and short tests of them and their importers,
# the closest first, without real models, until WITHIN is over.
BASE ?= main
WITHIN ?= 50s
quick: $(LINT)
	@$(GO) build -o bin/testreport ./internal/testreport && \
	  $(GO) run ./internal/testquick -base $(BASE) -within $(WITHIN) -lint $(LINT) -report bin/testreport

# What the default embedder learned from: references were computed with it. Where it cannot be had, tests that need it say so and are left out.
test: models
	@bin/dowse models pull all-MiniLM-L6-v2 || echo 'going on without it'
	@$(call report,./...)

# Of these packages, what shares memory; -short leaves out what compares numbers alone, and
# ALONE what looks at the words of one command after the other, whose goroutines other tests watch.
# The kernels are tested in full elsewhere, and have two tests on several goroutines.
ALONE = TestNoEscapesWhereNoneAreUnderstood|TestOutputHoldsTheSchema|TestAgentReadsAPage|TestPicture|TestPlainOnADumbTerminal|TestColourWhereItIsUnderstood|TestAgentsSpeakEveryProtocol|TestFileThatIsCutDuringAnAnswer
test-race:
	@$(call report,-race -short -skip '^($(ALONE))$$' $(shell .ci/raced))
	@$(GO) test -race -vet=off -run '^(TestN1_LinearRowsDoNotDependOnBatch|TestRuntimeServesSeveralGoroutines)$$' ./engine/kernel

test-full:
	@.ci/test-full $(ONLY)

# The arm64 kernels, cross-compiled and run under qemu.
test-neon:
	@.ci/test-neon

# Under -trimpath Go's cache gives what cgo wrote for one checkout to all of them, with
# the first one's paths in it, which the linter opens. A flag of this checkout keeps them apart.
lint quick: export CGO_CPPFLAGS := $(CGO_CPPFLAGS) -DCHECKOUT=$(CURDIR)
lint: $(LINT)
	$(LINT) run ./...

$(LINT):
	@mkdir -p .cache/bin
	GOBIN=$(CURDIR)/.cache/bin $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(LINT_VERSION)
	@mv .cache/bin/golangci-lint $@

bench:
	$(GO) test -run '^$$' -bench . -benchtime 300ms ./...

# Inputs that change from run to run, damaged files of every format, and files that hold far more than their size tells.
FUZZTIME ?= 20s
fuzz:
	DOWSE_TEST_SHAPES=1 DOWSE_TEST_MUTATIONS=1000 $(GO) test -timeout 60m -run 'Shapes|Damaged|Mutat|Limit' ./indexer/extract/...
	@set -e; for p in $$($(GO) list ./...); do \
	  for f in $$($(GO) test -list '^Fuzz' $$p | grep ^Fuzz || true); do \
	    echo "$$p $$f"; $(GO) test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) $$p; done; done

# Packages to hand out, in dist: ARCHS="amd64 arm64" chooses, RELEASE_URL=... adds a formula and a flake.
release:
	@.ci/release

# The packages that most people take, built by this machine's compiler, tried in empty roots without a network.
packages: KINDS = deb tar wheel npm
packages:
	@kinds=$$(.ci/packages --can $(KINDS)); [ -n "$$kinds" ] || exit 0; \
	COMPILER=gcc ARCHS=$(shell $(GO) env GOHOSTARCH) KINDS="$$kinds" .ci/release && \
	docs=$$(mktemp -d) && trap 'rm -rf "$$docs"' EXIT && cp -r testdata/notes/garden testdata/lost/pdf/choir.pdf "$$docs" && .ci/packages "$$docs" $$kinds

# What no machine here runs compiles: macOS differs by its files, Windows as well, and the kernels are plain Go there.
platforms:
	@CGO_ENABLED=0 GOOS=windows GOARCH=amd64 $(GO) build ./internal/cli
	@CGO_ENABLED=0 GOOS=darwin GOARCH=arm64 $(GO) build ./internal/cli
	@CGO_ENABLED=0 GOOS=darwin GOARCH=amd64 $(GO) build ./internal/cli

clean:
	rm -rf bin dist .cache
