/* disassemble.c - vCode as text that people can read.
 *
 *     sum(a, b):                           ; function 3: 2 parameters, 4 registers, sum.c:12
 *     ; sum.c:13: while (a < b)
 *       120  mov       r2, r0
 *     L121:
 *       121  add.l     r2, r2, r1
 *       122  blt       r2, r1, L121
 *
 * Numbers on the left and in labels are indices into code[], as in fault messages and in the debugger. The verifier and
 * the debugger print single lines with the function that prints a line of a listing. That function must accept any
 * bytes, so it checks every index.
 */
#include "vcode/calling.h"
#include "vcode/internal.h"

#include <math.h>
#include <string.h>

/* -- what a 64-bit constant may mean ----------------------------------------------------------- */

static void append_string(const uint8_t *bytes, size_t size, GString *out)
{
    enum { LONGEST = 40 };
    g_string_append_c(out, '"');
    for (size_t i = 0; i < size && bytes[i]; i++) {
        if (i == LONGEST) {
            g_string_append(out, "...");
            break;
        }
        switch (bytes[i]) {
        case '\n': g_string_append(out, "\\n"); break;
        case '\t': g_string_append(out, "\\t"); break;
        case '"': g_string_append(out, "\\\""); break;
        case '\\': g_string_append(out, "\\\\"); break;
        default: g_string_append_c(out, (char)bytes[i]);
        }
    }
    g_string_append_c(out, '"');
}

/* Returns whether a string seems to begin here. Only the first FAR bytes are looked at. */
static bool is_text(const uint8_t *bytes, size_t size)
{
    enum { FAR = 1024 };
    for (size_t i = 0; i < size; i++) {
        if (i == FAR)
            return true;
        if (!bytes[i])
            return i > 0;
        if ((bytes[i] < 32 || bytes[i] == 127) && bytes[i] != '\n' && bytes[i] != '\t')
            return false;
    }
    return false;
}

/* Appends the data symbol that contains `offset` of a section, as "name" or "name+8". Returns false if there is
 * none. */
static bool append_symbol(const VcodeModule *m, VcodeSection section, uint64_t offset, GString *out)
{
    for (uint32_t i = 0; i < m->symbols.count; i++) {
        const VcodeSymbol *s = &m->symbols.items[i];
        if (s->section != section || offset < s->value || offset - s->value >= MAX(s->size, 1))
            continue;
        if (!*vcode_text(m, s->name))
            continue;
        g_string_append(out, vcode_text(m, s->name));
        if (offset != s->value)
            g_string_append_printf(out, "+%" G_GUINT64_FORMAT, offset - s->value);
        return true;
    }
    return false;
}

static bool append_address(const VcodeModule *m, uint64_t value, GString *out)
{
    uint64_t function = (value - VCODE_CODE_BASE) / 16;
    if (value >= VCODE_CODE_BASE && value % 16 == 0 && function < m->functions.count) {
        g_string_append_printf(out, "&%s", vcode_text(m, m->functions.items[function].name));
        return true;
    }
    if (value >= VCODE_LABEL_BASE && value < VCODE_LABEL_BASE + UINT32_MAX) {
        g_string_append_printf(out, "label at +%" G_GUINT64_FORMAT, value - VCODE_LABEL_BASE);
        return true;
    }
    uint64_t offset = value - VCODE_RODATA_BASE;
    if (value >= VCODE_RODATA_BASE && offset < m->rodata.count) {
        if (append_symbol(m, VCODE_SECTION_RODATA, offset, out))
            g_string_append_c(out, ' ');
        if (is_text(m->rodata.items + offset, m->rodata.count - offset))
            append_string(m->rodata.items + offset, m->rodata.count - offset, out);
        else
            g_string_append_printf(out, "rodata+%" G_GUINT64_FORMAT, offset);
        return true;
    }
    offset = value - m->data_base;
    if (value < m->data_base || offset >= m->data.count + m->bss_bytes)
        return false;
    if (offset < m->data.count)
        return append_symbol(m, VCODE_SECTION_DATA, offset, out) ||
               (g_string_append_printf(out, "data+%" G_GUINT64_FORMAT, offset), true);
    offset -= m->data.count;
    return append_symbol(m, VCODE_SECTION_BSS, offset, out) ||
           (g_string_append_printf(out, "bss+%" G_GUINT64_FORMAT, offset), true);
}

