/* categories.c - the tree of categories (categories.def), and which variables and event types are in each (MPI-4.1
 * section 15.3.9). They never change. */
#include "mpi/core/handlers.h"
#include "mpi/core/world.h"
#include "mpi/tool/tool.h"

#include <string.h>

static const struct {
    const char *name, *description;
    MpiToolCategory parent;
} rows[] = {
#define MPI_TOOL_CATEGORY(name, parent, description) {#name, description, MPI_TOOL_CATEGORY_##parent},
#include "mpi/tool/categories.def"
};

/* -- sections of machine files ------------------------------------------------------------------- */

static bool key_of(const MpiCall *call, uint32_t number, MpiMachineKey *key)
{
    const MpiEnv *env = &call->world->env;
    *key = (MpiMachineKey){0};
    return env->key && env->key(env->user, call->rank->index, number, key);
}

/* Returns the names of the sections, in the order of their first keys; g_ptr_array_unref(). */
static GPtrArray *sections_of(const MpiCall *call)
{
    GPtrArray *sections = g_ptr_array_new();
    MpiMachineKey key;
    for (uint32_t number = 0; key_of(call, number, &key); number++)
        if (!g_ptr_array_find_with_equal_func(sections, key.section, g_str_equal, NULL))
            g_ptr_array_add(sections, (char *)key.section);
    return sections;
}

/* -- members ----------------------------------------------------------------------------------- */

typedef enum Member { CVARS, PVARS, EVENTS, CATEGORIES } Member;

static void add(GArray *members, size_t index)
{
    int number = (int)index;
    g_array_append_val(members, number);
}

/* Returns the indices of the members of a category: variables, event types or categories. */
static GArray *members_of(const MpiCall *call, int category, const GPtrArray *sections, Member member)
{
    GArray *members = g_array_new(FALSE, FALSE, sizeof(int));
    MpiMachineKey key;
    bool section = category >= MPI_TOOL_CATEGORIES;
    for (uint32_t i = 0; section && member == CVARS && key_of(call, i, &key); i++)
        if (!strcmp(key.section, sections->pdata[category - MPI_TOOL_CATEGORIES]))
            add(members, i);
    for (size_t i = 0; !section && member == PVARS && i < mpi_tool_pvars(); i++)
        if ((int)mpi_tool_pvar_category(i) == category)
            add(members, i);
    for (size_t i = 0; !section && member == EVENTS && i < mpi_tool_events(); i++)
        if ((int)mpi_tool_event_category(i) == category)
            add(members, i);
    for (size_t i = 0; !section && member == CATEGORIES && i < G_N_ELEMENTS(rows); i++)
        if ((int)rows[i].parent == category)
            add(members, i);
    for (guint i = 0; category == MPI_TOOL_CATEGORY_machine && member == CATEGORIES && i < sections->len; i++)
        add(members, MPI_TOOL_CATEGORIES + i);
    return members;
}

static int count_of(const MpiCall *call, int category, const GPtrArray *sections, Member member)
{
    g_autoptr(GArray) members = members_of(call, category, sections, member);
    return (int)members->len;
}

static char *name_of(int category, const GPtrArray *sections)
{
    return category < MPI_TOOL_CATEGORIES
               ? g_strdup(rows[category].name)
               : g_strdup_printf("machine.%s", (const char *)sections->pdata[category - MPI_TOOL_CATEGORIES]);
}

/* Gets the category in argument 0. On success the caller frees *sections. */
static int check_category(const MpiCall *call, int *category, GPtrArray **sections)
{
    *category = mpi_int(call, 0);
    *sections = sections_of(call);
    if (*category >= 0 && (guint)*category < MPI_TOOL_CATEGORIES + (*sections)->len)
        return MPI_SUCCESS;
    g_ptr_array_unref(*sections);
    return MPI_T_ERR_INVALID_INDEX;
}

/* -- functions --------------------------------------------------------------------------------- */

MPI_TOOL_FUNCTION(category_get_num)
{
    g_autoptr(GPtrArray) sections = sections_of(call);
    return mpi_tool_give_int(call, 0, (int)(MPI_TOOL_CATEGORIES + sections->len));
}

MPI_TOOL_FUNCTION(category_get_info)
{
    enum { INDEX, NAME, NAME_LEN, DESC, DESC_LEN, NUM_CVARS, NUM_PVARS, NUM_CATEGORIES };
    int category;
    GPtrArray *found;
    int error = check_category(call, &category, &found);
    if (error)
        return error;
    g_autoptr(GPtrArray) sections = found;
    g_autofree char *name = name_of(category, sections);
    const char *description = category < MPI_TOOL_CATEGORIES ? rows[category].description : "keys of this section";
    bool stored = mpi_tool_put_text(call, NAME, name) && mpi_tool_put_text(call, DESC, description) &&
                  mpi_tool_put_int(call, NUM_CVARS, count_of(call, category, sections, CVARS)) &&
                  mpi_tool_put_int(call, NUM_PVARS, count_of(call, category, sections, PVARS)) &&
                  mpi_tool_put_int(call, NUM_CATEGORIES, count_of(call, category, sections, CATEGORIES));
    return stored ? MPI_SUCCESS : MPI_T_ERR_INVALID;
}

MPI_TOOL_FUNCTION(category_get_num_events)
{
    int category;
    GPtrArray *found;
    int error = check_category(call, &category, &found);
    if (error)
        return error;
    g_autoptr(GPtrArray) sections = found;
    return mpi_tool_give_int(call, 1, count_of(call, category, sections, EVENTS));
}

MPI_TOOL_FUNCTION(category_get_index)
{
    const char *wanted = mpi_tool_wanted(call, 1);
    if (!wanted)
        return MPI_T_ERR_INVALID;
    g_autoptr(GPtrArray) sections = sections_of(call);
    for (guint i = 0; i < MPI_TOOL_CATEGORIES + sections->len; i++) {
        g_autofree char *name = name_of((int)i, sections);
        if (strcmp(name, wanted) == 0)
            return mpi_tool_give_int(call, 1, (int)i);
    }
    return MPI_T_ERR_INVALID_NAME;
}

/* Stores as many members as argument 1 says that there is room for. */
static int list(MpiCall *call, Member member)
{
    int category, room = mpi_int(call, 1);
    GPtrArray *found;
    int error = check_category(call, &category, &found);
    if (error)
        return error;
    g_autoptr(GPtrArray) sections = found;
    g_autoptr(GArray) members = members_of(call, category, sections, member);
    guint n = room < 0 ? 0 : MIN((guint)room, members->len);
    int *to = n ? mpi_tool_place(call, 2, n * sizeof *to) : NULL;
    if (room < 0 || (n && !to))
        return MPI_T_ERR_INVALID;
    if (n)
        memcpy(to, members->data, n * sizeof *to);
    return MPI_SUCCESS;
}

MPI_TOOL_FUNCTION(category_get_cvars)
{
    return list(call, CVARS);
}

MPI_TOOL_FUNCTION(category_get_pvars)
{
    return list(call, PVARS);
}

MPI_TOOL_FUNCTION(category_get_events)
{
    return list(call, EVENTS);
}

MPI_TOOL_FUNCTION(category_get_categories)
{
    return list(call, CATEGORIES);
}

MPI_TOOL_FUNCTION(category_changed)
{
    return mpi_tool_give_int(call, 0, 1);
}
