/* window_info.c - what programs ask about windows: info objects, group, name, attributes (MPI-4.1 sections 12.2.7,
 * 7.8), and their error handlers (9.3.2).
 *
 * A window keeps all hints that it was given, and always has those of the standard. Those that must have certain values
 * are checked. */
#include "mpi/attribute/attribute.h"
#include "mpi/core/handlers.h"
#include "mpi/core/handles.h"
#include "mpi/core/stores.h"
#include "mpi/rma/windows.h"

#include <string.h>

/* -- hints ------------------------------------------------------------------------------------- */

typedef struct Hint {
    const char *key, *otherwise;
    const char *values; /* what it may be, between commas; NULL: a number */
    bool list;          /* several of these, separated by commas */
} Hint;

static const Hint hints[] = {
    {"no_locks", "false", ",true,false,", false},
    {"accumulate_ordering", "rar,raw,war,waw", ",rar,raw,war,waw,none,", true},
    {"accumulate_ops", "same_op_no_op", ",same_op,same_op_no_op,", false},
    {"mpi_accumulate_granularity", "0", NULL, false},
    {"same_size", "false", ",true,false,", false},
    {"same_disp_unit", "false", ",true,false,", false},
    {"alloc_shared_noncontig", "false", ",true,false,", false},
};

static bool is_one_of(const char *values, const char *value)
{
    g_autofree char *word = g_strdup_printf(",%s,", value);
    return *value && strstr(values, word);
}

static bool is_good(const Hint *hint, const char *value)
{
    if (!hint->values)
        return g_ascii_string_to_unsigned(value, 10, 0, INT64_MAX, NULL, NULL);
    if (!hint->list)
        return is_one_of(hint->values, value);
    g_auto(GStrv) words = g_strsplit(value, ",", -1);
    for (char **word = words; *word; word++)
        if (!is_one_of(hint->values, g_strstrip(*word)))
            return false;
    return words[0];
}

static bool check_hint(MpiCall *call, MpiComm *comm, const Hint *hint, const char *value, MpiStep *step)
{
    if (is_good(hint, value))
        return true;
    *step =
        mpi_call_error(call, comm, MPI_ERR_INFO_VALUE,
                       "the value of %s in the info object is \"%s\"; it must be %s, such as \"%s\"", hint->key, value,
                       hint->values ? hint->list ? "a list of the standard's words" : "one of its words" : "a number",
                       hint->otherwise);
    return false;
}

MpiInfo *mpi_rma_info_new(MpiCall *call, MpiComm *comm, const MpiInfo *given, MpiStep *step)
{
    MpiInfo *info = given ? mpi_info_copy(given) : mpi_info_new();
    for (size_t i = 0; i < G_N_ELEMENTS(hints); i++) {
        const char *value = mpi_info_get(info, hints[i].key);
        if (!value) {
            mpi_info_set(info, hints[i].key, hints[i].otherwise);
        } else if (!check_hint(call, comm, &hints[i], value, step)) {
            mpi_info_free(info);
            return NULL;
        }
    }
    return info;
}

bool mpi_rma_info_is(const MpiInfo *info, const char *key)
{
    const char *value = mpi_info_get(info, key);
    return value && !strcmp(value, "true");
}

bool mpi_rma_info_is_unordered(const MpiInfo *info)
{
    return !strcmp(mpi_info_get(info, "accumulate_ordering"), "none");
}

/* Checks what the hints promise about the extents of all members. */
bool mpi_rma_check_extents(MpiCall *call, MpiComm *comm, const MpiWin *win, const MpiInfo *info, MpiStep *step)
{
    const MpiWin *first = win->window->members[0];
    if (mpi_rma_info_is(info, "same_size") && first->size != win->size)
        *step = mpi_call_error(call, comm, MPI_ERR_SIZE,
                               "the info object promises same_size, but rank 0 has %" G_GUINT64_FORMAT
                               " bytes and rank %u has %" G_GUINT64_FORMAT,
                               first->size, win->rank, win->size);
    else if (mpi_rma_info_is(info, "same_disp_unit") && first->disp_unit != win->disp_unit)
        *step = mpi_call_error(call, comm, MPI_ERR_DISP,
                               "the info object promises same_disp_unit, but rank 0 has %d and rank %u has %d",
                               first->disp_unit, win->rank, win->disp_unit);
    else
        return true;
    return false;
}

