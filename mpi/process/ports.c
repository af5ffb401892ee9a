/* ports.c - ports, and names under which they are published (MPI-4.1 sections 11.9.2 to 11.9.4).
 *
 * A port's name tells its node and its number in the run. Names of services are known in the whole machine from the
 * moment at which MPI_Publish_name returns: there is one name server, and asking it costs a call. */
#include "mpi/process/ports.h"
#include "mpi/core/handlers.h"
#include "mpi/core/rank.h"
#include "mpi/core/world.h"
#include "mpi/process/process.h"

#include <string.h>

enum { MAX_PORT_NAME = 256 };

static GHashTable *table(GHashTable **place)
{
    if (!*place)
        *place = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    return *place;
}

bool mpi_port_is_open(MpiWorld *world, const char *name)
{
    return g_hash_table_contains(table(&mpi_universe(world)->ports), name);
}

static bool check_text(MpiCall *call, unsigned arg, const char *what, const char **text, MpiStep *step)
{
    *text = vm_rank_string(call->process, call->args[arg]);
    if (!*text)
        *step = mpi_call_error(call, NULL, MPI_ERR_ARG, "the %s is not in memory (argument %u)", what, arg + 1);
    return *text;
}

/* Stores a name for the program, which has room for MPI_MAX_PORT_NAME characters. */
static MpiStep store_name(MpiCall *call, unsigned arg, const char *name)
{
    MpiStep step;
    if (!mpi_check_result(call, arg, strlen(name) + 1, &step))
        return step;
    memcpy(vm_rank_write(call->process, call->args[arg], strlen(name) + 1), name, strlen(name) + 1);
    return MPI_STEP_DONE;
}

/* -- ports ------------------------------------------------------------------------------------------------ */

MpiStep mpi_do_Open_port(MpiCall *call)
{
    const MpiEnv *env = &call->world->env;
    MpiUniverse *universe = mpi_universe(call->world);
    MpiStep step;
    if (!mpi_check_info(call, NULL, 0, &step) || !mpi_check_result(call, 1, 1, &step))
        return step;
    const char *node = env->node_name ? env->node_name(env->user, call->rank->index) : "node";
    g_autofree char *name = g_strdup_printf("%s:port%" G_GUINT64_FORMAT, node, universe->next_port);
    step = store_name(call, 1, name);
    if (step != MPI_STEP_DONE || call->result)
        return step;
    universe->next_port++;
    g_hash_table_insert(table(&universe->ports), g_steal_pointer(&name), NULL);
    return step;
}

MpiStep mpi_do_Close_port(MpiCall *call)
{
    const char *name;
    MpiStep step;
    if (!check_text(call, 0, "name of the port", &name, &step))
        return step;
    g_autofree char *key = g_strdup(name);
    if (!g_hash_table_remove(table(&mpi_universe(call->world)->ports), key))
        return mpi_call_error(call, NULL, MPI_ERR_PORT, "there is no port \"%.64s\" to close", key);
    mpi_connect_dismiss(call, key);
    return MPI_STEP_DONE;
}

/* -- names ------------------------------------------------------------------------------------------------- */

MpiStep mpi_do_Publish_name(MpiCall *call)
{
    const char *service, *port;
    MpiStep step;
    GHashTable *services = table(&mpi_universe(call->world)->services);
    if (!check_text(call, 0, "name of the service", &service, &step) || !mpi_check_info(call, NULL, 1, &step) ||
        !check_text(call, 2, "name of the port", &port, &step))
        return step;
    if (g_hash_table_contains(services, service))
        return mpi_call_error(call, NULL, MPI_ERR_SERVICE, "the name \"%.64s\" has been published already", service);
    if (strlen(port) >= MAX_PORT_NAME)
        return mpi_call_error(call, NULL, MPI_ERR_PORT,
                              "the name of the port has %zu characters; a port's has less "
                              "than %d (argument 3)",
                              strlen(port), MAX_PORT_NAME);
    g_hash_table_insert(services, g_strdup(service), g_strdup(port));
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Unpublish_name(MpiCall *call)
{
    const char *service, *port;
    MpiStep step;
    GHashTable *services = table(&mpi_universe(call->world)->services);
    if (!check_text(call, 0, "name of the service", &service, &step) || !mpi_check_info(call, NULL, 1, &step) ||
        !check_text(call, 2, "name of the port", &port, &step))
        return step;
    const char *published = g_hash_table_lookup(services, service);
    if (!published)
        return mpi_call_error(call, NULL, MPI_ERR_SERVICE, "the name \"%.64s\" is not published", service);
    if (strcmp(published, port) != 0)
        return mpi_call_error(call, NULL, MPI_ERR_SERVICE, "the name \"%.64s\" is published for another port", service);
    g_hash_table_remove(services, service);
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Lookup_name(MpiCall *call)
{
    const char *service;
    MpiStep step;
    if (!check_text(call, 0, "name of the service", &service, &step) || !mpi_check_info(call, NULL, 1, &step) ||
        !mpi_check_result(call, 2, 1, &step))
        return step;
    const char *port = g_hash_table_lookup(table(&mpi_universe(call->world)->services), service);
    if (!port)
        return mpi_call_error(call, NULL, MPI_ERR_NAME, "the name \"%.64s\" is not published", service);
    return store_name(call, 2, port);
}
