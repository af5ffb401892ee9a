/* linker.c - links objects into a program: finds what is reachable from the entry, and lays it out.
 *
 *   1. collect   definitions by name (symbols.c)
 *   2. reach     functions and data objects, from _start, the constructors and the destructors, along relocations
 *   3. lay out   kept data in the order of objects and symbols; functions in the same order, then those made here
 *   4. write     code and tables with everything renumbered (write.c)
 *
 * The work is proportional to what is kept, apart from one pass over the symbols and relocations of each object.
 *
 * The linker makes some functions. __orrery_init and __orrery_fini call the constructors in order and the destructors
 * in reverse. A function of the simulator has no address of its own, so it gets a stub when its address is taken. A
 * stub passes on all arguments that a call can have. Their number comes from the prototype under which the address was
 * taken. Without a prototype the stub passes STUB_ARGUMENTS registers. Registers that the caller did not fill are zero,
 * and a function of the simulator reads no more arguments than it has parameters.
 */
#include "compiler/link/linker.h"

#include "compiler/compiler.h"
#include "compiler/link/link_names.h"

#include <stdlib.h>
#include <string.h>

enum { STUB_ARGUMENTS = 16 };

const VcodeSymbol *cc_link_symbol(const CcLink *link, const CcLinkTarget *target)
{
    return &link->objects[target->object].m->symbols.items[target->symbol];
}

/* -- relocations by kind and place ------------------------------------------------------------- */

static int compare_relocs(const void *a, const void *b)
{
    const VcodeReloc *x = a, *y = b;
    return (x->where > y->where) - (x->where < y->where);
}

static bool ascending(const VcodeReloc *relocs, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        if (relocs[i].where < relocs[i - 1].where)
            return false;
    return true;
}

static void sort_relocs(CcLinkObject *o)
{
    for (uint32_t i = 0; i < o->m->relocs.count; i++)
        o->n_relocs[o->m->relocs.items[i].kind]++;
    for (unsigned kind = VCODE_RELOC_CALL; kind <= VCODE_RELOC_RODATA; kind++) {
        o->relocs[kind] = g_new(VcodeReloc, o->n_relocs[kind] + 1);
        o->n_relocs[kind] = 0;
    }
    for (uint32_t i = 0; i < o->m->relocs.count; i++) {
        const VcodeReloc *r = &o->m->relocs.items[i];
        o->relocs[r->kind][o->n_relocs[r->kind]++] = *r;
    }
    for (unsigned kind = VCODE_RELOC_CALL; kind <= VCODE_RELOC_RODATA; kind++)
        if (!ascending(o->relocs[kind], o->n_relocs[kind]))
            qsort(o->relocs[kind], o->n_relocs[kind], sizeof(VcodeReloc), compare_relocs);
    for (uint32_t i = 0; i < o->n_relocs[VCODE_RELOC_CONSTANT]; i++)
        o->constant_reloc[o->relocs[VCODE_RELOC_CONSTANT][i].where] = i + 1;
}

