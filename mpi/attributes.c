/* attributes.c - caching of values on communicators (MPI-3.1 section 6.7; predefined ones 8.1.2, 10.5).
 *
 * A keyval is a number with two callbacks in simulated code; a communicator holds (keyval, value) pairs in the order in
 * which they were set. MPI_Comm_dup asks the copy callback of each in that order, MPI_Comm_free the delete callback in
 * the reverse order (what section 8.7.1 demands of MPI_COMM_SELF at MPI_Finalize). Callbacks run as upcalls and may
 * call MPI themselves, so whoever goes through the attributes of a communicator keeps his place in a Walk on the rank's
 * stack of walks and looks at the communicator anew after each callback.
 *
 * MPI_Keyval_free only takes the number away: attributes that exist keep the keyval with its callbacks alive.
 * Predefined attributes are pointers to ints in rank memory, allocated when a program first asks for one.
 */
#include "mpi/local.h"

enum { FIRST_KEYVAL = 64, PREDEFINED_END = MPI_APPNUM_ + 1 };

typedef struct Keyval {
    int refs; /* of its number and of attributes */
    int number;
    uint64_t copy, delete, extra;
} Keyval;

typedef struct Attribute {
    Keyval *keyval;
    uint64_t value;
} Attribute;

/* A way through the attributes of a communicator that callbacks interrupt. */
typedef struct Walk {
    struct Walk *outer;
    MpiComm *from, *to; /* to: only when copying */
    GPtrArray *items;   /* copying: the attributes as they were at the start */
    guint next;
    uint64_t memory; /* copying: where callbacks put value (8 bytes) and flag */
    MpiHandler then;
} Walk;

/* What the rank keeps. */
typedef struct Attributes {
    GPtrArray *keyvals; /* number - FIRST_KEYVAL; NULL where freed */
    uint64_t predefined;
    Walk *walk; /* the innermost */
} Attributes;

/* -- objects ----------------------------------------------------------------------------------- */

static void keyval_unref(Keyval *keyval)
{
    if (keyval && --keyval->refs == 0) {
        g_free(keyval);
    }
}

static void attribute_free(gpointer data)
{
    Attribute *attribute = data;
    keyval_unref(attribute->keyval);
    g_free(attribute);
}

static Attribute *attribute_new(Keyval *keyval, uint64_t value)
{
    Attribute *attribute = g_new(Attribute, 1);
    *attribute = (Attribute){keyval, value};
    keyval->refs++;
    return attribute;
}

static guint find_index(const MpiComm *comm, const Keyval *keyval)
{
    guint n = comm->attributes ? comm->attributes->len : 0, i = 0;
    while (i < n && ((Attribute *)comm->attributes->pdata[i])->keyval != keyval) {
        i++;
    }
    return i < n ? i : G_MAXUINT;
}

static Attribute *find(const MpiComm *comm, const Keyval *keyval)
{
    guint i = find_index(comm, keyval);
    return i == G_MAXUINT ? NULL : comm->attributes->pdata[i];
}

static void set(MpiComm *comm, Keyval *keyval, uint64_t value)
{
    Attribute *attribute = find(comm, keyval);
    if (attribute) {
        attribute->value = value;
        return;
    }
    if (!comm->attributes) {
        comm->attributes = g_ptr_array_new_with_free_func(attribute_free);
    }
    g_ptr_array_add(comm->attributes, attribute_new(keyval, value));
}

static void take_away(MpiComm *comm, const Keyval *keyval)
{
    guint i = find_index(comm, keyval);
    if (i != G_MAXUINT) {
        g_ptr_array_remove_index(comm->attributes, i);
    }
}

static void walk_pop(Attributes *attributes)
{
    Walk *walk = attributes->walk;
    attributes->walk = walk->outer;
    g_clear_pointer(&walk->items, g_ptr_array_unref);
    g_free(walk);
}

static void attributes_free(gpointer data)
{
    Attributes *attributes = data;
    while (attributes->walk) {
        walk_pop(attributes);
    }
    for (guint i = 0; i < attributes->keyvals->len; i++) {
        keyval_unref(attributes->keyvals->pdata[i]);
    }
    g_ptr_array_unref(attributes->keyvals);
    g_free(attributes);
}

static Attributes *attributes_of(MpiRank *rank)
{
    Attributes *attributes = mpi_rank_slot(rank, MPI_SLOT_ATTRIBUTES);
    if (!attributes) {
        attributes = g_new0(Attributes, 1);
        attributes->keyvals = g_ptr_array_new();
        mpi_rank_set_slot(rank, MPI_SLOT_ATTRIBUTES, attributes, attributes_free);
    }
    return attributes;
}

