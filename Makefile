# iree-c: the one entry. `make help` lists the targets.
#
# Sources are found by folder: base/ and runtime/ make the runtime library, compiler/ the compiler
# library, tooling/ what the tools share; each tools/<name>.c is one tool, each <folder>/test/<x>_test.c
# one unit test. `config=` picks a build: release lands in build/, the others in build/<config>/.

config ?= release
ifeq ($(config),release)
O := build
else
O := build/$(config)
endif

LLVM_CONFIG ?= llvm-config-22
CCACHE := $(shell command -v ccache 2>/dev/null)
CC := $(CCACHE) $(if $(filter default,$(origin CC)),gcc,$(CC))
LLD := $(if $(shell command -v ld.lld-22 2>/dev/null),-fuse-ld=lld -B$(O)/ldbin)

WARN := -Wall -Wextra -Wshadow -Wconversion -Werror=switch -Werror=implicit-function-declaration \
        -Werror=incompatible-pointer-types -Werror=int-conversion
CFLAGS_release := -O2 -DNDEBUG -ffunction-sections -fdata-sections -fno-semantic-interposition
CFLAGS_debug := -O0 -g
CFLAGS_asan := -O1 -g -fsanitize=address -fno-omit-frame-pointer
CFLAGS_ubsan := -O1 -g -fsanitize=undefined -fno-sanitize-recover=undefined
CFLAGS_fuzz := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer \
               -DVM_STEP_BUDGET=10000
CFLAGS_libfuzzer := $(CFLAGS_fuzz) -fsanitize=fuzzer-no-link
CFLAGS_tsan := -O1 -g -fsanitize=thread
LDFLAGS_release := -Wl,--gc-sections -Wl,-s
LDFLAGS_asan := -fsanitize=address
LDFLAGS_ubsan := -fsanitize=undefined
LDFLAGS_fuzz := -fsanitize=address,undefined
LDFLAGS_libfuzzer := -fsanitize=fuzzer,address,undefined
LDFLAGS_tsan := -fsanitize=thread

CFLAGS ?= $(CFLAGS_$(config))
ALL_CFLAGS = -std=c11 -D_GNU_SOURCE -fPIC -fvisibility=hidden $(WARN) -I. -Iinclude $(CFLAGS) $(LTO_CFLAGS) -MMD -MP
ALL_LDFLAGS = $(LLD) $(LDFLAGS_$(config)) $(LDFLAGS)

LLVM_CFLAGS = $(shell $(LLVM_CONFIG) --cflags 2>/dev/null | sed 's/-DNDEBUG//g;s/-I/-isystem /g;s/-std=[a-z0-9+]*//g')
LLVM_COMPONENTS := x86 aarch64 passes
LLVM_STATIC = -L$(shell $(LLVM_CONFIG) --libdir 2>/dev/null) $(shell $(LLVM_CONFIG) --link-static --libs $(LLVM_COMPONENTS) 2>/dev/null) \
              -Wl,--as-needed $(call static_libs,$(shell $(LLVM_CONFIG) --link-static --system-libs 2>/dev/null)) -lstdc++ -lm
# Released files must not ask for libraries that other systems lack: archives are taken where there are some.
static_libs = $(foreach l,$(1),$(if $(and $(filter -lz -lzstd,$l),$(filter /%,$(shell $(CC) -print-file-name=lib$(l:-l%=%).a))),-l:lib$(l:-l%=%).a,$l))
LLVM_SHARED = -L$(shell $(LLVM_CONFIG) --libdir 2>/dev/null) -Wl,--as-needed $(shell $(LLVM_CONFIG) --link-shared --libs 2>/dev/null)
# The released compiler starts fast, so it links LLVM in; everything else should link fast.
LLVM_LIBS = $(if $(filter release,$(config)),$(LLVM_STATIC),$(LLVM_SHARED))

