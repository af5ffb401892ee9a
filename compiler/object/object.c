/* object.c - the tables of an object file that several stages fill: files, relocations, flags of symbols. */
#include "compiler/object/object.h"

#include "compiler/ir/ir.h"

#include <string.h>

uint32_t cc_object_file(CcGenerate *g, uint32_t file)
{
    if (file >= g->unit->files->len)
        return VCODE_NONE;
    if (g->files[file] == VCODE_NONE)
        g->files[file] = vcode_source_file(g->module, g_ptr_array_index(g->unit->files, file));
    return g->files[file];
}

static void note(GByteArray *per_symbol, uint32_t symbol, uint8_t value)
{
    if (symbol >= per_symbol->len) {
        guint old = per_symbol->len;
        g_byte_array_set_size(per_symbol, MAX(symbol + 1, old * 2));
        memset(per_symbol->data + old, 0, per_symbol->len - old);
    }
    per_symbol->data[symbol] = value;
}

void cc_object_set_needed(CcGenerate *g, uint32_t symbol)
{
    note(g->needed, symbol, 1);
}

void cc_object_set_foreign(CcGenerate *g, uint32_t symbol, CcForeign foreign)
{
    note(g->foreign, symbol, (uint8_t)foreign);
}

void cc_object_reloc(CcGenerate *g, VcodeRelocKind kind, uint32_t symbol, uint64_t where, int64_t addend, uint32_t file,
                     uint32_t line)
{
    VcodeReloc *reloc = vcode_push(g->module, relocs);
    *reloc = (VcodeReloc){kind, symbol, where, addend, file, line};
    cc_object_set_needed(g, symbol);
}

bool cc_object_is_needed(const CcGenerate *g, uint32_t symbol)
{
    return symbol < g->needed->len && g->needed->data[symbol];
}
