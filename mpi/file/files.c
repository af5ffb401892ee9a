/* files.c - opens and closes files, and what concerns a file as a whole (MPI-4.1 section 14.2, 14.6).
 *
 * MPI_File_open is collective: each member says name and access mode, and when all have come, the first that goes on
 * opens the file of the host, for all. So ranks share one descriptor, and 10,000 of them can have a file open. Mistakes
 * of one member are errors of all, so that no member waits for ever. */
#include "mpi/collective/collective.h"
#include "mpi/comm/comm.h"
#include "mpi/core/count.h"
#include "mpi/core/handlers.h"
#include "mpi/core/handles.h"
#include "mpi/core/slots.h"
#include "mpi/core/stores.h"
#include "mpi/core/world.h"
#include "mpi/file/access.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* -- what ranks and the world keep ------------------------------------------------------------- */

typedef struct FilesOfWorld {
    GHashTable *openings; /* MpiOccasion -> Opening; never iterated */
    GPtrArray *open;      /* MpiSharedFile, in the order in which they were opened */
    GHashTable *uses;     /* name -> MpiFileUses, under --check=files; never iterated */
} FilesOfWorld;

static void free_of_world(void *data)
{
    FilesOfWorld *files = data;
    g_hash_table_unref(files->openings);
    g_ptr_array_unref(files->open);
    g_hash_table_unref(files->uses);
    g_free(files);
}

static FilesOfWorld *files_of_world(MpiWorld *world)
{
    FilesOfWorld *files = mpi_world_slot(world, MPI_SLOT_FILES);
    if (!files) {
        files = g_new0(FilesOfWorld, 1);
        files->openings = g_hash_table_new(mpi_turn_occasion_hash, mpi_turn_occasion_equal);
        files->open = g_ptr_array_new();
        files->uses = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, mpi_file_uses_free);
        mpi_world_set_slot(world, MPI_SLOT_FILES, files, free_of_world);
    }
    return files;
}

static void free_of_rank(gpointer data)
{
    MpiFilesOfRank *files = data;
    mpi_error_handler_unref(files->null.errhandler);
    g_ptr_array_unref(files->representations);
    g_free(files);
}

MpiFilesOfRank *mpi_files_of(MpiRank *rank)
{
    enum { ERRORS_RETURN = 2 };
    MpiFilesOfRank *files = mpi_rank_slot(rank, MPI_RANK_SLOT_FILES);
    if (!files) {
        files = g_new0(MpiFilesOfRank, 1);
        files->null = (MpiRaiser){MPI_HANDLE(MPI_KIND_FILE, 0), mpi_error_handler_predefined(ERRORS_RETURN), NULL};
        files->representations = g_ptr_array_new();
        mpi_rank_set_slot(rank, MPI_RANK_SLOT_FILES, files, free_of_rank);
    }
    return files;
}

/* -- life of a file ---------------------------------------------------------------------------- */

static void shared_unref(MpiSharedFile *shared)
{
    if (--shared->refs)
        return;
    g_ptr_array_remove(files_of_world(shared->world)->open, shared);
    if (shared->descriptor >= 0)
        close(shared->descriptor);
    g_hash_table_unref(shared->meetings);
    g_free(shared->name);
    g_free(shared);
}

MpiFile *mpi_file_ref(MpiFile *file)
{
    file->refs++;
    return file;
}

void mpi_file_unref(MpiFile *file)
{
    if (--file->refs)
        return;
    mpi_error_handler_unref(file->raiser.errhandler);
    mpi_comm_unref(file->comm);
    mpi_view_unref(file->view);
    mpi_info_free(file->info);
    mpi_file_sequence_unref(file->sequence);
    shared_unref(file->shared);
    g_free(file);
}

void mpi_file_drop(void *file)
{
    mpi_file_unref(file);
}

bool mpi_file_check(MpiCall *call, MpiFile **file, MpiStep *step)
{
    call->raiser = &mpi_files_of(call->rank)->null;
    *file = mpi_handle_lookup(call->rank, MPI_KIND_FILE, call->args[0]);
    if (*file)
        call->raiser = &(*file)->raiser;
    else
        *step = mpi_argument_bad_handle_of(call, NULL, MPI_KIND_FILE, 0);
    return *file;
}

