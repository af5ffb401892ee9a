/* error_codes.c - error classes, codes and their strings, including those that programs add (MPI-3.1 sections 8.4 and
 * 8.5).
 *
 * MPI itself raises classes: the rows of errors.def. A program's classes and codes share one sequence of numbers from
 * MPI_ERR_LASTCODE + 1 on; the last one is the attribute MPI_LASTUSEDCODE. They belong to the rank that made them. It
 * keeps them in a list that is made with the first one. Removed numbers (MPI-4.1 section 9.5) are reused only if they
 * are at the end of the list.
 */
#include "mpi/attribute/attribute.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/core/rank.h"
#include "mpi/environment/environment.h"

#include <string.h>

enum { FIRST_CODE = MPI_ERR_LASTCODE + 1 };

typedef struct UserCode {
    int error_class; /* for a class: its own number */
    bool removed;
    char *string; /* NULL: none */
} UserCode;

/* -- what there is ----------------------------------------------------------------------------- */

static UserCode *find_user(const MpiRank *rank, int code)
{
    GArray *codes = mpi_rank_slot(rank, MPI_RANK_SLOT_ERRORS);
    bool exists = codes && code >= FIRST_CODE && (guint)(code - FIRST_CODE) < codes->len;
    UserCode *user = exists ? &g_array_index(codes, UserCode, code - FIRST_CODE) : NULL;
    return user && !user->removed ? user : NULL;
}

const char *mpi_error_text(const MpiRank *rank, int code)
{
    const char *text = mpi_error_class_text(code);
    const UserCode *user = text ? NULL : find_user(rank, code);
    return user ? (user->string ? user->string : "") : text;
}

static void clear_code(void *data)
{
    g_free(((UserCode *)data)->string);
}

static void free_codes(void *codes)
{
    g_array_unref(codes);
}

static GArray *codes_of(MpiRank *rank)
{
    GArray *codes = mpi_rank_slot(rank, MPI_RANK_SLOT_ERRORS);
    if (!codes) {
        codes = g_array_new(FALSE, FALSE, sizeof(UserCode));
        g_array_set_clear_func(codes, clear_code);
        mpi_rank_set_slot(rank, MPI_RANK_SLOT_ERRORS, codes, free_codes);
    }
    return codes;
}

/* -- questions --------------------------------------------------------------------------------- */

static MpiStep done(MpiCall *call)
{
    call->result = MPI_SUCCESS;
    return MPI_STEP_DONE;
}

static MpiStep bad_code(MpiCall *call)
{
    return mpi_call_error(call, NULL, MPI_ERR_ARG, "%d is not an error code (argument 1)", mpi_int(call, 0));
}

MpiStep mpi_do_Error_class(MpiCall *call)
{
    MpiInt32 *error_class;
    MpiStep step;
    int code = mpi_int(call, 0);
    if (!mpi_error_text(call->rank, code)) {
        return bad_code(call);
    }
    if (!mpi_check_output(call, NULL, 1, sizeof *error_class, (void **)&error_class, &step)) {
        return step;
    }
    const UserCode *user = find_user(call->rank, code);
    *error_class = user ? user->error_class : code;
    return done(call);
}

MpiStep mpi_do_Error_string(MpiCall *call)
{
    enum { CODE, STRING, LENGTH };
    char *string;
    MpiInt32 *length;
    MpiStep step;
    int code = mpi_int(call, CODE);
    const char *text = mpi_error_text(call->rank, code);
    if (!text) {
        return bad_code(call);
    }
    g_autofree char *whole =
        find_user(call->rank, code) ? g_strdup(text) : g_strdup_printf("%s: %s", mpi_error_name(code), text);
    size_t n = strlen(whole);
    if (!mpi_check_output(call, NULL, STRING, n + 1, (void **)&string, &step) ||
        !mpi_check_output(call, NULL, LENGTH, sizeof *length, (void **)&length, &step)) {
        return step;
    }
    memcpy(string, whole, n + 1);
    *length = (int32_t)n;
    return done(call);
}

/* -- adding ------------------------------------------------------------------------------------ */

/* Adds a code and stores its number at argument `arg`. */
static MpiStep add(MpiCall *call, unsigned arg, int error_class)
{
    GArray *codes = codes_of(call->rank);
    MpiInt32 *result;
    MpiStep step;
    if (!mpi_check_output(call, NULL, arg, sizeof *result, (void **)&result, &step)) {
        return step;
    }
    int code = FIRST_CODE + (int)codes->len;
    UserCode user = {.error_class = error_class ? error_class : code};
    g_array_append_val(codes, user);
    mpi_attributes_codes_changed(call->rank);
    *result = code;
    return done(call);
}

