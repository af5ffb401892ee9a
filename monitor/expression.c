/* expression.c - the C expressions that a debugger's user types.
 *
 * A recursive-descent parser that evaluates as it goes; the grammar is C's (C11 6.5), one function per kind of level
 * and a table for the binary operators, without what would change or run the program: assignment, ++, --, calls. So
 * looking never changes the rank. As in gdb, `object@n` is n objects side by side. Integers are computed with 64 bits;
 * what is narrower than that is promoted without wrapping.
 *
 * Behind && || and ?: the operand that C would not evaluate is parsed with `skip` set: it then reads no memory.
 */
#include "monitor/internal.h"
#include "monitor/types.h"
#include <errno.h>
#include <string.h>

G_DEFINE_QUARK(orrery - monitor - error, mon_error)

typedef struct Parser {
    VmRank *rank;
    const VcodeModule *module;
    uint32_t level;
    const char *at;
    GError **error;
    int depth, skip;
} Parser;

#define MAX_NESTING 200

static bool fail(Parser *parser, const char *format, ...) G_GNUC_PRINTF(2, 3);
static bool fail(Parser *parser, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    if (*parser->error == NULL)
        g_set_error_literal(parser->error, MON_ERROR, MON_ERROR_EXPRESSION, text);
    return false;
}

static void skip_blanks(Parser *parser)
{
    while (g_ascii_isspace(*parser->at))
        parser->at++;
}

static bool take(Parser *parser, const char *token)
{
    skip_blanks(parser);
    if (!g_str_has_prefix(parser->at, token))
        return false;
    parser->at += strlen(token);
    return true;
}

static bool expect(Parser *parser, const char *token)
{
    if (take(parser, token))
        return true;
    return *parser->at == '\0' ? fail(parser, "expected '%s' at the end", token)
                               : fail(parser, "expected '%s' before '%s'", token, parser->at);
}

static const VcodeType *stripped(Parser *parser, uint32_t type)
{
    return vm_type_record(parser->module, vm_type_strip(parser->module, type));
}

static uint64_t size_of(Parser *parser, uint32_t type)
{
    const VcodeType *record = stripped(parser, type);
    return record == NULL ? 8 : MAX(record->size, 1);
}

static bool load(Parser *parser, const VmValue *value, uint64_t *bits)
{
    *bits = 0;
    return parser->skip > 0 || vm_value_load(parser->rank, value, bits, parser->error);
}

/* -- numbers: what operators work on ------------------------------------------------------- */

typedef enum NumberKind { SIGNED, UNSIGNED, REAL, POINTER } NumberKind;
typedef struct Number {
    NumberKind kind;
    uint64_t bits;
    double real;
    uint32_t target; /* of a pointer */
} Number;

static double real_of(const VcodeType *record, uint64_t bits)
{
    g_assert(record != NULL);
    double number;
    if (record->size == 4) {
        uint32_t low = (uint32_t)bits;
        float narrow;
        memcpy(&narrow, &low, sizeof narrow);
        return (double)narrow;
    }
    memcpy(&number, &bits, sizeof number);
    return number;
}

static bool number_of_object(Parser *parser, const VmValue *value, Number *number)
{
    const VcodeType *record = stripped(parser, value->type);
    switch (record != NULL ? record->kind : VCODE_TYPE_SIGNED) {
    case VCODE_TYPE_POINTER:
    case VCODE_TYPE_ARRAY: *number = (Number){.kind = POINTER, .target = record->target}; break;
    case VCODE_TYPE_FUNCTION: *number = (Number){.kind = POINTER, .target = value->type}; break;
    case VCODE_TYPE_UNSIGNED: *number = (Number){.kind = record->size == 8 ? UNSIGNED : SIGNED}; break;
    case VCODE_TYPE_FLOAT: *number = (Number){.kind = REAL}; break;
    case VCODE_TYPE_STRUCT:
    case VCODE_TYPE_UNION:
    case VCODE_TYPE_COMPLEX:
    case VCODE_TYPE_VOID: return fail(parser, "a number or a pointer is needed here, not a whole object");
    default: *number = (Number){.kind = SIGNED};
    }
    if (record != NULL && record->kind == VCODE_TYPE_ARRAY && value->variable != NULL)
        return fail(parser, "the array is kept in registers here: it has elements, but no address");
    if (!load(parser, value, &number->bits))
        return false;
    if (number->kind == REAL)
        number->real = real_of(record, number->bits);
    return true;
}

