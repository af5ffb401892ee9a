/* expression.c - the C expressions that a debugger's user types: their grammar.
 *
 * A recursive-descent parser that evaluates as it goes. The grammar is C's (C11 6.5), with one function per kind of
 * level and a table for the binary operators. What would change or run the program is left out: assignment, ++, --,
 * calls. So evaluating an expression never changes the rank. As in gdb, `object@n` means n objects side by side.
 * Integers are computed with 64 bits; narrower integers are promoted without wrapping.
 *
 * After && || and ?: the operand that C would not evaluate is parsed with `skip` set. It then reads no memory.
 */
#include "monitor/debug/expression.h"
#include "monitor/debug/debug.h"

#include <errno.h>
#include <string.h>

typedef struct Parser {
    MonScope scope;
    const char *at;
    int depth;
} Parser;

#define MAX_NESTING 200

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
    return *parser->at == '\0' ? mon_expression_fail(&parser->scope, "expected '%s' at the end", token)
                               : mon_expression_fail(&parser->scope, "expected '%s' before '%s'", token, parser->at);
}

static bool expression(Parser *parser, VmValue *value);
static bool unary(Parser *parser, VmValue *value);

/* -- primary ----------------------------------------------------------------------------------- */

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
    *value = mon_expression_real(g_ascii_strtod(parser->at, &end));
    parser->at = end + strspn(end, "fFlL");
    return true;
}

/* See C11 6.4.4.1 and 6.4.4.2. */
static bool number_constant(Parser *parser, VmValue *value)
{
    const char *digits = parser->at;
    bool hexadecimal = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    size_t length = strspn(digits, "0123456789");
    if (!hexadecimal && digits[length] != '\0' && strchr(".eE", digits[length]))
        return real_constant(parser, value);
    char *end;
    errno = 0;
    uint64_t bits = g_ascii_strtoull(digits, &end, 0);
    if (errno == ERANGE)
        return mon_expression_fail(&parser->scope, "the number %.*s does not fit into 64 bits", (int)(end - digits),
                                   digits);
    bool is_unsigned = bits > INT64_MAX || strpbrk(end, "uU") == end;
    parser->at = end + strspn(end, "uUlL");
    if (g_ascii_isalnum(*parser->at) || *parser->at == '_')
        return mon_expression_fail(&parser->scope, "'%s' is no number", digits);
    *value = mon_expression_integer((int64_t)bits);
    value->shape = is_unsigned ? VM_UNSIGNED : VM_INTEGER;
    return true;
}

static bool character_constant(Parser *parser, VmValue *value)
{
    static const char letters[] = "ntrabfv0\\'\"", codes[] = "\n\t\r\a\b\f\v\0\\'\"";
    char c = *++parser->at;
    const char *named = c == '\\' && parser->at[1] != '\0' ? strchr(letters, parser->at[1]) : NULL;
    if (c == '\0' || c == '\'' || (c == '\\' && !named))
        return mon_expression_fail(&parser->scope, "cannot read the character constant");
    parser->at += named ? 2 : 1;
    *value = mon_expression_integer(named ? codes[named - letters] : c);
    return expect(parser, "'");
}

static bool named_value(Parser *parser, VmValue *value)
{
    g_autofree char *name = take_name(parser);
    return mon_named_value(&parser->scope, name, value);
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
        return mon_expression_fail(&parser->scope, "the expression ends too early");
    return mon_expression_fail(&parser->scope, "expected a variable or a number before '%s'", parser->at);
}

/* -- postfix ----------------------------------------------------------------------------------- */

static bool member_of(Parser *parser, const VmValue *object, VmValue *value)
{
    g_autofree char *name = take_name(parser);
    return name ? mon_expression_member(&parser->scope, object, name, value)
                : mon_expression_fail(&parser->scope, "expected the name of a member");
}

static bool element_of(Parser *parser, const VmValue *base, VmValue *value)
{
    VmValue index = {0};
    MonNumber number = {0};
    if (!expression(parser, &index) || !mon_expression_number_of(&parser->scope, &index, &number))
        return false;
    if (number.kind != MON_SIGNED && number.kind != MON_UNSIGNED)
        return mon_expression_fail(&parser->scope, "an index is a whole number");
    return mon_expression_dereference(&parser->scope, base, (int64_t)number.bits, value) && expect(parser, "]");
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
            ok = mon_expression_dereference(&parser->scope, &base, 0, &object) && member_of(parser, &object, value);
        else if (take(parser, "."))
            ok = member_of(parser, &base, value);
        else if (take(parser, "++") || take(parser, "--"))
            ok = mon_expression_fail(&parser->scope, "the debugger only looks: it changes no variable");
        else if (take(parser, "("))
            ok = mon_expression_fail(&parser->scope, "the debugger only looks: it calls no function");
        else
            return true;
        if (!ok)
            return false;
    }
}

/* -- unary ------------------------------------------------------------------------------------- */

