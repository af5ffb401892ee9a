/* print.c - values of expressions as people write them, and by gdb's format letters.
 *
 * Objects whose type the program's debug information describes are written by vm/value.h, as call stacks and lists of
 * variables write them. Here is what it cannot do: types that an expression made, sections with a stride, letters.
 */
#include "monitor/expression/values.h"
#include "monitor/report/report.h"

#include <math.h>
#include <string.h>

enum { MOST_ELEMENTS = 200, MOST_DEPTH = 8, MOST_TEXT = 65536 };

bool mon_expression_format(const char **text, MonFormat *format, GError **error)
{
    *format = (MonFormat){0};
    if (**text != '/')
        return true;
    const char *at = *text + 1;
    guint64 count = 0;
    for (; g_ascii_isdigit(*at); at++)
        count = MIN(count * 10 + (guint64)(*at - '0'), G_MAXINT32);
    format->count = (uint32_t)count;
    for (; *at && !g_ascii_isspace(*at); at++) {
        if (strchr("xduotzcfas", *at)) {
            format->letter = *at;
        } else if (strchr("bhwg", *at)) {
            format->size = *at;
        } else {
            g_set_error(error, MON_ERROR, MON_ERROR_EXPRESSION,
                        "there is no format '%c': x d u o t z (numbers), c, f, a (address), s (string); sizes b h w g",
                        *at);
            return false;
        }
    }
    *text = at + strspn(at, " \t");
    return true;
}

/* -- scalars ----------------------------------------------------------------------------------- */

static void append_escaped(GString *out, unsigned char c, char quote)
{
    static const char letters[] = "ntrabfv\\", codes[] = "\n\t\r\a\b\f\v\\";
    const char *named = c ? strchr(codes, c) : NULL;
    if (named)
        g_string_append_printf(out, "\\%c", letters[named - codes]);
    else if (c == (unsigned char)quote)
        g_string_append_printf(out, "\\%c", c);
    else if (c < 32 || c == 127)
        g_string_append_printf(out, "\\%03o", c);
    else
        g_string_append_c(out, (char)c);
}

/* The fewest digits that read back as the same number. */
static void append_real(GString *out, double real, unsigned size)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE], format[8];
    int most = size == 4 ? 9 : 17;
    for (int digits = 6; digits <= most; digits++) {
        g_snprintf(format, sizeof format, "%%.%dg", digits);
        g_ascii_formatd(text, sizeof text, format, real);
        double back = g_ascii_strtod(text, NULL);
        if (size == 4 ? (float)back == (float)real : back == real)
            break;
    }
    g_string_append(out, text);
}

static void append_binary(GString *out, uint64_t raw, unsigned bits, bool zeros)
{
    unsigned first = zeros ? bits : 1;
    for (unsigned i = bits; i > 1 && !zeros; i--)
        if (raw >> (i - 1) & 1) {
            first = i;
            break;
        }
    for (unsigned i = first; i-- > 0;)
        g_string_append_c(out, (char)('0' + (raw >> i & 1)));
}

static void append_symbol(const MonScope *scope, GString *out, uint64_t address)
{
    const VcodeModule *module = scope->module;
    g_string_append_printf(out, "0x%" G_GINT64_MODIFIER "x", address);
    uint64_t index = (address - VCODE_CODE_BASE) / 16;
    if (address >= VCODE_CODE_BASE && index < module->functions.count) {
        g_string_append_printf(out, " <%s>", vcode_text(module, module->functions.items[index].name));
        return;
    }
    for (uint32_t i = 0; i < module->variables.count; i++) {
        const VcodeVariable *variable = &module->variables.items[i];
        uint64_t size = vm_type_size(scope->rank, NULL, variable->type), offset = address - (uint64_t)variable->where;
        if (variable->function != VCODE_NONE || variable->location != VCODE_AT_DATA || offset >= size)
            continue;
        g_string_append_printf(out, offset ? " <%s+%" G_GUINT64_FORMAT ">" : " <%s>",
                               vcode_text(module, variable->name), offset);
        return;
    }
}

bool mon_string_print(MonScope *scope, uint64_t address, uint64_t limit, GString *out)
{
    if (!vm_rank_peek(scope->rank, address, 1))
        return false;
    g_string_append_c(out, '"');
    for (uint64_t i = 0; i < limit; i++) {
        const unsigned char *c = vm_rank_peek(scope->rank, address + i, 1);
        if (!c || *c == 0)
            break;
        if (i == MOST_ELEMENTS) {
            g_string_append(out, "\"...");
            return true;
        }
        append_escaped(out, *c, '"');
    }
    g_string_append_c(out, '"');
    return true;
}

static uint64_t sign_extended(uint64_t raw, unsigned size)
{
    unsigned up = 64 - 8 * MIN(MAX(size, 1), 8);
    return (uint64_t)((int64_t)(raw << up) >> up);
}

static void append_float(GString *out, uint64_t raw, unsigned size)
{
    float narrow;
    double real;
    memcpy(&narrow, &raw, sizeof narrow);
    memcpy(&real, &raw, sizeof real);
    append_real(out, size == 4 ? (double)narrow : real, size);
}

