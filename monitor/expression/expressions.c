/* expressions.c - expressions as a whole: reads them for a spot, evaluates them there, in a copy of the simulator if
 * they call functions, and shows values of MPI by what they mean. */
#include "compiler/tree/tree.h"
#include "monitor/expression/values.h"
#include "monitor/report/report.h"

#include <string.h>

/* -- reading ----------------------------------------------------------------------------------- */

typedef struct Reader {
    const VcodeModule *module;
    const VmFrame *frame; /* NULL: none */
    MonMacros *macros;
} Reader;

static uint32_t find_variable(void *user, const char *name)
{
    const Reader *reader = user;
    return mon_frame_find_variable(reader->module, reader->frame, name);
}

static const char *find_macro(void *user, const char *name)
{
    Reader *reader = user;
    return mon_macros_find(&reader->macros, reader->module, name);
}

static bool note_effects(const CcExpr *expr, void *user)
{
    MonExpression *expression = user;
    switch (expr->kind) {
    case CC_ASSIGN:
    case CC_ASSIGN_OP:
    case CC_PRE_INCREMENT:
    case CC_PRE_DECREMENT:
    case CC_POST_INCREMENT:
    case CC_POST_DECREMENT: expression->changes = true; break;
    case CC_CALL: expression->calls = true; break;
    default: break;
    }
    return true;
}

/* Says more than the front end does where that is known. */
static void hand_on(GError *problem, const VcodeModule *module, GError **error)
{
    bool bare = module->variables.count == 0;
    g_set_error(error, MON_ERROR, MON_ERROR_EXPRESSION, "%s%s", problem->message,
                bare ? "\n(the program has no debug information: it was compiled without -g, or stripped)" : "");
    g_error_free(problem);
}

MonExpression *mon_expression_new(const MonSpot *spot, const char *text, GError **error)
{
    VmRank *rank = mach_run_rank(spot->machine, spot->rank);
    VmFrame frame;
    bool framed = mon_debug_frame(rank, spot->frame, &frame);
    return mon_expression_read(vm_image_module(vm_rank_image(rank)), framed ? &frame : NULL, text, error);
}

MonExpression *mon_expression_read(const VcodeModule *module, const VmFrame *frame, const char *text, GError **error)
{
    Reader reader = {.module = module, .frame = frame};
    CcInquiryNames names = {reader.module, find_variable, find_macro, &reader};
    GError *problem = NULL;
    CcInquiry *inquiry = cc_inquiry_new(text, &names, &problem);
    mon_macros_free(reader.macros);
    if (!inquiry) {
        hand_on(problem, reader.module, error);
        return NULL;
    }
    MonExpression *expression = g_new0(MonExpression, 1);
    *expression = (MonExpression){.text = g_strdup(text),
                                  .inquiry = inquiry,
                                  .module = reader.module,
                                  .function = frame ? frame->function : VCODE_NONE,
                                  .inlined = frame ? frame->inlined : VCODE_NONE,
                                  .pc = frame ? frame->pc : 0};
    static const CcVisitor visitor = {.expression = note_effects};
    cc_walk_expression(cc_inquiry_expr(inquiry), &visitor, expression);
    return expression;
}

void mon_expression_free(MonExpression *expression)
{
    if (!expression)
        return;
    cc_inquiry_free(expression->inquiry);
    g_free(expression->text);
    g_free(expression);
}

bool mon_expression_fits(const MonExpression *expression, const MonSpot *spot)
{
    VmRank *rank = mach_run_rank(spot->machine, spot->rank);
    VmFrame frame;
    bool framed = mon_debug_frame(rank, spot->frame, &frame);
    if (vm_image_module(vm_rank_image(rank)) != expression->module)
        return false;
    return framed ? frame.function == expression->function && frame.inlined == expression->inlined &&
                        frame.pc == expression->pc
                  : expression->function == VCODE_NONE;
}

bool mon_expression_changes(const MonExpression *expression)
{
    return expression->changes;
}

bool mon_expression_calls(const MonExpression *expression)
{
    return expression->calls;
}

/* -- evaluating -------------------------------------------------------------------------------- */

bool mon_expression_open(MonScope *scope, const MonExpression *expression, const MonSpot *spot, GError **error)
{
    VmRank *rank = mach_run_rank(spot->machine, spot->rank);
    *scope = (MonScope){.spot = spot,
                        .rank = rank,
                        .module = vm_image_module(vm_rank_image(rank)),
                        .text = expression ? expression->text : NULL,
                        .error = error};
    scope->framed = mon_debug_frame(rank, spot->frame, &scope->frame);
    if (!scope->framed)
        scope->frame = (VmFrame){.function = VCODE_NONE, .inlined = VCODE_NONE};
    return true;
}