MpiStep mpi_file_done(MpiCall *call)
{
    mpi_count_file_time(call->rank, call->now - call->entered_ps);
    call->result = MPI_SUCCESS;
    return MPI_STEP_DONE;
}

/* -- errors of the host ------------------------------------------------------------------------ */

int mpi_file_error_class(int error)
{
    switch (error) {
    case ENOENT: return MPI_ERR_NO_SUCH_FILE;
    case EEXIST: return MPI_ERR_FILE_EXISTS;
    case EACCES:
    case EPERM: return MPI_ERR_ACCESS;
    case EROFS: return MPI_ERR_READ_ONLY;
    case ENOSPC: return MPI_ERR_NO_SPACE;
    case EDQUOT: return MPI_ERR_QUOTA;
    case ETXTBSY: return MPI_ERR_FILE_IN_USE;
    case EISDIR:
    case ENOTDIR:
    case ENAMETOOLONG:
    case ELOOP:
    case ENXIO: return MPI_ERR_BAD_FILE;
    default: return MPI_ERR_IO;
    }
}

MpiStep mpi_file_fail(MpiCall *call, const MpiSharedFile *shared, const char *what, int error)
{
    g_autofree char *base = g_path_get_basename(shared->name);
    return mpi_call_error(call, NULL, mpi_file_error_class(error), "%s \"%s\": %s", what, base, g_strerror(error));
}

bool mpi_file_size(const MpiSharedFile *shared, uint64_t *size)
{
    struct stat status;
    if (fstat(shared->descriptor, &status) != 0)
        return false;
    *size = (uint64_t)MAX(status.st_size, 0);
    return true;
}

/* -- MPI_File_open ----------------------------------------------------------------------------- */

/* An MPI_File_open that members have begun. */
typedef struct Opening {
    MpiOccasion at; /* first member: the key in the table */
    uint32_t size, left;
    int amode;
    char *name;         /* the file as the first member named it */
    int error;          /* errno of the first mistake */
    int class;          /* or its error class; 0: there is none */
    const char *reason; /* for `class` */
    bool named, decided;
    MpiSharedFile *shared; /* NULL: it could not be opened */
    uint32_t context;
} Opening;

/* The state of a member's call. */
typedef struct Opener {
    Opening *opening;
    MpiComm *comm; /* referenced */
    MpiInfo *info;
    char *asked; /* the name as the program gave it */
    MpiFile *file;
    FilesOfWorld *files;
} Opener;

static void opener_free(void *state)
{
    Opener *opener = state;
    Opening *opening = opener->opening;
    if (opening && ++opening->left == opening->size) {
        g_hash_table_remove(opener->files->openings, opening);
        if (opening->shared)
            shared_unref(opening->shared);
        g_free(opening->name);
        g_free(opening);
    }
    mpi_comm_unref(opener->comm);
    mpi_info_free(opener->info);
    g_free(opener->asked);
    g_free(opener);
}

/* Returns what is wrong with an access mode, or NULL. */
static const char *fault_of_amode(int amode)
{
    const int ways = MPI_MODE_RDONLY_ | MPI_MODE_WRONLY_ | MPI_MODE_RDWR_;
    const int known = ways | MPI_MODE_CREATE_ | MPI_MODE_EXCL_ | MPI_MODE_DELETE_ON_CLOSE_ | MPI_MODE_UNIQUE_OPEN_ |
                      MPI_MODE_APPEND_ | MPI_MODE_SEQUENTIAL_;
    int way = amode & ways;
    if (amode & ~known)
        return "it has bits that no MPI_MODE_ constant has";
    if (way != MPI_MODE_RDONLY_ && way != MPI_MODE_WRONLY_ && way != MPI_MODE_RDWR_)
        return "it must have exactly one of MPI_MODE_RDONLY, MPI_MODE_WRONLY and MPI_MODE_RDWR";
    if (way == MPI_MODE_RDONLY_ && amode & (MPI_MODE_CREATE_ | MPI_MODE_EXCL_))
        return "MPI_MODE_CREATE and MPI_MODE_EXCL cannot go with MPI_MODE_RDONLY";
    if (way == MPI_MODE_RDWR_ && amode & MPI_MODE_SEQUENTIAL_)
        return "MPI_MODE_SEQUENTIAL cannot go with MPI_MODE_RDWR";
    return NULL;
}