/* By type, without a letter. */
static void append_natural(MonScope *scope, const CcType *type, uint64_t raw, unsigned size, GString *out)
{
    if (cc_is_real(type)) {
        append_float(out, raw, size);
    } else if (type->kind == CC_POINTER || type->kind == CC_FUNCTION) {
        append_symbol(scope, out, raw);
        if (type->kind == CC_POINTER && type->target->kind == CC_CHAR && vm_rank_peek(scope->rank, raw, 1)) {
            g_string_append_c(out, ' ');
            mon_string_print(scope, raw, UINT64_MAX, out);
        }
    } else if (type->kind == CC_BOOL) {
        g_string_append(out, raw & 255 ? "true" : "false");
    } else if (type->kind == CC_CHAR) {
        g_string_append_printf(out, "%d '", (int)(int8_t)raw);
        append_escaped(out, (unsigned char)raw, '\'');
        g_string_append_c(out, '\'');
    } else {
        int64_t number = (int64_t)(cc_is_wide(type) ? raw : cc_type_canonical(type, raw));
        for (uint32_t i = 0; type->kind == CC_ENUM && i < type->tag->n_enumerators; i++)
            if (type->tag->enumerators[i]->value == number) {
                g_string_append(out, type->tag->enumerators[i]->name);
                return;
            }
        g_string_append_printf(
            out, cc_type_is_signed(type) || cc_is_wide(type) ? "%" G_GINT64_FORMAT : "%" G_GUINT64_FORMAT, number);
    }
}

void mon_raw_print(MonScope *scope, const CcType *type, uint64_t raw, unsigned size, char letter, GString *out)
{
    if (size < 8)
        raw &= (UINT64_C(1) << (8 * size)) - 1;
    switch (letter) {
    case 'x': g_string_append_printf(out, "0x%" G_GINT64_MODIFIER "x", raw); break;
    case 'z': g_string_append_printf(out, "0x%0*" G_GINT64_MODIFIER "x", (int)(2 * size), raw); break;
    case 'o': g_string_append_printf(out, "0%" G_GINT64_MODIFIER "o", raw); break;
    case 't': append_binary(out, raw, 8 * size, false); break;
    case 'd': g_string_append_printf(out, "%" G_GINT64_FORMAT, (int64_t)sign_extended(raw, size)); break;
    case 'u': g_string_append_printf(out, "%" G_GUINT64_FORMAT, raw); break;
    case 'c':
        g_string_append_printf(out, "%d '", (int)(int8_t)raw);
        append_escaped(out, (unsigned char)raw, '\'');
        g_string_append_c(out, '\'');
        break;
    case 'a': append_symbol(scope, out, raw); break;
    case 'f':
        if (size == 4 || size == 8)
            append_float(out, raw, size);
        else
            g_string_append_printf(out, "%" G_GINT64_FORMAT, (int64_t)sign_extended(raw, size));
        break;
    default: append_natural(scope, type, raw, size, out);
    }
}

/* -- objects ----------------------------------------------------------------------------------- */

static void print_any(MonScope *scope, const MonValue *value, char letter, int depth, GString *out);

static MonValue part_of(const MonValue *value, const CcType *type, uint64_t offset)
{
    MonValue part = *value;
    part.at = vm_value_part(&value->at, VCODE_NONE, offset);
    part.type = type;
    part.home = NULL;
    part.field = NULL;
    part.n_dimensions = 0;
    return part;
}

/* Elements `stride` bytes apart. */
static void print_elements(MonScope *scope, const MonValue *first, uint64_t count, int64_t stride, char letter,
                           int depth, GString *out)
{
    g_string_append_c(out, '{');
    for (uint64_t i = 0; i < count; i++) {
        if (i == MOST_ELEMENTS || out->len > MOST_TEXT) {
            g_string_append(out, ", ...");
            break;
        }
        MonValue item = *first;
        item.at = vm_value_part(&first->at, VCODE_NONE, i * (uint64_t)stride);
        g_string_append(out, i > 0 ? ", " : "");
        print_any(scope, &item, letter, depth + 1, out);
    }
    g_string_append_c(out, '}');
}

static bool is_text(const CcType *element, char letter)
{
    return element->size == 1 && cc_is_integer(element) && (letter == 's' || (letter == 0 && element->kind == CC_CHAR));
}

static void print_array(MonScope *scope, const MonValue *value, char letter, int depth, GString *out)
{
    const CcType *element = value->type->target;
    uint64_t count = mon_expression_type_length(scope, value->type);
    if (is_text(element, letter) && value->at.in_memory && !value->at.variable) {
        if (!mon_string_print(scope, value->at.bits, count, out))
            g_string_append_printf(out, "<cannot read 0x%" G_GINT64_MODIFIER "x>", value->at.bits);
        return;
    }
    MonValue first = part_of(value, element, 0);
    print_elements(scope, &first, count, (int64_t)mon_expression_type_size(scope, element), letter, depth, out);
}

