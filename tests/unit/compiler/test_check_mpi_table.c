/* The tables of the checks of MPI calls agree with mpi.h. Every provided function has a row, its roles fit the types of
 * its parameters, and the predefined handles have the values of the header. */
#include "check_mpi_support.h"
#include "compiler/check_mpi/unit.h"
#include "compiler/front/front.h"
#include "compiler/pipeline.h"

#include <criterion/criterion.h>
#include <string.h>

static void ignore(const CcDiagnostic *d, const char *rendered, void *user)
{
    (void)d, (void)rendered, (void)user;
}

/* Returns the type of handle that a parameter of that role must have, or NULL. */
static const char *handle_of(CcMpiRole role)
{
    switch (role) {
    case TYPE:
    case TYPE_ONLY:
    case NEW_TYPE:
    case OLD_TYPE: return "orrery_datatype";
    case COMM:
    case NEW_COMM:
    case OLD_COMM: return "orrery_comm";
    case OPERATOR: return "orrery_op";
    case STATUS:
    case STATUSES:
    case STATUS_READ: return "MPI_Status";
    case NEW_REQUEST:
    case NEW_PERSISTENT:
    case START_REQUEST:
    case START_REQUESTS:
    case WAIT_REQUEST:
    case WAIT_REQUESTS:
    case FREE_REQUEST: return "orrery_request";
    default: return NULL;
    }
}

static bool fits(CcMpiRole role, const CcType *type)
{
    const char *handle = handle_of(role);
    bool pointer = type->kind == CC_POINTER;
    switch (role) {
    case SEND: return pointer && type->target->kind == CC_VOID && (type->target->qualifiers & CC_CONST);
    case RECEIVE:
    case BUFFER: return pointer && type->target->kind == CC_VOID && !(type->target->qualifiers & CC_CONST);
    case COUNT: return type->kind == CC_INT || type->kind == CC_LLONG; /* of _c functions: MPI_Count */
    case BYTES:
    case ROOT:
    case DESTINATION:
    case SOURCE:
    case SEND_TAG:
    case RECEIVE_TAG:
    case LENGTH: return type->kind == CC_INT;
    case COUNTS: return pointer && (type->target->kind == CC_INT || type->target->kind == CC_LLONG);
    case RANK:
    case SIZE: return pointer && type->target->kind == CC_INT;
    case OUT:
    case RAW: return pointer;
    case TYPE:
    case TYPE_ONLY:
    case COMM:
    case OPERATOR: return pointer && cc_mpi_is_type(type, handle);
    default:
        if (!handle)
            return true;
        return pointer && (cc_mpi_is_type(type, handle) || cc_mpi_is_type(type->target, handle));
    }
}

static void check_prototype(const CcSymbol *symbol)
{
    const CcMpiFunction *row = cc_mpi_function_named(symbol->name + strlen("MPI_"));
    cr_expect_not_null(row, "roles.def has no row for %s", symbol->name);
    for (uint32_t i = 0; row && i < symbol->type->n_parameters; i++)
        cr_expect(row->roles[i] != NOTHING && fits(row->roles[i], symbol->type->parameters[i]),
                  "roles.def: parameter %u of %s has another role", i + 1, symbol->name);
    if (row)
        cr_expect_eq(row->roles[symbol->type->n_parameters], NOTHING, "roles.def: %s has fewer parameters",
                     symbol->name);
}

Test(check_mpi_table, functions)
{
    CcOptions options;
    cc_options_default(&options);
    options.include_dir = ORRERY_BINARY_DIR "/share/orrery/include";
    CcDiagnostics *diagnostics = cc_diagnostics_new(ignore, NULL, false);
    size_t size;
    char *text = cc_preprocess(ORRERY_BINARY_DIR "/share/orrery/include/mpi.h", &options, diagnostics, &size, NULL);
    cr_assert_not_null(text);
    CcUnit *unit = cc_parse(text, size, "mpi.h", &options, diagnostics);
    cr_assert_not_null(unit);
    unsigned n = 0;
    for (guint i = 0; i < unit->symbols->len; i++) {
        const CcSymbol *symbol = g_ptr_array_index(unit->symbols, i);
        bool callback = g_str_has_suffix(symbol->name, "_FN"); /* a function that the program provides */
        bool absent = symbol->warning_text != NULL;
        if (symbol->kind != CC_SYM_FUNCTION || !g_str_has_prefix(symbol->name, "MPI_") || callback || absent)
            continue;
        check_prototype(symbol);
        n++;
    }
    cr_expect_gt(n, 100);
    cc_unit_free(unit);
    g_free(text);
    cc_diagnostics_free(diagnostics);
}

/* Values of constants, asserted by the compiler itself. */
Test(check_mpi_table, constants)
{
    GString *program = g_string_new("int argc;\n#define SAME(a, b) _Static_assert((a) == (b), #a);\n");
    const CcMpiItem *item;
    const char *name, *types;
    for (int i = 1; (item = cc_mpi_item(i)); i++)
        g_string_append_printf(program, "SAME((unsigned long)MPI_%s, 0x%lxul)\n", item->name,
                               ((unsigned long)CC_MPI_TYPE_HANDLE << 32) + (unsigned long)i);
    for (int i = 1; (name = cc_mpi_operator(i, &types)); i++)
        g_string_append_printf(program, "SAME((unsigned long)MPI_%s, 0x%lxul)\n", name,
                               ((unsigned long)CC_MPI_OP << 32) + (unsigned long)i);
    g_string_append_printf(
        program,
        "SAME((unsigned long)MPI_COMM_NULL, 0x%lxul)\nSAME((unsigned long)MPI_COMM_WORLD, 0x%lxul)\n"
        "SAME((unsigned long)MPI_REQUEST_NULL, 0x%lxul)\n"
        "SAME(MPI_PROC_NULL, %d)\nSAME(MPI_ANY_TAG, %d)\nSAME(MPI_ANY_SOURCE, %d)\nSAME(MPI_ROOT, %d)\n",
        (unsigned long)CC_MPI_COMM << 32, ((unsigned long)CC_MPI_COMM << 32) + 1, (unsigned long)CC_MPI_REQUEST << 32,
        CC_MPI_PROC_NULL, CC_MPI_ANY_TAG, CC_MPI_ANY_SOURCE, CC_MPI_ROOT);
    expect_silence(program->str, true);
    g_string_free(program, TRUE);
}
