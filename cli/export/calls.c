/* calls.c - what exports know of the arguments of MPI's functions. */
#include "cli/export/calls.h"

#include <glib.h>
#include <string.h>

enum { KIND_TYPE = 3 }; /* of handles, in their upper half */

static const struct {
    const char *name;
    unsigned bytes;
} types[] = {
#define MPI_PRIMITIVE(name, bytes, language) {#name, bytes},
#include "mpi/type/primitives.def"
};

/* Numbers of datatypes in SimGrid's traces. */
static const char *const ti_types[] = {"DOUBLE", "INT", "CHAR", "SHORT", "LONG", "FLOAT", "BYTE"};

static int index_of(int64_t datatype)
{
    int64_t index = (datatype & UINT32_MAX) - 1;
    return datatype >> 32 == KIND_TYPE && index >= 0 && index < (int64_t)G_N_ELEMENTS(types) ? (int)index : -1;
}

unsigned export_call_type_bytes(int64_t datatype)
{
    int index = index_of(datatype);
    return index < 0 ? 0 : types[index].bytes;
}

int export_call_ti_type(int64_t datatype)
{
    int index = index_of(datatype);
    for (unsigned i = 0; index >= 0 && i < G_N_ELEMENTS(ti_types); i++)
        if (strcmp(types[index].name, ti_types[i]) == 0)
            return (int)i;
    return -1;
}

static const ExportCollective collectives[] = {
#define COLLECTIVE(name, action, operation, count, type, receive_count, receive_type, root, comm)                      \
    {"MPI_" #name, action, EXPORT_OP_##operation, count, type, receive_count, receive_type, root, comm},
#include "cli/export/calls.def"
};
static const ExportPoint points[] = {
#define POINT(name, sort, count, type, peer, tag, comm, request)                                                       \
    {"MPI_" #name, EXPORT_##sort, count, type, peer, tag, comm, request},
#include "cli/export/calls.def"
};

const ExportCollective *export_call_collective(const char *function)
{
    bool immediate = g_str_has_prefix(function, "MPI_I");
    for (unsigned i = 0; i < G_N_ELEMENTS(collectives); i++) {
        const char *name = collectives[i].name;
        if (strcmp(function, name) == 0 ||
            (immediate && g_ascii_tolower(name[4]) == function[5] && strcmp(function + 6, name + 5) == 0))
            return &collectives[i];
    }
    return NULL;
}

const ExportPoint *export_call_point(const char *function)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(points); i++)
        if (strcmp(function, points[i].name) == 0)
            return &points[i];
    return NULL;
}
