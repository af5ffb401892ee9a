/* children.c - what an expression's value is made of, as a tree shows it: members of structs and unions, elements of
 * arrays, what a pointer points to. Each part is an expression again.
 */
#include "monitor/expression/values.h"

#include <string.h>

static bool is_record(const CcType *type)
{
    return type->kind == CC_STRUCT && !type->incomplete && type->tag->n_members > 0;
}

static bool points_to_object(const CcType *type)
{
    return type->kind == CC_POINTER && type->target && type->target->kind != CC_VOID &&
           type->target->kind != CC_FUNCTION && !(type->target->kind == CC_STRUCT && !is_record(type->target));
}

static bool is_text(const CcType *type)
{
    return type->kind == CC_POINTER && type->target && type->target->kind == CC_CHAR;
}

static uint64_t count_members(const CcType *type)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < type->tag->n_members; i++)
        n += type->tag->members[i].name || is_record(type->tag->members[i].type);
    return n;
}

uint64_t mon_expression_parts(const MonExpression *expression, const MonSpot *spot, bool *indexed)
{
    MonScope scope;
    const CcType *type = cc_inquiry_type(expression->inquiry);
    const CcExpr *expr = cc_inquiry_expr(expression->inquiry);
    *indexed = false;
    if (!expr || expression->changes || expression->calls)
        return 0;
    (void)mon_expression_open(&scope, NULL, spot, NULL);
    if (type->kind == CC_ARRAY) {
        *indexed = true;
        return expr->kind == CC_SECTION ? 0 : mon_expression_type_length(&scope, type);
    }
    if (is_record(type))
        return count_members(type);
    if (!points_to_object(type) || is_text(type))
        return 0;
    return is_record(type->target) ? count_members(type->target) : 1;
}

/* Members of anonymous structs belong to the struct that they are in. */
static void add_members(const CcType *type, const char *text, const char *joint, GPtrArray *parts)
{
    for (uint32_t i = 0; i < type->tag->n_members; i++) {
        const CcMember *member = &type->tag->members[i];
        if (member->name) {
            g_ptr_array_add(parts, g_strdup(member->name));
            g_ptr_array_add(parts, g_strdup_printf("(%s)%s%s", text, joint, member->name));
        } else if (is_record(member->type))
            add_members(member->type, text, joint, parts);
    }
}

GPtrArray *mon_expression_part_names(const MonExpression *expression, const MonSpot *spot, uint64_t first,
                                     uint64_t count)
{
    GPtrArray *parts = g_ptr_array_new_with_free_func(g_free);
    const CcType *type = cc_inquiry_type(expression->inquiry);
    bool indexed;
    uint64_t n = mon_expression_parts(expression, spot, &indexed);
    if (indexed)
        for (uint64_t i = first; i < n && i - first < count; i++) {
            g_ptr_array_add(parts, g_strdup_printf("[%" G_GUINT64_FORMAT "]", i));
            g_ptr_array_add(parts, g_strdup_printf("(%s)[%" G_GUINT64_FORMAT "]", expression->text, i));
        }
    else if (n && is_record(type))
        add_members(type, expression->text, ".", parts);
    else if (n && is_record(type->target))
        add_members(type->target, expression->text, "->", parts);
    else if (n) {
        g_ptr_array_add(parts, g_strdup_printf("*%s", expression->text));
        g_ptr_array_add(parts, g_strdup_printf("*(%s)", expression->text));
    }
    return parts;
}
