/* value.c - values of a stopped rank, by the types that the compiler recorded.
 *
 * All reads go through vm_rank_peek(), so a wild pointer prints as unreadable and does no harm. The output follows
 * gdb's habits, because people know them: a variable, or a part of one, that optimised code keeps nowhere is <optimized
 * out>.
 */
#include "vm/value/value.h"

#include <string.h>

#define MAX_ELEMENTS 200
#define MAX_DEPTH    6
#define MAX_TEXT     65536 /* most characters of one value; the rest is printed as ... */

/* -- loading ----------------------------------------------------------------------------------- */

/* Reads byte `within` of a piece of a variable. */
static bool place_byte(VmRank *rank, const VmValue *value, const VcodePlace *place, uint64_t within, uint8_t *byte)
{
    if (place->location == VCODE_AT_REGISTER) {
        *byte = (uint8_t)(within < 8 ? value->frame.registers[place->where] >> (8 * within) : 0);
        return true;
    }
    uint64_t base = place->location == VCODE_AT_FRAME ? value->frame.frame_base + (uint64_t)place->where
                                                      : value->frame.registers[place->where];
    const uint8_t *memory = vm_rank_peek(rank, base + within, 1);
    *byte = memory ? *memory : 0;
    return memory;
}

/* The first piece that overlaps [at, at + size) and is valid at the frame's pc, or NULL. */
static const VcodePlace *find_place(VmRank *rank, const VmValue *value, uint64_t at, uint64_t size)
{
    const VcodeModule *module = vm_image_module(vm_rank_image(rank));
    for (uint32_t i = 0; i < value->variable->count; i++) {
        const VcodePlace *place = &module->places.items[value->variable->first + i];
        bool here = value->frame.pc >= place->pc_low && value->frame.pc < place->pc_high;
        bool overlaps =
            at < place->offset ? place->offset - at < size && place->size : at - place->offset < place->size;
        if (here && overlaps && size)
            return place;
    }
    return NULL;
}

/* Returns the object's bytes, in memory or copied into `buffer` from its pieces. NULL: they cannot be read, or are
 * optimised out. */
static const void *value_bytes(VmRank *rank, const VmValue *value, void *buffer, uint64_t size)
{
    if (!value->variable)
        return vm_rank_peek(rank, value->bits, size);
    for (uint64_t i = 0; i < size; i++) {
        uint64_t at = value->bits + i;
        const VcodePlace *place = find_place(rank, value, at, 1);
        if (!place || !place_byte(rank, value, place, at - place->offset, (uint8_t *)buffer + i))
            return NULL;
    }
    return buffer;
}

/* For an object that is in pieces. */
bool vm_value_any_byte(VmRank *rank, const VmValue *value, uint64_t size)
{
    return find_place(rank, value, value->bits, size);
}

VmValue vm_value_part(const VmValue *value, uint32_t type, uint64_t offset)
{
    VmValue part = *value;
    part.shape = VM_OBJECT;
    part.in_memory = true;
    part.repeat = 0;
    part.type = type;
    part.bits += offset;
    return part;
}

static uint64_t sign_extend(uint64_t bits, unsigned bytes)
{
    unsigned shift = 64 - 8 * bytes;
    return (uint64_t)((int64_t)(bits << shift) >> shift);
}

static bool is_signed_kind(const VcodeModule *module, const VcodeType *record)
{
    if (record->kind == VCODE_TYPE_ENUM && record->target != VCODE_NONE)
        record = vm_type_record(module, vm_type_strip(module, record->target));
    return record &&
           (record->kind == VCODE_TYPE_SIGNED || record->kind == VCODE_TYPE_CHAR || record->kind == VCODE_TYPE_ENUM);
}

/* Whether a type is __int128. */
static bool is_wide(const VcodeType *record)
{
    return record && record->size == 16 && (record->kind == VCODE_TYPE_SIGNED || record->kind == VCODE_TYPE_UNSIGNED);
}

/* Reads the lower half of an __int128. Fails if the upper half is not its sign or zero extension. */
static bool narrow(VmRank *rank, const VmValue *value, const VcodeType *record, uint64_t *bits, GError **error)
{
    uint64_t buffer[2], half[2];
    const void *memory = value_bytes(rank, value, buffer, sizeof buffer);
    if (memory)
        memcpy(half, memory, sizeof half);
    bool negative = memory && record->kind == VCODE_TYPE_SIGNED && (int64_t)half[0] < 0;
    if (!memory || half[1] != (negative ? UINT64_MAX : 0)) {
        g_set_error(error, VM_ERROR, VM_ERROR_VALUE,
                    !memory ? "this __int128 cannot be read here"
                            : "this __int128 has more than 64 bits: it can be printed, but not computed with");
        return false;
    }
    *bits = half[0];
    return true;
}