static void print_members(MonScope *scope, const MonValue *value, char letter, int depth, GString *out)
{
    const CcTag *tag = value->type->tag;
    g_string_append_c(out, '{');
    for (uint32_t i = 0; i < tag->n_members && out->len < MOST_TEXT; i++) {
        const CcMember *member = &tag->members[i];
        MonValue part = part_of(value, member->type, member->offset);
        part.field = member->bit_field ? member : NULL;
        g_string_append_printf(out, "%s%s%s", i > 0 ? ", " : "", member->name ? member->name : "",
                               member->name ? " = " : "");
        print_any(scope, &part, letter, depth + 1, out);
    }
    g_string_append_c(out, '}');
}

static void print_scalar(MonScope *scope, const MonValue *value, char letter, GString *out)
{
    MonValue loaded = *value;
    g_autoptr(GError) problem = NULL;
    MonScope quiet = *scope;
    quiet.error = &problem;
    quiet.text = NULL;
    if (!mon_expression_load(&quiet, NULL, &loaded)) {
        g_string_append_printf(out, "<%s>", value->at.variable ? "optimized out" : problem->message);
        return;
    }
    bool points = letter == 's' && loaded.type->kind == CC_POINTER && loaded.type->target->size == 1;
    if (points && mon_string_print(scope, loaded.bits, UINT64_MAX, out))
        return;
    if (letter == 'f' && cc_is_integer(loaded.type)) /* like gdb: the value, not its bytes */
        letter = 0;
    unsigned size = loaded.type->kind == CC_FUNCTION ? 8 : (unsigned)MIN(loaded.type->size, 8);
    mon_raw_print(scope, loaded.type, mon_expression_raw(&loaded), size, letter == 's' ? 0 : letter, out);
}

/* Whether vm/value.h can write it. */
static bool is_described(const MonValue *value, char letter)
{
    return letter == 0 && value->type->back && !value->field && value->type->qualifiers == 0;
}

static void print_any(MonScope *scope, const MonValue *value, char letter, int depth, GString *out)
{
    if (depth > MOST_DEPTH) {
        g_string_append(out, "{...}");
    } else if (is_described(value, letter)) {
        VmValue object = value->at;
        object.shape = VM_OBJECT;
        object.type = GPOINTER_TO_UINT(value->type->back) - 1;
        object.frame = scope->frame;
        object.framed = scope->framed;
        vm_value_format(scope->rank, &object, out);
    } else if (value->type->kind == CC_ARRAY) {
        print_array(scope, value, letter, depth, out);
    } else if (cc_is_aggregate(value->type)) {
        print_members(scope, value, letter, depth, out);
    } else if (cc_is_complex(value->type)) {
        const CcType *half = cc_type_complex_part(value->type);
        MonValue real = part_of(value, half, 0), imaginary = part_of(value, half, half->size);
        print_any(scope, &real, letter, depth + 1, out);
        g_string_append(out, " + ");
        print_any(scope, &imaginary, letter, depth + 1, out);
        g_string_append_c(out, 'i');
    } else {
        print_scalar(scope, value, letter, out);
    }
}

static void print_section(MonScope *scope, const MonValue *value, unsigned level, char letter, GString *out)
{
    const MonDimension *dimension = &value->dimensions[MIN(level, MON_MOST_DIMENSIONS - 1)];
    bool last = level + 1 >= MIN(value->n_dimensions, MON_MOST_DIMENSIONS);
    if (last && value->at.in_memory && !value->at.variable && is_text(value->type, letter) && dimension->stride == 1 &&
        level == 0) {
        if (!mon_string_print(scope, value->at.bits, dimension->count, out))
            g_string_append_printf(out, "<cannot read 0x%" G_GINT64_MODIFIER "x>", value->at.bits);
        return;
    }
    MonValue item = *value;
    if (last) {
        item.n_dimensions = 0;
        print_elements(scope, &item, dimension->count, dimension->stride, letter, 0, out);
        return;
    }
    g_string_append_c(out, '{');
    for (uint64_t i = 0; i < dimension->count && i < MOST_ELEMENTS && out->len < MOST_TEXT; i++) {
        g_string_append(out, i > 0 ? ", " : "");
        item.at = vm_value_part(&value->at, VCODE_NONE, i * (uint64_t)dimension->stride);
        print_section(scope, &item, level + 1, letter, out);
    }
    g_string_append(out, dimension->count > MOST_ELEMENTS ? ", ...}" : "}");
}

void mon_value_print(MonScope *scope, const MonValue *value, const MonFormat *format, GString *out)
{
    char letter = format ? format->letter : 0;
    switch (value->what) {
    case MON_NOTHING: g_string_append(out, "void"); break;
    case MON_TEXT:
        g_string_append_c(out, '"');
        for (uint64_t i = 0; i + 1 < value->literal_size; i++)
            append_escaped(out, (unsigned char)value->literal[i], '"');
        g_string_append_c(out, '"');
        break;
    case MON_PIECES: g_string_append(out, "<an array in registers: no address>"); break;
    case MON_OBJECT:
        if (value->n_dimensions > 0)
            print_section(scope, value, 0, letter, out);
        else
            print_any(scope, value, letter, 0, out);
        break;
    default: print_scalar(scope, value, letter, out);
    }
}
