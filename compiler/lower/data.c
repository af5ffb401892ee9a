/* data.c - lowers objects with static storage to sections, bytes and relocations; string literals.
 *
 * An object goes to rodata if its type is const, to bss if all its bytes are zero, to common if it is only tentatively
 * defined (then several files may define it, as programs older than C99 do), else to data. Equal strings of an object
 * file share their bytes. Every distinct string has its own symbol, so that the linker can drop unused ones.
 */
#include "compiler/arena/arena.h"
#include "compiler/compiler.h"
#include "compiler/ir/ir.h"
#include "compiler/link/link_names.h"
#include "compiler/lower/lower.h"
#include "compiler/lower/lowering.h"
#include "compiler/object/object.h"
#include "compiler/report/report.h"
#include "compiler/tree/tree.h"

#include <string.h>

/* -- strings ----------------------------------------------------------------------------------- */

/* Strings with the same bytes and alignment share one symbol. */
typedef struct StringKey {
    const uint8_t *bytes;
    uint64_t size;
    uint32_t align;
} StringKey;

static guint string_hash(gconstpointer key)
{
    const StringKey *k = key;
    guint hash = 5381 + k->align;
    for (uint64_t i = 0; i < k->size; i++)
        hash = hash * 33 + k->bytes[i];
    return hash;
}

static gboolean string_equal(gconstpointer a, gconstpointer b)
{
    const StringKey *x = a, *y = b;
    return x->size == y->size && x->align == y->align && memcmp(x->bytes, y->bytes, x->size) == 0;
}

/* Appends bytes to a section, aligned. Returns their offset. */
static uint64_t add_bytes(CcGenerate *g, VcodeSection section, const uint8_t *bytes, uint64_t size, uint32_t align)
{
    VcodeModule *m = g->module;
    bool rodata = section == VCODE_SECTION_RODATA;
    uint32_t end = rodata ? m->rodata.count : m->data.count;
    uint64_t at = cc_align_up(end, align);
    uint32_t more = (uint32_t)(at + size - end);
    if (more) {
        uint8_t *into = rodata ? vcode_push_many(m, rodata, more) : vcode_push_many(m, data, more);
        memcpy(into + (at - end), bytes, size);
    }
    return at;
}

uint32_t cc_lower_blob(CcGenerate *g, const uint8_t *bytes, uint64_t size, uint32_t align)
{
    uint64_t at = add_bytes(g, VCODE_SECTION_RODATA, bytes, size, align);
    uint32_t symbol = g->module->symbols.count;
    VcodeSymbol *record = vcode_push(g->module, symbols);
    *record = (VcodeSymbol){.section = VCODE_SECTION_RODATA,
                            .binding = VCODE_LOCAL,
                            .align = (uint16_t)align,
                            .value = at,
                            .size = size,
                            .file = VCODE_NONE,
                            .type = VCODE_NONE,
                            .alias = VCODE_NONE};
    uint32_t name = vcode_string(g->module, CC_STRING_NAME);
    g->module->symbols.items[symbol].name = name;
    return symbol;
}

uint32_t cc_lower_string(CcGenerate *g, const char *bytes, uint64_t size, uint32_t align, CcLoc loc)
{
    if (!g->strings)
        g->strings = g_hash_table_new(string_hash, string_equal);
    StringKey key = {(const uint8_t *)bytes, size, MAX(align, 1u)};
    gpointer found;
    if (g_hash_table_lookup_extended(g->strings, &key, NULL, &found))
        return GPOINTER_TO_UINT(found);
    uint32_t symbol = cc_lower_blob(g, key.bytes, size, key.align);
    g->module->symbols.items[symbol].line = loc.line;
    StringKey *kept = CC_NEW(g->unit->arena, StringKey);
    *kept = key;
    g_hash_table_insert(g->strings, kept, GUINT_TO_POINTER(symbol));
    return symbol;
}

/* -- initialisers ------------------------------------------------------------------------------ */

static void put(uint8_t *into, uint64_t room, uint64_t value, uint64_t size)
{
    for (uint64_t i = 0; i < size && i < room; i++)
        into[i] = (uint8_t)(value >> (8 * i));
}