MpiStep mpi_do_Add_error_class(MpiCall *call)
{
    return add(call, 0, 0);
}

static bool is_class(const MpiRank *rank, int number)
{
    const UserCode *user = find_user(rank, number);
    return user ? user->error_class == number : mpi_error_class_text(number) != NULL;
}

MpiStep mpi_do_Add_error_code(MpiCall *call)
{
    int error_class = mpi_int(call, 0);
    if (error_class == MPI_SUCCESS || !is_class(call->rank, error_class)) {
        return mpi_call_error(call, NULL, MPI_ERR_ARG, "%d is not an error class (argument 1)", error_class);
    }
    return add(call, 1, error_class);
}

/* Gets a code of the program. Codes of MPI itself keep their strings. */
static bool check_user(MpiCall *call, UserCode **user, MpiStep *step)
{
    int code = mpi_int(call, 0);
    *user = find_user(call->rank, code);
    if (!*user) {
        *step = mpi_call_error(call, NULL, MPI_ERR_ARG,
                               "%d is not an error class or code that the program has added%s "
                               "(argument 1)",
                               code, mpi_error_class_text(code) ? " but one of MPI's own" : "");
    }
    return *user;
}

MpiStep mpi_do_Add_error_string(MpiCall *call)
{
    UserCode *user;
    MpiStep step;
    if (!check_user(call, &user, &step)) {
        return step;
    }
    const char *string = vm_rank_string(call->process, call->args[1]);
    if (!string) {
        return mpi_call_error(call, NULL, MPI_ERR_ARG, "the string is not in memory (argument 2)");
    }
    char *copy = g_strndup(string, MPI_MAX_ERROR_STRING_ - 1);
    g_free(user->string);
    user->string = copy;
    return done(call);
}

/* -- removing (MPI-4.1) ------------------------------------------------------------------------ */

static MpiStep remove_code(MpiCall *call, UserCode *user)
{
    GArray *codes = codes_of(call->rank);
    g_clear_pointer(&user->string, g_free);
    user->removed = true;
    while (codes->len && g_array_index(codes, UserCode, codes->len - 1).removed) {
        g_array_set_size(codes, codes->len - 1);
    }
    mpi_attributes_codes_changed(call->rank);
    return done(call);
}

static bool has_codes(const MpiRank *rank, int error_class)
{
    const GArray *codes = mpi_rank_slot(rank, MPI_RANK_SLOT_ERRORS);
    for (guint i = 0; i < codes->len; i++) {
        const UserCode *user = &g_array_index(codes, UserCode, i);
        if (!user->removed && user->error_class == error_class && FIRST_CODE + (int)i != error_class) {
            return true;
        }
    }
    return false;
}

MpiStep mpi_do_Remove_error_class(MpiCall *call)
{
    UserCode *user;
    MpiStep step;
    int number = mpi_int(call, 0);
    if (!check_user(call, &user, &step)) {
        return step;
    }
    if (user->error_class != number) {
        return mpi_call_error(call, NULL, MPI_ERR_ARG, "%d is an error code, not a class (argument 1)", number);
    }
    if (has_codes(call->rank, number)) {
        return mpi_call_error(call, NULL, MPI_ERR_OTHER, "the class %d still has codes; remove them first", number);
    }
    return remove_code(call, user);
}

MpiStep mpi_do_Remove_error_code(MpiCall *call)
{
    UserCode *user;
    MpiStep step;
    int code = mpi_int(call, 0);
    if (!check_user(call, &user, &step)) {
        return step;
    }
    if (user->error_class == code) {
        return mpi_call_error(call, NULL, MPI_ERR_ARG, "%d is an error class, not a code (argument 1)", code);
    }
    return remove_code(call, user);
}

MpiStep mpi_do_Remove_error_string(MpiCall *call)
{
    UserCode *user;
    MpiStep step;
    if (!check_user(call, &user, &step)) {
        return step;
    }
    if (!user->string) {
        return mpi_call_error(call, NULL, MPI_ERR_ARG, "%d has no string (argument 1)", mpi_int(call, 0));
    }
    g_clear_pointer(&user->string, g_free);
    return done(call);
}