static uint32_t lower_bound(const VcodeReloc *relocs, uint32_t n, uint64_t where)
{
    uint32_t low = 0, high = n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (relocs[middle].where < where)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const VcodeReloc *cc_link_relocs(const CcLinkObject *o, VcodeRelocKind kind, uint64_t low, uint64_t high, uint32_t *n)
{
    uint32_t first = lower_bound(o->relocs[kind], o->n_relocs[kind], low);
    *n = lower_bound(o->relocs[kind], o->n_relocs[kind], high) - first;
    return o->relocs[kind] + first;
}

/* -- reaching ---------------------------------------------------------------------------------- */

static void need_stub(CcLink *link, const CcLinkTarget *target)
{
    uint64_t known = cc_link_symbol(link, target)->value; /* arguments + 1, see lower/symbols.c */
    uint64_t registers = known & ~(uint64_t)CC_VALUE_VARIADIC;
    uint32_t arguments = registers && registers <= VCODE_MAX_ARGUMENTS ? (uint32_t)known : STUB_ARGUMENTS + 1;
    if (link->stub_function[target->index] == 0)
        g_array_append_val(link->stubs, target->index);
    link->stub_function[target->index] = MAX(link->stub_function[target->index], arguments);
}

static void need(CcLink *link, const CcLinkTarget *target, bool address)
{
    if (target->kind == CC_LINK_EXTERN && address)
        need_stub(link, target);
    if (target->kind == CC_LINK_MADE && !link->made_used[target->index]) {
        link->made_used[target->index] = true;
        for (guint i = 0; i < link->lists[target->index]->len; i++)
            need(link, &g_array_index(link->lists[target->index], CcLinkTarget, i), false);
    }
    if (target->kind != CC_LINK_DEFINED)
        return;
    CcLinkObject *o = &link->objects[target->object];
    const VcodeSymbol *s = cc_link_symbol(link, target);
    bool *kept = s->section == VCODE_SECTION_FUNCTION ? &o->function_kept[s->value] : &o->symbol_kept[target->symbol];
    if (*kept || s->section == VCODE_SECTION_UNDEFINED)
        return;
    *kept = o->used = true;
    g_array_append_val(link->work, *target);
}

static void follow(CcLink *link, uint32_t object, const VcodeReloc *relocs, uint32_t n, bool address)
{
    for (uint32_t i = 0; i < n; i++) {
        CcLinkTarget target = cc_link_resolve(link, object, relocs[i].symbol, &relocs[i]);
        need(link, &target, address);
    }
}

static void malformed(CcLink *link, uint32_t object, const VcodeFunction *f)
{
    const VcodeModule *m = link->objects[object].m;
    cc_link_error(link, object, f->file, f->line, "malformed object: function '%s' refers to nothing",
                  vcode_text(m, f->name));
}

/* Marks a switch table as taken. Each instruction must have a table of its own, because the table is copied with it.
 * Returns false if the object is malformed. */
static bool take_switch(CcLinkObject *o, uint32_t index, uint32_t function)
{
    if (index >= o->m->switches.count || o->m->switches.items[index].function != function || o->switch_taken[index])
        return false;
    o->switch_taken[index] = true;
    return true;
}

static void reach_function(CcLink *link, uint32_t object, uint32_t function)
{
    CcLinkObject *o = &link->objects[object];
    const VcodeFunction *f = &o->m->functions.items[function];
    uint32_t n, end = f->code_start + f->code_count;
    const VcodeReloc *calls = cc_link_relocs(o, VCODE_RELOC_CALL, f->code_start, end, &n);
    follow(link, object, calls, n, false);
    for (uint32_t pc = f->code_start; pc < end; pc++) {
        VcodeInstr i = o->m->code.items[pc];
        uint32_t index = (uint32_t)vcode_imm32(i);
        if (vcode_op(i) == VCODE_SWITCH && !take_switch(o, index, function))
            malformed(link, object, f);
        if (vcode_op(i) != VCODE_MOVK)
            continue;
        if (index >= o->m->constants.count)
            malformed(link, object, f);
        else if (o->constant_reloc[index])
            follow(link, object, &o->relocs[VCODE_RELOC_CONSTANT][o->constant_reloc[index] - 1], 1, true);
    }
}

static void reach_all(CcLink *link)
{
    while (link->work->len) {
        CcLinkTarget target = g_array_index(link->work, CcLinkTarget, link->work->len - 1);
        g_array_set_size(link->work, link->work->len - 1);
        const VcodeSymbol *s = cc_link_symbol(link, &target);
        const CcLinkObject *o = &link->objects[target.object];
        uint32_t n;
        if (s->section == VCODE_SECTION_FUNCTION) {
            reach_function(link, target.object, (uint32_t)s->value);
        } else if (s->section == VCODE_SECTION_DATA || s->section == VCODE_SECTION_RODATA) {
            VcodeRelocKind kind = s->section == VCODE_SECTION_DATA ? VCODE_RELOC_DATA : VCODE_RELOC_RODATA;
            const VcodeReloc *relocs = cc_link_relocs(o, kind, s->value, s->value + s->size, &n);
            follow(link, target.object, relocs, n, true);
        }
    }
}

/* Returns 1 + the priority behind "@constructor." or "@destructor.". Without a number it is the lowest priority.
 * Returns 0 if the name is another. */
static uint32_t announced_priority(const char *name, const char *kind)
{
    size_t n = strlen(kind);
    if (strncmp(name, kind, n) != 0 || (name[n] != '.' && name[n] != '\0'))
        return 0;
    return name[n] == '.' ? 1 + (uint32_t)g_ascii_strtoull(name + n + 1, NULL, 10) : 1 + 65536;
}

static int compare_priority(gconstpointer a, gconstpointer b)
{
    const CcLinkTarget *x = a, *y = b;
    int64_t left = x->index, right = y->index; /* `index` holds the priority while the list is sorted */
    if (left != right)
        return left < right ? -1 : 1;
    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    return x->symbol < y->symbol ? -1 : x->symbol > y->symbol;
}

/* Sorts constructors by priority, then by object and symbol. Destructors get the reverse order. */
static void sort_lists(CcLink *link)
{
    for (unsigned list = CC_LINK_INIT; list <= CC_LINK_FINI; list++) {
        GArray *array = link->lists[list];
        g_array_sort(array, compare_priority);
        for (guint i = 0; list == CC_LINK_FINI && i < array->len / 2; i++) {
            CcLinkTarget *first = &g_array_index(array, CcLinkTarget, i);
            CcLinkTarget *last = &g_array_index(array, CcLinkTarget, array->len - 1 - i), swap = *first;
            *first = *last;
            *last = swap;
        }
        for (guint i = 0; i < array->len; i++)
            g_array_index(array, CcLinkTarget, i).index = 0;
    }
}

static void find_constructors(CcLink *link)
{
    for (uint32_t o = 0; o < link->n_objects; o++) {
        const VcodeModule *m = link->objects[o].m;
        for (uint32_t i = 0; i < m->symbols.count; i++) {
            const VcodeSymbol *s = &m->symbols.items[i];
            const char *name = vcode_text(m, s->name);
            if (name[0] != '@' || s->section != VCODE_SECTION_FUNCTION)
                continue;
            uint32_t constructor = announced_priority(name, CC_CONSTRUCTOR_NAME);
            uint32_t destructor = announced_priority(name, CC_DESTRUCTOR_NAME);
            CcLinkTarget target = {CC_LINK_DEFINED, o, i, constructor ? constructor : destructor};
            if (constructor || destructor)
                g_array_append_val(link->lists[constructor ? CC_LINK_INIT : CC_LINK_FINI], target);
        }
    }
    sort_lists(link);
}

/* -- layout ------------------------------------------------------------------------------------ */

static uint64_t align_up(uint64_t value, uint64_t align)
{
    return align > 1 ? (value + align - 1) & ~(align - 1) : value;
}

/* Copies an object's bytes to the end of a section of the program. Returns their offset in the section. */
static uint64_t place_bytes(VcodeModule *p, bool rodata, const uint8_t *from, const VcodeSymbol *s)
{
    uint32_t end = rodata ? p->rodata.count : p->data.count;
    uint64_t at = align_up(end, s->align);
    uint32_t more = (uint32_t)(at + s->size - end);
    if (more) {
        uint8_t *into = rodata ? vcode_push_many(p, rodata, more) : vcode_push_many(p, data, more);
        memcpy(into + (at - end), from + s->value, s->size);
    }
    return at;
}

static uint64_t place_bss(const CcLink *link, uint32_t object, uint32_t symbol)
{
    const CcLinkObject *o = &link->objects[object];
    const VcodeSymbol *s = &o->m->symbols.items[symbol];
    const CcLinkDefinition *d = g_hash_table_lookup(link->definitions, vcode_text(o->m, s->name));
    uint64_t size = s->size;
    uint16_t align = s->align;
    if (s->section == VCODE_SECTION_COMMON && d && d->object == object && d->symbol == symbol) {
        size = MAX(size, d->common_size);
        align = MAX(align, d->common_align);
    }
    uint64_t at = align_up(link->program->bss_bytes, align);
    link->program->bss_bytes = at + size;
    return at;
}

static void place_symbol(CcLink *link, uint32_t object, uint32_t symbol)
{
    CcLinkObject *o = &link->objects[object];
    const VcodeSymbol *s = &o->m->symbols.items[symbol];
    if (s->section == VCODE_SECTION_RODATA)
        o->symbol_value[symbol] = place_bytes(link->program, true, o->m->rodata.items, s);
    else if (s->section == VCODE_SECTION_DATA)
        o->symbol_value[symbol] = place_bytes(link->program, false, o->m->data.items, s);
    else
        o->symbol_value[symbol] = place_bss(link, object, symbol);
}

/* Returns the address of the data. It is in the middle of a page (see vcode.h), unless an object needs a larger
 * alignment. */
static uint64_t data_base(uint16_t align)
{
    return VCODE_DATA_BASE & ~(uint64_t)(align - 1);
}

static void lay_out(CcLink *link)
{
    VcodeModule *p = link->program;
    for (uint32_t o = 0; o < link->n_objects; o++)
        for (uint32_t i = 0; i < link->objects[o].m->symbols.count; i++)
            if (link->objects[o].symbol_kept[i])
                place_symbol(link, o, i);
    uint16_t align = 16; /* of the end of data, where bss begins */
    for (uint32_t o = 0; o < link->n_objects; o++)
        for (uint32_t i = 0; i < link->objects[o].m->symbols.count; i++)
            if (link->objects[o].symbol_kept[i])
                align = MAX(align, link->objects[o].m->symbols.items[i].align);
    p->data_base = data_base(align);
    uint32_t padding = (uint32_t)(align_up(p->data.count, align) - p->data.count);
    if (padding)
        (void)vcode_push_many(p, data, padding);
    for (uint32_t o = 0; o < link->n_objects; o++)
        for (uint32_t i = 0; i < link->objects[o].m->functions.count; i++)
            link->objects[o].function_new[i] = link->objects[o].function_kept[i] ? link->n_functions++ : VCODE_NONE;
    for (unsigned i = 0; i < CC_LINK_N_MADE; i++)
        link->made_function[i] = link->made_used[i] ? link->n_functions++ : VCODE_NONE;
}

uint64_t cc_link_address(const CcLink *link, const CcLinkTarget *target)
{
    const VcodeModule *p = link->program;
    if (target->kind == CC_LINK_NOTHING)
        return 0;
    if (target->kind == CC_LINK_MADE)
        return VCODE_CODE_BASE + UINT64_C(16) * link->made_function[target->index];
    if (target->kind == CC_LINK_EXTERN) {
        for (guint i = 0; i < link->stubs->len; i++)
            if (g_array_index(link->stubs, uint32_t, i) == target->index)
                return VCODE_CODE_BASE + UINT64_C(16) * (link->n_functions + i);
        g_assert_not_reached();
    }
    const CcLinkObject *o = &link->objects[target->object];
    const VcodeSymbol *s = cc_link_symbol(link, target);
    switch ((VcodeSection)s->section) {
    case VCODE_SECTION_FUNCTION: return VCODE_CODE_BASE + UINT64_C(16) * o->function_new[s->value];
    case VCODE_SECTION_RODATA: return VCODE_RODATA_BASE + o->symbol_value[target->symbol];
    case VCODE_SECTION_DATA: return p->data_base + o->symbol_value[target->symbol];
    case VCODE_SECTION_BSS:
    case VCODE_SECTION_COMMON: return p->data_base + p->data.count + o->symbol_value[target->symbol];
    case VCODE_SECTION_UNDEFINED: break;
    }
    return 0;
}

/* -- the whole --------------------------------------------------------------------------------- */

static CcLinkRank rank_of(const VcodeModule *m)
{
    bool library = m->functions.count > 0;
    for (uint32_t i = 0; i < m->functions.count; i++)
        library &= (m->functions.items[i].flags & VCODE_FUNCTION_LIBRARY) != 0;
    if (library)
        return CC_LINK_RUNTIME;
    for (uint32_t i = 0; i < m->symbols.count; i++)
        if (strcmp(vcode_text(m, m->symbols.items[i].name), CC_SHARED_NAME) == 0)
            return CC_LINK_SHARED;
    return CC_LINK_PROGRAM;
}

static void open_object(CcLinkObject *o, const VcodeModule *m)
{
    o->m = m;
    o->rank = rank_of(m);
    o->function_new = g_new0(uint32_t, m->functions.count + 1);
    o->symbol_object = g_new0(uint32_t, m->symbols.count + 1);
    o->inline_new = g_new0(uint32_t, m->inlines.count + 1);
    o->function_kept = g_new0(bool, m->functions.count + 1);
    o->switch_taken = g_new0(bool, m->switches.count + 1);
    o->symbol_kept = g_new0(bool, m->symbols.count + 1);
    o->symbol_value = g_new0(uint64_t, m->symbols.count + 1);
    o->constant_reloc = g_new0(uint32_t, m->constants.count + 1);
    o->constant_new = g_new0(uint32_t, m->constants.count + 1);
    o->file_new = g_new0(uint32_t, m->files.count + 1);
    o->string_new = g_new0(uint32_t, m->strings.count + 1);
    sort_relocs(o);
}

static void close_object(CcLinkObject *o)
{
    g_free(o->function_new);
    g_free(o->symbol_object);
    g_free(o->inline_new);
    g_free(o->function_kept);
    g_free(o->switch_taken);
    g_free(o->symbol_kept);
    g_free(o->symbol_value);
    g_free(o->constant_reloc);
    g_free(o->constant_new);
    g_free(o->file_new);
    g_free(o->string_new);
    for (unsigned kind = VCODE_RELOC_CALL; kind <= VCODE_RELOC_RODATA; kind++)
        g_free(o->relocs[kind]);
}

void cc_link_open(CcLink *link, VcodeModule *const *objects, size_t n, const CcLinkOptions *options)
{
    link->options = options;
    link->n_objects = (uint32_t)n;
    link->objects = g_new0(CcLinkObject, n + 1);
    for (uint32_t i = 0; i < n; i++)
        open_object(&link->objects[i], objects[i]);
    link->definitions = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    link->complained = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    link->errors = g_string_new(NULL);
    link->work = g_array_new(FALSE, FALSE, sizeof(CcLinkTarget));
    for (unsigned i = 0; i < 2; i++)
        link->lists[i] = g_array_new(FALSE, FALSE, sizeof(CcLinkTarget));
    link->stubs = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    link->adapters = g_array_new(FALSE, FALSE, sizeof(CcLinkAdapter));
    link->extern_new = g_new0(uint32_t, options->n_externs + 1);
    link->stub_function = g_new0(uint32_t, options->n_externs + 1);
    link->program = vcode_module_new(VCODE_PROGRAM);
    for (const char *const *name = options->wrapped; name && *name; name++) {
        if (!link->wrapped)
            link->wrapped = g_hash_table_new(g_str_hash, g_str_equal);
        g_hash_table_add(link->wrapped, (gpointer)*name);
    }
}

bool cc_link_succeeded(const CcLink *link, GError **error)
{
    if (!link->n_errors)
        return true;
    if (link->options->diagnostics)
        g_set_error_literal(error, CC_ERROR, CC_ERROR_LINK, "linking failed");
    else
        g_set_error_literal(error, CC_ERROR, CC_ERROR_LINK, link->errors->str);
    return false;
}

void cc_link_close(CcLink *link)
{
    for (uint32_t i = 0; i < link->n_objects; i++)
        close_object(&link->objects[i]);
    g_free(link->objects);
    g_hash_table_destroy(link->definitions);
    g_hash_table_destroy(link->complained);
    if (link->wrapped)
        g_hash_table_destroy(link->wrapped);
    g_string_free(link->errors, TRUE);
    g_array_free(link->work, TRUE);
    for (unsigned i = 0; i < 2; i++)
        g_array_free(link->lists[i], TRUE);
    g_array_free(link->stubs, TRUE);
    g_array_free(link->adapters, TRUE);
    g_free(link->extern_new);
    g_free(link->stub_function);
}

static void link_program(CcLink *link)
{
    CcLinkTarget entry;
    cc_link_collect(link);
    find_constructors(link);
    bool found = cc_link_find(link, "_start", &entry) && entry.kind == CC_LINK_DEFINED &&
                 cc_link_symbol(link, &entry)->section == VCODE_SECTION_FUNCTION;
    if (!found) {
        cc_link_error(link, 0, VCODE_NONE, 0, "no object defines _start: the run-time library is missing");
        return;
    }
    need(link, &entry, false);
    reach_all(link);
    if (link->n_errors)
        return;
    cc_link_check_types(link);
    lay_out(link);
    cc_link_write(link);
    link->program->entry = link->objects[entry.object].function_new[cc_link_symbol(link, &entry)->value];
}

VcodeModule *cc_link(VcodeModule *const *objects, size_t n, const CcLinkOptions *options, GError **error)
{
    CcLink link = {0};
    for (size_t i = 0; i < n; i++)
        if (objects[i]->kind != VCODE_OBJECT) {
            g_set_error(error, CC_ERROR, CC_ERROR_LINK, "file %zu is a linked program, not an object", i + 1);
            return NULL;
        }
    cc_link_open(&link, objects, n, options);
    link_program(&link);
    if (!cc_link_succeeded(&link, error))
        g_clear_pointer(&link.program, vcode_module_free);
    cc_link_close(&link);
    return link.program;
}
