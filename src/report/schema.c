#include "src/report/schema.h"

#include <stdio.h>
#include <string.h>

/* Put in by the assembler; make runs above src/. */
#define TEXT_IN(symbol, file)                                                          \
	__asm__(".section .rodata\n" symbol ":\n.incbin \"" file "\"\n.byte "          \
	        "0\n.text\n")
TEXT_IN("schema_of_run", "src/report/schema/run.json");
TEXT_IN("schema_of_summary", "src/report/schema/summary.json");
TEXT_IN("schema_of_compare", "src/report/schema/compare.json");
extern const char run_text[] __asm__("schema_of_run");
extern const char summary_text[] __asm__("schema_of_summary");
extern const char compare_text[] __asm__("schema_of_compare");

const struct schema schema_table[] = {
        {"run", run_text},
        {"summary", summary_text},
        {"compare", compare_text},
        {0},
};

const struct schema *schema_find(const char *name)
{
	for (const struct schema *s = schema_table; s->name; s++) {
		char form[64];
		snprintf(form, sizeof form, "cellbench-%s/1", s->name);
		if (strcmp(name, s->name) == 0 || strcmp(name, form) == 0)
			return s;
	}
	return NULL;
}
