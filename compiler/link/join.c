/* join.c - joins several objects into one, for `orrery cc -r` and -shared.
 *
 * The records of the objects follow one another (vcode/join.c). Symbols that are defined twice are reported here. The
 * linker does everything else when it links the joined object.
 */
#include "compiler/compiler.h"
#include "compiler/link/link_names.h"
#include "compiler/link/linker.h"

#include <string.h>

static void mark_shared(VcodeModule *into)
{
    uint32_t name = into->strings.count;
    memcpy(vcode_push_many(into, strings, sizeof CC_SHARED_NAME), CC_SHARED_NAME, sizeof CC_SHARED_NAME);
    *vcode_push(into, symbols) = (VcodeSymbol){.name = name,
                                               .section = VCODE_SECTION_UNDEFINED,
                                               .binding = VCODE_LOCAL,
                                               .file = VCODE_NONE,
                                               .type = VCODE_NONE,
                                               .alias = VCODE_NONE};
}

VcodeModule *cc_join(VcodeModule *const *objects, size_t n, bool shared, CcDiagnostics *diagnostics, GError **error)
{
    CcLinkOptions options = {.diagnostics = diagnostics};
    CcLink link = {0};
    cc_link_open(&link, objects, n, &options);
    cc_link_collect(&link); /* reports symbols that are defined twice */
    VcodeModule *joined = NULL;
    if (cc_link_succeeded(&link, error)) {
        joined = vcode_module_new(VCODE_OBJECT);
        for (size_t i = 0; i < n; i++)
            vcode_join_object(joined, objects[i]);
        if (shared)
            mark_shared(joined);
    }
    vcode_module_free(link.program);
    cc_link_close(&link);
    return joined;
}