static bool cannot_read(VmRank *rank, const VmValue *value, GError **error)
{
    if (value->variable)
        g_set_error(error, VM_ERROR, VM_ERROR_VALUE, "'%s' is optimized out here",
                    vcode_text(vm_image_module(vm_rank_image(rank)), value->variable->name));
    else
        g_set_error(error, VM_ERROR, VM_ERROR_VALUE, "cannot read memory at 0x%" G_GINT64_MODIFIER "x", value->bits);
    return false;
}

bool vm_value_load(VmRank *rank, const VmValue *value, uint64_t *bits, GError **error)
{
    if (value->shape != VM_OBJECT || !value->in_memory) {
        *bits = value->bits;
        return true;
    }
    const VcodeModule *module = vm_image_module(vm_rank_image(rank));
    const VcodeType *record = vm_type_record(module, vm_type_strip(module, value->type));
    unsigned bytes = !record ? 8 : (unsigned)MIN(record->size, 8);
    if (record && (record->kind == VCODE_TYPE_ARRAY || record->kind == VCODE_TYPE_FUNCTION)) {
        *bits = value->bits; /* the array decays to its address */
        return true;
    }
    if (is_wide(record))
        return narrow(rank, value, record, bits, error);
    uint64_t buffer;
    const void *memory = bytes > 0 ? value_bytes(rank, value, &buffer, bytes) : NULL;
    if (!memory)
        return cannot_read(rank, value, error);
    uint64_t raw = 0;
    memcpy(&raw, memory, bytes);
    *bits = record && is_signed_kind(module, record) ? sign_extend(raw, bytes) : raw;
    return true;
}

bool vm_value_copy(VmRank *rank, const VmValue *value, void *bytes, uint64_t size, GError **error)
{
    if (!value->in_memory) {
        memset(bytes, 0, size);
        memcpy(bytes, &value->bits, MIN(size, sizeof value->bits));
        return true;
    }
    const void *memory = value_bytes(rank, value, bytes, size);
    if (!memory)
        return cannot_read(rank, value, error);
    if (memory != bytes)
        memcpy(bytes, memory, size);
    return true;
}

/* Writes a byte of a variable that is in pieces. */
static bool store_byte(VmRank *rank, const VmValue *value, uint64_t at, uint8_t byte)
{
    const VcodePlace *place = find_place(rank, value, at, 1);
    if (!place)
        return false;
    uint64_t within = at - place->offset;
    if (place->location == VCODE_AT_REGISTER) {
        uint64_t *word = &value->frame.registers[place->where];
        *word = (*word & ~(UINT64_C(255) << (8 * within))) | (uint64_t)byte << (8 * within);
        return within < 8;
    }
    uint64_t base = place->location == VCODE_AT_FRAME ? value->frame.frame_base + (uint64_t)place->where
                                                      : value->frame.registers[place->where];
    uint8_t *memory = vm_rank_can_write(rank, base + within, 1) ? vm_rank_write(rank, base + within, 1) : NULL;
    if (memory)
        *memory = byte;
    return memory;
}

bool vm_value_store(VmRank *rank, const VmValue *value, const VcodeVariable *home, const void *bytes, uint64_t size,
                    GError **error)
{
    bool stored = size > 0;
    if (!value->in_memory && home && home->location == VCODE_AT_REGISTER && size <= 8) {
        /* bytes are those of the canonical value */
        memcpy(&value->frame.registers[home->where], bytes, 8);
        return true;
    }
    if (value->variable) {
        for (uint64_t i = 0; i < size && stored; i++)
            stored = store_byte(rank, value, value->bits + i, ((const uint8_t *)bytes)[i]);
    } else {
        stored = value->in_memory && vm_rank_can_write(rank, value->bits, size);
        void *memory = stored ? vm_rank_write(rank, value->bits, size) : NULL;
        if (memory)
            memcpy(memory, bytes, size);
        stored = memory;
    }
    if (!stored)
        g_set_error(error, VM_ERROR, VM_ERROR_VALUE,
                    value->in_memory && !value->variable
                        ? "cannot write memory at 0x%" G_GINT64_MODIFIER "x: it is constant, or not the program's"
                        : "this variable is kept nowhere here, or is a constant: -O0 keeps variables in memory",
                    value->bits);
    return stored;
}

