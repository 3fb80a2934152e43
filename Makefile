# Tacet: every command sets itself up; what a fresh machine needs is checked first (setup/check-tools).
SHELL := /bin/bash
BIN := node_modules/.bin
export TACET_CACHE ?= $(CURDIR)/.cache

# Native parts compile against the headers that stand beside Node. Where none do, as beside the `node` package
# of npm, they come with the package that holds this Node for this platform.
NODE_PREFIX := $(shell node -p 2>/dev/null "require('path').dirname(require('path').dirname(process.execPath))")
NODE_PACKAGE := node-$(shell node -p 2>/dev/null "process.platform + '-' + process.arch")
ifeq ($(wildcard $(NODE_PREFIX)/include/node/node_api.h),)
NODE_PREFIX := $(TACET_CACHE)/node-$(shell node -p 2>/dev/null process.versions.node)/node_modules/$(NODE_PACKAGE)
HEADERS := $(NODE_PREFIX)/bin/node
endif
# With as many compilers as processors, whatever this make was told: what it would hand down gets lost in node-gyp.
NODE_GYP := env -u MAKEFLAGS JOBS=max $(CURDIR)/$(BIN)/node-gyp --silent --nodedir=$(NODE_PREFIX)
QUIETLY := $(CURDIR)/setup/quietly

DEPS := node_modules/.installed
ADDON := build/Release/tacet.node
# better-sqlite3 comes compiled for Node 22 and later. For Node 20 it is compiled here, and wherever what comes does not load.
SQLITE_PACKAGE := node_modules/$(shell node -p 2>/dev/null "parseInt(process.versions.node) < 22 ? 'better-sqlite3-node-20' : 'better-sqlite3'")
SQLITE := $(SQLITE_PACKAGE)/build/.loads-on-$(shell node -p 2>/dev/null process.versions.modules)
PROTO := proto/messages.js
SOURCES := $(shell find platform proto models pool-store services study bench test -name '*.ts' -o -name '*.tsx' -o -name '*.json' -o -name '*.css' 2>/dev/null)
BUILT := dist/.built
# Of a module that names what it takes from a package of hundreds of files: puts all of that into it, under its licence.
# The tensor library is under the same one as long, and has parts of seedrandom, which is of two authors; it asks for
# modules of Node by `require`.
WHOLE := $(BIN)/esbuild --log-level=warning --bundle --platform=node --format=esm --main-fields=module,main \
	--external:node-fetch --allow-overwrite
REQUIRE := import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);
LICENCES_OF_TENSORS := cat node_modules/long/LICENSE && sed '1,/^Copyright/{/^Copyright/!d;}' node_modules/seedrandom/README.md && \
	sed -n '/^\/\/ Copyright/,/^\/\/ THE SOFTWARE\./p' node_modules/seedrandom/lib/alea.js
whole = $(WHOLE) --banner:js="/* $$($(2))*/ $(3)" --outfile=dist/$(1).js dist/$(1).js

.DEFAULT_GOAL := help
.PHONY: help demo package image test test-node test-scale test-faults usable-node screenshots fuzz sanitize build bench lint format clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: build ## the whole loop on synthetic notes (pass DEMO="--corpus DIR --embeddings FILE --language CODE" for your own)
	@node dist/services/cli/main.js demo $(DEMO)

# Of what tests make most is garbage at once: young objects get room.
JEST := --max-semi-space-size=64 --no-warnings --experimental-vm-modules node_modules/jest/bin/jest.js

test: build ## every test, with a few rounds of test-faults (TEST="dist/test/FOLDER ..." for some)
	@node $(JEST) $(TEST)

# All native parts are built on Node-API or come for each Node, so what was built serves any later one.
OTHER_NODE := $(if $(NODE),$(TACET_CACHE)/node-$(NODE)/node_modules/$(NODE_PACKAGE)/bin/node)
test-node: build $(OTHER_NODE) ## every test on another Node, from its npm package (NODE=24)
	@test -n "$(OTHER_NODE)" || { echo 'which one? make test-node NODE=24' >&2; exit 2; }
	@PATH=$(dir $(OTHER_NODE)):$$PATH && node -p '"on Node " + process.versions.node' && node $(JEST) $(TEST)

$(TACET_CACHE)/node-%/node_modules/$(NODE_PACKAGE)/bin/node:
	@mkdir -p $(TACET_CACHE)/node-$* && echo '{}' > $(TACET_CACHE)/node-$*/package.json
	@npm install --prefix $(TACET_CACHE)/node-$* --loglevel=error --no-save --ignore-scripts --no-audit --no-fund $(NODE_PACKAGE)@$*

screenshots: build ## pictures of every page of every service, in docs/pages (needs a Chromium)
	@TACET_SCREENSHOTS=docs/pages node $(JEST) dist/test/screenshots

fuzz: build ## throw 100,000 mutated files at every reader (FUZZ="--inputs N --seed S")
	@node --no-warnings dist/test/fuzz/main.js $(or $(FUZZ),--inputs 100000)

