# The tasks of a contributor. CONTRIBUTING.md describes each, and how long it takes.

.DEFAULT_GOAL := help
.PHONY: help run release package package-test check test docs requirements acceptance articles inventory threads bench fuzz sbom gallery screenshots format lint

PORT ?= 8080
DATA ?= ./data
SECONDS_EACH ?= 60
STORE ?= sqlite

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# A debug build: it takes about half the time of a release build, and is sufficient for first requests.
run: ## Install missing libraries, build, and serve a demo container (PORT=8080, DATA=./data)
	@scripts/install-libraries
	scripts/build --product nephos
	@exec .build/debug/nephos serve --demo --port $(PORT) --data $(DATA)

release: ## Build the program for a server: .build/release/nephos, which runs on machines without Swift
	@scripts/install-libraries
	scripts/build-release

package: release ## Pack the program for a server: a Debian package and an archive, in .build/packages
	@scripts/package

package-test: ## Install, upgrade, crash and remove the package in a separate Debian; build and run its image (as root)
	@scripts/install-libraries debootstrap buildah
	@scripts/package_test.py
	@scripts/test-package
	@scripts/test-image

check: ## Build, and run the tests that need no process, second engine or browser, within minutes
	@scripts/install-libraries
	@scripts/check

test: ## Install missing libraries, build, and run all tests on both storage engines
	@scripts/install-libraries postgres
	@scripts/test

docs: ## Build the client library's documentation in .build/docs; fail on undocumented public symbols
	@scripts/install-libraries
	@scripts/docs

requirements: ## Print which requirements are done, by which test of the last `make test`, and where docs/requirements.md differs
	@scripts/requirements

acceptance: ## Test servers of both engines with schemas of real apps, and print tables
	@scripts/install-libraries postgres
	@scripts/acceptance

articles: ## Compile and run the code of the founding articles with this build, and print a table (NEPHOS_SEEDS)
	@scripts/install-libraries
	scripts/build --product nephos
	@NEPHOS_BINARY=.build/debug/nephos scripts/articles

inventory: ## Print how many of Apple's symbols the client library has, and which of them tests execute
	@scripts/install-libraries
	@scripts/inventory

threads: ## Run the client library's tests under the thread sanitizer
	@scripts/install-libraries
	@scripts/test-threads

bench: ## Measure a release build: server CPU per request, allocations, memory, JSON (STORE=postgres)
	@scripts/install-libraries wrk postgres libcurl
	@STORE=$(STORE) scripts/bench

fuzz: ## Search for inputs that break a parser, for 60 s per target (SECONDS_EACH=60)
	@scripts/install-libraries
	@Fuzz/run $(SECONDS_EACH)

sbom: ## Write the dependencies of the built program as CycloneDX 1.5 JSON: .build/nephos.cdx.json
	@scripts/sbom.py

gallery: ## Draw every kind of chart, and the pictures of README.md: .build/gallery/index.html
	@scripts/install-libraries
	scripts/build --product nephos-gallery
	@.build/debug/nephos-gallery .build/gallery
	@for name in months versions; do cp .build/gallery/readme-$$name-768.svg docs/pictures/trends-$$name.svg; done

screenshots: ## Take pictures of the account pages, on a phone and a desktop, in light and dark mode: .build/screenshots
	@scripts/install-libraries
	@scripts/screenshots

format: ## Format all Swift files
	@scripts/lint --fix

lint: ## Check the format of all Swift files, and that docs/requirements.md and the names of tests agree
	@scripts/lint