static void append_double(double d, GString *out)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(text, sizeof text, "%.15g", d);
    if (g_ascii_strtod(text, NULL) != d)
        g_ascii_formatd(text, sizeof text, "%.17g", d);
    g_string_append(out, text);
}

/* Appends what the constant probably means: an address, a plausible double or a small negative number. Appends nothing
 * if none of these fits. */
static void append_constant_meaning(const VcodeModule *m, uint64_t value, GString *out)
{
    size_t start = out->len;
    if (m->kind == VCODE_PROGRAM && append_address(m, value, out))
        return;
    double d;
    memcpy(&d, &value, sizeof d);
    if (isfinite(d) && fabs(d) > 1e-100 && fabs(d) < 1e100)
        append_double(d, out);
    else if (start == out->len && (int64_t)value < 0 && (int64_t)value > -(INT64_C(1) << 40))
        g_string_append_printf(out, "%" G_GINT64_FORMAT, (int64_t)value);
}

/* Appends what the linker will fill in: the symbol of the relocation of this kind at `where`. Returns false if there is
 * none. */
static bool append_reloc(const VcodeModule *m, VcodeRelocKind kind, uint64_t where, GString *out)
{
    for (uint32_t i = 0; i < m->relocs.count; i++) {
        const VcodeReloc *r = &m->relocs.items[i];
        if (r->kind != kind || r->where != where || r->symbol >= m->symbols.count)
            continue;
        g_string_append(out, vcode_text(m, m->symbols.items[r->symbol].name));
        if (r->addend)
            g_string_append_printf(out, "%+" G_GINT64_FORMAT, r->addend);
        return true;
    }
    return false;
}

/* -- one instruction --------------------------------------------------------------------------- */

static void append_constant(const VcodeModule *m, uint32_t index, GString *out)
{
    g_string_append_printf(out, "k%u", index);
    if (index >= m->constants.count)
        return;
    g_string_append_printf(out, " = 0x%" G_GINT64_MODIFIER "x", m->constants.items[index]);
    size_t before = out->len;
    g_string_append(out, "  ; ");
    size_t start = out->len;
    if (!append_reloc(m, VCODE_RELOC_CONSTANT, index, out))
        append_constant_meaning(m, m->constants.items[index], out);
    if (out->len == start)
        g_string_truncate(out, before);
}

static void append_callee(const VcodeModule *m, uint32_t pc, VcodeInstr i, GString *out)
{
    uint32_t index = (uint32_t)vcode_imm32(i);
    bool direct = vcode_op(i) == VCODE_CALL;
    if (m->kind == VCODE_OBJECT && append_reloc(m, VCODE_RELOC_CALL, pc, out))
        return;
    if (direct && index < m->functions.count)
        g_string_append(out, vcode_text(m, m->functions.items[index].name));
    else if (!direct && index < m->externs.count)
        g_string_append(out, vcode_text(m, m->externs.items[index].name));
    else
        g_string_append_printf(out, "%u", index);
}