static void note_fault(Opening *opening, int class, const char *reason)
{
    if (opening->class || opening->error)
        return;
    opening->class = class;
    opening->reason = reason;
}

/* A member says what it wants. */
static void say(MpiCall *call, Opening *opening, const char *asked, int amode)
{
    int error = 0;
    const char *fault = fault_of_amode(amode);
    if (opening->named && opening->amode != amode)
        note_fault(opening, MPI_ERR_NOT_SAME, "the members do not give the same access mode");
    if (fault)
        note_fault(opening, MPI_ERR_AMODE, fault);
    g_autofree char *name = vm_rank_file_name(call->process, asked, &error);
    if (!name && !opening->class && !opening->error)
        opening->error = error;
    if (opening->named && g_strcmp0(name, opening->name) != 0)
        note_fault(opening, MPI_ERR_NOT_SAME, "the members do not name the same file");
    if (opening->named)
        return;
    opening->named = true;
    opening->amode = amode;
    opening->name = g_steal_pointer(&name);
}

static Opening *opening_of(MpiCall *call, FilesOfWorld *files, const MpiComm *comm)
{
    MpiOccasion at = {comm->context, mpi_comm_turn(call, comm)};
    Opening *opening = g_hash_table_lookup(files->openings, &at);
    if (!opening) {
        opening = g_new0(Opening, 1);
        opening->at = at;
        opening->size = comm->group->size;
        g_hash_table_insert(files->openings, opening, opening);
    }
    return opening;
}

/* Whether another file with the same name is open that does not allow this. */
static bool is_in_use(const FilesOfWorld *files, const char *name, bool alone)
{
    for (guint i = 0; i < files->open->len; i++) {
        const MpiSharedFile *other = files->open->pdata[i];
        if (other->members && strcmp(other->name, name) == 0 && (alone || other->amode & MPI_MODE_UNIQUE_OPEN_))
            return true;
    }
    return false;
}

/* Opens the file of the host. Writers read, too, if they may: see host_access.c. */
static int open_host(MpiCall *call, const Opening *opening, const char *asked, bool *readable, int *error)
{
    int create = opening->amode & MPI_MODE_CREATE_ ? O_CREAT : 0;
    int flags = create | (create && opening->amode & MPI_MODE_EXCL_ ? O_EXCL : 0);
    *readable = true;
    if (opening->amode & MPI_MODE_RDONLY_)
        return vm_rank_open_file(call->process, asked, O_RDONLY | flags, 0666, error);
    int descriptor = vm_rank_open_file(call->process, asked, O_RDWR | flags, 0666, error);
    if (descriptor >= 0 || *error != EACCES || opening->amode & MPI_MODE_RDWR_)
        return descriptor;
    *readable = false;
    return vm_rank_open_file(call->process, asked, O_WRONLY | flags, 0666, error);
}

/* What is kept of the accesses to the file with this name; NULL: nothing. */
static MpiFileUses *uses_of(FilesOfWorld *files, const MpiWorld *world, const char *name)
{
    if (!mpi_check_is_on(world, MPI_CHECK_FILES))
        return NULL;
    MpiFileUses *uses = g_hash_table_lookup(files->uses, name);
    if (!uses) {
        uses = mpi_file_uses_new();
        g_hash_table_insert(files->uses, g_strdup(name), uses);
    }
    return uses;
}