/* Takes "(type)" if it stands at the cursor. Otherwise the cursor does not move. */
static bool type_in_parentheses(Parser *parser, MonTypeName *type, bool *taken)
{
    const char *start = parser->at;
    GError *problem = NULL;
    *taken = false;
    if (!take(parser, "("))
        return true;
    *taken = mon_take_type(parser->scope.module, &parser->at, type, &problem);
    if (problem) {
        mon_expression_fail(&parser->scope, "%s", problem->message);
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
        parser->scope.skip++;
        bool ok = unary(parser, &operand);
        parser->scope.skip--;
        if (!ok)
            return false;
        size = operand.shape == VM_OBJECT
                   ? mon_expression_size_of(&parser->scope, operand.type) * MAX(operand.repeat, 1)
                   : 8;
    }
    *value = mon_expression_integer((int64_t)size);
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
        return mon_expression_fail(&parser->scope, "the debugger only looks: it changes no variable");
    if (take(parser, "*"))
        return unary(parser, &operand) && mon_expression_dereference(&parser->scope, &operand, 0, value);
    if (take(parser, "&"))
        return unary(parser, &operand) && mon_expression_address_of(&parser->scope, &operand, value);
    if (first != '\0' && strchr("+-!~", first)) {
        parser->at++;
        return unary(parser, &operand) && mon_expression_unary(&parser->scope, first, &operand, value);
    }
    if (take_word(parser, "sizeof"))
        return size_operator(parser, value);
    if (!type_in_parentheses(parser, &type, &taken))
        return false;
    if (!taken)
        return postfix(parser, value);
    return unary(parser, &operand) && mon_expression_cast(&parser->scope, &type, &operand, value);
}

static bool unary(Parser *parser, VmValue *value)
{
    if (++parser->depth > MAX_NESTING)
        return mon_expression_fail(&parser->scope, "the expression is nested too deeply");
    bool ok = unary_operator(parser, value);
    parser->depth--;
    return ok;
}

/* -- binary ------------------------------------------------------------------------------------ */

static bool binary(Parser *parser, int level, VmValue *value);

/* && and ||: the right operand counts only if the left one does not decide. */
static bool logical(Parser *parser, const MonOperator *sign, VmValue *value)
{
    MonNumber left = {0}, right = {0};
    VmValue operand = {0};
    if (!mon_expression_number_of(&parser->scope, value, &left))
        return false;
    bool decided = mon_expression_number_truth(&left) == (sign->operation == MON_OR);
    parser->scope.skip += decided;
    bool ok = binary(parser, sign->level + 1, &operand) && mon_expression_number_of(&parser->scope, &operand, &right);
    parser->scope.skip -= decided;
    if (ok)
        *value =
            mon_expression_integer(decided ? mon_expression_number_truth(&left) : mon_expression_number_truth(&right));
    return ok;
}

static bool binary(Parser *parser, int level, VmValue *value)
{
    if (!unary(parser, value))
        return false;
    for (;;) {
        skip_blanks(parser);
        const MonOperator *found = mon_operator_at(parser->at);
        if (!found || found->level < level)
            return true;
        parser->at += strlen(found->token);
        if (*parser->at == '=' && found->level != 6 && found->operation != MON_LESS_EQUAL &&
            found->operation != MON_GREATER_EQUAL)
            return mon_expression_fail(&parser->scope, "the debugger only looks: it changes no variable");
        VmValue left = *value, right = {0};
        bool ok = found->level <= 2 ? logical(parser, found, value)
                                    : binary(parser, found->level + 1, &right) &&
                                          mon_expression_binary(&parser->scope, found, &left, &right, value);
        if (!ok)
            return false;
    }
}

static bool expression(Parser *parser, VmValue *value)
{
    if (++parser->depth > MAX_NESTING)
        return mon_expression_fail(&parser->scope, "the expression is nested too deeply");
    MonNumber condition = {0};
    VmValue yes = {0}, no = {0};
    bool ok = binary(parser, 0, value);
    if (ok && take(parser, "?")) {
        ok = mon_expression_number_of(&parser->scope, value, &condition);
        bool chosen = ok && mon_expression_number_truth(&condition);
        parser->scope.skip += !chosen;
        ok = ok && expression(parser, &yes) && expect(parser, ":");
        parser->scope.skip += chosen - !chosen;
        ok = ok && expression(parser, &no);
        parser->scope.skip -= chosen;
        if (ok)
            *value = chosen ? yes : no;
    }
    parser->depth--;
    return ok;
}

bool mon_expression_evaluate(VmRank *rank, uint32_t level, const char *text, VmValue *value, GError **error)
{
    GError *problem = NULL;
    Parser parser = {
        .scope = {.rank = rank, .module = vm_image_module(vm_rank_image(rank)), .level = level, .error = &problem},
        .at = text,
    };
    bool ok = expression(&parser, value);
    skip_blanks(&parser);
    if (ok && *parser.at == '=')
        ok = mon_expression_fail(&parser.scope, "the debugger only looks: it changes no variable");
    if (ok && *parser.at != '\0')
        ok = mon_expression_fail(&parser.scope, "cannot read the expression from '%s' on", parser.at);
    if (!ok)
        g_propagate_error(error, problem);
    if (ok && !value->framed)
        value->framed = mon_debug_frame(rank, level, &value->frame);
    return ok;
}