static MpiStep done(MpiCall *call)
{
    call->result = MPI_SUCCESS;
    return MPI_STEP_DONE;
}

/* -- copying at MPI_Comm_dup ---------------------------------------------------------------------- */

static Walk *walk_push(MpiCall *call, MpiComm *from, MpiComm *to, MpiHandler then)
{
    Attributes *attributes = attributes_of(call->rank);
    Walk *walk = g_new0(Walk, 1);
    *walk = (Walk){.outer = attributes->walk, .from = from, .to = to, .then = then};
    attributes->walk = walk;
    call->callback_error = MPI_SUCCESS;
    return walk;
}

static MpiStep walk_end(MpiCall *call, int error)
{
    Attributes *attributes = attributes_of(call->rank);
    MpiHandler then = attributes->walk->then;
    if (attributes->walk->memory) {
        vm_rank_free(call->process, attributes->walk->memory);
    }
    walk_pop(attributes);
    call->callback_error = error;
    return then(call);
}

static MpiStep copy_returned(MpiCall *call);

static MpiStep copy_next(MpiCall *call)
{
    Walk *walk = attributes_of(call->rank)->walk;
    for (; walk->next < walk->items->len; walk->next++) {
        const Attribute *attribute = walk->items->pdata[walk->next];
        const Keyval *keyval = attribute->keyval;
        if (keyval->copy == MPI_DUP_FN_) {
            set(walk->to, attribute->keyval, attribute->value);
        } else if (keyval->copy) {
            walk->memory = walk->memory ? walk->memory : vm_rank_malloc(call->process, 16);
            MpiWord *memory = vm_rank_write(call->process, walk->memory, 16);
            if (!memory) {
                return walk_end(call, MPI_ERR_NO_MEM);
            }
            memory[0] = memory[1] = 0;
            uint64_t args[] = {walk->from->handle, (uint64_t)keyval->number, keyval->extra, attribute->value,
                               walk->memory,       walk->memory + 8};
            return mpi_call_upcall(call, keyval->copy, args, G_N_ELEMENTS(args), copy_returned);
        }
    }
    return walk_end(call, MPI_SUCCESS);
}

static MpiStep copy_returned(MpiCall *call)
{
    Walk *walk = attributes_of(call->rank)->walk;
    const MpiWord *memory = vm_rank_read(call->process, walk->memory, 16);
    int error = (int)(int32_t)call->upcall_result;
    if (error != MPI_SUCCESS || !memory) {
        return walk_end(call, memory ? error : MPI_ERR_OTHER);
    }
    const Attribute *attribute = walk->items->pdata[walk->next++];
    if ((int32_t)memory[1]) {
        set(walk->to, attribute->keyval, memory[0]);
    }
    return copy_next(call);
}

MpiStep mpi_attributes_copy(MpiCall *call, MpiComm *from, MpiComm *to, MpiHandler then)
{
    call->callback_error = MPI_SUCCESS;
    if (!from->attributes || from->attributes->len == 0) {
        return then(call);
    }
    Walk *walk = walk_push(call, from, to, then);
    walk->items = g_ptr_array_new_with_free_func(attribute_free);
    for (guint i = 0; i < from->attributes->len; i++) {
        const Attribute *attribute = from->attributes->pdata[i];
        g_ptr_array_add(walk->items, attribute_new(attribute->keyval, attribute->value));
    }
    return copy_next(call);
}

/* -- deleting ----------------------------------------------------------------------------------------- */

static MpiStep call_delete(MpiCall *call, const MpiComm *comm, const Attribute *attribute, MpiHandler then)
{
    const Keyval *keyval = attribute->keyval;
    uint64_t args[] = {comm->handle, (uint64_t)keyval->number, attribute->value, keyval->extra};
    return mpi_call_upcall(call, keyval->delete, args, G_N_ELEMENTS(args), then);
}

static MpiStep delete_returned(MpiCall *call);

/* The last first, until none are left. */
static MpiStep delete_next(MpiCall *call)
{
    Walk *walk = attributes_of(call->rank)->walk;
    GPtrArray *items = walk->from->attributes;
    while (items && items->len > 0) {
        const Attribute *last = items->pdata[items->len - 1];
        if (last->keyval->delete) {
            walk->items = g_ptr_array_new_with_free_func(attribute_free); /* keeps the keyval during the callback */
            g_ptr_array_add(walk->items, attribute_new(last->keyval, last->value));
            return call_delete(call, walk->from, last, delete_returned);
        }
        g_ptr_array_remove_index(items, items->len - 1);
    }
    return walk_end(call, MPI_SUCCESS);
}