bool vm_value_load_bit_field(VmRank *rank, const VcodeMember *member, const VmValue *value, uint64_t *bits)
{
    const VcodeModule *module = vm_image_module(vm_rank_image(rank));
    const VcodeType *record = vm_type_record(module, vm_type_strip(module, member->type));
    unsigned end = (unsigned)member->bit_offset + member->bit_width, down = 64u - member->bit_width;
    uint8_t buffer[16];
    const uint8_t *memory = value_bytes(rank, value, buffer, (end + 7) / 8);
    if (!memory)
        return false;
    uint64_t whole = 0; /* the field, shifted to the upper end */
    for (unsigned bit = end; bit-- > member->bit_offset;)
        whole |= (uint64_t)(memory[bit / 8] >> bit % 8 & 1) << (63 - (end - 1 - bit));
    bool is_signed = record && is_signed_kind(module, record);
    *bits = is_signed ? (uint64_t)((int64_t)whole >> down) : whole >> down;
    return true;
}

/* -- printing ---------------------------------------------------------------------------------- */

static void format_double(double number, int max_digits, GString *out)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE], format[8];
    /* takes the fewest digits that read back as the same number */
    for (int digits = 6; digits <= max_digits; digits++) {
        g_snprintf(format, sizeof format, "%%.%dg", digits);
        g_ascii_formatd(text, sizeof text, format, number);
        double back = g_ascii_strtod(text, NULL);
        if (max_digits < 10 ? (float)back == (float)number : back == number)
            break;
    }
    g_string_append(out, text);
}

static void format_real(uint64_t bits, uint64_t size, GString *out)
{
    if (size == 4) {
        uint32_t low = (uint32_t)bits;
        float number;
        memcpy(&number, &low, sizeof number);
        format_double((double)number, 9, out);
    } else {
        double number;
        memcpy(&number, &bits, sizeof number);
        format_double(number, 17, out);
    }
}

static void append_escaped(GString *out, unsigned char c, char quote)
{
    const char *named = strchr("\nn\tt\rr\aa\bb\ff\vv\\\\", c);
    if (c != 0 && named && (named - "\nn\tt\rr\aa\bb\ff\vv\\\\") % 2 == 0)
        g_string_append_printf(out, "\\%c", named[1]);
    else if (c == (unsigned char)quote)
        g_string_append_printf(out, "\\%c", c);
    else if (c < 32 || c == 127)
        g_string_append_printf(out, "\\%03o", c);
    else
        g_string_append_c(out, (char)c);
}

static void format_text(VmRank *rank, const VmValue *text, uint64_t limit, GString *out)
{
    g_string_append_c(out, '"');
    for (uint64_t i = 0; i < limit; i++) {
        VmValue letter = vm_value_part(text, VCODE_NONE, i);
        unsigned char buffer;
        const unsigned char *c = value_bytes(rank, &letter, &buffer, 1);
        if (!c || *c == 0)
            break;
        if (i == MAX_ELEMENTS) {
            g_string_append(out, "\"...");
            return;
        }
        append_escaped(out, *c, '"');
    }
    g_string_append_c(out, '"');
}

/* Depth in structures and arrays of what is printed, and the length of text at which the rest is cut off. */
typedef struct Nest {
    int depth;
    gsize limit;
} Nest;

static Nest deeper(Nest nest)
{
    return (Nest){nest.depth + 1, nest.limit};
}

static void format_any(VmRank *rank, const VmValue *value, Nest nest, GString *out);
static void format_scalar(VmRank *rank, const VcodeModule *module, const VcodeType *record, uint64_t bits,
                          GString *out);

/* Formats `count` objects of a type side by side. */
static void format_elements(VmRank *rank, const VcodeModule *module, uint32_t type, uint64_t count,
                            const VmValue *first, Nest nest, GString *out)
{
    const VcodeType *element = vm_type_record(module, vm_type_strip(module, type));
    uint64_t element_size = vm_type_size(rank, first->framed ? &first->frame : NULL, type);
    if (element && element->kind == VCODE_TYPE_CHAR && !first->variable) {
        format_text(rank, first, count, out);
        return;
    }
    g_string_append_c(out, '{');
    for (uint64_t i = 0; i < count; i++) {
        if (i == MAX_ELEMENTS || out->len > nest.limit) {
            g_string_append(out, ", ...");
            break;
        }
        VmValue item = vm_value_part(first, type, i * element_size);
        g_string_append(out, i > 0 ? ", " : "");
        format_any(rank, &item, deeper(nest), out);
    }
    g_string_append_c(out, '}');
}

