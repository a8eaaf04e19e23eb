# cellbench and netprobe: one file, no recursion.  `make help` tells the rest.

CC      ?= gcc
CFLAGS  ?= -O2 -g
PREFIX  ?= /usr/local
DESTDIR ?=
SAN     ?=
WERROR  ?=

# Objects of each flavour live apart, so that switching costs no rebuild.
comma   := ,
VARIANT := $(if $(SAN),san-$(subst $(comma),-,$(SAN)),plain)$(if $(filter clang%,$(notdir $(CC))),-clang)
B       := build/$(VARIANT)
BIN     := $(if $(filter plain,$(VARIANT)),build/bin,$(B)/bin)

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
        -Wcast-align -Wcast-qual -Wconversion -Wno-sign-conversion -Wvla -Wformat=2 \
        -Wundef -Wwrite-strings -Wpointer-arith
ALL_CFLAGS := -std=c17 -D_GNU_SOURCE -I. -pthread $(WARN) $(if $(WERROR),-Werror) \
        $(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer -fno-sanitize-recover=all) \
        $(CFLAGS)
ALL_LDFLAGS = -pthread $(if $(SAN),-fsanitize=$(SAN)) $(LDFLAGS)

# ---- libraries, each with the Debian package that brings it ------------------
PKGS_BASE  := jansson:libjansson-dev
PKGS_BENCH := inih:libinih-dev
PKGS_PROBE := libpcap:libpcap-dev libnl-3.0:libnl-3-dev libnl-route-3.0:libnl-route-3-dev \
              libarchive:libarchive-dev libcap-ng:libcap-ng-dev libseccomp:libseccomp-dev ncurses:libncurses-dev
PKGS_TEST  := cmocka:libcmocka-dev
have     = $(shell pkg-config --exists $(1) 2>/dev/null && echo yes)
lib_of   = $(firstword $(subst :, ,$(1)))
pkg_of   = $(lastword $(subst :, ,$(1)))
need     = $(foreach p,$(1),$(if $(call have,$(call lib_of,$(p))),,$(call pkg_of,$(p))))
libs_of  = $(shell pkg-config --libs $(foreach p,$(1),$(call lib_of,$(p))) 2>/dev/null)
cflags_of = $(shell pkg-config --cflags $(foreach p,$(1),$(call lib_of,$(p))) 2>/dev/null)

MISSING := $(strip $(if $(shell command -v pkg-config),$(call need,$(PKGS_BASE) $(PKGS_BENCH) $(PKGS_PROBE)),pkg-config))
LIBS_BASE  := $(call libs_of,$(PKGS_BASE)) -lm
LIBS_BENCH := $(call libs_of,$(PKGS_BENCH))
LIBS_PROBE := $(call libs_of,$(PKGS_PROBE))
LIBS_TEST  := $(call libs_of,$(PKGS_TEST))
ALL_CFLAGS += $(call cflags_of,$(PKGS_BASE) $(PKGS_BENCH) $(PKGS_PROBE))

# ---- optional: the afs engine needs libuafs.a (package libopenafs-dev, or its
# unpacked copy that `make openafs` puts under build/, which is never installed)
OPENAFS_ROOT := build/openafs/root
UAFS_DIR := $(firstword $(dir $(wildcard /usr/lib/libuafs.a $(OPENAFS_ROOT)/usr/lib/libuafs.a)))
MULTIARCH := $(shell $(CC) -print-multiarch 2>/dev/null)
ifneq ($(UAFS_DIR),)
  ALL_CFLAGS += -DHAVE_UAFS
  UAFS_SHARED := $(foreach l,hcrypto roken asn1 heimbase,$(wildcard $(OPENAFS_ROOT)/usr/lib/$(MULTIARCH)/lib$(l).so.*))
  # RPATH, not RUNPATH: it must hold for what these libraries need in turn.
  LIBS_UAFS := -Wl,--disable-new-dtags -L$(UAFS_DIR) -L$(UAFS_DIR)afs \
        -L$(OPENAFS_ROOT)/usr/lib/$(MULTIARCH) -luafs -lcmd -lafsutil -lopr -lafscom_err \
        -l:libhcrypto.so.5 -l:libroken.so.19 -lcrypt \
        $(foreach up,.. ../.. ../../../..,-Wl,-rpath,'$$ORIGIN/$(up)/openafs/root/usr/lib/$(MULTIARCH)') \
        -Wl,-rpath,'$$ORIGIN/../lib/cellbench' -Wl,-rpath-link,$(OPENAFS_ROOT)/usr/lib/$(MULTIARCH)
