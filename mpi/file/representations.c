/* representations.c - data representations: native, internal, external32, and those that programs register (MPI-4.1
 * section 14.5).
 *
 * All nodes of a machine have the same representation in memory, so internal is the same as native. A representation of
 * the program says with its extent function how many bytes each primitive has in files. */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/core/rank.h"
#include "mpi/core/stores.h"
#include "mpi/file/access.h"
#include "mpi/type/external32.h"
#include "mpi/type/type.h"

#include <string.h>

static const MpiRepresentation predefined[] = {
    {MPI_REP_NATIVE, "native", 0, 0, 0, 0},
    {MPI_REP_NATIVE, "internal", 0, 0, 0, 0},
    {MPI_REP_EXTERNAL32, "external32", 0, 0, 0, 0},
};

const MpiRepresentation *mpi_representation_find(const MpiRank *rank, const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(predefined); i++)
        if (strcmp(predefined[i].name, name) == 0)
            return &predefined[i];
    const GPtrArray *own = mpi_files_of((MpiRank *)rank)->representations;
    for (guint i = 0; i < own->len; i++)
        if (strcmp(((const MpiRepresentation *)own->pdata[i])->name, name) == 0)
            return own->pdata[i];
    return NULL;
}

/* -- sizes ------------------------------------------------------------------------------------- */

MpiFileSizes mpi_representation_sizes(const MpiRepresentation *representation)
{
    MpiFileSizes sizes;
    for (unsigned i = 0; i < MPI_PRIMITIVE_COUNT; i++) {
        const MpiType *type = mpi_type_predefined((MpiPrimitive)i);
        sizes.of[i] = (uint32_t)(representation->sort == MPI_REP_EXTERNAL32 ? mpi_external32_size(type) : type->size);
    }
    return sizes;
}

/* Returns how often the blocks of a type are repeated in one item. */
static uint64_t turns_of(const MpiType *type)
{
    uint64_t n = 1;
    for (uint32_t i = 0; i < type->n_loops; i++)
        n *= type->loops[i].count;
    return n;
}

uint64_t mpi_representation_bytes(const MpiFileSizes *sizes, const MpiType *type)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < type->n_blocks; i++)
        bytes += type->blocks[i].count * sizes->of[type->blocks[i].primitive];
    return bytes * turns_of(type);
}

uint64_t mpi_representation_memory_bytes(const MpiRepresentation *representation, const MpiFileSizes *sizes,
                                         const MpiType *type, uint64_t bytes)
{
    uint64_t item = mpi_representation_bytes(sizes, type);
    if (!item || representation->sort == MPI_REP_NATIVE)
        return bytes;
    uint64_t memory = bytes / item * type->size;
    bytes %= item;
    for (uint64_t turn = turns_of(type); turn > 0 && bytes; turn--) {
        for (uint32_t i = 0; i < type->n_blocks && bytes; i++) {
            const MpiBlock *block = &type->blocks[i];
            uint64_t size = sizes->of[block->primitive], n = size ? MIN(block->count, bytes / size) : block->count;
            memory += n * block->bytes;
            bytes = n < block->count ? 0 : bytes - n * size;
        }
    }
    return memory;
}

/* -- asking the program ------------------------------------------------------------------------ */

/* The state of a call while the extent function runs. */
typedef struct Asking {
    const MpiRepresentation *representation;
    MpiFileSizes *sizes;
    MpiHandler then;
    uint64_t memory; /* address of the answer */
    bool wanted[MPI_PRIMITIVE_COUNT];
    unsigned next;
} Asking;

static void note_primitives(Asking *asking, const MpiType *type)
{
    for (uint32_t i = 0; i < type->n_blocks; i++)
        asking->wanted[type->blocks[i].primitive] = true;
}

static MpiStep ask_next(MpiCall *call);

static MpiStep answered(MpiCall *call)
{
    Asking *asking = call->state;
    const MpiInt64 *extent = vm_rank_read(call->process, asking->memory, sizeof *extent);
    int error = (int)(int32_t)call->upcall_result;
    if (!error && extent && *extent >= 0 && *extent <= 1 << 20) {
        asking->sizes->of[asking->next++] = (uint32_t)*extent;
        return ask_next(call);
    }
    int64_t said = extent ? *extent : -1;
    vm_library_free(call->process, asking->memory);
    if (error)
        return mpi_call_error(call, NULL, MPI_ERR_CONVERSION,
                              "the extent function of the data representation \"%s\" returned error %d",
                              asking->representation->name, error);
    return mpi_call_error(call, NULL, MPI_ERR_CONVERSION,
                          "the extent function of the data representation \"%s\" gives %s %" G_GINT64_FORMAT " bytes",
                          asking->representation->name,
                          mpi_type_describe(mpi_type_predefined((MpiPrimitive)asking->next)), said);
}

static MpiStep ask_next(MpiCall *call)
{
    Asking *asking = call->state;
    while (asking->next < MPI_PRIMITIVE_COUNT && !asking->wanted[asking->next])
        asking->next++;
    if (asking->next == MPI_PRIMITIVE_COUNT) {
        vm_library_free(call->process, asking->memory);
        MpiHandler then = asking->then;
        g_free(asking);
        call->state = NULL;
        return then(call);
    }
    uint64_t args[] = {mpi_type_predefined((MpiPrimitive)asking->next)->handle, asking->memory,
                       asking->representation->extra};
    return mpi_call_upcall(call, asking->representation->extent, args, G_N_ELEMENTS(args), answered);
}

MpiStep mpi_representation_ask(MpiCall *call, const MpiRepresentation *representation, const MpiType *one,
                               const MpiType *other, MpiFileSizes *sizes, MpiHandler then)
{
    *sizes = mpi_representation_sizes(representation);
    if (representation->sort != MPI_REP_USER)
        return then(call);
    g_assert(!call->state);
    Asking *asking = g_new0(Asking, 1);
    *asking = (Asking){.representation = representation, .sizes = sizes, .then = then};
    note_primitives(asking, one);
    note_primitives(asking, other);
    call->state = asking;
    asking->memory = vm_library_malloc(call->process, sizeof(uint64_t));
    if (!asking->memory)
        return mpi_call_error(call, NULL, MPI_ERR_NO_MEM, "the heap is full, so the extent function cannot be called");
    return ask_next(call);
}

/* -- MPI_Register_datarep ---------------------------------------------------------------------- */

static void free_representation(void *data)
{
    MpiRepresentation *representation = data;
    g_free((char *)representation->name);
    g_free(representation);
}

MpiStep mpi_do_Register_datarep(MpiCall *call)
{
    enum { NAME, READ, WRITE, EXTENT, EXTRA };
    const char *name = vm_rank_string(call->process, call->args[NAME]);
    MpiFilesOfRank *files = mpi_files_of(call->rank);
    call->raiser = &files->null;
    if (!name)
        return mpi_call_error(call, NULL, MPI_ERR_ARG, "the name is not a string in memory (argument 1)");
    if (!*name || strlen(name) >= MPI_MAX_DATAREP_STRING_)
        return mpi_call_error(call, NULL, MPI_ERR_ARG,
                              "the name has %zu characters (argument 1); a data representation has 1 to %d",
                              strlen(name), MPI_MAX_DATAREP_STRING_ - 1);
    if (mpi_representation_find(call->rank, name))
        return mpi_call_error(call, NULL, MPI_ERR_DUP_DATAREP, "there is a data representation \"%s\" already", name);
    if (!call->args[EXTENT])
        return mpi_call_error(call, NULL, MPI_ERR_ARG, "the extent function is a null pointer (argument 4)");
    MpiRepresentation *representation = g_new0(MpiRepresentation, 1);
    *representation = (MpiRepresentation){.sort = MPI_REP_USER,
                                          .name = g_strdup(name),
                                          .read = call->args[READ],
                                          .write = call->args[WRITE],
                                          .extent = call->args[EXTENT],
                                          .extra = call->args[EXTRA]};
    g_ptr_array_set_free_func(files->representations, free_representation);
    g_ptr_array_add(files->representations, representation);
    return MPI_STEP_DONE;
}

/* -- MPI_File_get_type_extent ------------------------------------------------------------------ */

static MpiStep give_extent(MpiCall *call)
{
    MpiFile *file;
    MpiType *type;
    MpiStep step;
    if (!mpi_file_check(call, &file, &step) || !mpi_check_any_type(call, 1, &type, &step) ||
        !mpi_check_result(call, 2, 8, &step))
        return step;
    MpiType *in_file = mpi_file_type(&mpi_files_of(call->rank)->asked, type);
    int64_t extent = in_file ? in_file->extent : MPI_UNDEFINED_;
    if (in_file)
        mpi_type_unref(in_file);
    mpi_store_handle(call, call->args[2], (uint64_t)extent);
    return MPI_STEP_DONE;
}

MpiStep mpi_do_File_get_type_extent(MpiCall *call)
{
    MpiFile *file;
    MpiType *type;
    MpiStep step;
    if (!mpi_file_check(call, &file, &step) || !mpi_check_any_type(call, 1, &type, &step) ||
        !mpi_check_result(call, 2, 8, &step))
        return step;
    return mpi_representation_ask(call, file->view->representation, type, type, &mpi_files_of(call->rank)->asked,
                                  give_extent);
}