static bool number_of(Parser *parser, const VmValue *value, Number *number)
{
    if (value->repeat > 0)
        return fail(parser, "the result of @ can only be printed");
    *number = (Number){.bits = value->bits, .target = value->type};
    switch (value->shape) {
    case VM_OBJECT: return number_of_object(parser, value, number);
    case VM_INTEGER: number->kind = SIGNED; break;
    case VM_UNSIGNED: number->kind = UNSIGNED; break;
    case VM_ADDRESS: number->kind = POINTER; break;
    case VM_REAL: number->kind = REAL; memcpy(&number->real, &value->bits, sizeof number->real);
    }
    return true;
}

static VmValue integer(int64_t number)
{
    return (VmValue){.shape = VM_INTEGER, .type = VCODE_NONE, .bits = (uint64_t)number};
}

static VmValue real(double number)
{
    VmValue value = {.shape = VM_REAL, .type = VCODE_NONE};
    memcpy(&value.bits, &number, sizeof number);
    return value;
}

static double as_real(const Number *number)
{
    if (number->kind == REAL)
        return number->real;
    return number->kind == SIGNED ? (double)(int64_t)number->bits : (double)number->bits;
}

static bool truth(const Number *number)
{
    return number->kind == REAL ? number->real != 0.0 : number->bits != 0;
}

static bool expression(Parser *parser, VmValue *value);
static bool unary(Parser *parser, VmValue *value);

/* -- primary ------------------------------------------------------------------------------ */

static bool starts_name(char c)
{
    return g_ascii_isalpha(c) || c == '_';
}

static char *take_name(Parser *parser)
{
    skip_blanks(parser);
    const char *start = parser->at;
    if (!starts_name(*start))
        return NULL;
    while (g_ascii_isalnum(*parser->at) || *parser->at == '_')
        parser->at++;
    return g_strndup(start, (gsize)(parser->at - start));
}

static bool take_word(Parser *parser, const char *word)
{
    const char *start = parser->at;
    g_autofree char *name = take_name(parser);
    if (g_strcmp0(name, word) == 0)
        return true;
    parser->at = start;
    return false;
}

static bool real_constant(Parser *parser, VmValue *value)
{
    char *end;
    *value = real(g_ascii_strtod(parser->at, &end));
    parser->at = end + strspn(end, "fFlL");
    return true;
}

/* C11 6.4.4.1, 6.4.4.2. */
static bool number_constant(Parser *parser, VmValue *value)
{
    const char *digits = parser->at;
    bool hexadecimal = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    size_t length = strspn(digits, "0123456789");
    if (!hexadecimal && digits[length] != '\0' && strchr(".eE", digits[length]) != NULL)
        return real_constant(parser, value);
    char *end;
    errno = 0;
    uint64_t bits = g_ascii_strtoull(digits, &end, 0);
    if (errno == ERANGE)
        return fail(parser, "the number %.*s does not fit into 64 bits", (int)(end - digits), digits);
    bool is_unsigned = bits > INT64_MAX || strpbrk(end, "uU") == end;
    parser->at = end + strspn(end, "uUlL");
    if (g_ascii_isalnum(*parser->at) || *parser->at == '_')
        return fail(parser, "'%s' is no number", digits);
    *value = integer((int64_t)bits);
    value->shape = is_unsigned ? VM_UNSIGNED : VM_INTEGER;
    return true;
}

static bool character_constant(Parser *parser, VmValue *value)
{
    static const char letters[] = "ntrabfv0\\'\"", codes[] = "\n\t\r\a\b\f\v\0\\'\"";
    char c = *++parser->at;
    const char *named = c == '\\' && parser->at[1] != '\0' ? strchr(letters, parser->at[1]) : NULL;
    if (c == '\0' || c == '\'' || (c == '\\' && named == NULL))
        return fail(parser, "cannot read the character constant");
    parser->at += named != NULL ? 2 : 1;
    *value = integer(named != NULL ? codes[named - letters] : c);
    return expect(parser, "'");
}

static bool find_enumerator(Parser *parser, const char *name, VmValue *value)
{
    for (uint32_t i = 0; i < parser->module->types.count; i++) {
        const VcodeType *type = &parser->module->types.items[i];
        for (uint32_t k = 0; type->kind == VCODE_TYPE_ENUM && k < type->count; k++) {
            const VcodeMember *member = &parser->module->members.items[type->first + k];
            if (strcmp(vcode_text(parser->module, member->name), name) == 0) {
                *value = (VmValue){.shape = VM_OBJECT, .type = i, .bits = (uint64_t)member->value};
                return true;
            }
        }
    }
    return false;
}

static bool find_function(Parser *parser, const char *name, VmValue *value)
{
    for (uint32_t i = 0; i < parser->module->functions.count; i++)
        if (strcmp(vcode_text(parser->module, parser->module->functions.items[i].name), name) == 0) {
            *value = (VmValue){.shape = VM_ADDRESS, .type = VCODE_NONE, .bits = VCODE_CODE_BASE + 16 * (uint64_t)i};
            return true;
        }
    return false;
}

static bool named_value(Parser *parser, VmValue *value)
{
    g_autofree char *name = take_name(parser);
    return mon_find_variable(parser->rank, parser->level, name, value) || find_function(parser, name, value) ||
           find_enumerator(parser, name, value) || fail(parser, "no variable '%s' is in scope here", name);
}

static bool primary(Parser *parser, VmValue *value)
{
    if (take(parser, "("))
        return expression(parser, value) && expect(parser, ")");
    skip_blanks(parser);
    if (g_ascii_isdigit(*parser->at) || (*parser->at == '.' && g_ascii_isdigit(parser->at[1])))
        return number_constant(parser, value);
    if (*parser->at == '\'')
        return character_constant(parser, value);
    if (starts_name(*parser->at))
        return named_value(parser, value);
    if (*parser->at == '\0')
        return fail(parser, "the expression ends too early");
    return fail(parser, "expected a variable or a number before '%s'", parser->at);
}

/* -- postfix ------------------------------------------------------------------------------ */

/* The index-th object that a pointer or array points to. */
static bool dereference(Parser *parser, const VmValue *pointer, int64_t index, VmValue *value)
{
    Number number = {0};
    const VcodeType *array = pointer->variable != NULL ? stripped(parser, pointer->type) : NULL;
    if (array != NULL && array->kind == VCODE_TYPE_ARRAY && pointer->repeat == 0) {
        *value = vm_value_part(pointer, array->target, (uint64_t)index * size_of(parser, array->target));
        return true;
    }
    if (!number_of(parser, pointer, &number))
        return false;
    const VcodeType *target = stripped(parser, number.target);
    if (number.kind != POINTER)
        return fail(parser, "only a pointer or an array can be dereferenced");
    if (number.bits >= VCODE_CODE_BASE && number.bits < VCODE_LABEL_BASE && index == 0) {
        *value = (VmValue){.shape = VM_ADDRESS, .type = number.target, .bits = number.bits};
        return true; /* *function is the function again (C11 6.5.3.2) */
    }
    if (target == NULL || target->kind == VCODE_TYPE_VOID)
        return fail(parser, "a pointer to void points to no type; cast it, as in *(int *)p");
    *value = (VmValue){.shape = VM_OBJECT,
                       .type = number.target,
                       .in_memory = true,
                       .bits = number.bits + (uint64_t)index * size_of(parser, number.target)};
    return true;
}

static const VcodeMember *find_member(Parser *parser, const VcodeType *record, const char *name, uint64_t *offset,
                                      int depth)
{
    for (uint32_t i = 0; depth < 16 && i < record->count && record->first + i < parser->module->members.count; i++) {
        const VcodeMember *member = &parser->module->members.items[record->first + i];
        const char *member_name = vcode_text(parser->module, member->name);
        const VcodeType *inner = *member_name == '\0' ? stripped(parser, member->type) : NULL;
        uint64_t here = *offset + (uint64_t)member->value;
        const VcodeMember *found = NULL;
        if (strcmp(member_name, name) == 0)
            found = member;
        else if (inner != NULL && (inner->kind == VCODE_TYPE_STRUCT || inner->kind == VCODE_TYPE_UNION))
            found = find_member(parser, inner, name, &here, depth + 1);
        if (found != NULL) {
            *offset = here;
            return found;
        }
    }
    return NULL;
}

static bool bit_field_value(Parser *parser, const VcodeMember *member, const VmValue *unit, VmValue *value)
{
    uint64_t bits = 0;
    if (parser->skip == 0 && !vm_bit_field_load(parser->rank, member, unit, &bits))
        return unit->variable != NULL ? fail(parser, "the bit-field is optimized out here")
                                      : fail(parser, "cannot read memory at 0x%" G_GINT64_MODIFIER "x", unit->bits);
    *value = (VmValue){.shape = VM_OBJECT, .type = member->type, .bits = bits};
    return true;
}

static bool member_of(Parser *parser, const VmValue *object, VmValue *value)
{
    g_autofree char *name = take_name(parser);
    const VcodeType *record = object->shape == VM_OBJECT ? stripped(parser, object->type) : NULL;
    if (name == NULL)
        return fail(parser, "expected the name of a member");
    if (record != NULL && record->kind == VCODE_TYPE_POINTER)
        return fail(parser, "this is a pointer: write ->%s", name);
    if (record == NULL || (record->kind != VCODE_TYPE_STRUCT && record->kind != VCODE_TYPE_UNION))
        return fail(parser, "there is no member '%s': this is not a struct or union", name);
    uint64_t offset = 0;
    const VcodeMember *member = find_member(parser, record, name, &offset, 0);
    if (member == NULL) {
        g_autoptr(GString) type = g_string_new(NULL);
        vm_type_format(parser->module, object->type, type);
        return fail(parser, "no member '%s' in %s", name, type->str);
    }
    VmValue part = vm_value_part(object, member->type, offset);
    if (member->bit_width > 0)
        return bit_field_value(parser, member, &part, value);
    *value = part;
    return true;
}

static bool element_of(Parser *parser, const VmValue *base, VmValue *value)
{
    VmValue index = {0};
    Number number = {0};
    if (!expression(parser, &index) || !number_of(parser, &index, &number))
        return false;
    if (number.kind != SIGNED && number.kind != UNSIGNED)
        return fail(parser, "an index is a whole number");
    return dereference(parser, base, (int64_t)number.bits, value) && expect(parser, "]");
}

static bool postfix(Parser *parser, VmValue *value)
{
    if (!primary(parser, value))
        return false;
    for (;;) {
        VmValue base = *value, object = {0};
        bool ok;
        if (take(parser, "["))
            ok = element_of(parser, &base, value);
        else if (take(parser, "->"))
            ok = dereference(parser, &base, 0, &object) && member_of(parser, &object, value);
        else if (take(parser, "."))
            ok = member_of(parser, &base, value);
        else if (take(parser, "++") || take(parser, "--"))
            ok = fail(parser, "the debugger only looks: it changes no variable");
        else if (take(parser, "("))
            ok = fail(parser, "the debugger only looks: it calls no function");
        else
            return true;
        if (!ok)
            return false;
    }
}

/* -- unary ---------------------------------------------------------------------------------- */

static bool address_of(Parser *parser, VmValue *value)
{
    VmValue operand = {0};
    if (!unary(parser, &operand))
        return false;
    if (operand.shape == VM_ADDRESS && operand.bits >= VCODE_CODE_BASE) {
        *value = operand; /* &function */
        return true;
    }
    if (operand.shape != VM_OBJECT || !operand.in_memory || operand.variable != NULL)
        return fail(parser, "this has no address: it is no variable in memory (with -O0, variables are)");
    *value = (VmValue){.shape = VM_ADDRESS, .type = operand.type, .bits = operand.bits};
    return true;
}

static bool arithmetic_unary(Parser *parser, char operator, VmValue * value)
{
    VmValue operand = {0};
    Number number = {0};
    if (!unary(parser, &operand) || !number_of(parser, &operand, &number))
        return false;
    if (operator== '!') {
        *value = integer(!truth(&number));
    } else if (number.kind == POINTER || (operator== '~' && number.kind == REAL)) {
        return fail(parser, "'%c' needs a number", operator);
    } else if (number.kind == REAL) {
        *value = real(operator== '-' ? -number.real : number.real);
    } else {
        uint64_t bits = operator== '-' ? -number.bits : operator== '~' ? ~number.bits : number.bits;
        *value = integer((int64_t)bits);
        value->shape = number.kind == UNSIGNED ? VM_UNSIGNED : VM_INTEGER;
    }
    return true;
}

/* (type) operand. */
static bool cast(Parser *parser, const MonTypeName *type, VmValue *value)
{
    VmValue operand = {0};
    Number number = {0};
    if (!unary(parser, &operand) || !number_of(parser, &operand, &number))
        return false;
    if (type->pointer) {
        if (number.kind == REAL)
            return fail(parser, "a real number cannot become a pointer");
        *value = (VmValue){.shape = VM_ADDRESS, .type = type->target, .bits = number.bits};
        return true;
    }
    if (type->kind == VCODE_TYPE_STRUCT)
        return fail(parser, "nothing can become a struct or union; cast a pointer, as in *(struct point *)p");
    if (type->kind == VCODE_TYPE_FLOAT) {
        double result = as_real(&number);
        *value = real(type->size == 4 ? (double)(float)result : result);
        return true;
    }
    if (type->kind == VCODE_TYPE_BOOL) {
        *value = integer(truth(&number));
        return true;
    }
    bool fits = number.kind != REAL || (number.real > -9.3e18 && number.real < 9.2e18);
    uint64_t bits = number.kind != REAL ? number.bits : fits ? (uint64_t)(int64_t)number.real : 0;
    unsigned shift = 64 - 8 * type->size;
    bool is_unsigned = type->kind == VCODE_TYPE_UNSIGNED;
    bits = is_unsigned ? bits << shift >> shift : (uint64_t)((int64_t)(bits << shift) >> shift);
    *value = integer((int64_t)bits);
    value->shape = is_unsigned ? VM_UNSIGNED : VM_INTEGER;
    return true;
}

/* "(type)" behind the cursor: taken, or the cursor stays. */
static bool type_in_parentheses(Parser *parser, MonTypeName *type, bool *taken)
{
    const char *start = parser->at;
    GError *problem = NULL;
    *taken = false;
    if (!take(parser, "("))
        return true;
    *taken = mon_take_type(parser->module, &parser->at, type, &problem);
    if (problem != NULL) {
        fail(parser, "%s", problem->message);
        g_error_free(problem);
        return false;
    }
    if (*taken)
        return expect(parser, ")");
    parser->at = start;
    return true;
}

static bool size_operator(Parser *parser, VmValue *value)
{
    MonTypeName type;
    VmValue operand = {0};
    bool taken;
    if (!type_in_parentheses(parser, &type, &taken))
        return false;
    uint64_t size = taken && type.pointer ? 8 : taken ? type.size : 0;
    if (!taken) {
        parser->skip++;
        bool ok = unary(parser, &operand);
        parser->skip--;
        if (!ok)
            return false;
        size = operand.shape == VM_OBJECT ? size_of(parser, operand.type) * MAX(operand.repeat, 1) : 8;
    }
    *value = integer((int64_t)size);
    value->shape = VM_UNSIGNED;
    return true;
}

static bool unary_operator(Parser *parser, VmValue *value)
{
    MonTypeName type;
    VmValue operand = {0};
    bool taken;
    skip_blanks(parser);
    char first = *parser->at;
    if (g_str_has_prefix(parser->at, "++") || g_str_has_prefix(parser->at, "--"))
        return fail(parser, "the debugger only looks: it changes no variable");
    if (take(parser, "*"))
        return unary(parser, &operand) && dereference(parser, &operand, 0, value);
    if (take(parser, "&"))
        return address_of(parser, value);
    if (first != '\0' && strchr("+-!~", first) != NULL) {
        parser->at++;
        return arithmetic_unary(parser, first, value);
    }
    if (take_word(parser, "sizeof"))
        return size_operator(parser, value);
    if (!type_in_parentheses(parser, &type, &taken))
        return false;
    return taken ? cast(parser, &type, value) : postfix(parser, value);
}

static bool unary(Parser *parser, VmValue *value)
{
    if (++parser->depth > MAX_NESTING)
        return fail(parser, "the expression is nested too deeply");
    bool ok = unary_operator(parser, value);
    parser->depth--;
    return ok;
}

/* -- binary ---------------------------------------------------------------------------------- */

typedef enum Operation {
    OR,
    AND,
    BIT_OR,
    BIT_XOR,
    BIT_AND,
    EQUAL,
    UNEQUAL,
    LESS_EQUAL,
    GREATER_EQUAL,
    LEFT,
    RIGHT,
    LESS,
    GREATER,
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    REMAINDER,
    REPEAT,
} Operation;

typedef struct Operator {
    const char *token;
    int level; /* higher binds tighter */
    Operation operation;
} Operator;

/* Longer tokens first. */
static const Operator operators[] = {
    {"||", 1, OR},       {"&&", 2, AND},    {"==", 6, EQUAL},         {"!=", 6, UNEQUAL}, {"<=", 7, LESS_EQUAL},
    {"<<", 8, LEFT},     {">>", 8, RIGHT},  {">=", 7, GREATER_EQUAL}, {"|", 3, BIT_OR},   {"^", 4, BIT_XOR},
    {"&", 5, BIT_AND},   {"<", 7, LESS},    {">", 7, GREATER},        {"+", 9, ADD},      {"-", 9, SUBTRACT},
    {"*", 10, MULTIPLY}, {"/", 10, DIVIDE}, {"%", 10, REMAINDER},     {"@", 11, REPEAT},
};

static bool real_operation(Parser *parser, const Operator *operator, double a, double b, VmValue *value)
{
    switch (operator->operation) {
    case EQUAL: *value = integer(a == b); break;
    case UNEQUAL: *value = integer(a != b); break;
    case LESS: *value = integer(a < b); break;
    case LESS_EQUAL: *value = integer(a <= b); break;
    case GREATER: *value = integer(a > b); break;
    case GREATER_EQUAL: *value = integer(a >= b); break;
    case ADD: *value = real(a + b); break;
    case SUBTRACT: *value = real(a - b); break;
    case MULTIPLY: *value = real(a * b); break;
    case DIVIDE: *value = real(a / b); break;
    default: return fail(parser, "'%s' needs whole numbers", operator->token);
    }
    return true;
}

static bool check_divisor(Parser *parser, uint64_t a, uint64_t b, bool is_unsigned)
{
    if (parser->skip > 0)
        return true;
    if (b == 0)
        return fail(parser, "division by zero");
    return is_unsigned || (int64_t)b != -1 || (int64_t)a != INT64_MIN || fail(parser, "the quotient overflows");
}

static bool divide(Parser *parser, Operation operation, uint64_t a, uint64_t b, bool is_unsigned, uint64_t *result)
{
    *result = 0;
    if (!check_divisor(parser, a, b, is_unsigned) || parser->skip > 0)
        return parser->skip > 0;
    if (is_unsigned)
        *result = operation == DIVIDE ? a / b : a % b;
    else
        *result = (uint64_t)(operation == DIVIDE ? (int64_t)a / (int64_t)b : (int64_t)a % (int64_t)b);
    return true;
}

static bool less(uint64_t a, uint64_t b, bool is_unsigned)
{
    return is_unsigned ? a < b : (int64_t)a < (int64_t)b;
}

static bool integer_operation(Parser *parser, Operation operation, uint64_t a, uint64_t b, bool is_unsigned,
                              VmValue *value)
{
    uint64_t bits = 0;
    bool compares = operation >= EQUAL && operation <= GREATER && operation != LEFT && operation != RIGHT;
    switch (operation) {
    case EQUAL: bits = a == b; break;
    case UNEQUAL: bits = a != b; break;
    case LESS: bits = less(a, b, is_unsigned); break;
    case LESS_EQUAL: bits = !less(b, a, is_unsigned); break;
    case GREATER: bits = less(b, a, is_unsigned); break;
    case GREATER_EQUAL: bits = !less(a, b, is_unsigned); break;
    case BIT_OR: bits = a | b; break;
    case BIT_XOR: bits = a ^ b; break;
    case BIT_AND: bits = a & b; break;
    case LEFT: bits = b < 64 ? a << b : 0; break;
    case RIGHT: bits = is_unsigned ? (b < 64 ? a >> b : 0) : (uint64_t)((int64_t)a >> MIN(b, 63)); break;
    case ADD: bits = a + b; break;
    case SUBTRACT: bits = a - b; break;
    case MULTIPLY: bits = a * b; break;
    default:
        if (!divide(parser, operation, a, b, is_unsigned, &bits))
            return false;
    }
    *value = integer((int64_t)bits);
    value->shape = is_unsigned && !compares ? VM_UNSIGNED : VM_INTEGER;
    return true;
}

/* Pointer arithmetic (C11 6.5.6); comparisons are those of the addresses. */
static bool pointer_operation(Parser *parser, const Operator *operator, const Number * left, const Number *right,
                              VmValue *value)
{
    const Number *pointer = left->kind == POINTER ? left : right, *other = pointer == left ? right : left;
    uint64_t size = size_of(parser, pointer->target);
    const VcodeType *target = stripped(parser, pointer->target);
    if (target == NULL || target->kind == VCODE_TYPE_VOID || target->kind == VCODE_TYPE_FUNCTION)
        size = 1;
    bool adds = operator->operation == ADD && other->kind != POINTER;
    bool subtracts = operator->operation == SUBTRACT && pointer == left;
    if (adds || (subtracts && other->kind != POINTER)) {
        uint64_t offset = other->bits * size;
        *value = (VmValue){.shape = VM_ADDRESS,
                           .type = pointer->target,
                           .bits = adds ? pointer->bits + offset : pointer->bits - offset};
        return true;
    }
    if (subtracts) {
        *value = integer((int64_t)(left->bits - right->bits) / (int64_t)size);
        return true;
    }
    if (operator->level<6 || operator->level> 7)
        return fail(parser, "'%s' does not work on pointers", operator->token);
    return integer_operation(parser, operator->operation, left->bits, right->bits, true, value);
}

static bool repeat(Parser *parser, const VmValue *object, const Number *count, VmValue *value)
{
    if (object->shape != VM_OBJECT || !object->in_memory || object->variable != NULL || object->repeat > 0)
        return fail(parser, "left of @ stands an object in memory, as in values[0]@10");
    if ((count->kind != SIGNED && count->kind != UNSIGNED) || count->bits == 0 || count->bits > INT32_MAX)
        return parser->skip > 0 || fail(parser, "right of @ stands how many there are, from 1 on");
    *value = *object;
    value->repeat = (uint32_t)count->bits;
    return true;
}