static void append_operands(const VcodeModule *m, uint32_t pc, VcodeInstr i, GString *out)
{
    unsigned n = vcode_n(i), a = vcode_a(i), b = vcode_b(i), c = vcode_c(i);
    int64_t next = (int64_t)pc + 1;
    switch (vcode_op_info[vcode_op(i)].form) {
    case VCODE_FORM_NONE: break;
    case VCODE_FORM_R: g_string_append_printf(out, "r%u", a); break;
    case VCODE_FORM_RR: g_string_append_printf(out, "r%u, r%u", a, b); break;
    case VCODE_FORM_RRR: g_string_append_printf(out, "r%u, r%u, r%u", a, b, c); break;
    case VCODE_FORM_RRI: g_string_append_printf(out, "r%u, r%u, %d", a, b, vcode_simm_c(i)); break;
    case VCODE_FORM_RI32: g_string_append_printf(out, "r%u, %d", a, vcode_imm32(i)); break;
    case VCODE_FORM_RK:
        g_string_append_printf(out, "r%u, ", a);
        append_constant(m, (uint32_t)vcode_imm32(i), out);
        break;
    case VCODE_FORM_I32: g_string_append_printf(out, "%d", vcode_imm32(i)); break;
    case VCODE_FORM_LOAD: g_string_append_printf(out, "r%u, [r%u%+d]", a, b, vcode_simm_c(i)); break;
    case VCODE_FORM_STORE: g_string_append_printf(out, "[r%u%+d], r%u", b, vcode_simm_c(i), a); break;
    case VCODE_FORM_LOADX: g_string_append_printf(out, "r%u, [r%u + (r%u << %u)]", a, b, c, n); break;
    case VCODE_FORM_STOREX: g_string_append_printf(out, "[r%u + (r%u << %u)], r%u", b, c, n, a); break;
    case VCODE_FORM_BLOCK:
        if (vcode_op(i) == VCODE_BZERO)
            g_string_append_printf(out, "[r%u], %u", a, vcode_block_bytes(i));
        else
            g_string_append_printf(out, "[r%u], [r%u], %u", a, b, vcode_block_bytes(i));
        break;
    case VCODE_FORM_JUMP: g_string_append_printf(out, "L%" G_GINT64_FORMAT, next + vcode_imm32(i)); break;
    case VCODE_FORM_BRR:
        g_string_append_printf(out, "r%u, r%u, L%" G_GINT64_FORMAT, a, b, next + vcode_off24(i));
        break;
    case VCODE_FORM_BRI:
        g_string_append_printf(out, "r%u, %d, L%" G_GINT64_FORMAT, a, vcode_simm_b(i), next + vcode_off24(i));
        break;
    case VCODE_FORM_SWITCH: g_string_append_printf(out, "r%u, table %d", a, vcode_imm32(i)); break;
    case VCODE_FORM_CALL:
    case VCODE_FORM_CALLX:
        append_callee(m, pc, i, out);
        g_string_append_printf(out, ", r%u, %u", a, n);
        break;
    case VCODE_FORM_CALLI:
        g_string_append_printf(out, "[r%u], r%u, %u", b, a, n);
        if (vcode_c(i) == VCODE_PASS_ROOM)
            g_string_append(out, " (no prototype)");
        else if (vcode_c(i) >= VCODE_PASS_SLOTS)
            g_string_append_printf(out, " (%u variable)", vcode_c(i) - VCODE_PASS_SLOTS);
        break;
    }
}

void vcode_disassemble_instruction(const VcodeModule *module, uint32_t pc, GString *out)
{
    g_assert(pc < module->code.count);
    VcodeInstr i = module->code.items[pc];
    if ((i & 0xff) >= VCODE_OP_COUNT) {
        g_string_append_printf(out, "0x%016" G_GINT64_MODIFIER "x", i);
        return;
    }
    const VcodeOpInfo *info = &vcode_op_info[vcode_op(i)];
    if (info->form == VCODE_FORM_NONE) {
        g_string_append(out, info->mnemonic);
        return;
    }
    g_string_append_printf(out, "%-9s ", info->mnemonic);
    append_operands(module, pc, i, out);
}

/* -- listings ---------------------------------------------------------------------------------- */

typedef struct Listing {
    const VcodeModule *module;
    GString *out;
    bool source;          /* quote source lines */
    uint8_t *is_target;   /* per instruction: a branch or a switch goes there */
    char ***lines;        /* per file: the lines of its text, NULL where it cannot be read */
    uint32_t *line_count; /* per file: number of lines */
    bool *tried;          /* per file: reading it has been tried */
    bool *switch_listed;  /* per switch table: it has been listed */
} Listing;

/* Returns the target of a jump or branch at `pc`, or -1 if it is neither. In damaged code the target may lie
 * anywhere. */
static int64_t branch_target(VcodeInstr i, uint32_t pc)
{
    if ((i & 0xff) >= VCODE_OP_COUNT)
        return -1;
    switch (vcode_op_info[vcode_op(i)].form) {
    case VCODE_FORM_JUMP: return (int64_t)pc + 1 + vcode_imm32(i);
    case VCODE_FORM_BRR:
    case VCODE_FORM_BRI: return (int64_t)pc + 1 + vcode_off24(i);
    default: return -1;
    }
}

