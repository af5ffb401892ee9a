/* watching.c - what breakpoints ask of expressions: whether a condition can be read at a place, and which memory the
 * value of an expression depends on. */
#include "monitor/expression/values.h"
#include "monitor/report/report.h"

#include <string.h>

bool mon_expression_check(const VcodeModule *module, uint32_t pc, const char *text, GError **error)
{
    VmFrame frame = {.function = vcode_pc_function(module, pc), .pc = pc, .inlined = vcode_pc_inlined(module, pc)};
    g_autoptr(MonExpression) expression =
        mon_expression_read(module, frame.function == VCODE_NONE ? NULL : &frame, text, error);
    if (!expression)
        return false;
    if (!expression->changes && cc_inquiry_expr(expression->inquiry))
        return true;
    g_set_error(error, MON_ERROR, MON_ERROR_EXPRESSION,
                expression->changes ? "'%s' would change the program: conditions only look (== compares)"
                                    : "'%s' is a type, and has no value",
                text);
    return false;
}

/* -- memory ------------------------------------------------------------------------------------ */

typedef struct Walk {
    MonScope *scope;
    GArray *areas;
    bool good, framed;
} Walk;

static bool is_object(const CcExpr *expr)
{
    return expr->kind == CC_VARIABLE || expr->kind == CC_DEREFERENCE || expr->kind == CC_MEMBER;
}

/* Objects whose value is only a part of an address, such as arrays, are not read themselves. */
static bool add_area(const CcExpr *expr, void *user)
{
    Walk *walk = user;
    MonValue value = {0};
    if (!walk->good || !is_object(expr) || expr->type->kind == CC_ARRAY || expr->type->kind == CC_FUNCTION)
        return walk->good;
    if (!mon_evaluate(walk->scope, expr, &value)) {
        walk->good = false;
        return false;
    }
    if (value.what != MON_OBJECT)
        return true;
    if (!value.at.in_memory || value.at.variable) {
        walk->good = mon_expression_fail(walk->scope, &expr->loc,
                                         "this variable is in a register here: -O0 keeps variables in memory");
        return false;
    }
    MonArea area = {value.at.bits, mon_expression_type_size(walk->scope, value.type)};
    if (area.bytes > 0)
        g_array_append_val(walk->areas, area);
    return true;
}

bool mon_expression_areas(const MonExpression *expression, const MonSpot *spot, GArray *areas, GError **error)
{
    static const CcVisitor visitor = {.expression = add_area};
    MonScope scope;
    Walk walk = {.scope = &scope, .areas = areas, .good = true};
    const CcExpr *expr = cc_inquiry_expr(expression->inquiry);
    if (!mon_expression_open(&scope, expression, spot, error))
        return false;
    if (!expr)
        return mon_expression_fail(&scope, NULL, "this is a type: it has no value to watch");
    if (expression->changes || expression->calls)
        return mon_expression_fail(&scope, NULL, "a watched expression changes nothing and calls nothing");
    cc_walk_expression(expr, &visitor, &walk);
    if (walk.good && areas->len == 0)
        return mon_expression_fail(&scope, NULL, "this value depends on no memory: it never changes");
    return walk.good;
}

static bool note_frame(const CcExpr *expr, void *user)
{
    Walk *walk = user;
    const VcodeModule *module = walk->scope->module;
    if (expr->kind != CC_VARIABLE || expr->symbol->kind == CC_SYM_FUNCTION ||
        expr->symbol->value >= module->variables.count)
        return true;
    switch (module->variables.items[expr->symbol->value].location) {
    case VCODE_AT_REGISTER:
    case VCODE_AT_FRAME:
    case VCODE_AT_REGISTER_ADDRESS:
    case VCODE_AT_PLACES: walk->framed = true; break;
    default: break;
    }
    return true;
}

bool mon_expression_is_framed(const MonExpression *expression)
{
    static const CcVisitor visitor = {.expression = note_frame};
    MonScope scope = {.module = expression->module};
    Walk walk = {.scope = &scope};
    if (cc_inquiry_expr(expression->inquiry))
        cc_walk_expression(cc_inquiry_expr(expression->inquiry), &visitor, &walk);
    return walk.framed;
}

bool mon_expression_print_bytes(const MonExpression *expression, const MonSpot *spot, const void *bytes, GString *out)
{
    MonScope scope;
    g_autoptr(GError) ignored = NULL;
    const CcType *type = cc_inquiry_type(expression->inquiry);
    uint64_t raw = 0;
    if (!cc_is_scalar(type) || cc_is_complex(type) || type->size > sizeof raw ||
        !mon_expression_open(&scope, expression, spot, &ignored))
        return false;
    memcpy(&raw, bytes, type->size); /* little endian, as ranks are */
    mon_raw_print(&scope, type, raw, (unsigned)type->size, 0, out);
    return true;
}