static void decide(MpiCall *call, Opener *opener)
{
    Opening *opening = opener->opening;
    FilesOfWorld *files = opener->files;
    struct stat status;
    bool readable;
    opening->decided = true;
    if (opening->class || opening->error)
        return;
    if (is_in_use(files, opening->name, opening->amode & MPI_MODE_UNIQUE_OPEN_)) {
        note_fault(opening, MPI_ERR_FILE_IN_USE, "it is open already, and MPI_MODE_UNIQUE_OPEN says that it is not");
        return;
    }
    int descriptor = open_host(call, opening, opener->asked, &readable, &opening->error);
    if (descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
        close(descriptor);
        descriptor = -1;
        opening->error = EISDIR;
    }
    if (descriptor < 0)
        return;
    opening->error = 0;
    MpiSharedFile *shared = g_new0(MpiSharedFile, 1);
    const MpiEnv *env = &call->world->env;
    *shared = (MpiSharedFile){.refs = 1,
                              .world = call->world,
                              .name = g_strdup(opening->name),
                              .descriptor = descriptor,
                              .readable = readable,
                              .storage = env->storage ? env->storage_file(env->user, opening->name) : 0,
                              .amode = opening->amode,
                              .uses = uses_of(files, call->world, opening->name),
                              .meetings = mpi_meetings_new()};
    uint64_t size;
    if (opening->amode & MPI_MODE_APPEND_ && mpi_file_size(shared, &size))
        shared->pointer = size;
    shared->members = opening->size;
    g_ptr_array_add(files->open, shared);
    opening->shared = shared;
    opening->context = mpi_comm_new_context(call->world, opener->comm->context, opening->at.sequence, 0);
}

static MpiFile *file_new(MpiCall *call, const Opener *opener)
{
    MpiSharedFile *shared = opener->opening->shared;
    MpiComm *comm = opener->comm;
    g_autofree char *base = g_path_get_basename(shared->name);
    g_autofree char *name = g_strdup_printf("the file \"%s\"", base);
    MpiFile *file = g_new0(MpiFile, 1);
    file->refs = 1;
    file->owner = call->rank;
    file->shared = shared;
    shared->refs++;
    file->comm = mpi_comm_hidden(call->rank, opener->opening->context, mpi_group_ref(comm->group), comm->rank);
    mpi_comm_list(file->comm, name);
    file->raiser.comm = file->comm;
    file->view = mpi_view_of_bytes();
    file->position = shared->pointer;
    file->raiser.errhandler = mpi_error_handler_ref(mpi_files_of(call->rank)->null.errhandler);
    if (shared->uses)
        file->sequence = mpi_file_sequence_new(call->rank->index, call->now);
    file->info = mpi_info_new();
    mpi_hints_default(file);
    mpi_hints_take(file, opener->info);
    file->raiser.handle = mpi_handle_register(call, MPI_KIND_FILE, file);
    return file;
}

static MpiStep open_done(MpiCall *call)
{
    const Opener *opener = call->state;
    mpi_timing_end(call);
    mpi_store_handle(call, call->args[4], opener->file->raiser.handle);
    return mpi_file_done(call);
}

static MpiStep open_agreed(MpiCall *call)
{
    Opener *opener = call->state;
    Opening *opening = opener->opening;
    if (!opening->decided)
        decide(call, opener);
    g_autofree char *asked = g_strdup(opener->asked);
    if (opening->class)
        return mpi_call_error(call, NULL, opening->class, "\"%s\" cannot be opened: %s", asked, opening->reason);
    if (opening->error)
        return mpi_call_error(call, NULL, mpi_file_error_class(opening->error), "\"%s\" cannot be opened: %s%s", asked,
                              g_strerror(opening->error),
                              opening->error == EACCES ? "; pipes never can, and files outside the working directory "
                                                         "only with --fs all"
                                                       : "");
    opener->file = file_new(call, opener);
    return mpi_timing_one(call, opener->file->comm, opening->shared->storage, VM_STORAGE_NAME, open_done);
}