static MpiStep delete_returned(MpiCall *call)
{
    Walk *walk = attributes_of(call->rank)->walk;
    int error = (int)(int32_t)call->upcall_result;
    if (error != MPI_SUCCESS) {
        return walk_end(call, error);
    }
    const Attribute *gone = walk->items->pdata[0];
    take_away(walk->from, gone->keyval);
    g_clear_pointer(&walk->items, g_ptr_array_unref);
    return delete_next(call);
}

MpiStep mpi_attributes_delete(MpiCall *call, MpiComm *comm, MpiHandler then)
{
    call->callback_error = MPI_SUCCESS;
    if (!comm->attributes || comm->attributes->len == 0) {
        return then(call);
    }
    walk_push(call, comm, NULL, then);
    return delete_next(call);
}

void mpi_attributes_drop(MpiComm *comm)
{
    g_clear_pointer(&comm->attributes, g_ptr_array_unref);
}

/* -- keyvals ---------------------------------------------------------------------------------------------- */

MpiStep mpi_do_Comm_create_keyval(MpiCall *call)
{
    enum { COPY, DELETE, KEYVAL, EXTRA };
    Attributes *attributes = attributes_of(call->rank);
    MpiInt32 *number;
    MpiStep step;
    if (!mpi_check_output(call, NULL, KEYVAL, sizeof *number, (void **)&number, &step)) {
        return step;
    }
    Keyval *keyval = g_new(Keyval, 1);
    *keyval = (Keyval){.refs = 1,
                       .number = FIRST_KEYVAL + (int)attributes->keyvals->len,
                       .copy = call->args[COPY],
                       .delete = call->args[DELETE],
                       .extra = call->args[EXTRA]};
    g_ptr_array_add(attributes->keyvals, keyval);
    *number = keyval->number;
    return done(call);
}

static Keyval *lookup_keyval(MpiCall *call, int number)
{
    const GPtrArray *keyvals = attributes_of(call->rank)->keyvals;
    bool exists = number >= FIRST_KEYVAL && (guint)(number - FIRST_KEYVAL) < keyvals->len;
    return exists ? keyvals->pdata[number - FIRST_KEYVAL] : NULL;
}

static MpiStep bad_keyval(MpiCall *call, MpiComm *comm, unsigned arg, int number)
{
    if (number >= MPI_TAG_UB_ && number < PREDEFINED_END) {
        return mpi_call_error(call, comm, MPI_ERR_KEYVAL,
                              "the key %d belongs to a predefined attribute, which cannot be changed (argument %u)",
                              number, arg + 1);
    }
    return mpi_call_error(call, comm, MPI_ERR_KEYVAL, "%s (argument %u); make one with MPI_Comm_create_keyval",
                          number == MPI_KEYVAL_INVALID_ ? "the key is MPI_KEYVAL_INVALID"
                                                        : "this is not a key; it has been freed or was never made",
                          arg + 1);
}

MpiStep mpi_do_Comm_free_keyval(MpiCall *call)
{
    MpiInt32 *number;
    MpiStep step;
    if (!mpi_check_output(call, NULL, 0, sizeof *number, (void **)&number, &step)) {
        return step;
    }
    Keyval *keyval = lookup_keyval(call, *number);
    if (!keyval) {
        return bad_keyval(call, NULL, 0, *number);
    }
    attributes_of(call->rank)->keyvals->pdata[*number - FIRST_KEYVAL] = NULL;
    keyval_unref(keyval);
    *number = MPI_KEYVAL_INVALID_;
    return done(call);
}

/* -- getting ------------------------------------------------------------------------------------------------- */

/* The address of a predefined attribute's int, 0 when the heap is full. */
static uint64_t predefined_address(MpiCall *call, int number)
{
    Attributes *attributes = attributes_of(call->rank);
    if (!attributes->predefined) {
        uint64_t bytes = PREDEFINED_END * sizeof(int32_t);
        uint64_t address = vm_rank_malloc(call->process, bytes);
        MpiInt32 *values = address ? vm_rank_write(call->process, address, bytes) : NULL;
        if (!values) {
            return 0;
        }
        values[0] = 0;
        values[MPI_TAG_UB_] = MPI_TAG_UB_VALUE_;
        values[MPI_HOST_] = MPI_PROC_NULL_;
        values[MPI_IO_] = MPI_ANY_SOURCE_; /* every rank can write; reading is what rank 0 can do */
        values[MPI_WTIME_IS_GLOBAL_] = 1;
        values[MPI_UNIVERSE_SIZE_] = (int32_t)mpi_rank_world_comm(call->rank)->group->size;
        values[MPI_LASTUSEDCODE_] = MPI_ERR_LASTCODE;
        values[MPI_APPNUM_] = 0;
        attributes->predefined = address;
    }
    return attributes->predefined + (uint64_t)number * sizeof(int32_t);
}

MpiStep mpi_do_Comm_get_attr(MpiCall *call)
{
    enum { COMM, KEYVAL, VALUE, FLAG };
    MpiComm *comm;
    MpiWord *value, found;
    MpiInt32 *flag;
    int number = mpi_int(call, KEYVAL);
    MpiStep step;
    if (!mpi_check_comm(call, COMM, &comm, &step)) {
        return step;
    }
    bool predefined = number >= MPI_TAG_UB_ && number < PREDEFINED_END;
    const Keyval *keyval = predefined ? NULL : lookup_keyval(call, number);
    if (!predefined && !keyval) {
        return bad_keyval(call, comm, KEYVAL, number);
    }
    if (!mpi_check_output(call, comm, VALUE, sizeof *value, (void **)&value, &step) ||
        !mpi_check_output(call, comm, FLAG, sizeof *flag, (void **)&flag, &step)) {
        return step;
    }
    const Attribute *attribute = predefined ? NULL : find(comm, keyval);
    found = predefined ? predefined_address(call, number) : attribute ? attribute->value : 0;
    *flag = predefined ? found != 0 : attribute != NULL;
    if (*flag) {
        *value = found;
    }
    return done(call);
}

/* -- setting and deleting: GLOBAL, since callbacks may run --------------------------------------------------------- */

/* The communicator and key of arguments 1 and 2, looked up anew after each callback. */
static bool check_key(MpiCall *call, MpiComm **comm, Keyval **keyval, MpiStep *step)
{
    if (!mpi_check_comm(call, 0, comm, step)) {
        return false;
    }
    *keyval = lookup_keyval(call, mpi_int(call, 1));
    if (!*keyval) {
        *step = bad_keyval(call, *comm, 1, mpi_int(call, 1));
    }
    return *keyval != NULL;
}

/* After a delete callback: its error ends the call and leaves the attribute as it was. */
static bool check_callback(MpiCall *call, MpiComm *comm, MpiStep *step)
{
    int error = (int)(int32_t)call->upcall_result;
    if (error != MPI_SUCCESS) {
        *step = mpi_call_error(call, comm, error, "the attribute's delete function returned error %d", error);
    }
    return error == MPI_SUCCESS;
}

static MpiStep put_store(MpiCall *call)
{
    MpiComm *comm;
    Keyval *keyval;
    MpiStep step;
    if (!check_key(call, &comm, &keyval, &step)) {
        return step;
    }
    set(comm, keyval, call->args[2]);
    return done(call);
}

static MpiStep put_deleted(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    return mpi_check_comm(call, 0, &comm, &step) && check_callback(call, comm, &step) ? put_store(call) : step;
}

/* An old value goes through the delete callback first (MPI-3.1 section 6.7.2). */
MpiStep mpi_do_Comm_set_attr(MpiCall *call)
{
    MpiComm *comm;
    Keyval *keyval;
    MpiStep step;
    if (!check_key(call, &comm, &keyval, &step)) {
        return step;
    }
    const Attribute *old = find(comm, keyval);
    return old && keyval->delete ? call_delete(call, comm, old, put_deleted) : put_store(call);
}

static MpiStep delete_attribute(MpiCall *call)
{
    MpiComm *comm;
    Keyval *keyval;
    MpiStep step;
    if (!check_key(call, &comm, &keyval, &step)) {
        return step;
    }
    take_away(comm, keyval);
    return done(call);
}

static MpiStep delete_called(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    return mpi_check_comm(call, 0, &comm, &step) && check_callback(call, comm, &step) ? delete_attribute(call) : step;
}

MpiStep mpi_do_Comm_delete_attr(MpiCall *call)
{
    MpiComm *comm;
    Keyval *keyval;
    MpiStep step;
    if (!check_key(call, &comm, &keyval, &step)) {
        return step;
    }
    const Attribute *attribute = find(comm, keyval);
    return attribute && keyval->delete ? call_delete(call, comm, attribute, delete_called) : delete_attribute(call);
}

/* -- the names of MPI-1
 * ------------------------------------------------------------------------------------------------ */

MpiStep mpi_do_Keyval_create(MpiCall *call)
{
    return mpi_do_Comm_create_keyval(call);
}

MpiStep mpi_do_Keyval_free(MpiCall *call)
{
    return mpi_do_Comm_free_keyval(call);
}

MpiStep mpi_do_Attr_get(MpiCall *call)
{
    return mpi_do_Comm_get_attr(call);
}

MpiStep mpi_do_Attr_put(MpiCall *call)
{
    return mpi_do_Comm_set_attr(call);
}

MpiStep mpi_do_Attr_delete(MpiCall *call)
{
    return mpi_do_Comm_delete_attr(call);
}