static void find_targets(Listing *l)
{
    const VcodeModule *m = l->module;
    l->is_target = g_malloc0((gsize)m->code.count + 1);
    for (uint32_t pc = 0; pc < m->code.count; pc++) {
        int64_t target = branch_target(m->code.items[pc], pc);
        if (target >= 0 && target < m->code.count)
            l->is_target[target] = 1;
    }
    for (uint32_t i = 0; i < m->switches.count; i++) {
        const VcodeSwitch *s = &m->switches.items[i];
        uint64_t start = s->function < m->functions.count ? m->functions.items[s->function].code_start : 0;
        for (uint32_t k = 0; k < s->count && s->first + k < m->targets.count; k++)
            if (start + m->targets.items[s->first + k] < m->code.count)
                l->is_target[start + m->targets.items[s->first + k]] = 1;
        if (start + s->default_target < m->code.count)
            l->is_target[start + s->default_target] = 1;
    }
}

static const char *source_line(Listing *l, uint32_t file, uint32_t line)
{
    if (!l->source || file >= l->module->files.count)
        return NULL;
    if (!l->tried[file])
        l->lines[file] = vcode_source_lines(l->module, file, &l->line_count[file]);
    l->tried[file] = true;
    return line > 0 && line <= l->line_count[file] ? l->lines[file][line - 1] : NULL;
}

static void list_line(Listing *l, const VcodeLine *line)
{
    g_string_append_printf(l->out, "; %s:%u", vcode_source_name(l->module, line->file), line->line);
    const char *text = source_line(l, line->file, line->line);
    if (text)
        g_string_append_printf(l->out, ": %s", text);
    g_string_append_c(l->out, '\n');
}

static void list_switch(Listing *l, const VcodeFunction *f, uint32_t index)
{
    const VcodeModule *m = l->module;
    if (index >= m->switches.count || l->switch_listed[index])
        return;
    l->switch_listed[index] = true;
    const VcodeSwitch *s = &m->switches.items[index];
    for (uint32_t k = 0; k < s->count && s->first + k < m->targets.count; k++)
        if (m->targets.items[s->first + k] != s->default_target)
            g_string_append_printf(l->out, "              %" G_GINT64_FORMAT ": L%u\n", s->low + k,
                                   f->code_start + m->targets.items[s->first + k]);
    g_string_append_printf(l->out, "              default: L%u\n", f->code_start + s->default_target);
}

enum { MOST_EXPANSIONS = 50 };

/* Marks the start or end of inlined code: lists the functions that the code belongs to, from the innermost outwards. */
static void list_inlined(Listing *l, uint32_t inlined)
{
    const VcodeModule *m = l->module;
    if (inlined == VCODE_NONE) {
        g_string_append(l->out, "; end of inlined code\n");
        return;
    }
    unsigned listed = 0;
    for (uint32_t i = inlined; i != VCODE_NONE; i = m->inlines.items[i].parent) {
        if (listed++ == MOST_EXPANSIONS) {
            g_string_append(l->out, "; ...\n");
            return;
        }
        const VcodeInline *record = &m->inlines.items[i];
        g_string_append_printf(l->out, "; %s %s, called at %s:%u\n", i == inlined ? "inlined" : "     in",
                               vcode_text(m, record->name), vcode_source_name(m, record->call_file), record->call_line);
    }
}

static void list_function(Listing *l, uint32_t index)
{
    const VcodeModule *m = l->module;
    const VcodeFunction *f = &m->functions.items[index];
    const VcodeLine *last = NULL;
    uint32_t inlined = VCODE_NONE;
    g_string_append_printf(l->out, "\n%s:    ; function %u: %u parameters%s, %u registers", vcode_text(m, f->name),
                           index, f->parameters, f->flags & VCODE_FUNCTION_VARIADIC ? " (variadic)" : "", f->registers);
    if (f->file != VCODE_NONE)
        g_string_append_printf(l->out, ", %s:%u", vcode_source_name(m, f->file), f->line);
    g_string_append_c(l->out, '\n');
    for (uint32_t pc = f->code_start; pc < f->code_start + f->code_count; pc++) {
        const VcodeLine *line = vcode_pc_line(m, pc);
        if (line && line->pc >= f->code_start && line->inlined != inlined) {
            inlined = line->inlined;
            list_inlined(l, inlined);
        }
        if (line && line->pc >= f->code_start && (!last || line->line != last->line || line->file != last->file)) {
            list_line(l, line);
            last = line;
        }
        if (l->is_target[pc])
            g_string_append_printf(l->out, "L%u:\n", pc);
        g_string_append_printf(l->out, "%8u  ", pc);
        vcode_disassemble_instruction(m, pc, l->out);
        g_string_append_c(l->out, '\n');
        if (vcode_op(m->code.items[pc]) == VCODE_SWITCH)
            list_switch(l, f, (uint32_t)vcode_imm32(m->code.items[pc]));
    }
}