static void format_bit_field(VmRank *rank, const VcodeModule *module, const VcodeMember *member, const VmValue *unit,
                             GString *out)
{
    VmValue value = {.type = member->type};
    if (vm_value_load_bit_field(rank, member, unit, &value.bits))
        format_scalar(rank, module, vm_type_record(module, vm_type_strip(module, member->type)), value.bits, out);
    else
        g_string_append(out, unit->variable ? "<optimized out>" : "<unreadable>");
}

static void format_members(VmRank *rank, const VcodeModule *module, const VcodeType *record, const VmValue *object,
                           Nest nest, GString *out)
{
    g_string_append_c(out, '{');
    for (uint32_t i = 0; i < record->count && record->first + i < module->members.count; i++) {
        const VcodeMember *member = &module->members.items[record->first + i];
        const char *name = vcode_text(module, member->name);
        if (out->len > nest.limit) {
            g_string_append(out, ", ...");
            break;
        }
        g_string_append_printf(out, "%s%s%s", i > 0 ? ", " : "", name, *name ? " = " : "");
        VmValue item = vm_value_part(object, member->type, (uint64_t)member->value);
        if (member->bit_width > 0)
            format_bit_field(rank, module, member, &item, out);
        else
            format_any(rank, &item, deeper(nest), out);
    }
    g_string_append_c(out, '}');
}

static void format_enum(const VcodeModule *module, const VcodeType *record, int64_t number, GString *out)
{
    for (uint32_t i = 0; i < record->count && record->first + i < module->members.count; i++) {
        const VcodeMember *member = &module->members.items[record->first + i];
        if (member->value == number) {
            g_string_append(out, vcode_text(module, member->name));
            return;
        }
    }
    g_string_append_printf(out, "%" G_GINT64_FORMAT, number);
}

static void format_address(VmRank *rank, const VcodeModule *module, uint32_t target_type, uint64_t bits, GString *out)
{
    const VcodeType *target = vm_type_record(module, vm_type_strip(module, target_type));
    g_string_append_printf(out, "0x%" G_GINT64_MODIFIER "x", bits);
    uint64_t index = (bits - VCODE_CODE_BASE) / 16;
    if (bits >= VCODE_CODE_BASE && index < module->functions.count)
        g_string_append_printf(out, " <%s>", vcode_text(module, module->functions.items[index].name));
    else if (target && target->kind == VCODE_TYPE_CHAR && vm_rank_peek(rank, bits, 1)) {
        VmValue text = {.in_memory = true, .bits = bits};
        g_string_append_c(out, ' ');
        format_text(rank, &text, UINT64_MAX, out);
    }
}

static void format_scalar(VmRank *rank, const VcodeModule *module, const VcodeType *record, uint64_t bits, GString *out)
{
    switch (record->kind) {
    case VCODE_TYPE_BOOL: g_string_append(out, bits ? "true" : "false"); break;
    case VCODE_TYPE_CHAR:
        g_string_append_printf(out, "%d '", (int)(int8_t)bits);
        append_escaped(out, (unsigned char)bits, '\'');
        g_string_append_c(out, '\'');
        break;
    case VCODE_TYPE_UNSIGNED: g_string_append_printf(out, "%" G_GUINT64_FORMAT, bits); break;
    case VCODE_TYPE_FLOAT: format_real(bits, record->size, out); break;
    case VCODE_TYPE_POINTER: format_address(rank, module, record->target, bits, out); break;
    case VCODE_TYPE_ENUM: format_enum(module, record, (int64_t)bits, out); break;
    case VCODE_TYPE_VOID: g_string_append(out, "void"); break;
    default: g_string_append_printf(out, "%" G_GINT64_FORMAT, (int64_t)bits); break;
    }
}

static void format_complex(VmRank *rank, const VcodeType *record, const VmValue *value, GString *out)
{
    unsigned char buffer[16];
    const unsigned char *memory = record->size <= sizeof buffer ? value_bytes(rank, value, buffer, record->size) : NULL;
    if (!memory) {
        g_string_append(out, value->variable ? "<optimized out>" : "<unreadable>");
        return;
    }
    for (unsigned part = 0; part < 2; part++) {
        uint64_t bits = 0;
        memcpy(&bits, memory + part * record->size / 2, record->size / 2);
        format_real(bits, record->size / 2, out);
        g_string_append(out, part == 0 ? " + " : "i");
    }
}

