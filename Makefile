# Recipes stay thin: what they do is in scripts/, xtask/ and bench/.
.DEFAULT_GOAL := help
# As in scripts/lib.sh: what was just installed is found, also in this shell.
export PATH := $(CURDIR)/.tools/bin:$(PATH):$(or $(CARGO_HOME),$(HOME)/.cargo)/bin
.PHONY: help demo test lint fmt build setup generate bench services-up services-down clean

help: ## Print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: ## Build, find the load line of the reference service, say where the report is
	@scripts/demo

test: ## Install what is missing, build, run every check
	@scripts/test

lint: ## Run the checks that need no test run: format, lints, types, tidy
	@scripts/setup/all
	@scripts/check format clippy javascript types tidy shell

fmt: ## Format every file
	@scripts/setup/npm
	@cargo fmt --all
	@npm run --silent format

build: ## Build target/release/plimsoll
	@scripts/setup/rust
	@cargo build --release --package plimsoll

setup: ## Install what the other targets need, nothing twice
	@scripts/setup/all

generate: ## Write the generated files again: schemas, command help, report page
	@scripts/setup/npm
	@scripts/generate

bench: build ## Compare the engine with its peers on this machine
	@bench/setup
	@bench/engine/run

services-up: ## Start Redis and a store for the profile service, print the settings to use
	@scripts/services up

services-down: ## Stop what services-up started
	@scripts/services down

clean: ## Remove everything that was built or installed here; keep recorded runs
	@scripts/clean