/* Evaluates for looking only. */
static bool look(MonScope *scope, const MonExpression *expression, MonValue *value)
{
    const CcExpr *expr = cc_inquiry_expr(expression->inquiry);
    bool refused = !expr || (expression->changes && !scope->may_change);
    if (!expr)
        mon_expression_fail(scope, NULL, "this is a type, and has no value: whatis and ptype tell about it");
    else if (refused)
        mon_expression_fail(scope, NULL, "this would change the program: type set var %s", expression->text);
    if (refused || !mon_evaluate(scope, expr, value))
        return false;
    g_assert(value->type);
    return true;
}

typedef struct Job {
    const MonExpression *expression;
    const MonSpot *spot;
    const MonFormat *format;
    bool as_number;
} Job;

/* Whether the type is that of a handle of MPI: a pointer to a struct of mpi.h, or the type of a constant. */
static bool is_handle(const CcType *type)
{
    const CcTag *tag = type->kind == CC_POINTER && cc_is_aggregate(type->target) ? type->target->tag : NULL;
    return (tag && tag->name && g_str_has_prefix(tag->name, "orrery_")) ||
           (type->kind == CC_POINTER && type->name && g_str_has_prefix(type->name, "MPI_"));
}

static const CcMember *status_member(const CcType *type, const char *name)
{
    for (uint32_t i = 0; i < type->tag->n_members; i++)
        if (g_strcmp0(type->tag->members[i].name, name) == 0)
            return &type->tag->members[i];
    return NULL;
}

static bool status_number(MonScope *scope, const MonValue *status, const char *name, int64_t *number)
{
    const CcMember *member = status_member(status->type, name);
    if (!member)
        return false;
    MonValue part = *status;
    part.at = vm_value_part(&status->at, VCODE_NONE, member->offset);
    part.type = member->type;
    if (!mon_expression_load(scope, NULL, &part))
        return false;
    *number = (int64_t)part.bits;
    return true;
}

static bool print_status(MonScope *scope, const MonValue *status, GString *out)
{
    g_autoptr(GError) ignored = NULL;
    MonScope quiet = *scope;
    int64_t source, tag, class, bytes, cancelled = 0;
    quiet.error = &ignored;
    if (!status_number(&quiet, status, "MPI_SOURCE", &source) || !status_number(&quiet, status, "MPI_TAG", &tag) ||
        !status_number(&quiet, status, "MPI_ERROR", &class) || !status_number(&quiet, status, "orrery_bytes", &bytes))
        return false;
    (void)status_number(&quiet, status, "orrery_cancelled", &cancelled);
    g_string_append_printf(out,
                           "{source %" G_GINT64_FORMAT ", tag %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT " bytes, error "
                           "%" G_GINT64_FORMAT "%s}",
                           source, tag, bytes, class, cancelled ? ", cancelled" : "");
    return true;
}

/* Values of MPI's types by what they mean. Returns false if it is none. */
static bool print_meaning(MonScope *scope, const MonValue *value, GString *out)
{
    MonValue handle = *value;
    bool is_status =
        value->type->kind == CC_STRUCT && value->type->name && strcmp(value->type->name, "MPI_Status") == 0;
    if (value->n_dimensions > 0)
        return false;
    if (is_status)
        return value->what == MON_OBJECT && print_status(scope, value, out);
    g_autoptr(GError) ignored = NULL;
    MonScope quiet = *scope;
    quiet.error = &ignored;
    return is_handle(value->type) && mon_expression_load(&quiet, NULL, &handle) && handle.what == MON_BITS &&
           mpi_world_describe_handle(mach_run_mpi(scope->spot->machine), scope->spot->rank, handle.bits, true, out);
}

static bool print_value(MonScope *scope, const MonValue *value, const MonFormat *format, GString *out)
{
    bool natural = !format || format->letter == 0;
    if (value->what == MON_OBJECT && value->n_dimensions == 0 && cc_is_scalar(value->type) && !value->field &&
        !cc_is_wide(value->type) && !cc_is_complex(value->type)) { /* an error, not a value that says <...> */
        MonValue loaded = *value;
        if (!mon_expression_load(scope, NULL, &loaded))
            return false;
    }
    if (!natural || !print_meaning(scope, value, out))
        mon_value_print(scope, value, format, out);
    return true;
}

