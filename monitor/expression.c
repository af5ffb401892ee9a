/* expression.c - the C expressions that a debugger's user types: names, numbers, members, elements, * & - ! casts-free
 * arithmetic and comparisons.
 *
 * A recursive-descent parser that evaluates as it goes; the grammar is C's, one function per level of precedence. There
 * are no side effects and no calls, so looking never changes the rank.
 */
#include "monitor/internal.h"
#include <string.h>

typedef struct Parser {
    VmRank *rank;
    const VcodeModule *module;
    uint32_t level;
    const char *at;
    GError **error;
    int depth;
} Parser;

#define MAX_NESTING 200

static bool fail(Parser *parser, const char *format, ...) G_GNUC_PRINTF(2, 3);
static bool fail(Parser *parser, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    if (parser->error != NULL && *parser->error == NULL)
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

static const VcodeType *stripped(Parser *parser, uint32_t type)
{
    uint32_t index = mon_type_strip(parser->module, type);
    return index < parser->module->types.count ? &parser->module->types.items[index] : NULL;
}

static uint64_t size_of(Parser *parser, uint32_t type)
{
    const VcodeType *record = stripped(parser, type);
    return record == NULL ? 8 : MAX(record->size, 1);
}

static bool expression(Parser *parser, MonValue *value);

/* -- primary and postfix -------------------------------------------------------------- */

static char *take_name(Parser *parser)
{
    skip_blanks(parser);
    const char *start = parser->at;
    if (!g_ascii_isalpha(*start) && *start != '_')
        return NULL;
    while (g_ascii_isalnum(*parser->at) || *parser->at == '_')
        parser->at++;
    return g_strndup(start, (gsize)(parser->at - start));
}

static bool function_value(Parser *parser, const char *name, MonValue *value)
{
    for (uint32_t i = 0; i < parser->module->functions.count; i++)
        if (strcmp(vcode_text(parser->module, parser->module->functions.items[i].name), name) == 0) {
            *value = (MonValue){.type = VCODE_NONE, .bits = VCODE_CODE_BASE + 16 * (uint64_t)i};
            return true;
        }
    return fail(parser, "no variable '%s' is in scope here", name);
}

static bool primary(Parser *parser, MonValue *value)
{
    if (take(parser, "("))
        return expression(parser, value) && (take(parser, ")") || fail(parser, "expected ')'"));
    skip_blanks(parser);
    if (g_ascii_isdigit(*parser->at)) {
        char *end;
        *value = (MonValue){.type = VCODE_NONE, .bits = g_ascii_strtoull(parser->at, &end, 0)};
        parser->at = end;
        return true;
    }
    g_autofree char *name = take_name(parser);
    if (name == NULL)
        return fail(parser, *parser->at ? "expected a variable or number at '%s'" : "the expression ends too early%s",
                    parser->at);
    return mon_find_variable(parser->rank, parser->level, name, value) || function_value(parser, name, value);
}

/* What a pointer or array points to. */
static bool dereference(Parser *parser, const MonValue *pointer, int64_t index, MonValue *value)
{
    const VcodeType *record = stripped(parser, pointer->type);
    uint64_t address;
    if (record == NULL || (record->kind != VCODE_TYPE_POINTER && record->kind != VCODE_TYPE_ARRAY))
        return fail(parser, "only a pointer or an array can be dereferenced");
    if (!mon_value_load(parser->rank, pointer, &address, parser->error))
        return false;
    *value = (MonValue){
        .type = record->target, .in_memory = true, .bits = address + (uint64_t)index * size_of(parser, record->target)};
    return true;
}

static const VcodeMember *find_member(Parser *parser, const VcodeType *record, const char *name, uint64_t *offset,
                                      int depth)
{
    for (uint32_t i = 0; depth < 16 && i < record->count && record->first + i < parser->module->members.count; i++) {
        const VcodeMember *member = &parser->module->members.items[record->first + i];
        const char *member_name = vcode_text(parser->module, member->name);
        const VcodeType *inner = *member_name == '\0' ? stripped(parser, member->type) : NULL;
        if (strcmp(member_name, name) == 0) {
            *offset += (uint64_t)member->value;
            return member;
        }
        if (inner != NULL && (inner->kind == VCODE_TYPE_STRUCT || inner->kind == VCODE_TYPE_UNION)) {
            uint64_t inner_offset = *offset + (uint64_t)member->value;
            const VcodeMember *found = find_member(parser, inner, name, &inner_offset, depth + 1);
            if (found != NULL) {
                *offset = inner_offset;
                return found;
            }
        }
    }
    return NULL;
}

static bool bit_field_value(Parser *parser, const VcodeMember *member, uint64_t address, MonValue *value)
{
    MonValue unit = {.type = member->type, .in_memory = true, .bits = address};
    uint64_t bits;
    if (!mon_value_load(parser->rank, &unit, &bits, parser->error))
        return false;
    const VcodeType *record = stripped(parser, member->type);
    unsigned up = 64u - member->bit_offset - member->bit_width, down = 64u - member->bit_width;
    bool is_signed = record != NULL && record->kind == VCODE_TYPE_SIGNED;
    bits <<= up;
    *value = (MonValue){.type = member->type, .bits = is_signed ? (uint64_t)((int64_t)bits >> down) : bits >> down};
    return true;
}

static bool member_of(Parser *parser, const MonValue *object, MonValue *value)
{
    g_autofree char *name = take_name(parser);
    const VcodeType *record = stripped(parser, object->type);
    if (name == NULL)
        return fail(parser, "expected the name of a member");
    if (record == NULL || (record->kind != VCODE_TYPE_STRUCT && record->kind != VCODE_TYPE_UNION))
        return fail(parser, "'%s': not a struct or union", name);
    uint64_t offset = 0;
    const VcodeMember *member = find_member(parser, record, name, &offset, 0);
    if (member == NULL)
        return fail(parser, "no member '%s' in %s", name, vcode_text(parser->module, record->name));
    if (member->bit_width > 0)
        return bit_field_value(parser, member, object->bits + offset, value);
    *value = (MonValue){.type = member->type, .in_memory = true, .bits = object->bits + offset};
    return true;
}

static bool postfix(Parser *parser, MonValue *value)
{
    if (!primary(parser, value))
        return false;
    for (;;) {
        MonValue base = *value, index;
        uint64_t number;
        if (take(parser, "[")) {
            if (!expression(parser, &index) || !mon_value_load(parser->rank, &index, &number, parser->error) ||
                !dereference(parser, &base, (int64_t)number, value))
                return false;
            if (!take(parser, "]"))
                return fail(parser, "expected ']'");
        } else if (take(parser, "->")) {
            MonValue object;
            if (!dereference(parser, &base, 0, &object) || !member_of(parser, &object, value))
                return false;
        } else if (take(parser, ".")) {
            if (!member_of(parser, &base, value))
                return false;
        } else {
            return true;
        }
    }
}

/* -- unary and binary ------------------------------------------------------------------- */

static bool unary(Parser *parser, MonValue *value)
{
    MonValue operand;
    uint64_t bits;
    if (++parser->depth > MAX_NESTING)
        return fail(parser, "the expression is nested too deeply");
    bool ok;
    if (take(parser, "*")) {
        ok = unary(parser, &operand) && dereference(parser, &operand, 0, value);
    } else if (take(parser, "&")) {
        ok = unary(parser, &operand);
        if (ok && !operand.in_memory)
            ok = fail(parser, "this has no address: it lives in a register (compile with -O0)");
        if (ok)
            *value = (MonValue){.type = VCODE_NONE, .bits = operand.bits};
    } else if (take(parser, "-")) {
        ok = unary(parser, &operand) && mon_value_load(parser->rank, &operand, &bits, parser->error);
        if (ok)
            *value = (MonValue){.type = VCODE_NONE, .bits = -bits};
    } else if (parser->at[0] == '!' && parser->at[1] != '=' && take(parser, "!")) {
        ok = unary(parser, &operand) && mon_value_load(parser->rank, &operand, &bits, parser->error);
        if (ok)
            *value = (MonValue){.type = VCODE_NONE, .bits = bits == 0};
    } else {
        ok = postfix(parser, value);
    }
    parser->depth--;
    return ok;
}

typedef struct Operator {
    const char *token;
    int level; /* higher binds tighter */
} Operator;

/* Longer tokens first. */
static const Operator operators[] = {
    {"==", 1}, {"!=", 1}, {"<=", 2}, {">=", 2}, {"<", 2}, {">", 2}, {"+", 3}, {"-", 3}, {"*", 4}, {"/", 4}, {"%", 4},
};

static bool apply(Parser *parser, const char *token, int64_t left, int64_t right, uint64_t *result)
{
    if ((*token == '/' || *token == '%') && (right == 0 || (right == -1 && left == INT64_MIN)))
        return fail(parser, "division by zero");
    switch (*token) {
    case '=': *result = left == right; break;
    case '!': *result = left != right; break;
    case '<': *result = token[1] ? left <= right : left < right; break;
    case '>': *result = token[1] ? left >= right : left > right; break;
    case '+': *result = (uint64_t)left + (uint64_t)right; break;
    case '-': *result = (uint64_t)left - (uint64_t)right; break;
    case '*': *result = (uint64_t)left * (uint64_t)right; break;
    case '/': *result = (uint64_t)(left / right); break;
    default: *result = (uint64_t)(left % right); break;
    }
    return true;
}

static bool is_real(Parser *parser, const MonValue *value)
{
    const VcodeType *record = stripped(parser, value->type);
    return record != NULL && (record->kind == VCODE_TYPE_FLOAT || record->kind == VCODE_TYPE_COMPLEX);
}

static bool combine(Parser *parser, const char *token, const MonValue *left, const MonValue *right, MonValue *value)
{
    uint64_t a, b;
    if (is_real(parser, left) || is_real(parser, right))
        return fail(parser, "'%s' works on integers and pointers here, not on floating point", token);
    if (!mon_value_load(parser->rank, left, &a, parser->error) ||
        !mon_value_load(parser->rank, right, &b, parser->error))
        return false;
    const VcodeType *record = stripped(parser, left->type);
    bool pointer = record != NULL && record->kind == VCODE_TYPE_POINTER && (*token == '+' || *token == '-');
    uint64_t result = 0;
    if (!apply(parser, token, (int64_t)a, pointer ? (int64_t)(b * size_of(parser, record->target)) : (int64_t)b,
               &result))
        return false;
    *value = (MonValue){.type = pointer ? left->type : VCODE_NONE, .bits = result};
    return true;
}

static bool binary(Parser *parser, int level, MonValue *value)
{
    if (!unary(parser, value))
        return false;
    for (;;) {
        skip_blanks(parser);
        const Operator *found = NULL;
        for (size_t i = 0; i < G_N_ELEMENTS(operators) && found == NULL; i++)
            if (g_str_has_prefix(parser->at, operators[i].token))
                found = &operators[i];
        if (found == NULL || found->level < level)
            return true;
        parser->at += strlen(found->token);
        MonValue left = *value, right;
        if (!binary(parser, found->level + 1, &right) || !combine(parser, found->token, &left, &right, value))
            return false;
    }
}

static bool expression(Parser *parser, MonValue *value)
{
    return binary(parser, 0, value);
}

bool mon_evaluate(VmRank *rank, uint32_t level, const char *text, MonValue *value, GError **error)
{
    GError *problem = NULL;
    Parser parser = {
        .rank = rank, .module = vm_image_module(vm_rank_image(rank)), .level = level, .at = text, .error = &problem};
    bool ok = expression(&parser, value);
    skip_blanks(&parser);
    if (ok && *parser.at != '\0')
        ok = fail(&parser, "cannot read the expression from '%s' on", parser.at);
    if (!ok)
        g_propagate_error(error, problem);
    return ok;
}