static void list_bytes(Listing *l, const char *name, const VcodeAnyTable *table, uint64_t address)
{
    const uint8_t *bytes = table->items;
    if (!table->count)
        return;
    g_string_append_printf(l->out, "\n%s: %u bytes\n", name, table->count);
    for (uint32_t row = 0; row < table->count; row += 16) {
        uint32_t n = MIN(16, table->count - row);
        g_string_append_printf(l->out, "%8" G_GINT64_MODIFIER "x ", address + row);
        for (uint32_t k = 0; k < 16; k++)
            if (k < n)
                g_string_append_printf(l->out, " %02x", bytes[row + k]);
            else
                g_string_append(l->out, "   ");
        g_string_append(l->out, "  ");
        for (uint32_t k = 0; k < n; k++)
            g_string_append_c(l->out, bytes[row + k] >= 32 && bytes[row + k] < 127 ? (char)bytes[row + k] : '.');
        g_string_append_c(l->out, '\n');
    }
}

static void list_symbols(Listing *l)
{
    static const char *const sections[] = {[VCODE_SECTION_UNDEFINED] = "undefined",
                                           [VCODE_SECTION_FUNCTION] = "function",
                                           [VCODE_SECTION_RODATA] = "rodata",
                                           [VCODE_SECTION_DATA] = "data",
                                           [VCODE_SECTION_BSS] = "bss",
                                           [VCODE_SECTION_COMMON] = "common"};
    static const char *const bindings[] = {[VCODE_LOCAL] = "local", [VCODE_GLOBAL] = "global", [VCODE_WEAK] = "weak"};
    const VcodeModule *m = l->module;
    if (m->symbols.count)
        g_string_append(l->out, "\nsymbols:\n");
    for (uint32_t i = 0; i < m->symbols.count; i++) {
        const VcodeSymbol *s = &m->symbols.items[i];
        if (s->section > VCODE_SECTION_COMMON || s->binding > VCODE_WEAK)
            continue;
        g_string_append_printf(l->out, "  %-9s %-6s %8" G_GINT64_MODIFIER "x %6" G_GUINT64_FORMAT "  %s\n",
                               sections[s->section], bindings[s->binding], s->value, s->size, vcode_text(m, s->name));
    }
    if (m->externs.count)
        g_string_append(l->out, "\nexterns:\n");
    for (uint32_t i = 0; i < m->externs.count; i++)
        g_string_append_printf(l->out, "  %s\n", vcode_text(m, m->externs.items[i].name));
}

void vcode_disassemble(const VcodeModule *module, bool source, GString *out)
{
    Listing l = {.module = module, .out = out, .source = source};
    l.lines = g_new0(char **, module->files.count + 1);
    l.line_count = g_new0(uint32_t, module->files.count + 1);
    l.tried = g_new0(bool, module->files.count + 1);
    l.switch_listed = g_new0(bool, module->switches.count + 1);
    find_targets(&l);
    g_string_append_printf(out,
                           "vCode %s, version %u: %u functions, %u instructions, %u + %u + %" G_GUINT64_FORMAT
                           " bytes of constants, data and bss\n",
                           module->kind == VCODE_PROGRAM ? "program" : "object", VCODE_VERSION, module->functions.count,
                           module->code.count, module->rodata.count, module->data.count, module->bss_bytes);
    if (module->kind == VCODE_PROGRAM && module->entry < module->functions.count)
        g_string_append_printf(out, "entry: %s\n", vcode_text(module, module->functions.items[module->entry].name));
    for (uint32_t i = 0; i < module->functions.count; i++)
        list_function(&l, i);
    bool program = module->kind == VCODE_PROGRAM;
    list_bytes(&l, "constants", vcode_table(module, VCODE_TABLE_rodata), program ? VCODE_RODATA_BASE : 0);
    list_bytes(&l, "data", vcode_table(module, VCODE_TABLE_data), program ? module->data_base : 0);
    list_symbols(&l);
    for (uint32_t i = 0; i < module->files.count; i++)
        g_strfreev(l.lines[i]);
    g_free(l.lines);
    g_free(l.line_count);
    g_free(l.tried);
    g_free(l.switch_listed);
    g_free(l.is_target);
}