static bool print_in(MonScope *scope, const Job *job, GString *out)
{
    MonValue value = {0};
    return look(scope, job->expression, &value) && print_value(scope, &value, job->format, out);
}

static bool is_number(const MonValue *value)
{
    return (value->what == MON_BITS || value->what == MON_REAL) && value->n_dimensions == 0;
}

static MonNumber number_of(const MonValue *value)
{
    return (MonNumber){.real = mon_expression_as_real(value),
                       .whole = (int64_t)value->bits,
                       .is_whole = value->what == MON_BITS,
                       .is_unsigned = value->what == MON_BITS &&
                                      (value->type->kind == CC_POINTER || !cc_type_is_signed(value->type))};
}

static bool number_in(MonScope *scope, const Job *job, MonNumber *number)
{
    MonValue value = {0};
    if (!look(scope, job->expression, &value) || !mon_expression_load(scope, NULL, &value))
        return false;
    if (!is_number(&value))
        return mon_expression_fail(scope, NULL, "this is no number");
    *number = number_of(&value);
    return true;
}

bool mon_expression_once(const MonExpression *expression, const MonSpot *spot, const MonFormat *format, GString *out,
                         MonNumber *number, bool *numeric, GError **error)
{
    MonScope scope;
    MonValue value = {0};
    if (!mon_expression_open(&scope, expression, spot, error))
        return false;
    scope.in_copy = expression->calls;
    if (!look(&scope, expression, &value) || !print_value(&scope, &value, format, out))
        return false;
    g_autoptr(GError) ignored = NULL;
    scope.error = &ignored;
    bool arithmetic = cc_is_integer(value.type) || cc_is_real(value.type);
    *numeric =
        arithmetic && value.type->kind != CC_ENUM && mon_expression_load(&scope, NULL, &value) && is_number(&value);
    if (*numeric)
        *number = number_of(&value);
    return true;
}

static bool do_job(void *user, GString *out, GError **error)
{
    const Job *job = user;
    MonScope scope;
    MonNumber number;
    if (!mon_expression_open(&scope, job->expression, job->spot, error))
        return false;
    scope.in_copy = job->expression->calls;
    if (!job->as_number)
        return print_in(&scope, job, out);
    if (!number_in(&scope, job, &number))
        return false;
    g_string_append_len(out, (const char *)&number, sizeof number);
    return true;
}

static bool run_job(Job *job, GString *out, GError **error)
{
    return job->expression->calls ? mon_expression_in_copy(do_job, job, out, error) : do_job(job, out, error);
}

bool mon_expression_print(const MonExpression *expression, const MonSpot *spot, const MonFormat *format, GString *out,
                          GError **error)
{
    Job job = {.expression = expression, .spot = spot, .format = format};
    return run_job(&job, out, error);
}

bool mon_expression_number(const MonExpression *expression, const MonSpot *spot, MonNumber *number, GError **error)
{
    Job job = {.expression = expression, .spot = spot, .as_number = true};
    g_autoptr(GString) bytes = g_string_new(NULL);
    if (!run_job(&job, bytes, error))
        return false;
    memcpy(number, bytes->str, MIN(bytes->len, sizeof *number));
    return true;
}

bool mon_expression_truth(const MonExpression *expression, const MonSpot *spot, bool *truth, GError **error)
{
    MonNumber number;
    if (!mon_expression_number(expression, spot, &number, error))
        return false;
    *truth = number.is_whole ? number.whole != 0 : number.real != 0.0;
    return true;
}

bool mon_expression_memory(const MonExpression *expression, const MonSpot *spot, uint64_t *address, uint64_t *bytes,
                           GError **error)
{
    MonScope scope;
    MonValue value = {0};
    if (!mon_expression_open(&scope, expression, spot, error) || !look(&scope, expression, &value))
        return false;
    if (value.what != MON_OBJECT || !value.at.in_memory || value.at.variable)
        return mon_expression_fail(&scope, NULL,
                                   value.what == MON_OBJECT
                                       ? "this variable is in a register here: -O0 keeps variables in memory"
                                       : "this is a value: it is in no memory");
    int64_t low = 0, high = 0;
    for (unsigned i = 0; i < value.n_dimensions; i++) {
        int64_t reach = (int64_t)(value.dimensions[i].count - 1) * value.dimensions[i].stride;
        low += MIN(reach, 0);
        high += MAX(reach, 0);
    }
    *address = value.at.bits + (uint64_t)low;
    *bytes = (uint64_t)(high - low) + mon_expression_type_size(&scope, value.type);
    return true;
}