MpiStep mpi_do_Win_set_info(MpiCall *call)
{
    MpiWin *win;
    MpiInfo *given;
    MpiStep step;
    if (!mpi_rma_check_win(call, 0, &win, &step) || !mpi_check_info_hints(call, NULL, 1, &given, &step))
        return step;
    for (size_t i = 0; given && i < G_N_ELEMENTS(hints); i++) {
        const char *value = mpi_info_get(given, hints[i].key);
        if (value && !check_hint(call, NULL, &hints[i], value, &step)) {
            mpi_info_free(given);
            return step;
        }
    }
    if (given && !mpi_rma_check_extents(call, NULL, win, given, &step)) {
        mpi_info_free(given);
        return step;
    }
    for (size_t i = 0; given && i < G_N_ELEMENTS(hints); i++) {
        const char *value = mpi_info_get(given, hints[i].key);
        if (value)
            mpi_info_set(win->info, hints[i].key, value);
    }
    mpi_info_free(given);
    win->window->unordered = mpi_rma_info_is_unordered(win->info);
    win->no_locks = mpi_rma_info_is(win->info, "no_locks");
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Win_get_info(MpiCall *call)
{
    MpiWin *win;
    MpiStep step;
    return mpi_rma_check_win(call, 0, &win, &step) ? mpi_info_give(call, 1, mpi_info_copy(win->info)) : step;
}

/* -- group and name ---------------------------------------------------------------------------- */

MpiStep mpi_do_Win_get_group(MpiCall *call)
{
    MpiWin *win;
    MpiStep step;
    return mpi_rma_check_win(call, 0, &win, &step) ? mpi_group_give(call, 1, mpi_group_ref(win->window->group)) : step;
}

MpiStep mpi_do_Win_set_name(MpiCall *call)
{
    MpiWin *win;
    MpiStep step;
    if (!mpi_rma_check_win(call, 0, &win, &step))
        return step;
    char *name = mpi_argument_take_name(call, NULL, &step);
    if (!name)
        return step;
    g_free(win->name);
    win->name = name;
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Win_get_name(MpiCall *call)
{
    MpiWin *win;
    MpiStep step;
    return mpi_rma_check_win(call, 0, &win, &step) ? mpi_argument_give_name(call, win->name) : step;
}

/* -- attributes -------------------------------------------------------------------------------- */

/* How predefined attributes lie in the program's memory. */
typedef struct Values {
    int64_t size;
    int32_t disp_unit, flavour, model;
} Values;

static uint64_t values_of(MpiWin *win)
{
    enum { SEPARATE = 1, UNIFIED = 2 };
    Values values = {.size = (int64_t)win->size,
                     .disp_unit = win->disp_unit,
                     .flavour = (int32_t)win->window->flavour,
                     .model = win->window->separate ? SEPARATE : UNIFIED};
    if (!win->values)
        win->values = vm_library_malloc(win->owner->process, sizeof values);
    void *to = win->values ? vm_rank_write(win->owner->process, win->values, sizeof values) : NULL;
    if (to)
        memcpy(to, &values, sizeof values);
    return to ? win->values : 0;
}

static uint64_t predefined_value(MpiWin *win, int keyval)
{
    if (keyval == MPI_WIN_BASE_)
        return win->base;
    uint64_t values = values_of(win);
    size_t offset = keyval == MPI_WIN_SIZE_            ? offsetof(Values, size)
                    : keyval == MPI_WIN_DISP_UNIT_     ? offsetof(Values, disp_unit)
                    : keyval == MPI_WIN_CREATE_FLAVOR_ ? offsetof(Values, flavour)
                                                       : offsetof(Values, model);
    return values ? values + offset : 0;
}

MpiStep mpi_do_Win_get_attr(MpiCall *call)
{
    enum { WIN, KEYVAL, VALUE, FLAG };
    MpiWin *win;
    MpiStep step;
    int keyval = mpi_int(call, KEYVAL);
    if (!mpi_rma_check_win(call, WIN, &win, &step))
        return step;
    if (keyval < MPI_WIN_BASE_ || keyval > MPI_WIN_MODEL_)
        return mpi_attribute_get(call, MPI_KIND_WIN);
    if (!mpi_check_result(call, VALUE, 8, &step) || !mpi_check_result(call, FLAG, 4, &step))
        return step;
    uint64_t value = predefined_value(win, keyval);
    mpi_store_int(call, call->args[FLAG], keyval == MPI_WIN_BASE_ || value);
    mpi_store_handle(call, call->args[VALUE], value);
    return MPI_STEP_DONE;
}