src = $(shell find $(1) -name '*.c' -not -path '*/test/*' 2>/dev/null | LC_ALL=C sort)
obj = $(patsubst %.c,$(O)/obj/%.o,$(1))
RUNTIME_SRC := $(call src,base runtime)
COMPILER_SRC := $(call src,compiler)
TOOLING_SRC := $(call src,tooling)
TOOLS := $(patsubst tools/%.c,%,$(wildcard tools/*.c))
COMPILER_TOOLS := $(filter iree-compile,$(TOOLS))
COMPILER_NAMES := iree-opt iree-reduce
RUNTIME_TOOLS := $(filter-out $(COMPILER_TOOLS),$(TOOLS))
COMPILER_TESTS := $(shell find compiler -path '*/test/*_test.c' 2>/dev/null | LC_ALL=C sort)
RUNTIME_TESTS := $(shell find base runtime tooling -path '*/test/*_test.c' 2>/dev/null | LC_ALL=C sort)
test_bin = $(patsubst %.c,$(O)/test/%,$(1))

.DELETE_ON_ERROR:
.PHONY: all runtime compiler objects samples fuzzers unit-tests runtime-tests compiler-tests
all: runtime compiler

# The released runtime is optimised as a whole where the compiler can: a call crosses a dozen files.
# Its objects then hold intermediate code, which becomes one object. `lto=` does without.
ifeq ($(origin lto)-$(config),undefined-release)
lto := $(shell echo 'int x;' | $(CC) -flto -r -flinker-output=nolto-rel -x c - -o /dev/null 2>/dev/null \
         && echo yes)
endif
ifneq ($(lto),)
LTO := -flto=2 -fno-fat-lto-objects
$(call obj,$(RUNTIME_SRC)): LTO_CFLAGS := $(LTO)
endif

runtime: $(addprefix $(O)/bin/,$(RUNTIME_TOOLS)) $(O)/lib/libiree_runtime.a
compiler: $(addprefix $(O)/bin/,$(COMPILER_TOOLS) $(COMPILER_NAMES)) $(O)/lib/libiree_compiler.a $(O)/lib/libIREECompiler.so $(O)/lib/libiree_compiler_loader.a
unit-tests: $(call test_bin,$(RUNTIME_TESTS) $(COMPILER_TESTS))
objects: $(call obj,$(RUNTIME_SRC) $(COMPILER_SRC) $(TOOLING_SRC) $(wildcard tools/*.c))
runtime-tests: $(call test_bin,$(RUNTIME_TESTS))
compiler-tests: $(call test_bin,$(COMPILER_TESTS))

$(O)/obj/compiler/codegen/llvm/%.o: compiler/codegen/llvm/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LLVM_CFLAGS) -c $< -o $@
# The page that iree-dump-module writes: its parts as arrays.
PAGE_PARTS := $(addprefix tooling/inspect/page/page.,html css js)
$(O)/gen/tooling/inspect/page_text.h: $(PAGE_PARTS)
	@mkdir -p $(@D)
	@for f in $(PAGE_PARTS); do echo "static const unsigned char k_page_$${f##*.}[] = {"; \
	    od -An -v -tu1 $$f | sed 's/[0-9][0-9]*/&,/g'; echo '};'; done >$@
$(O)/obj/tooling/inspect/page.o: $(O)/gen/tooling/inspect/page_text.h
$(O)/obj/tooling/inspect/page.o: ALL_CFLAGS += -I$(O)/gen
$(O)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c $< -o $@

ifneq ($(lto),)
$(O)/lib/libiree_runtime.a: $(O)/obj/runtime.o
$(O)/obj/runtime.o: $(call obj,$(RUNTIME_SRC))
	$(CC) -fPIC -fvisibility=hidden $(CFLAGS) $(LTO) -r -flinker-output=nolto-rel -o $@ $^
else
$(O)/lib/libiree_runtime.a: $(call obj,$(RUNTIME_SRC))
endif
$(O)/lib/libiree_compiler.a: $(call obj,$(COMPILER_SRC))
$(O)/lib/libiree_tooling.a: $(call obj,$(TOOLING_SRC))
$(O)/lib/%.a:
	@mkdir -p $(@D); rm -f $@
	ar rcs $@ $^

# gcc looks for ld.lld on -B; Debian installs it with a version suffix only.
$(O)/ldbin/ld.lld:
	@mkdir -p $(@D); ln -sf "$$(command -v ld.lld-22 || command -v ld)" $@

RUNTIME_LIBS = $(O)/lib/libiree_tooling.a $(O)/lib/libiree_runtime.a
COMPILER_LIBS = $(O)/lib/libiree_compiler.a $(O)/lib/libiree_tooling.a $(O)/lib/libiree_runtime.a

$(addprefix $(O)/bin/,$(RUNTIME_TOOLS)): $(O)/bin/%: $(O)/obj/tools/%.o $(RUNTIME_LIBS) | $(O)/ldbin/ld.lld
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $< $(RUNTIME_LIBS) -lpthread -lm
$(addprefix $(O)/bin/,$(COMPILER_TOOLS)): $(O)/bin/%: $(O)/obj/tools/%.o $(COMPILER_LIBS) | $(O)/ldbin/ld.lld
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $< -Wl,--start-group $(COMPILER_LIBS) -Wl,--end-group $(LLVM_LIBS) -lpthread -lm
# The shared runtime is made for size. What few programs need is a library of its own.
SO_CFLAGS = -DIREE_RUNTIME_SPLIT $(if $(filter release,$(config)),-Oz -fno-asynchronous-unwind-tables -fno-unwind-tables)
SO_LDFLAGS = $(if $(filter release,$(config)),-Wl$(comma)--icf=all -Wl$(comma)-z$(comma)pack-relative-relocs -Wl$(comma)-O2)
comma := ,
MODULES_SRC := $(filter base/io/formats/% base/io/parameter% base/io/scope% base/io/%stream.c runtime/io/% runtime/modules/io_parameters/% \
                 runtime/modules/vmvx/% runtime/loaders/vmvx% runtime/plugins/% runtime/vm/dynamic% runtime/async/% base/numa%,$(RUNTIME_SRC))
# Small enough that each library has a copy of its own.
MODULES_COPIES := base/file.c base/descriptor.c
so_obj = $(patsubst %.c,$(O)/so/%.o,$(1))
SONAME_VERSION = $(basename $(RELEASE))
.PHONY: shared
shared: $(O)/lib/libiree_runtime.so $(O)/lib/libiree_modules.so
$(O)/so/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(SO_CFLAGS) -c $< -o $@
$(O)/lib/libiree_runtime.so: $(call so_obj,$(filter-out $(MODULES_SRC),$(RUNTIME_SRC)))
$(O)/lib/libiree_modules.so: $(call so_obj,$(MODULES_SRC) $(MODULES_COPIES)) $(O)/lib/libiree_runtime.so
$(O)/lib/libiree_runtime.so $(O)/lib/libiree_modules.so: packaging/runtime.map | $(O)/ldbin/ld.lld
	@mkdir -p $(@D)
	$(CC) -shared $(ALL_LDFLAGS) $(SO_LDFLAGS) -Wl,-z,defs -Wl,-Bsymbolic -Wl,--undefined-version -Wl,-soname,$(@F).$(SONAME_VERSION) -Wl,--version-script=packaging/runtime.map \
	    -o $@ $(filter-out %.map,$^) -lpthread -lm
# The compiler as a library: embedding_api.h, and a loader of it for programs that find it at run time.
$(O)/lib/libIREECompiler.so: bindings/c/compiler.map $(COMPILER_LIBS) | $(O)/ldbin/ld.lld
	$(CC) -shared $(ALL_LDFLAGS) -Wl,-soname,libIREECompiler.so -Wl,--version-script=$< -o $@ -Wl,--whole-archive $(O)/lib/libiree_compiler.a \
	    -Wl,--no-whole-archive -Wl,--start-group $(COMPILER_LIBS) -Wl,--end-group $(LLVM_LIBS) -lpthread -lm
$(O)/lib/libiree_compiler_loader.a: $(O)/obj/bindings/c/compiler_loader.o
# The compiler's other names.
$(addprefix $(O)/bin/,$(COMPILER_NAMES)): $(O)/bin/iree-compile
	ln -sf iree-compile $@
$(call test_bin,$(RUNTIME_TESTS)): $(O)/test/%: $(O)/obj/%.o $(RUNTIME_LIBS) | $(O)/ldbin/ld.lld
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $< $(RUNTIME_LIBS) -lpthread -lm
$(call test_bin,$(COMPILER_TESTS)): $(O)/test/%: $(O)/obj/%.o $(COMPILER_LIBS) | $(O)/ldbin/ld.lld
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $< -Wl,--start-group $(COMPILER_LIBS) -Wl,--end-group $(LLVM_SHARED) -lpthread -lm

SAMPLES := $(patsubst samples/%.c,$(O)/samples/%,$(wildcard samples/*.c))
samples: $(SAMPLES)
$(SAMPLES): $(O)/samples/%: $(O)/obj/samples/%.o $(O)/lib/libiree_runtime.a | $(O)/ldbin/ld.lld
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $< $(O)/lib/libiree_runtime.a -lpthread -lm

# The Python packages: iree.runtime, one extension for every CPython from 3.11 on, and iree.compiler, which runs the tool.
PYTHON ?= python3
PYTHON_INCLUDE = $(shell $(PYTHON) -c 'import sysconfig; print(sysconfig.get_paths()["include"])' 2>/dev/null)
PYTHON_SRC := $(wildcard bindings/python/native/*.c)
PYTHON_FILES := $(shell find bindings/python/iree -name '*.py' -o -name '*.pyi' -o -name py.typed 2>/dev/null)
PYTHON_OUT := $(O)/python/iree
PYTHON_VERSIONS := $(addprefix $(PYTHON_OUT)/,runtime/version.py compiler/version.py)
PYTHON_COPIES := $(patsubst bindings/python/%,$(O)/python/%,$(PYTHON_FILES)) $(PYTHON_VERSIONS)
# Copies of files that are gone would still be imported.
PYTHON_STALE = $(filter-out $(PYTHON_COPIES),$(shell find $(PYTHON_OUT) -name '*.py' -o -name '*.pyi' 2>/dev/null))
.PHONY: python
python: $(PYTHON_OUT)/runtime/_native.abi3.so $(PYTHON_OUT)/compiler/libIREECompiler.so $(PYTHON_COPIES) \
        $(addprefix $(PYTHON_OUT)/compiler/_bin/,$(COMPILER_TOOLS) $(COMPILER_NAMES)) $(addprefix $(PYTHON_OUT)/runtime/_bin/,$(RUNTIME_TOOLS))
	@rm -f $(PYTHON_STALE)
$(PYTHON_OUT)/compiler/libIREECompiler.so: $(O)/lib/libIREECompiler.so
	@mkdir -p $(@D); ln -sf $(abspath $<) $@
# The compiler's programs share its library, the runtime's are one program that is told which of them to be: wheels are small.
$(PYTHON_OUT)/compiler/_bin/_tools: $(O)/obj/bindings/python/compiler_main.o $(PYTHON_OUT)/compiler/libIREECompiler.so
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ '-Wl,-rpath,$$ORIGIN/..'
tool_symbol = $(subst -,_,$(1))_main
$(O)/obj/bindings/python/tools/%.o: $(O)/obj/tools/%.o
	@mkdir -p $(@D); objcopy --redefine-sym main=$(call tool_symbol,$*) $< $@
$(O)/obj/bindings/python/runtime_main.o: $(patsubst %,tools/%.c,$(RUNTIME_TOOLS))
$(O)/obj/bindings/python/runtime_main.o: ALL_CFLAGS += '-DTOOLS(TOOL)=$(foreach t,$(RUNTIME_TOOLS),TOOL("$(t)", $(call tool_symbol,$(t))))'
# ... so it is built again when there is another tool.
$(O)/obj/bindings/python/runtime_main.o: $(RUNTIME_TOOLS:%=tools/%.c)
$(PYTHON_OUT)/runtime/_bin/_tools: $(O)/obj/bindings/python/runtime_main.o $(addprefix $(O)/obj/bindings/python/tools/,$(addsuffix .o,$(RUNTIME_TOOLS))) $(RUNTIME_LIBS)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ -lpthread -lm
$(PYTHON_OUT)/compiler/_bin/iree-% $(PYTHON_OUT)/runtime/_bin/iree-%:
	@mkdir -p $(@D); rm -f $@; printf '#!/bin/sh\nexec "$${0%%/*}/_tools" iree-$* "$$@"\n' >$@; chmod +x $@
$(addprefix $(PYTHON_OUT)/compiler/_bin/,$(COMPILER_TOOLS) $(COMPILER_NAMES)): $(PYTHON_OUT)/compiler/_bin/_tools
$(addprefix $(PYTHON_OUT)/runtime/_bin/,$(RUNTIME_TOOLS)): $(PYTHON_OUT)/runtime/_bin/_tools
$(call obj,$(PYTHON_SRC)): ALL_CFLAGS += -isystem $(PYTHON_INCLUDE)
$(PYTHON_OUT)/runtime/_native.abi3.so: $(call obj,$(PYTHON_SRC)) $(RUNTIME_LIBS) | $(O)/ldbin/ld.lld
	@mkdir -p $(@D)
	$(CC) -shared $(ALL_LDFLAGS) -Wl,--exclude-libs,ALL -o $@ $^ -lpthread -lm
$(PYTHON_VERSIONS): bindings/python/version.py
	@mkdir -p $(@D); cp $< $@
$(filter-out $(PYTHON_VERSIONS),$(PYTHON_COPIES)): $(O)/python/%: bindings/python/%
	@mkdir -p $(@D); cp $< $@

.PHONY: wheels
wheels: all python
	@python3 scripts/wheels.py $(O)/python build/wheels

FUZZERS := $(patsubst tests/fuzz/%.c,$(O)/fuzz/%,$(wildcard tests/fuzz/*_fuzz.c))
fuzzers: $(FUZZERS)
# Driven by libFuzzer (make config=libfuzzer CC=clang-22 fuzzers) or by a driver of our own.
FUZZ_DRIVER = $(if $(filter libfuzzer,$(config)),,$(O)/obj/tests/fuzz/driver.o)
$(FUZZERS): $(O)/fuzz/%: $(O)/obj/tests/fuzz/%.o $(FUZZ_DRIVER) $(COMPILER_LIBS) | $(O)/ldbin/ld.lld
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $< $(FUZZ_DRIVER) -Wl,--start-group $(COMPILER_LIBS) -Wl,--end-group $(LLVM_SHARED) -lpthread -lm

# ---- what people type; each installs what it lacks first -----------------------------------------------

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
BUILD := $(MAKE) --no-print-directory -s -j$(JOBS)
TEST := python3 tests/run.py
COMPILE_FLAGS := --iree-hal-target-backends=llvm-cpu --iree-llvmcpu-target-cpu-features=host \
                 --iree-hal-executable-debug-level=0

# Without Python's headers its tests are skipped.
CHECK_PYTHON = $(if $(wildcard $(PYTHON_INCLUDE)/Python.h),python)

.PHONY: setup demo check check-quick cases random ops conformance compat releases bench ulp cross-aarch64 asan ubsan tsan fuzz format lint install dist amalgamation clean help
setup:
	@scripts/setup check

demo:
	@scripts/setup demo
	@$(BUILD) all
	build/bin/iree-compile samples/add.mlir $(COMPILE_FLAGS) -o build/add.vmfb
	@echo "add.vmfb: $$(wc -c <build/add.vmfb) bytes"
	build/bin/iree-run-module --module=build/add.vmfb --device=local-task --function=add \
	    --input=4xf32=1,2,3,4 --input=4xf32=5,6,7,8

check: setup
	@$(BUILD) all shared unit-tests samples $(CHECK_PYTHON)
	@$(TEST)
check-quick: setup
	@$(BUILD) all shared unit-tests samples $(CHECK_PYTHON)
	@$(TEST) --quick
compat: setup
	@$(BUILD) all
	@$(TEST) compat.matrix compat.tools compat.models compat.releases compat.cases
# Programs compiled by upstream's earlier releases, which it installs (2 GB) in RELEASES.
RELEASES ?= build/releases
releases: setup
	@$(BUILD) all
	@python3 scripts/releases.py $(RELEASES)
	@IREE_RELEASES=$(RELEASES) $(TEST) compat.releases
cases: setup
	@$(BUILD) all
	@python3 tests/cases.py
# N random programs of seed SEED against jaxlib; RANDOM_FLAGS: see tests/randomized/generate.py.
N ?= 5000
SEED ?= 1
random:
	@scripts/setup random
	@$(BUILD) all
	@$(or $(IREE_VENV_JAX),build/venv-jax)/bin/python tests/randomized/generate.py -n $(N) --seed $(SEED) $(RANDOM_FLAGS)
ops:
	@scripts/setup random
	@$(BUILD) all
	@$(or $(IREE_VENV_JAX),build/venv-jax)/bin/python tests/randomized/matrix.py
# SUITE is a folder of a checkout; CONFORMANCE_FLAGS: see tests/conformance/run.py.
conformance: setup
	@$(BUILD) all
	@python3 tests/conformance/run.py $(or $(SUITE),$(error SUITE=FOLDER is missing; see docs/conformance.md)) $(CONFORMANCE_FLAGS)
# Elementary functions against mpmath, into docs/numerics.md.
ulp: setup
	@$(BUILD) all
	@$(or $(IREE_VENV),build/venv-upstream)/bin/python scripts/ulp.py --write docs/numerics.md
cross-aarch64: setup
	@$(BUILD) all
	@$(TEST) cross -v
bench: setup
	@$(BUILD) all $(CHECK_PYTHON)
	@python3 scripts/bench.py

# Sanitizers: the unit tests and programs again, in a build of their own.
asan ubsan tsan: setup
	@$(BUILD) config=$@ all unit-tests samples $(if $(filter asan,$@),$(CHECK_PYTHON))
	@IREE_TEST_BUILD=build/$@ ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1 TSAN_OPTIONS=halt_on_error=1 \
	    $(TEST) $(if $(filter tsan,$@),unit e2e,unit golden diagnostics e2e) $(if $(filter asan,$@),$(CHECK_PYTHON))

# Mutated files, programs and flags: N of each from SEED, or as many as T seconds in all let through.
fuzz: N = $(if $(T),1000000000,100000)
fuzz: setup
	@$(BUILD) all
	@$(BUILD) config=fuzz fuzzers
	@IREE_TEST_BUILD=build/fuzz IREE_TEST_BIN=build/bin $(TEST) fuzz --iterations $(N) --seed $(SEED) \
	    $(if $(T),--seconds $$(($(T) / $(words $(FUZZERS)) + 1)) -j 1)

CLANG_FORMAT ?= $(shell command -v clang-format-22 || command -v clang-format || echo clang-format)
C_FILES = $(shell git ls-files '*.c' '*.h')
format:
	@$(CLANG_FORMAT) -i $(C_FILES)
lint:
	@$(TEST) rules
	@$(BUILD) O=build/lint CC=clang-22 CFLAGS='-O0 -Werror' objects

PREFIX ?= /usr/local
install: all shared
	@python3 scripts/install $(O) $(abspath $(DESTDIR)$(PREFIX))

# What users get without building: a tree that can stand anywhere.
RELEASE := $(shell sed -n 's/.*ABI_PRODUCT_VERSION "\([0-9.]*\)"$$/\1/p' abi/version.h)
DIST := iree-c-$(RELEASE)-linux-$(shell uname -m)
dist: all shared
	@rm -rf $(O)/dist/$(DIST)
	@python3 scripts/install $(O) $(abspath $(O)/dist/$(DIST))
	@tar -C $(O)/dist --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf - $(DIST) | gzip -9n >$(O)/dist/$(DIST).tar.gz
	@echo "$(O)/dist/$(DIST).tar.gz"

# The runtime as one C file and one header: cc -c iree_runtime.c
amalgamation:
	@python3 scripts/amalgamate $(O)/amalgamation
	@echo "$(O)/amalgamation/iree_runtime.c $(O)/amalgamation/iree_runtime.h"

clean: # all but the venvs
	rm -rf $(addprefix build/,obj gen so bin lib dist amalgamation ldbin python test testing debug asan ubsan tsan fuzz libfuzzer lint aarch64 add.vmfb)

help:
	@echo 'make               the tools (build/bin) and libraries (build/lib); config=debug|asan|ubsan|tsan: build/<config>/'
	@echo 'make python        the packages iree.runtime and iree.compiler in build/python'
	@echo 'make wheels        ... as wheels in build/wheels'
	@echo 'make demo          compile a first program and run it'
	@echo 'make check         all tests; check-quick: those that take under a minute'
	@echo 'make asan          unit tests and programs under a sanitizer; also ubsan, tsan'
	@echo 'make fuzz N=1000   mutated files and programs under sanitizers; T=60: as many as 60 s let through'
	@echo 'make compat        our compiler and runtime against upstream, both ways'
	@echo 'make releases      programs of earlier compilers of upstream (2 GB of wheels)'
	@echo 'make cases         the programs of ../shared/cases (tests/cases.py DIR: of another folder)'
	@echo 'make random N=5000 SEED=1  random programs against jaxlib'
	@echo 'make ops           docs/ops.md: each op on each element type'
	@echo 'make conformance SUITE=DIR  test programs of StableHLO or IREE (docs/conformance.md)'
	@echo 'make cross-aarch64 a program and the runtime for AArch64, under qemu'
	@echo 'make ulp           errors of elementary functions, into docs/numerics.md'
	@echo 'make bench         size and speed, interleaved with upstream'
	@echo 'make install PREFIX=DIR   headers, libraries, tools, pkg-config and CMake files, /usr/local by default;'
	@echo '                   DESTDIR=DIR: below another root, for packages; dist: the same as a tarball'
	@echo 'make amalgamation  the runtime as one C file and one header'
	@echo 'make format lint   the code style; clean; setup'

-include $(shell find $(O)/obj $(O)/so -name '*.d' 2>/dev/null)
.SECONDARY:
