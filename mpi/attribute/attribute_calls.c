/* attribute_calls.c - the functions on attributes: making and freeing keyvals, getting, setting, deleting (MPI-3.1
 * section 6.7; predefined attributes 8.1.2, 10.5).
 *
 * MPI_Comm_free_keyval only frees the number: existing attributes keep the keyval with its callbacks alive, and it may
 * be freed again while they do. Predefined attributes are pointers to ints in rank memory, allocated when a program
 * first asks for one.
 *
 * MPI_COMM_DUP_FN and the like are functions of the runtime library, so that programs can call them too. Here they are
 * recognised by their names, and their work is done without an upcall.
 */
#include "mpi/attribute/attribute.h"
#include "mpi/attribute/attributes.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/core/handles.h"
#include "mpi/core/rank.h"
#include "mpi/core/world.h"
#include "mpi/type/type.h"

#include <string.h>

enum { FIRST_KEYVAL = 64, PREDEFINED_END = MPI_APPNUM_ + 1 };

static MpiStep done(MpiCall *call)
{
    call->result = MPI_SUCCESS;
    return MPI_STEP_DONE;
}

/* -- keyvals ----------------------------------------------------------------------------------- */

/* Returns the address of a callback, or one of CALLBACK_* for a predefined function. */
static uint64_t callback(const MpiCall *call, uint64_t address)
{
    static const struct {
        const char *name;
        uint64_t is;
    } known[] = {
        {"MPI_NULL_COPY_FN", MPI_CALLBACK_NONE},
        {"MPI_NULL_DELETE_FN", MPI_CALLBACK_NONE},
        {"MPI_COMM_NULL_COPY_FN", MPI_CALLBACK_NONE},
        {"MPI_COMM_NULL_DELETE_FN", MPI_CALLBACK_NONE},
        {"MPI_TYPE_NULL_COPY_FN", MPI_CALLBACK_NONE},
        {"MPI_TYPE_NULL_DELETE_FN", MPI_CALLBACK_NONE},
        {"MPI_DUP_FN", MPI_CALLBACK_DUP},
        {"MPI_COMM_DUP_FN", MPI_CALLBACK_DUP},
        {"MPI_TYPE_DUP_FN", MPI_CALLBACK_DUP},
    };
    const VcodeModule *module = vm_image_module(vm_rank_image(call->process));
    uint64_t function = (address - VCODE_CODE_BASE) / 16;
    if (address < VCODE_CODE_BASE || function >= module->functions.count) {
        return address ? address : MPI_CALLBACK_NONE;
    }
    const char *name = vcode_text(module, module->functions.items[function].name);
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
        if (!strcmp(known[i].name, name)) {
            return known[i].is;
        }
    }
    return address;
}

/* Returns what stands between MPI_ and the rest in the names of functions for this kind. */
static const char *prefix_of(MpiHandleKind kind)
{
    return kind == MPI_KIND_COMM ? "Comm" : kind == MPI_KIND_TYPE ? "Type" : "Win";
}

static MpiStep create_keyval(MpiCall *call, MpiHandleKind kind)
{
    enum { COPY, DELETE, KEYVAL, EXTRA };
    MpiAttributes *attributes = mpi_attributes_of(call->rank);
    MpiInt32 *number;
    MpiStep step;
    if (!mpi_check_output(call, NULL, KEYVAL, sizeof *number, (void **)&number, &step)) {
        return step;
    }
    MpiKeyval *keyval = g_new(MpiKeyval, 1);
    *keyval = (MpiKeyval){.refs = 1,
                          .number = FIRST_KEYVAL + (int)attributes->keyvals->len,
                          .kind = kind,
                          .copy = callback(call, call->args[COPY]),
                          .delete = callback(call, call->args[DELETE]),
                          .extra = call->args[EXTRA],
                          .made_by = call->name,
                          .made_pc = call->pc};
    g_ptr_array_add(attributes->keyvals, keyval);
    *number = keyval->number;
    return done(call);
}

MPI_HANDLER(Comm_create_keyval, create_keyval(call, MPI_KIND_COMM))
MPI_HANDLER(Type_create_keyval, create_keyval(call, MPI_KIND_TYPE))
MPI_HANDLER(Win_create_keyval, create_keyval(call, MPI_KIND_WIN))

void mpi_attributes_each_keyval(MpiRank *rank,
                                void (*visit)(MpiRank *rank, const char *made_by, uint32_t made_pc, void *user),
                                void *user)
{
    const MpiAttributes *attributes = mpi_rank_slot(rank, MPI_RANK_SLOT_ATTRIBUTES);
    for (guint i = 0; attributes && i < attributes->keyvals->len; i++) {
        const MpiKeyval *keyval = attributes->keyvals->pdata[i];
        if (keyval && !keyval->freed) {
            visit(rank, keyval->made_by, keyval->made_pc, user);
        }
    }
}

/* Returns the keyval with that number and kind, or NULL. A freed keyval stays usable as long as attributes of it exist
 * (MPI-3.1 section 6.7.2). */
static MpiKeyval *lookup_keyval(MpiCall *call, MpiHandleKind kind, int number)
{
    const GPtrArray *keyvals = mpi_attributes_of(call->rank)->keyvals;
    bool exists = number >= FIRST_KEYVAL && (guint)(number - FIRST_KEYVAL) < keyvals->len;
    MpiKeyval *keyval = exists ? keyvals->pdata[number - FIRST_KEYVAL] : NULL;
    bool serves = keyval && !(keyval->freed && keyval->refs == 1);
    return serves && keyval->kind == kind ? keyval : NULL;
}

/* Returns the kind that a number is a keyval for; MPI_KIND_NONE: for none. */
static MpiHandleKind kind_of_keyval(MpiCall *call, int number)
{
    static const MpiHandleKind kinds[] = {MPI_KIND_COMM, MPI_KIND_TYPE, MPI_KIND_WIN};
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
        if (lookup_keyval(call, kinds[i], number))
            return kinds[i];
    return MPI_KIND_NONE;
}

/* A key belongs to no object. The handler of a window gets errors with it where the program has set one. */
static MpiStep bad_keyval(MpiCall *call, MpiComm *comm, MpiHandleKind kind, unsigned arg, int number)
{
    if (call->raiser && call->raiser->errhandler->sort == MPI_HANDLER_FATAL)
        call->raiser = NULL;
    int end = kind == MPI_KIND_WIN ? MPI_WIN_MODEL_ + 1 : PREDEFINED_END;
    if (number >= MPI_TAG_UB_ && number < end) {
        return mpi_call_error(call, comm, MPI_ERR_KEYVAL,
                              "the key %d belongs to a predefined attribute, which cannot be changed (argument %u)",
                              number, arg + 1);
    }
    MpiHandleKind other = kind_of_keyval(call, number);
    g_autofree char *what = other ? g_strdup_printf("this is a key for %ss", mpi_argument_noun(other)) : NULL;
    return mpi_call_error(call, comm, MPI_ERR_KEYVAL, "%s (argument %u); make one with MPI_%s_create_keyval",
                          number == MPI_KEYVAL_INVALID_ ? "the key is MPI_KEYVAL_INVALID"
                          : what                        ? what
                                                        : "this is not a key; it has been freed or was never made",
                          arg + 1, prefix_of(kind));
}

static MpiStep free_keyval(MpiCall *call, MpiHandleKind kind)
{
    MpiInt32 *number;
    MpiStep step;
    if (!mpi_check_output(call, NULL, 0, sizeof *number, (void **)&number, &step)) {
        return step;
    }
    MpiKeyval *keyval = lookup_keyval(call, kind, *number);
    if (!keyval) {
        return bad_keyval(call, NULL, kind, 0, *number);
    }
    keyval->freed = true;
    if (keyval->refs == 1) {
        mpi_attributes_of(call->rank)->keyvals->pdata[*number - FIRST_KEYVAL] = NULL;
        mpi_attribute_keyval_unref(keyval);
    }
    *number = MPI_KEYVAL_INVALID_;
    return done(call);
}

MPI_HANDLER(Comm_free_keyval, free_keyval(call, MPI_KIND_COMM))
MPI_HANDLER(Type_free_keyval, free_keyval(call, MPI_KIND_TYPE))
MPI_HANDLER(Win_free_keyval, free_keyval(call, MPI_KIND_WIN))

/* -- getting ----------------------------------------------------------------------------------- */

/* Returns the address of a predefined attribute's int; 0 if the heap is full. */
static uint64_t predefined_address(MpiCall *call, int number)
{
    MpiAttributes *attributes = mpi_attributes_of(call->rank);
    if (!attributes->predefined) {
        const MpiEnv *env = &call->world->env;
        const MpiProgram *program = env->program ? env->program(env->user, call->rank->index) : NULL;
        uint64_t bytes = PREDEFINED_END * sizeof(int32_t);
        uint64_t address = vm_library_malloc(call->process, bytes);
        MpiInt32 *values = address ? vm_rank_write(call->process, address, bytes) : NULL;
        if (!values) {
            return 0;
        }
        values[0] = 0;
        values[MPI_TAG_UB_] = MPI_TAG_UB_VALUE_;
        values[MPI_HOST_] = MPI_PROC_NULL_;
        values[MPI_IO_] = MPI_ANY_SOURCE_; /* every rank can write, but only rank 0 can read */
        values[MPI_WTIME_IS_GLOBAL_] = 1;
        values[MPI_UNIVERSE_SIZE_] =
            (int32_t)(env->processors ? MIN(env->processors, INT32_MAX) : mpi_rank_world_comm(call->rank)->group->size);
        values[MPI_LASTUSEDCODE_] = mpi_error_last_used(call->rank);
        values[MPI_APPNUM_] = program ? (int32_t)program->number : 0;
        attributes->predefined = address;
    }
    return attributes->predefined + (uint64_t)number * sizeof(int32_t);
}

void mpi_attributes_codes_changed(MpiRank *rank)
{
    const MpiAttributes *attributes = mpi_rank_slot(rank, MPI_RANK_SLOT_ATTRIBUTES);
    if (attributes && attributes->predefined) {
        VmRank *process = rank->process;
        MpiInt32 *value = vm_rank_write(process, attributes->predefined + MPI_LASTUSEDCODE_ * sizeof(int32_t), 4);
        if (value) {
            *value = mpi_error_last_used(rank);
        }
    }
}

/* Gets the holder in argument 1. */
static bool check_holder(MpiCall *call, MpiHandleKind kind, MpiHolder *holder, MpiStep *step)
{
    if (kind == MPI_KIND_COMM) {
        MpiComm *comm = NULL;
        bool good = mpi_check_comm(call, 0, &comm, step);
        *holder = mpi_attribute_holder_of_comm(comm);
        return good;
    }
    if (kind != MPI_KIND_TYPE) {
        MpiAttributed *object = mpi_handle_lookup(call->rank, kind, call->args[0]);
        *holder = mpi_attribute_holder_of(kind, object);
        if (object)
            call->raiser = &object->raiser;
        else
            *step = mpi_argument_bad_handle_of(call, NULL, kind, 0);
        return object;
    }
    MpiType *type = NULL;
    bool good = mpi_check_any_type(call, 0, &type, step);
    *holder = mpi_attribute_holder_of_type(type);
    return good;
}

/* Returns the communicator whose error handler applies; NULL for datatypes. */
static MpiComm *comm_of(MpiHolder holder)
{
    return holder.kind == MPI_KIND_COMM ? holder.object : NULL;
}

static MpiStep get_attr(MpiCall *call, MpiHandleKind kind)
{
    enum { HOLDER, KEYVAL, VALUE, FLAG };
    MpiHolder holder;
    MpiWord *value, found;
    MpiInt32 *flag;
    int number = mpi_int(call, KEYVAL);
    MpiStep step;
    if (!check_holder(call, kind, &holder, &step)) {
        return step;
    }
    bool predefined = kind == MPI_KIND_COMM && number >= MPI_TAG_UB_ && number < PREDEFINED_END;
    const MpiKeyval *keyval = predefined ? NULL : lookup_keyval(call, kind, number);
    if (!predefined && !keyval) {
        return bad_keyval(call, comm_of(holder), kind, KEYVAL, number);
    }
    if (!mpi_check_output(call, comm_of(holder), VALUE, sizeof *value, (void **)&value, &step) ||
        !mpi_check_output(call, comm_of(holder), FLAG, sizeof *flag, (void **)&flag, &step)) {
        return step;
    }
    const MpiAttribute *attribute = predefined ? NULL : mpi_attribute_find(call->rank, holder, keyval);
    found = predefined ? predefined_address(call, number) : attribute ? attribute->value : 0;
    *flag = predefined ? found != 0 : attribute != NULL;
    if (*flag) {
        *value = found;
    }
    return done(call);
}

MpiStep mpi_attribute_get(MpiCall *call, MpiHandleKind kind)
{
    return get_attr(call, kind);
}

MPI_HANDLER(Comm_get_attr, get_attr(call, MPI_KIND_COMM))
MPI_HANDLER(Type_get_attr, get_attr(call, MPI_KIND_TYPE))

/* -- setting and deleting: GLOBAL where callbacks run ------------------------------------------ */

/* Gets the holder and keyval in arguments 1 and 2. They are looked up anew after each callback. */
static bool check_key(MpiCall *call, MpiHandleKind kind, MpiHolder *holder, MpiKeyval **keyval, MpiStep *step)
{
    if (!check_holder(call, kind, holder, step)) {
        return false;
    }
    *keyval = lookup_keyval(call, kind, mpi_int(call, 1));
    if (!*keyval) {
        *step = bad_keyval(call, comm_of(*holder), kind, 1, mpi_int(call, 1));
    }
    return *keyval;
}

/* Returns the kind of holder that the call works on. */
static MpiHandleKind kind_of(const MpiCall *call)
{
    return g_str_has_prefix(call->name, "MPI_Type_")  ? MPI_KIND_TYPE
           : g_str_has_prefix(call->name, "MPI_Win_") ? MPI_KIND_WIN
                                                      : MPI_KIND_COMM;
}

/* Called after a delete callback. An error of the callback ends the call and leaves the attribute unchanged. */
static bool check_callback(MpiCall *call, MpiHolder holder, MpiStep *step)
{
    int error = (int)(int32_t)call->upcall_result;
    if (error != MPI_SUCCESS) {
        *step =
            mpi_call_error(call, comm_of(holder), error, "the attribute's delete function returned error %d", error);
    }
    return error == MPI_SUCCESS;
}

static MpiStep put_store(MpiCall *call)
{
    MpiHolder holder;
    MpiKeyval *keyval;
    MpiStep step;
    if (!check_key(call, kind_of(call), &holder, &keyval, &step)) {
        return step;
    }
    mpi_attribute_set(call->rank, holder, keyval, call->args[2]);
    return done(call);
}

static MpiStep put_deleted(MpiCall *call)
{
    MpiHolder holder;
    MpiStep step;
    return check_holder(call, kind_of(call), &holder, &step) && check_callback(call, holder, &step) ? put_store(call)
                                                                                                    : step;
}

static MpiStep delete_attribute(MpiCall *call)
{
    MpiHolder holder;
    MpiKeyval *keyval;
    MpiStep step;
    if (!check_key(call, kind_of(call), &holder, &keyval, &step)) {
        return step;
    }
    mpi_attribute_take_away(call->rank, holder, keyval);
    return done(call);
}

static MpiStep delete_called(MpiCall *call)
{
    MpiHolder holder;
    MpiStep step;
    return check_holder(call, kind_of(call), &holder, &step) && check_callback(call, holder, &step)
               ? delete_attribute(call)
               : step;
}

/* Changes an attribute. If there is an old value with a delete callback, calls that first and then goes on at
 * `called`; otherwise goes on at `store`. Both do the same work. */
static MpiStep change(MpiCall *call, MpiHandler store, MpiHandler called)
{
    MpiHolder holder;
    MpiKeyval *keyval;
    MpiStep step;
    if (!check_key(call, kind_of(call), &holder, &keyval, &step)) {
        return step;
    }
    const MpiAttribute *old = mpi_attribute_find(call->rank, holder, keyval);
    if (!old || keyval->delete == MPI_CALLBACK_NONE) {
        return store(call);
    }
    return call->local ? MPI_STEP_GLOBAL : mpi_attribute_call_delete(call, holder, old, called);
}

MPI_HANDLER(Comm_set_attr, change(call, put_store, put_deleted))
MPI_HANDLER(Type_set_attr, change(call, put_store, put_deleted))
MPI_HANDLER(Win_set_attr, change(call, put_store, put_deleted))
MPI_HANDLER(Comm_delete_attr, change(call, delete_attribute, delete_called))
MPI_HANDLER(Type_delete_attr, change(call, delete_attribute, delete_called))
MPI_HANDLER(Win_delete_attr, change(call, delete_attribute, delete_called))

/* -- the names of MPI-1 ------------------------------------------------------------------------ */

MPI_HANDLER(Keyval_create, mpi_do_Comm_create_keyval(call))
MPI_HANDLER(Keyval_free, mpi_do_Comm_free_keyval(call))
MPI_HANDLER(Attr_get, mpi_do_Comm_get_attr(call))
MPI_HANDLER(Attr_put, mpi_do_Comm_set_attr(call))
MPI_HANDLER(Attr_delete, mpi_do_Comm_delete_attr(call))