static void put_bits(uint8_t *into, uint64_t room, unsigned offset, unsigned width, uint64_t value)
{
    for (unsigned i = 0; i < width; i++) {
        unsigned bit = offset + i;
        if (bit / 8 < room && (value >> i & 1))
            into[bit / 8] |= (uint8_t)(1u << bit % 8);
    }
}

static const CcExpr *number_of(const CcExpr *value)
{
    while (value->kind == CC_CAST && value->left->kind != CC_STRING && value->type->size == value->left->type->size &&
           cc_is_integer(value->type) + (value->type->kind == CC_POINTER) > 0)
        value = value->left;
    return value;
}

bool cc_lower_constant_init(const CcInit *init, uint8_t *into, uint64_t size)
{
    const CcExpr *value = number_of(init->value);
    if (init->offset > size)
        return false;
    uint8_t *at = into + init->offset;
    uint64_t room = size - init->offset;
    if (value->kind == CC_STRING) {
        if (init->type->kind != CC_ARRAY)
            return false;
        memcpy(at, value->string, MIN(MIN(value->string_size, room), init->type->size));
        return true;
    }
    if (value->kind != CC_NUMBER)
        return false;
    if (init->bit_width) {
        put_bits(at, room, init->bit_offset, init->bit_width, value->integer);
    } else if (cc_is_complex(init->type)) {
        CcType *part = cc_type_complex_part(init->type);
        put(at, room, (uint64_t)cc_lower_real_bits(part, value->real), part->size);
        if (room > part->size)
            put(at + part->size, room - part->size, (uint64_t)cc_lower_real_bits(part, value->imaginary), part->size);
    } else if (cc_is_wide(init->type)) {
        put(at, room, value->integer, 8);
        if (room > 8)
            put(at + 8, room - 8, value->high, 8);
    } else if (cc_is_real(init->type)) {
        put(at, room, (uint64_t)cc_lower_real_bits(init->type, value->real), init->type->size);
    } else {
        put(at, room, value->integer, init->type->size);
    }
    return true;
}

static bool all_zero(const CcSymbol *symbol)
{
    for (const CcInit *init = symbol->init; init; init = init->next) {
        const CcExpr *value = number_of(init->value);
        if (value->kind != CC_NUMBER)
            return false;
        bool real = cc_is_real(value->type) || cc_is_complex(value->type);
        if (real ? cc_lower_real_bits(value->type, value->real) || cc_lower_real_bits(value->type, value->imaginary)
                 : value->integer != 0 || value->high != 0)
            return false;
    }
    return true;
}

static bool is_constant_type(const CcType *type)
{
    while (type->kind == CC_ARRAY)
        type = type->target;
    return (type->qualifiers & CC_CONST) && !(type->qualifiers & CC_VOLATILE);
}

/* Finds the symbol and the distance from it that an initialiser element means if it is not a number. Returns false if
 * there is none. */
static bool address_value(CcGenerate *g, const CcExpr *value, uint32_t *symbol, int64_t *addend)
{
    switch (value->kind) {
    case CC_CAST:
    case CC_DECAY:
    case CC_ADDRESS: return address_value(g, value->left, symbol, addend);
    case CC_STRING:
        *symbol = cc_lower_string(g, value->string, value->string_size, value->type->target->align, value->loc);
        return true;
    case CC_VARIABLE:
    case CC_COMPOUND: *symbol = cc_lower_symbol(g, value->symbol); return true;
    case CC_ADDRESS_CONSTANT:
        *addend += (int64_t)value->integer;
        if (value->symbol)
            *symbol = cc_lower_symbol(g, value->symbol);
        return value->symbol || address_value(g, value->left, symbol, addend);
    default: return false;
    }
}