MpiStep mpi_do_File_open(MpiCall *call)
{
    enum { COMM, NAME, AMODE, INFO, RESULT };
    MpiComm *comm;
    MpiInfo *info;
    MpiStep step;
    call->raiser = &mpi_files_of(call->rank)->null;
    if (!mpi_check_comm(call, COMM, &comm, &step) || !mpi_check_intra(call, comm, &step) ||
        !mpi_check_result(call, RESULT, sizeof(MpiHandle), &step))
        return step;
    const char *name = vm_rank_string(call->process, call->args[NAME]);
    if (!name)
        return mpi_call_error(call, NULL, MPI_ERR_ARG, "the name is not a string in memory (argument 2)");
    if (!mpi_check_info_hints(call, comm, INFO, &info, &step))
        return step;
    Opener *opener = g_new0(Opener, 1);
    *opener = (Opener){.comm = comm, .info = info, .asked = g_strdup(name), .files = files_of_world(call->world)};
    comm->refs++;
    call->state = opener;
    call->state_free = opener_free;
    opener->opening = opening_of(call, opener->files, comm);
    say(call, opener->opening, name, mpi_int(call, AMODE));
    return mpi_collective_agree(call, comm, sizeof(int), open_agreed);
}

/* -- MPI_File_close, MPI_File_delete ----------------------------------------------------------- */

static MpiStep close_done(MpiCall *call)
{
    MpiFile *file = mpi_meeting_file(call);
    MpiMeeting *meeting = mpi_meeting_of(call);
    MpiSharedFile *shared = file->shared;
    int error = 0;
    mpi_timing_end(call);
    if (!meeting->decided) {
        meeting->decided = true;
        shared->members = 0;
        if (shared->amode & MPI_MODE_DELETE_ON_CLOSE_ && !vm_rank_remove_file(call->process, shared->name, &error) &&
            error != ENOENT)
            meeting->error = error;
    }
    mpi_handle_unregister(call->rank, file->raiser.handle);
    mpi_store_handle(call, call->args[0], MPI_HANDLE(MPI_KIND_FILE, 0));
    mpi_file_unref(file); /* the call has another reference */
    call->raiser = &mpi_files_of(call->rank)->null;
    if (meeting->error)
        return mpi_file_fail(call, shared, "cannot delete on close", meeting->error);
    return mpi_file_done(call);
}

static MpiStep close_agreed(MpiCall *call)
{
    const MpiFile *file = mpi_meeting_file(call);
    return mpi_timing_one(call, file->comm, file->shared->storage, VM_STORAGE_NAME, close_done);
}

/* Closes the file for this process alone: another one has failed, so that they cannot meet. */
static MpiStep close_alone(MpiCall *call, MpiFile *file)
{
    const MpiSharedFile *shared = file->shared;
    int error = 0;
    bool removed = !(shared->amode & MPI_MODE_DELETE_ON_CLOSE_) ||
                   vm_rank_remove_file(call->process, shared->name, &error) || error == ENOENT;
    call->raiser = &mpi_files_of(call->rank)->null;
    MpiStep step = removed ? mpi_file_done(call) : mpi_file_fail(call, shared, "cannot delete on close", error);
    mpi_handle_unregister(call->rank, file->raiser.handle);
    mpi_store_handle(call, call->args[0], MPI_HANDLE(MPI_KIND_FILE, 0));
    mpi_file_unref(file);
    return step;
}

MpiStep mpi_do_File_close(MpiCall *call)
{
    MpiStep step;
    const void *variable;
    call->raiser = &mpi_files_of(call->rank)->null;
    if (!mpi_check_input(call, NULL, 0, sizeof(MpiHandle), &variable, &step) ||
        !mpi_check_result(call, 0, sizeof(MpiHandle), &step))
        return step;
    MpiHandle handle = *(const MpiWord *)variable;
    MpiFile *file = mpi_handle_lookup(call->rank, MPI_KIND_FILE, handle);
    if (!file)
        return mpi_argument_bad_handle(call, NULL, MPI_KIND_FILE, handle, "argument 1 points to it");
    call->raiser = &file->raiser;
    if (file->split)
        return mpi_call_error(call, NULL, MPI_ERR_OTHER, "%s has begun on the file and not ended; end it first",
                              file->split_name);
    for (const MpiRequest *request = call->rank->requests; request; request = request->next)
        if (request->sort == MPI_REQUEST_AGENT && request->comm == file->comm && request->handle)
            return mpi_call_error(call, NULL, MPI_ERR_OTHER,
                                  "a request of %s on the file is not complete; wait for it first", request->made_by);
    mpi_file_sequence_end(file->sequence, call->entered_ps);
    if (mpi_group_has_failed(call->world, file->comm->group))
        return close_alone(call, file);
    return mpi_meeting_hold(call, file, (MpiSaid){0}, close_agreed);
}

static MpiStep delete_done(MpiCall *call)
{
    mpi_timing_end(call);
    return mpi_file_done(call);
}

MpiStep mpi_do_File_delete(MpiCall *call)
{
    MpiStep step;
    const MpiEnv *env = &call->world->env;
    int error = 0;
    call->raiser = &mpi_files_of(call->rank)->null;
    const char *asked = vm_rank_string(call->process, call->args[0]);
    if (!asked)
        return mpi_call_error(call, NULL, MPI_ERR_ARG, "the name is not a string in memory (argument 1)");
    if (!mpi_check_info(call, NULL, 1, &step))
        return step;
    g_autofree char *name = vm_rank_file_name(call->process, asked, &error);
    const FilesOfWorld *files = files_of_world(call->world);
    for (guint i = 0; name && i < files->open->len; i++)
        if (((const MpiSharedFile *)files->open->pdata[i])->members &&
            strcmp(((const MpiSharedFile *)files->open->pdata[i])->name, name) == 0)
            return mpi_call_error(call, NULL, MPI_ERR_FILE_IN_USE, "\"%s\" is open; close it first", asked);
    if (!name || !vm_rank_remove_file(call->process, asked, &error))
        return mpi_call_error(call, NULL, mpi_file_error_class(error), "\"%s\" cannot be deleted: %s", asked,
                              g_strerror(error));
    return mpi_timing_one(call, mpi_rank_world_comm(call->rank), env->storage ? env->storage_file(env->user, name) : 0,
                          VM_STORAGE_NAME, delete_done);
}

/* -- sizes ------------------------------------------------------------------------------------- */

static MpiStep sized(MpiCall *call)
{
    mpi_timing_end(call);
    return mpi_file_done(call);
}

/* Makes room on the device. What the host's file system cannot do is left to later writes. */
static int allocate(int descriptor, uint64_t size)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        return errno;
    if ((uint64_t)status.st_size >= size)
        return 0;
    if (fallocate(descriptor, 0, 0, (off_t)size) == 0)
        return 0;
    if (errno != EOPNOTSUPP && errno != ENOSYS)
        return errno;
    return ftruncate(descriptor, (off_t)size) == 0 ? 0 : errno;
}

static MpiStep size_agreed(MpiCall *call, bool allocates)
{
    const MpiFile *file = mpi_meeting_file(call);
    MpiMeeting *meeting = mpi_meeting_of(call);
    MpiStep step;
    if (!mpi_meeting_agrees(call, "the size", &step))
        return step;
    if (!meeting->decided) {
        meeting->decided = true;
        uint64_t size = meeting->said[0].a;
        int descriptor = file->shared->descriptor;
        meeting->error = allocates ? allocate(descriptor, size) : ftruncate(descriptor, (off_t)size) == 0 ? 0 : errno;
    }
    if (meeting->error)
        return mpi_file_fail(call, file->shared, "cannot set the size of", meeting->error);
    return mpi_timing_one(call, file->comm, file->shared->storage, VM_STORAGE_NAME, sized);
}

static MpiStep truncate_agreed(MpiCall *call)
{
    return size_agreed(call, false);
}

static MpiStep allocate_agreed(MpiCall *call)
{
    return size_agreed(call, true);
}

static MpiStep set_size(MpiCall *call, MpiHandler then)
{
    MpiFile *file;
    MpiStep step;
    if (!mpi_file_check(call, &file, &step))
        return step;
    int64_t size = (int64_t)call->args[1];
    if (size < 0)
        return mpi_call_error(call, NULL, MPI_ERR_ARG, "the size %" G_GINT64_FORMAT " is negative (argument 2)", size);
    if (file->shared->amode & MPI_MODE_RDONLY_)
        return mpi_call_error(call, NULL, MPI_ERR_READ_ONLY, "the file was opened with MPI_MODE_RDONLY");
    if (file->shared->amode & MPI_MODE_SEQUENTIAL_)
        return mpi_call_error(call, NULL, MPI_ERR_UNSUPPORTED_OPERATION,
                              "the file was opened with MPI_MODE_SEQUENTIAL, which has no sizes");
    return mpi_meeting_hold(call, file, (MpiSaid){.a = (uint64_t)size}, then);
}

MPI_HANDLER(File_set_size, set_size(call, truncate_agreed))
MPI_HANDLER(File_preallocate, set_size(call, allocate_agreed))

MpiStep mpi_do_File_get_size(MpiCall *call)
{
    MpiFile *file;
    MpiStep step;
    uint64_t size;
    if (!mpi_file_check(call, &file, &step) || !mpi_check_result(call, 1, 8, &step))
        return step;
    if (!mpi_file_size(file->shared, &size))
        return mpi_file_fail(call, file->shared, "cannot find the size of", errno);
    mpi_store_handle(call, call->args[1], size);
    return mpi_timing_one(call, file->comm, file->shared->storage, VM_STORAGE_NAME, sized);
}

/* -- what a file is ---------------------------------------------------------------------------- */

MpiStep mpi_do_File_get_amode(MpiCall *call)
{
    MpiFile *file;
    MpiStep step;
    if (!mpi_file_check(call, &file, &step) || !mpi_check_result(call, 1, sizeof(int), &step))
        return step;
    mpi_store_int(call, call->args[1], file->shared->amode);
    return MPI_STEP_DONE;
}

MpiStep mpi_do_File_get_group(MpiCall *call)
{
    MpiFile *file;
    MpiStep step;
    return mpi_file_check(call, &file, &step) ? mpi_group_give(call, 1, mpi_group_ref(file->comm->group)) : step;
}

/* -- atomicity, sync --------------------------------------------------------------------------- */

static MpiStep atomicity_agreed(MpiCall *call)
{
    MpiStep step;
    if (!mpi_meeting_agrees(call, "the flag", &step))
        return step;
    mpi_meeting_file(call)->shared->atomic = mpi_meeting_of(call)->said[0].a;
    return mpi_file_done(call);
}

/* Each access has its whole effect at one instant, so that accesses are atomic in either mode. */
MpiStep mpi_do_File_set_atomicity(MpiCall *call)
{
    MpiFile *file;
    MpiStep step;
    if (!mpi_file_check(call, &file, &step))
        return step;
    return mpi_meeting_hold(call, file, (MpiSaid){.a = mpi_int(call, 1) != 0}, atomicity_agreed);
}

MpiStep mpi_do_File_get_atomicity(MpiCall *call)
{
    MpiFile *file;
    MpiStep step;
    if (!mpi_file_check(call, &file, &step) || !mpi_check_result(call, 1, sizeof(int), &step))
        return step;
    mpi_store_int(call, call->args[1], file->shared->atomic);
    return MPI_STEP_DONE;
}

/* The sequence of accesses that the call ends overlaps with those that it begins: see conflicts.c. */
static MpiStep synchronised(MpiCall *call)
{
    MpiFile *file = mpi_meeting_file(call);
    if (file->sequence) {
        mpi_file_sequence_end(file->sequence, call->now);
        mpi_file_sequence_unref(file->sequence);
        file->sequence = mpi_file_sequence_new(call->rank->index, call->entered_ps);
    }
    return sized(call);
}

static MpiStep sync_agreed(MpiCall *call)
{
    const MpiFile *file = mpi_meeting_file(call);
    return mpi_timing_one(call, file->comm, file->shared->storage, VM_STORAGE_SYNC, synchronised);
}

MpiStep mpi_do_File_sync(MpiCall *call)
{
    MpiFile *file;
    MpiStep step;
    return mpi_file_check(call, &file, &step) ? mpi_meeting_hold(call, file, (MpiSaid){0}, sync_agreed) : step;
}
