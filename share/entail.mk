# entail for make: include this file, and each job of the project file is a target.
#
#   include path/to/entail.mk
#
#   make entail                all jobs, as far as what they read has changed
#   make entail-JOB            one job
#   make entail-run            all jobs in one process, within make's -j (and what it runs is its own choice)
#   make entail-report         the same with a report, a JUnit file and a SARIF file in $(ENTAIL_OUT)
#
# Settings, before the include: ENTAIL (the program), ENTAIL_PROJECT, ENTAIL_OUT (stamps, dependency files,
# reports), ENTAIL_FLAGS (options of `entail run`).
#
# A job is up to date when its stamp is newer than everything it read last time: the dependency file next to the
# stamp lists the sources, headers, file lists and constraints, as the job itself saw them, the folders it looked
# into, and the program. A job of which that is not known is asked each time. The stamp has the date at which the job
# began, so what is edited while it runs is newer. A job that fails leaves no stamp, but its dependency file.

ENTAIL ?= entail
ENTAIL_PROJECT ?= entail.yaml
ENTAIL_OUT ?= .entail/make
ENTAIL_FLAGS ?=

ENTAIL_JOBS := $(shell $(ENTAIL) list --plain --project $(ENTAIL_PROJECT))
ifneq ($(.SHELLSTATUS),0)
$(error $(ENTAIL) cannot read $(ENTAIL_PROJECT))
endif

.PHONY: entail entail-run entail-report
entail: $(ENTAIL_JOBS:%=$(ENTAIL_OUT)/%.ok)

# $(call entail_job,NAME)
define entail_job
.PHONY: entail-$(1)
entail-$(1): $$(ENTAIL_OUT)/$(1).ok
$$(ENTAIL_OUT)/$(1).ok: $$(ENTAIL_PROJECT)
	@mkdir -p $$(@D) && rm -f $$@ && touch $$@.new
	$$(ENTAIL) run $(1) --project $$(ENTAIL_PROJECT) --jobs 1 $$(ENTAIL_FLAGS) --deps $$(ENTAIL_OUT)/$(1).d --deps-target $$@
	@mv $$@.new $$@
-include $$(ENTAIL_OUT)/$(1).d
endef
$(foreach job,$(ENTAIL_JOBS),$(eval $(call entail_job,$(job))))

# The plus sign hands make's jobserver on.
entail-run:
	+$(ENTAIL) run --project $(ENTAIL_PROJECT) $(ENTAIL_FLAGS)

entail-report:
	@mkdir -p $(ENTAIL_OUT)
	+$(ENTAIL) run --project $(ENTAIL_PROJECT) $(ENTAIL_FLAGS) --report $(ENTAIL_OUT)/report.html \
		--junit $(ENTAIL_OUT)/junit.xml --sarif $(ENTAIL_OUT)/entail.sarif --json $(ENTAIL_OUT)/report.json