# The same suites as on SQLite; what files of SQLite alone can suffer is skipped.
test-scale: build ## the tests of stores on PostgreSQL and on Ceph's gateway, which it starts (says what is missing)
	@test/scale/everywhere $(TEST)

# 500 rounds are the full run.
test-faults: export TACET_FAULT_ROUNDS ?= 40
test-faults: build ## kill, fill and corrupt a running pool (TACET_FAULT_ROUNDS=500 for the full run)
	@node $(JEST) dist/test/faults

build: $(BUILT) ## install, compile the native addon, the wire formats and the TypeScript

bench: build ## measure speed against peers; tables, and all of them as JSON in build/bench.json
	@node --no-warnings dist/bench/main.js --json build/bench.json $(BENCH)

# The addon is built again without the sanitizers whatever they find.
SANITIZERS := address,undefined
sanitize: build ## the tensor tests under AddressSanitizer and UndefinedBehaviorSanitizer (Linux, GCC)
	@CXXFLAGS='-fsanitize=$(SANITIZERS) -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g' LDFLAGS='-fsanitize=$(SANITIZERS)' $(NODE_GYP) rebuild --release
	@LD_PRELOAD="$$(g++ -print-file-name=libasan.so) $$(g++ -print-file-name=libubsan.so)" ASAN_OPTIONS=detect_leaks=0 \
		node $(JEST) --runInBand --testTimeout 600000 dist/test/models/tensor; \
		status=$$?; $(NODE_GYP) rebuild --release && exit $$status

package: build ## the npm package, with native parts for this platform, as build/tacet-VERSION.tgz
	@rm -f build/tacet-*.tgz
	@node setup/package.js
	@cd build && npm pack ./package --ignore-scripts --loglevel=error
	@diff <(cd build && find package -name '*.node' | sort) <(tar tzf build/tacet-*.tgz | grep '\.node$$' | sort) \
		|| { echo 'the package lacks native parts that were compiled for it' >&2; exit 1; }

image: package ## an image for containers, as build/tacet-VERSION-image.tar, the same bytes for the same commit (Linux, Debian's dpkg and apt)
	@node setup/image.js

lint: $(DEPS) ## check style and formatting
	@$(BIN)/biome ci --error-on-warnings .

format: $(DEPS) ## rewrite the sources in the project's format
	@$(BIN)/biome check --write .

clean: ## remove everything that was built
	rm -rf dist build .cache proto/messages.js proto/messages.d.ts

# Install scripts are skipped: they would ask hosts other than the npm registry for prebuilt binaries.
# `npm ci` would fail where a registry lacks another platform's optional package. `npm install` would go on
# where the lock file and package.json disagree, so that is checked before, and what it installed afterwards.
$(DEPS): package.json package-lock.json | usable-node
	@setup/check-tools
	@node setup/check-lock.js
	@npm install --loglevel=error --no-save --ignore-scripts --no-audit --no-fund
	@node setup/check-lock.js --installed
	@touch $@

# Each time: Node may be another one than at the build.
usable-node:
	@setup/check-tools --node

$(SQLITE): $(DEPS) $(HEADERS)
	@setup/check-tools
	@node -e "new (require('./$(SQLITE_PACKAGE)'))(':memory:')" 2>/dev/null || \
		{ echo 'compiling SQLite (about a minute, once)'; cd $(SQLITE_PACKAGE) && $(QUIETLY) $(NODE_GYP) rebuild --release --force_build=1; }
	@node -e "new (require('./$(SQLITE_PACKAGE)'))(':memory:')"
	@mkdir -p $(@D) && touch $@

$(ADDON): $(DEPS) $(HEADERS) binding.gyp $(wildcard models/tensor/native/*)
	@setup/check-tools
	@echo 'compiling the native kernels'
	@$(QUIETLY) --warnings $(NODE_GYP) configure build --release
	@touch $@

$(PROTO): $(DEPS) proto/tacet.proto
	@$(BIN)/pbjs --target static-module --wrap es6 --es6 --dependency protobufjs/minimal.js --no-service --no-delimited -o proto/messages.js proto/tacet.proto
	@$(BIN)/pbts -o proto/messages.d.ts proto/messages.js

$(BUILT): $(DEPS) $(SQLITE) $(ADDON) $(PROTO) $(SOURCES) tsconfig.json
	@rm -rf dist
	@$(BIN)/tsc
	@$(call whole,proto/typebox,cat node_modules/typebox/license)
	@$(call whole,pool-store/catalog/kysely,cat node_modules/kysely/LICENSE)
	@$(call whole,models/tensor/tensor-library,$(LICENCES_OF_TENSORS),$(REQUIRE))
	@$(call whole,services/institution/deidentify/recognisers/phone-numbers-in-text,cat node_modules/libphonenumber-js/LICENSE)
	@mkdir -p dist/proto && cp proto/messages.js dist/proto/
	@find models services study proto platform pool-store -name '*.json' -o -name '*.css' | tar cf - -T - | tar xf - -C dist
	@touch $@
