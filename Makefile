# SoundGate. `make` alone lists what it can do; `make demo` and `make test` need nothing beforehand.

# Where the Swift installer of `make demo` puts Swift when the machine has none.
export PATH := $(PATH):$(or $(SWIFTLY_BIN_DIR),$(HOME)/.local/share/swiftly/bin)

RELEASE := .build/release/soundgate
# Code for a small machine: 1.5 MB less resident than with -O, and as fast where SoundGate waits
# for radio, disk and network.
SMALL := -Xswiftc -Osize
# Relative relocations packed (glibc 2.36, Debian 12, or later) are 1 MB less on disk and in memory;
# the toolchain's own linker can, gold cannot.
LINK := -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs

help:         ## this list
	@sed -n 's/^\([a-z-]*\): .*## /  make \1\t/p' Makefile | expand -t 22

demo: setup   ## set up what is missing, build, show the whole story; on a terminal it stays up
	swift build --product soundgate
	@.ci/demo

test: setup   ## set up what is missing, run every test
	@.ci/test

setup:        ## install what is missing to build and test (Debian packages; Swift, after asking)
	@.ci/setup

build: setup  ## debug build of the program and the tests
	swift build --build-tests

release: setup ## the program to install: optimised, carrying its Swift runtime
	swift build -c release --static-swift-stdlib --product soundgate $(SMALL) $(LINK)

$(RELEASE): Package.swift $(shell find Sources -type f)
	@$(MAKE) --no-print-directory release

install: $(RELEASE) ## install into the system, or below DESTDIR= for a package
	@.ci/install "$(DESTDIR)"

lint:         ## format, shell scripts, the tree
	@.ci/lint

units:        ## what `make install` lays down: units, rules, exposure to attack
	@.ci/units

conformance:  ## write docs/conformance.md anew from the last `make test`
	SOUNDGATE_CONFORMANCE=$(CURDIR)/.build/test-events.jsonl swift test --filter ConformanceRecord

bench:        ## measure, and compare with what a small board needs
	SOUNDGATE_BENCH=1 swift test -c release $(SMALL) --scratch-path .build/bench --filter Benchmarks

soak:         ## every count in full, every sanitizer, size, memory and idleness (hours)
	@.ci/soak

test-fresh:   ## the README's two commands and the installation, in a Debian root of their own
	@.ci/fresh-root

.PHONY: help demo test setup build release install lint units conformance bench soak test-fresh