endif

# ---- optional: several clients need Open MPI (libopenmpi-dev); without it there is
# one rank.  -isystem: its headers are not held to our warnings.
ifeq ($(call have,ompi-c),yes)
  ALL_CFLAGS += -DHAVE_MPI $(patsubst -I%,-isystem %,$(shell pkg-config --cflags ompi-c))
  LIBS_MPI := $(shell pkg-config --libs ompi-c)
endif

# ---- sources: the folders are the list ---------------------------------------
SRC_BASE  := $(wildcard src/base/*.c)
SRC_BENCH := $(filter-out $(if $(UAFS_DIR),,src/engine/afs%.c),\
             $(wildcard src/*.c $(foreach d,engine workload cache run report lab study study/published,src/$(d)/*.c)))
SRC_PROBE := $(wildcard netprobe/*.c netprobe/*/*.c)
SRC_UNIT  := $(wildcard tests/unit/*/*.c tests/unit/*/*/*.c)
SRC_SUPPORT := $(wildcard tests/support/*.c)
obj = $(patsubst %.c,$(B)/obj/%.o,$(1))

LIB_BASE  := $(B)/libbase.a
LIB_BENCH := $(B)/libcellbench.a
LIB_PROBE := $(B)/libnetprobe.a
LIB_SUPPORT := $(B)/libsupport.a
UNIT_TESTS := $(patsubst tests/unit/%.c,$(B)/unit/%,$(SRC_UNIT))
TEST_TOOLS := $(patsubst tests/bench/%.c,$(B)/tools/%,$(wildcard tests/bench/*.c)) \
              $(patsubst tests/bench/preload/%.c,$(B)/tools/%.so,$(wildcard tests/bench/preload/*.c))
LAB_TOOLS := $(patsubst tests/lab/support/%.c,$(B)/lab/%,$(wildcard tests/lab/support/*.c))

# What runs for every packet is compiled as a whole by gcc: a fifth faster than file by
# file.  The objects hold plain code too, which everything but netprobe is linked from.
ifneq ($(and $(filter plain,$(VARIANT)),$(findstring Free Software,$(shell $(CC) --version))),)
  HOT := $(call obj,$(wildcard src/base/*.c netprobe/source/*.c netprobe/decode/*.c netprobe/track/*.c))
  $(HOT): ALL_CFLAGS += -O3 -flto -ffat-lto-objects
  LTO := -fno-lto
  ALL_LDFLAGS += $(LTO)
  $(BIN)/netprobe: LTO := -O3 -flto=auto # after -fno-lto it has no effect
endif

Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-8s %s\n' $(1) $(2))

.PHONY: all help deps openafs demo study check check-unit check-golden check-sweep check-man check-html check-lab check-san golden-update \
        lint bench install uninstall clean require captures
.DELETE_ON_ERROR:
.SECONDARY:

all: require $(BIN)/cellbench $(BIN)/netprobe

help:
	@sed -n 's/^#: //p' Makefile

#: make                 build build/bin/cellbench and build/bin/netprobe
#: make demo            (sudo) install what is missing, build, run lab, workload and probe, print the report
#: make study [JOB=atm-1995 LIMIT=20m]   (sudo) run a job of doc/studies; results in build/studies
#: make check           (sudo for all of it) unit, golden and lab tests, plain and with sanitizers
#: make check-unit | check-golden | check-lab | check-san    one part of it; LONG=1: the lab tests that take minutes too
#: make check-corpus CORPUS=DIR   compare with the expected values of a folder of captures
#: make golden-update   rewrite the expected reports from what the program prints now
#: make bench           measure, side by side with other tools, in one run
#: make deps | openafs  install missing Debian packages | unpack OpenAFS below build/
#: make install [PREFIX=/usr/local DESTDIR=]
#: options: V=1 shows the commands, SAN=address,undefined, CC=clang, WERROR=1, DEPS=skip

require:
	@if [ -n "$(MISSING)" ]; then \
	  echo "missing libraries; install the packages: $(MISSING)" >&2; \
	  echo "(sudo make deps does it)" >&2; exit 3; fi

$(B)/obj/%.o: %.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# The parts of the JSON Schema as one object, which schema.c takes in.
SCHEMA := $(B)/schema.json
$(SCHEMA): $(wildcard netprobe/report/schema/*.json)
	$(call say,JSON,$@)
	@mkdir -p $(@D)
	$(Q){ c='{'; for f in $^; do printf '%s"%s":' "$$c" "$$(basename $$f .json)"; cat $$f; c=,; done; echo '}'; } >$@
$(call obj,netprobe/report/schema.c): $(SCHEMA)
$(call obj,netprobe/report/schema.c): ALL_CFLAGS += -DSCHEMA_FILE='"$(SCHEMA)"'

$(LIB_BASE): $(call obj,$(SRC_BASE))
$(LIB_BENCH): $(call obj,$(filter-out src/main.c,$(SRC_BENCH)))
$(LIB_PROBE): $(call obj,$(filter-out netprobe/main.c,$(SRC_PROBE)))
$(LIB_SUPPORT): $(call obj,$(SRC_SUPPORT))
$(B)/%.a:
	$(call say,AR,$@)
	@mkdir -p $(@D); rm -f $@
	$(Q)ar rcs $@ $^

$(BIN)/cellbench: $(call obj,src/main.c) $(LIB_BENCH) $(LIB_BASE)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS_UAFS) $(LIBS_MPI) $(LIBS_BENCH) $(LIBS_BASE)

$(BIN)/netprobe: $(call obj,netprobe/main.c) $(LIB_PROBE) $(LIB_BASE)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS_PROBE) $(LIBS_BASE)

# Unit tests mirror the sources: tests/unit/src/… links the driver,
# tests/unit/netprobe/… the probe, tests/unit/base/… neither.
$(B)/unit/src/%: $(B)/obj/tests/unit/src/%.o $(LIB_SUPPORT) $(LIB_BENCH) $(LIB_BASE)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS_UAFS) $(LIBS_MPI) $(LIBS_TEST) $(LIBS_BENCH) $(LIBS_BASE)

$(B)/unit/netprobe/%: $(B)/obj/tests/unit/netprobe/%.o $(LIB_SUPPORT) $(LIB_PROBE) $(LIB_BASE)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS_TEST) $(LIBS_PROBE) $(LIBS_BASE)

$(B)/unit/base/%: $(B)/obj/tests/unit/base/%.o $(LIB_SUPPORT) $(LIB_BASE)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS_TEST) $(LIBS_BASE)

# For programs of others: nothing of ours in them, no sanitizer.
$(B)/tools/%.so: tests/bench/preload/%.c
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu17 -O2 -Wall -Wextra -Werror -shared -fPIC -o $@ $<

$(B)/tools/%: $(B)/obj/tests/bench/%.o $(LIB_SUPPORT) $(LIB_PROBE) $(LIB_BASE)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS_PROBE) $(LIBS_BASE)

$(B)/lab/%: $(B)/obj/tests/lab/support/%.o
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^

# ---- tests --------------------------------------------------------------------
# Each part ends with "N passed, N failed, N skipped"; check sums them up.
SANITIZED := SAN=address,undefined

tests-built: all $(UNIT_TESTS) $(TEST_TOOLS) $(LAB_TOOLS)

check-unit: tests-built
	@tests/unit/run $(UNIT_TESTS)

check-golden: all
	@tests/golden/run $(BIN)/netprobe

check-sweep: all
	@tests/sweep/run $(BIN)/netprobe

check-man: all
	@tests/man/run $(BIN)/netprobe $(BIN)/cellbench

check-san:
	@$(MAKE) --no-print-directory $(SANITIZED) tests-built
	@tests/run unit $(MAKE) -s $(SANITIZED) check-unit --- golden $(MAKE) -s $(SANITIZED) check-golden \
	  --- sweep $(MAKE) -s $(SANITIZED) check-sweep

# As root what is missing is installed first; make reads the libraries once, so
# the rest is a make of its own.
check:
	@if [ "$$(id -u)" = 0 ]; then bash src/deps.sh && bash src/openafs.sh; else \
	  echo "check: not root: nothing is installed, tests that need root are skipped"; fi
	@$(MAKE) --no-print-directory -j"$$(nproc)" tests-built
	@$(MAKE) --no-print-directory -j"$$(nproc)" $(SANITIZED) tests-built
	@$(MAKE) --no-print-directory check-all

check-all: tests-built
	@$(MAKE) --no-print-directory $(SANITIZED) tests-built
	@tests/run unit $(MAKE) -s check-unit --- golden $(MAKE) -s check-golden \
	  --- sweep $(MAKE) -s check-sweep --- man $(MAKE) -s check-man \
	  --- unit-sanitized $(MAKE) -s $(SANITIZED) check-unit \
	  --- golden-sanitized $(MAKE) -s $(SANITIZED) check-golden \
	  --- sweep-sanitized $(MAKE) -s $(SANITIZED) check-sweep \
	  --- html $(MAKE) -s check-html \
	  --- lab $(MAKE) -s check-lab

check-html: all
	@CELLBENCH=$(abspath $(BIN))/cellbench NETPROBE=$(abspath $(BIN))/netprobe tests/html/run

check-corpus: all
	@tests/run corpus tests/corpus/run $(BIN)/netprobe $(CORPUS) \
	  --- findings tests/corpus/findings $(BIN)/netprobe $(CORPUS)

bench: all $(TEST_TOOLS)
	@TOOLS=$(B)/tools NETPROBE=$(BIN)/netprobe CELLBENCH=$(BIN)/cellbench tests/bench/run

golden-update: all
	@tests/golden/run $(BIN)/netprobe --update $(T)

.PHONY: tests-built check-all check-corpus

# ---- install -------------------------------------------------------------------
install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/libexec/cellbench \
	  $(DESTDIR)$(PREFIX)/share/man/man1
	install $(BIN)/cellbench $(BIN)/netprobe $(DESTDIR)$(PREFIX)/bin
	install -m 644 doc/cellbench.1 doc/netprobe.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 755 src/lab/*.sh $(DESTDIR)$(PREFIX)/libexec/cellbench
	$(if $(UAFS_SHARED),install -d $(DESTDIR)$(PREFIX)/lib/cellbench)
	$(if $(UAFS_SHARED),cp -P $(UAFS_SHARED) $(DESTDIR)$(PREFIX)/lib/cellbench)

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/cellbench $(DESTDIR)$(PREFIX)/bin/netprobe \
	  $(DESTDIR)$(PREFIX)/share/man/man1/cellbench.1 $(DESTDIR)$(PREFIX)/share/man/man1/netprobe.1
	rm -rf $(DESTDIR)$(PREFIX)/libexec/cellbench $(DESTDIR)$(PREFIX)/lib/cellbench

# ---- the lab, the demo and what they need (scripts; make only starts them) -----
deps:
	@bash src/deps.sh

openafs:
	@bash src/openafs.sh

# What was built before OpenAFS was unpacked has no afs engine in its table.
$(call obj,src/engine/engine.c): $(wildcard $(OPENAFS_ROOT).stamp)

# The page's style and script are put into this object by the assembler.
# What these take in with .incbin no compiler tells as a dependency.
$(call obj,src/report/html.c): $(wildcard src/report/html/*)
$(call obj,src/report/schema.c): $(wildcard src/report/schema/*)

# JOB names one of doc/studies, or a job file.
study: all
	@bash src/study.sh $(BIN)/cellbench "$(or $(JOB),atm-1995)" "$(LIMIT)"

demo:
	+@MAKE='$(MAKE)' bash src/demo.sh

check-lab: all $(LAB_TOOLS)
	@CELLBENCH=$(abspath $(BIN))/cellbench NETPROBE=$(abspath $(BIN))/netprobe LAB_TOOLS=$(abspath $(B))/lab tests/lab/run $(T)


clean:
	rm -rf build/plain* build/san-* build/bin

-include $(shell find build -name '*.d' -type f 2>/dev/null)