static bool combine(Parser *parser, const Operator *operator, const VmValue * left, const VmValue *right,
                    VmValue *value)
{
    Number a = {0}, b = {0};
    if (operator->operation == REPEAT)
        return number_of(parser, right, &b) && repeat(parser, left, &b, value);
    if (!number_of(parser, left, &a) || !number_of(parser, right, &b))
        return false;
    if ((a.kind == REAL || b.kind == REAL) && a.kind != POINTER && b.kind != POINTER)
        return real_operation(parser, operator, as_real(&a), as_real(&b), value);
    if (a.kind == REAL || b.kind == REAL)
        return fail(parser, "'%s' does not join a pointer and a real number", operator->token);
    if (a.kind == POINTER || b.kind == POINTER)
        return pointer_operation(parser, operator, & a, &b, value);
    bool is_unsigned = a.kind == UNSIGNED || b.kind == UNSIGNED;
    return integer_operation(parser, operator->operation, a.bits, b.bits, is_unsigned, value);
}

static bool binary(Parser *parser, int level, VmValue *value);

/* && and ||: the right operand counts only where the left one does not decide. */
static bool logical(Parser *parser, const Operator *operator, VmValue * value)
{
    Number left = {0}, right = {0};
    VmValue operand = {0};
    if (!number_of(parser, value, &left))
        return false;
    bool decided = truth(&left) == (operator->operation == OR);
    parser->skip += decided;
    bool ok = binary(parser, operator->level + 1, &operand) && number_of(parser, &operand, &right);
    parser->skip -= decided;
    if (ok)
        *value = integer(decided ? truth(&left) : truth(&right));
    return ok;
}

static const Operator *next_operator(Parser *parser)
{
    skip_blanks(parser);
    if (parser->at[0] == '-' && parser->at[1] == '>')
        return NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(operators); i++)
        if (g_str_has_prefix(parser->at, operators[i].token))
            return &operators[i];
    return NULL;
}

static bool binary(Parser *parser, int level, VmValue *value)
{
    if (!unary(parser, value))
        return false;
    for (;;) {
        const Operator *found = next_operator(parser);
        if (found == NULL || found->level < level)
            return true;
        parser->at += strlen(found->token);
        if (*parser->at == '=' && found->level != 6 && found->operation != LESS_EQUAL &&
            found->operation != GREATER_EQUAL)
            return fail(parser, "the debugger only looks: it changes no variable");
        VmValue left = *value, right = {0};
        bool ok = found->level <= 2
                      ? logical(parser, found, value)
                      : binary(parser, found->level + 1, &right) && combine(parser, found, &left, &right, value);
        if (!ok)
            return false;
    }
}

static bool expression(Parser *parser, VmValue *value)
{
    if (++parser->depth > MAX_NESTING)
        return fail(parser, "the expression is nested too deeply");
    Number condition = {0};
    VmValue yes = {0}, no = {0};
    bool ok = binary(parser, 0, value);
    if (ok && take(parser, "?")) {
        ok = number_of(parser, value, &condition);
        bool chosen = ok && truth(&condition);
        parser->skip += !chosen;
        ok = ok && expression(parser, &yes) && expect(parser, ":");
        parser->skip += chosen - !chosen;
        ok = ok && expression(parser, &no);
        parser->skip -= chosen;
        if (ok)
            *value = chosen ? yes : no;
    }
    parser->depth--;
    return ok;
}

bool mon_evaluate(VmRank *rank, uint32_t level, const char *text, VmValue *value, GError **error)
{
    GError *problem = NULL;
    Parser parser = {
        .rank = rank, .module = vm_image_module(vm_rank_image(rank)), .level = level, .at = text, .error = &problem};
    bool ok = expression(&parser, value);
    skip_blanks(&parser);
    if (ok && *parser.at == '=')
        ok = fail(&parser, "the debugger only looks: it changes no variable");
    if (ok && *parser.at != '\0')
        ok = fail(&parser, "cannot read the expression from '%s' on", parser.at);
    if (!ok)
        g_propagate_error(error, problem);
    return ok;
}