static void relocate(CcGenerate *g, const CcInit *init, VcodeSection section, uint64_t base)
{
    const CcExpr *value = init->value;
    while (value->kind == CC_CAST)
        value = value->left;
    uint64_t where = base + init->offset;
    if (value->kind == CC_LABEL_ADDRESS || value->kind == CC_SUBTRACT) { /* a label, or the distance of two */
        bool distance = value->kind == CC_SUBTRACT;
        CcLabelPatch patch = {section, where, (unsigned)init->type->size, value->label, NULL};
        if (distance)
            patch = (CcLabelPatch){section, where, (unsigned)init->type->size, value->left->label, value->right->label};
        g_array_append_val(g->patches, patch);
        return;
    }
    uint32_t symbol = VCODE_NONE;
    int64_t addend = 0;
    bool known = address_value(g, value, &symbol, &addend);
    g_assert(known); /* the front end accepts nothing else in a static initialiser */
    cc_object_reloc(g, section == VCODE_SECTION_RODATA ? VCODE_RELOC_RODATA : VCODE_RELOC_DATA, symbol, where, addend,
                    cc_object_file(g, value->loc.file), value->loc.line);
}

void cc_lower_label_patches(CcGenerate *g)
{
    for (guint i = 0; i < g->patches->len; i++) {
        const CcLabelPatch *patch = &g_array_index(g->patches, CcLabelPatch, i);
        const CcLabelInfo *info = patch->label->back, *other = patch->minus ? patch->minus->back : NULL;
        uint64_t value = info ? info->pc : 0;
        value = patch->minus ? value - (other ? other->pc : 0) : value + VCODE_LABEL_BASE;
        uint8_t *bytes = patch->section == VCODE_SECTION_RODATA ? g->module->rodata.items : g->module->data.items;
        put(bytes + patch->where, patch->size, value, patch->size);
    }
}

/* -- objects ----------------------------------------------------------------------------------- */

/* Returns the size of an object. It may be larger than its type: a flexible array member can be initialised (GNU). */
static uint64_t object_size(const CcSymbol *symbol)
{
    uint64_t size = symbol->type->size;
    for (const CcInit *init = symbol->init; init; init = init->next)
        size = MAX(size, init->offset + init->type->size);
    return size;
}

static void lower_bytes(CcGenerate *g, CcSymbol *symbol, uint32_t index, VcodeSection section, uint64_t size,
                        uint32_t align)
{
    g_autofree uint8_t *bytes = g_malloc0(size + 8);
    for (const CcInit *init = symbol->init; init; init = init->next)
        (void)cc_lower_constant_init(init, bytes, size);
    uint64_t at = add_bytes(g, section, bytes, size, align);
    for (const CcInit *init = symbol->init; init; init = init->next)
        if (!cc_lower_constant_init(init, bytes, size))
            relocate(g, init, section, at);
    g->module->symbols.items[index].value = at;
}

void cc_lower_object(CcGenerate *g, CcSymbol *symbol)
{
    uint32_t index = cc_lower_symbol(g, symbol);
    uint32_t align = MAX(MAX(symbol->align, symbol->type->align), 1u);
    uint64_t size = object_size(symbol);
    bool zero = all_zero(symbol);
    VcodeSection section = VCODE_SECTION_DATA;
    if (zero && symbol->tentative && !symbol->init && symbol->storage != CC_STATIC && !symbol->weak &&
        !g->unit->options->no_common)
        section = VCODE_SECTION_COMMON;
    else if (is_constant_type(symbol->type) && size < (1u << 28))
        section = VCODE_SECTION_RODATA;
    else if (zero)
        section = VCODE_SECTION_BSS;
    if (section != VCODE_SECTION_BSS && section != VCODE_SECTION_COMMON && size > (1u << 30)) {
        cc_report(g->unit, CC_SEVERITY_ERROR, symbol->loc, NULL,
                  "initialised object '%s' of %" G_GUINT64_FORMAT " bytes is too large (at most 1 GiB)", symbol->name,
                  size);
        section = VCODE_SECTION_BSS;
    }
    VcodeSymbol *record = &g->module->symbols.items[index];
    record->section = (uint8_t)section;
    record->size = size;
    record->align = (uint16_t)align;
    record->file = cc_object_file(g, symbol->loc.file);
    record->line = symbol->loc.line;
    if (section == VCODE_SECTION_COMMON) {
        record->value = align;
    } else if (section == VCODE_SECTION_BSS) {
        record->value = cc_align_up(g->module->bss_bytes, align);
        g->module->bss_bytes = record->value + size;
    } else {
        lower_bytes(g, symbol, index, section, size, align);
    }
}