static void format_wide(VmRank *rank, const VcodeType *record, const VmValue *value, GString *out)
{
    uint64_t buffer[2], half[2];
    const void *memory = value_bytes(rank, value, buffer, sizeof buffer);
    if (!memory) {
        g_string_append(out, value->variable ? "<optimized out>" : "<unreadable>");
        return;
    }
    memcpy(half, memory, sizeof half);
    unsigned __int128 number = (unsigned __int128)half[1] << 64 | half[0];
    bool negative = record->kind == VCODE_TYPE_SIGNED && (int64_t)half[1] < 0;
    if (negative)
        number = 0 - number;
    char text[48], *at = text + sizeof text;
    *--at = '\0';
    do {
        *--at = (char)('0' + (int)(number % 10));
        number /= 10;
    } while (number);
    g_string_append_printf(out, "%s%s", negative ? "-" : "", at);
}

static void format_array(VmRank *rank, const VcodeModule *module, const VcodeType *record, const VmValue *value,
                         Nest nest, GString *out)
{
    uint64_t count;
    if (vm_type_array_count(rank, value->framed ? &value->frame : NULL, record, &count))
        format_elements(rank, module, record->target, count, value, nest, out);
    else
        g_string_append(out, "<length optimized out>");
}

static void format_any(VmRank *rank, const VmValue *value, Nest nest, GString *out)
{
    const VcodeModule *module = vm_image_module(vm_rank_image(rank));
    const VcodeType *record = vm_type_record(module, vm_type_strip(module, value->type));
    uint64_t bits;
    if (nest.depth > MAX_DEPTH) {
        g_string_append(out, "{...}");
    } else if (value->variable && !vm_value_any_byte(rank, value, record ? record->size : 8)) {
        g_string_append(out, "<optimized out>");
    } else if (!record) {
        if (vm_value_load(rank, value, &bits, NULL))
            g_string_append_printf(out, "%" G_GINT64_FORMAT, (int64_t)bits);
    } else if (record->kind == VCODE_TYPE_FUNCTION) {
        format_address(rank, module, value->type, value->bits, out);
    } else if (record->kind == VCODE_TYPE_ARRAY) {
        format_array(rank, module, record, value, nest, out);
    } else if (value->in_memory && !value->variable && record->size > 0 &&
               !vm_rank_peek(rank, value->bits, record->size)) {
        g_string_append_printf(out, "<cannot read 0x%" G_GINT64_MODIFIER "x>", value->bits);
    } else if (record->kind == VCODE_TYPE_STRUCT || record->kind == VCODE_TYPE_UNION) {
        format_members(rank, module, record, value, nest, out);
    } else if (record->kind == VCODE_TYPE_COMPLEX) {
        format_complex(rank, record, value, out);
    } else if (is_wide(record) && value->in_memory) {
        format_wide(rank, record, value, out);
    } else if (vm_value_load(rank, value, &bits, NULL)) {
        format_scalar(rank, module, record, bits, out);
    } else if (value->variable) {
        g_string_append(out, "<optimized out>");
    } else {
        g_string_append_printf(out, "<cannot read 0x%" G_GINT64_MODIFIER "x>", value->bits);
    }
}

void vm_value_format(VmRank *rank, const VmValue *value, GString *out)
{
    Nest nest = {.limit = out->len + MAX_TEXT};
    const VcodeModule *module = vm_image_module(vm_rank_image(rank));
    if (value->repeat > 0) {
        VmValue first = vm_value_part(value, value->type, 0);
        format_elements(rank, module, value->type, value->repeat, &first, nest, out);
        return;
    }
    switch (value->shape) {
    case VM_OBJECT: format_any(rank, value, nest, out); break;
    case VM_INTEGER: g_string_append_printf(out, "%" G_GINT64_FORMAT, (int64_t)value->bits); break;
    case VM_UNSIGNED: g_string_append_printf(out, "%" G_GUINT64_FORMAT, value->bits); break;
    case VM_REAL: format_real(value->bits, 8, out); break;
    case VM_ADDRESS: format_address(rank, module, value->type, value->bits, out); break;
    }
}