bool mon_expression_set(const MonExpression *expression, const MonSpot *spot, GString *out, GError **error)
{
    MonScope scope;
    MonValue value = {0};
    if (!mon_expression_open(&scope, expression, spot, error))
        return false;
    scope.may_change = true;
    if (!look(&scope, expression, &value))
        return false;
    if (out)
        mon_value_print(&scope, &value, NULL, out);
    return true;
}

/* -- types ------------------------------------------------------------------------------------- */

static const CcType *tagged(const CcType *type)
{
    while (type->kind == CC_POINTER || type->kind == CC_ARRAY)
        type = type->target;
    return cc_is_aggregate(type) || type->kind == CC_ENUM ? type : NULL;
}

static void append_name(const CcType *type, const char *name, GString *out)
{
    g_autofree char *text = cc_type_name(type);
    const char *bracket = strchr(text, '['), *middle = strstr(text, "(*");
    if (!*name)
        g_string_append(out, text);
    else if (middle)
        g_string_append_printf(out, "%.*s%s%s", (int)(middle + 2 - text), text, name, middle + 2);
    else if (bracket)
        g_string_append_printf(out, "%.*s%s%s%s", (int)(bracket - text), text,
                               bracket > text && bracket[-1] == ' ' ? "" : " ", name, bracket);
    else
        g_string_append_printf(out, "%s%s%s", text, g_str_has_suffix(text, "*") ? "" : " ", name);
}

static void append_members(const CcType *type, GString *out)
{
    const CcTag *tag = type->tag;
    g_string_append_printf(out, "\n%s %s%s{\n",
                           type->kind == CC_ENUM    ? "enum"
                           : type->kind == CC_UNION ? "union"
                                                    : "struct",
                           tag->name ? tag->name : "", tag->name ? " " : "");
    for (uint32_t i = 0; type->kind == CC_ENUM && i < tag->n_enumerators; i++)
        g_string_append_printf(out, "    %s = %" G_GINT64_FORMAT ",\n", tag->enumerators[i]->name,
                               tag->enumerators[i]->value);
    for (uint32_t i = 0; type->kind != CC_ENUM && i < tag->n_members; i++) {
        const CcMember *member = &tag->members[i];
        g_string_append(out, "    ");
        append_name(member->type, member->name ? member->name : "", out);
        if (member->bit_field)
            g_string_append_printf(out, " : %u", member->bit_width);
        g_string_append(out, ";\n");
    }
    g_string_append_c(out, '}');
}

/* vm/value.h leaves the parameters of functions out. */
static bool has_function(const CcType *type)
{
    while (type->kind == CC_POINTER || type->kind == CC_ARRAY)
        type = type->target;
    return type->kind == CC_FUNCTION;
}

/* Arrays of variable length with the length that they have here. */
static void append_type(MonScope *scope, const CcType *type, GString *out)
{
    gsize start = out->len;
    if (type->back && !has_function(type)) {
        vm_type_format_in(scope->rank, scope->framed ? &scope->frame : NULL, GPOINTER_TO_UINT(type->back) - 1, out);
        return;
    }
    if (type->kind == CC_POINTER && !type->name && type->target->kind != CC_FUNCTION) {
        append_type(scope, type->target, out);
        char *bracket = type->target->kind == CC_ARRAY ? strchr(out->str + start, '[') : NULL;
        if (bracket)
            g_string_insert(out, bracket - out->str, "(*)");
        else
            g_string_append(out, g_str_has_suffix(out->str, "*") ? "*" : " *");
        return;
    }
    g_autofree char *name = cc_type_name(type);
    g_string_append(out, name);
}

void mon_expression_type(const MonExpression *expression, const MonSpot *spot, bool whole, GString *out)
{
    MonScope scope;
    const CcType *type = cc_inquiry_type(expression->inquiry);
    const CcExpr *expr = cc_inquiry_expr(expression->inquiry);
    (void)mon_expression_open(&scope, NULL, spot, NULL);
    append_type(&scope, type, out);
    if (expr && expr->kind == CC_SECTION) {
        g_autoptr(GError) ignored = NULL;
        MonValue value;
        scope.error = &ignored;
        for (unsigned i = 0; mon_evaluate(&scope, expr, &value) && i < value.n_dimensions; i++)
            g_string_append_printf(out, "%s[%" G_GUINT64_FORMAT "]", i ? "" : " ", value.dimensions[i].count);
    }
    const CcType *inner = tagged(type);
    if (whole && inner && (inner->tag->n_members || inner->tag->n_enumerators))
        append_members(inner, out);
}
