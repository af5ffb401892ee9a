/* attributes.c - caching of values on communicators and datatypes (MPI-3.1 section 6.7; predefined ones 8.1.2, 10.5).
 *
 * A keyval is a number with two callbacks in simulated code; a communicator or datatype, the holder, has (keyval,
 * value) pairs in the order in which they were set. MPI_Comm_dup asks the copy callback of each in that order,
 * MPI_Comm_free the delete callback in the reverse order (what section 8.7.1 demands of MPI_COMM_SELF at MPI_Finalize);
 * so do MPI_Type_dup and MPI_Type_free. Callbacks run as upcalls and may call MPI themselves, so whoever goes through
 * the attributes of a holder keeps his place in a Walk on the rank's stack of walks and looks at the holder anew after
 * each callback.
 *
 * MPI_Keyval_free only takes the number away: attributes that exist keep the keyval with its callbacks alive.
 * Predefined attributes are pointers to ints in rank memory, allocated when a program first asks for one. What a rank
 * caches on predefined datatypes, which all ranks share, is in a table of the rank.
 *
 * MPI_COMM_DUP_FN and its like are functions of the runtime library, so that programs can call them too. Here they are
 * known by their names, and what they do is done without an upcall.
 */
#include "mpi/local.h"

#include <string.h>

enum { FIRST_KEYVAL = 64, PREDEFINED_END = MPI_APPNUM_ + 1 };

/* What callbacks are that need not be called; no code lies at such addresses. */
enum { CALLBACK_NONE = 0, CALLBACK_DUP = 1 };

typedef struct Keyval {
    int refs; /* of its number and of attributes */
    int number;
    MpiHandleKind kind; /* of holders */
    uint64_t copy, delete, extra;
    const char *made_by;
    uint32_t made_pc;
} Keyval;

typedef struct Attribute {
    Keyval *keyval;
    uint64_t value;
} Attribute;

/* A communicator or a datatype. */
typedef struct Holder {
    MpiHandleKind kind;
    void *object;
} Holder;

/* A way through the attributes of a holder that callbacks interrupt. */
typedef struct Walk {
    struct Walk *outer;
    Holder from, to;  /* to: only when copying */
    GPtrArray *items; /* copying: the attributes as they were at the start */
    guint next;
    uint64_t memory; /* copying: where callbacks put value (8 bytes) and flag */
    MpiHandler then;
} Walk;

/* What a rank has made of a predefined datatype. */
typedef struct OfType {
    GPtrArray *list; /* NULL while there are no attributes */
    char *name;      /* NULL: the standard's */
} OfType;

/* What the rank keeps. */
typedef struct Attributes {
    GPtrArray *keyvals; /* number - FIRST_KEYVAL; NULL where freed */
    uint64_t predefined;
    OfType *of_types; /* predefined datatypes, by primitive; NULL: nothing for any */
    Walk *walk;       /* the innermost */
} Attributes;

static Attributes *attributes_of(MpiRank *rank);

/* -- objects ----------------------------------------------------------------------------------- */

static Holder of_comm(MpiComm *comm)
{
    return (Holder){MPI_KIND_COMM, comm};
}

static Holder of_type(MpiType *type)
{
    return (Holder){MPI_KIND_TYPE, type};
}

static MpiHandle holder_handle(Holder holder)
{
    return holder.kind == MPI_KIND_COMM ? ((const MpiComm *)holder.object)->handle
                                        : ((const MpiType *)holder.object)->handle;
}

static OfType *of_type_for(MpiRank *rank, const MpiType *type)
{
    Attributes *attributes = attributes_of(rank);
    if (!attributes->of_types) {
        attributes->of_types = g_new0(OfType, MPI_PRIMITIVE_COUNT);
    }
    return &attributes->of_types[mpi_type_primitive(type)];
}

/* The same if there is one already. */
static const OfType *find_of_type(const MpiRank *rank, const MpiType *type)
{
    const Attributes *attributes = mpi_rank_slot(rank, MPI_SLOT_ATTRIBUTES);
    return attributes && attributes->of_types ? &attributes->of_types[mpi_type_primitive(type)] : NULL;
}

const char *mpi_type_name(const MpiRank *rank, const MpiType *type)
{
    const OfType *own = type->predefined ? find_of_type(rank, type) : NULL;
    return own && own->name ? own->name : type->name;
}

void mpi_type_rename(MpiRank *rank, MpiType *type, const char *name)
{
    char **place = type->predefined ? &of_type_for(rank, type)->name : &type->name;
    g_free(*place);
    *place = g_strndup(name, MPI_MAX_OBJECT_NAME_ - 1);
}

/* Where the holder's list is, which is NULL while it is empty. */
static GPtrArray **holder_list(MpiRank *rank, Holder holder)
{
    if (holder.kind == MPI_KIND_COMM) {
        return &((MpiComm *)holder.object)->attributes;
    }
    MpiType *type = holder.object;
    if (!type->predefined) {
        return &type->attributes;
    }
    return &of_type_for(rank, type)->list;
}

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

static guint find_index(const GPtrArray *list, const Keyval *keyval)
{
    guint n = list ? list->len : 0, i = 0;
    while (i < n && ((Attribute *)list->pdata[i])->keyval != keyval) {
        i++;
    }
    return i < n ? i : G_MAXUINT;
}

static Attribute *find(MpiRank *rank, Holder holder, const Keyval *keyval)
{
    const GPtrArray *list = *holder_list(rank, holder);
    guint i = find_index(list, keyval);
    return list && i != G_MAXUINT ? list->pdata[i] : NULL;
}

static void set(MpiRank *rank, Holder holder, Keyval *keyval, uint64_t value)
{
    GPtrArray **list = holder_list(rank, holder);
    Attribute *attribute = find(rank, holder, keyval);
    if (attribute) {
        attribute->value = value;
        return;
    }
    if (!*list) {
        *list = g_ptr_array_new_with_free_func(attribute_free);
    }
    g_ptr_array_add(*list, attribute_new(keyval, value));
}

static void take_away(MpiRank *rank, Holder holder, const Keyval *keyval)
{
    GPtrArray *list = *holder_list(rank, holder);
    guint i = find_index(list, keyval);
    if (i != G_MAXUINT) {
        g_ptr_array_remove_index(list, i);
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
    for (unsigned i = 0; attributes->of_types && i < MPI_PRIMITIVE_COUNT; i++) {
        g_clear_pointer(&attributes->of_types[i].list, g_ptr_array_unref);
        g_free(attributes->of_types[i].name);
    }
    g_free(attributes->of_types);
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

/* -- copying at MPI_Comm_dup, MPI_Type_dup ---------------------------------------------------------- */

static Walk *walk_push(MpiCall *call, Holder from, MpiHandler then)
{
    Attributes *attributes = attributes_of(call->rank);
    Walk *walk = g_new0(Walk, 1);
    *walk = (Walk){.outer = attributes->walk, .from = from, .then = then};
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

static MpiStep call_copy(MpiCall *call, Walk *walk, const Attribute *attribute)
{
    const Keyval *keyval = attribute->keyval;
    walk->memory = walk->memory ? walk->memory : vm_rank_malloc(call->process, 16);
    MpiWord *memory = walk->memory ? vm_rank_write(call->process, walk->memory, 16) : NULL;
    if (!memory) {
        return walk_end(call, MPI_ERR_NO_MEM);
    }
    memory[0] = memory[1] = 0;
    uint64_t args[] = {
        holder_handle(walk->from), (uint64_t)keyval->number, keyval->extra, attribute->value, walk->memory,
        walk->memory + 8};
    return mpi_call_upcall(call, keyval->copy, args, G_N_ELEMENTS(args), copy_returned);
}

static MpiStep copy_next(MpiCall *call)
{
    Walk *walk = attributes_of(call->rank)->walk;
    for (; walk->next < walk->items->len; walk->next++) {
        const Attribute *attribute = walk->items->pdata[walk->next];
        if (attribute->keyval->copy == CALLBACK_DUP) {
            set(call->rank, walk->to, attribute->keyval, attribute->value);
        } else if (attribute->keyval->copy != CALLBACK_NONE) {
            return call_copy(call, walk, attribute);
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
        set(call->rank, walk->to, attribute->keyval, memory[0]);
    }
    return copy_next(call);
}

static MpiStep copy(MpiCall *call, Holder from, Holder to, MpiHandler then)
{
    const GPtrArray *list = *holder_list(call->rank, from);
    call->callback_error = MPI_SUCCESS;
    if (!list || list->len == 0) {
        return then(call);
    }
    Walk *walk = walk_push(call, from, then);
    walk->to = to;
    walk->items = g_ptr_array_new_with_free_func(attribute_free);
    for (guint i = 0; i < list->len; i++) {
        const Attribute *attribute = list->pdata[i];
        g_ptr_array_add(walk->items, attribute_new(attribute->keyval, attribute->value));
    }
    return copy_next(call);
}

MpiStep mpi_attributes_copy(MpiCall *call, MpiComm *from, MpiComm *to, MpiHandler then)
{
    return copy(call, of_comm(from), of_comm(to), then);
}

bool mpi_type_has_attributes(const MpiRank *rank, const MpiType *type)
{
    const OfType *own = type->predefined ? find_of_type(rank, type) : NULL;
    const GPtrArray *list = own ? own->list : type->attributes;
    return list && list->len;
}

MpiStep mpi_type_attributes_copy(MpiCall *call, MpiType *from, MpiType *to, MpiHandler then)
{
    return copy(call, of_type(from), of_type(to), then);
}

/* -- deleting ----------------------------------------------------------------------------------------- */

static MpiStep call_delete(MpiCall *call, Holder holder, const Attribute *attribute, MpiHandler then)
{
    const Keyval *keyval = attribute->keyval;
    uint64_t args[] = {holder_handle(holder), (uint64_t)keyval->number, attribute->value, keyval->extra};
    return mpi_call_upcall(call, keyval->delete, args, G_N_ELEMENTS(args), then);
}

static MpiStep delete_returned(MpiCall *call);

/* The last first, until none are left. */
static MpiStep delete_next(MpiCall *call)
{
    Walk *walk = attributes_of(call->rank)->walk;
    GPtrArray *items = *holder_list(call->rank, walk->from);
    while (items && items->len > 0) {
        const Attribute *last = items->pdata[items->len - 1];
        if (last->keyval->delete != CALLBACK_NONE) {
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
    take_away(call->rank, walk->from, gone->keyval);
    g_clear_pointer(&walk->items, g_ptr_array_unref);
    return delete_next(call);
}

static MpiStep delete_all(MpiCall *call, Holder holder, MpiHandler then)
{
    const GPtrArray *list = *holder_list(call->rank, holder);
    call->callback_error = MPI_SUCCESS;
    if (!list || list->len == 0) {
        return then(call);
    }
    walk_push(call, holder, then);
    return delete_next(call);
}

MpiStep mpi_attributes_delete(MpiCall *call, MpiComm *comm, MpiHandler then)
{
    return delete_all(call, of_comm(comm), then);
}

MpiStep mpi_type_attributes_delete(MpiCall *call, MpiType *type, MpiHandler then)
{
    return delete_all(call, of_type(type), then);
}

void mpi_attributes_drop(MpiComm *comm)
{
    g_clear_pointer(&comm->attributes, g_ptr_array_unref);
}

/* -- keyvals ---------------------------------------------------------------------------------------------- */

/* What a callback is: its address, or one of CALLBACK_* if it is a predefined function. */
static uint64_t callback(const MpiCall *call, uint64_t address)
{
    static const struct {
        const char *name;
        uint64_t is;
    } known[] = {
        {"MPI_NULL_COPY_FN", CALLBACK_NONE},
        {"MPI_NULL_DELETE_FN", CALLBACK_NONE},
        {"MPI_COMM_NULL_COPY_FN", CALLBACK_NONE},
        {"MPI_COMM_NULL_DELETE_FN", CALLBACK_NONE},
        {"MPI_TYPE_NULL_COPY_FN", CALLBACK_NONE},
        {"MPI_TYPE_NULL_DELETE_FN", CALLBACK_NONE},
        {"MPI_DUP_FN", CALLBACK_DUP},
        {"MPI_COMM_DUP_FN", CALLBACK_DUP},
        {"MPI_TYPE_DUP_FN", CALLBACK_DUP},
    };
    const VcodeModule *module = vm_image_module(vm_rank_image(call->process));
    uint64_t function = (address - VCODE_CODE_BASE) / 16;
    if (address < VCODE_CODE_BASE || function >= module->functions.count) {
        return address ? address : CALLBACK_NONE;
    }
    const char *name = vcode_text(module, module->functions.items[function].name);
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
        if (!strcmp(known[i].name, name)) {
            return known[i].is;
        }
    }
    return address;
}

static MpiStep create_keyval(MpiCall *call, MpiHandleKind kind)
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

MpiStep mpi_do_Comm_create_keyval(MpiCall *call)
{
    return create_keyval(call, MPI_KIND_COMM);
}

MpiStep mpi_do_Type_create_keyval(MpiCall *call)
{
    return create_keyval(call, MPI_KIND_TYPE);
}

void mpi_attributes_each_keyval(MpiRank *rank,
                                void (*visit)(MpiRank *rank, const char *made_by, uint32_t made_pc, void *user),
                                void *user)
{
    const Attributes *attributes = mpi_rank_slot(rank, MPI_SLOT_ATTRIBUTES);
    for (guint i = 0; attributes && i < attributes->keyvals->len; i++) {
        const Keyval *keyval = attributes->keyvals->pdata[i];
        if (keyval) {
            visit(rank, keyval->made_by, keyval->made_pc, user);
        }
    }
}

/* The key of that number and kind, or NULL. */
static Keyval *lookup_keyval(MpiCall *call, MpiHandleKind kind, int number)
{
    const GPtrArray *keyvals = attributes_of(call->rank)->keyvals;
    bool exists = number >= FIRST_KEYVAL && (guint)(number - FIRST_KEYVAL) < keyvals->len;
    Keyval *keyval = exists ? keyvals->pdata[number - FIRST_KEYVAL] : NULL;
    return keyval && keyval->kind == kind ? keyval : NULL;
}

static MpiStep bad_keyval(MpiCall *call, MpiComm *comm, MpiHandleKind kind, unsigned arg, int number)
{
    if (number >= MPI_TAG_UB_ && number < PREDEFINED_END) {
        return mpi_call_error(call, comm, MPI_ERR_KEYVAL,
                              "the key %d belongs to a predefined attribute, which cannot be changed (argument %u)",
                              number, arg + 1);
    }
    bool comms = kind == MPI_KIND_COMM;
    bool other = lookup_keyval(call, comms ? MPI_KIND_TYPE : MPI_KIND_COMM, number);
    return mpi_call_error(call, comm, MPI_ERR_KEYVAL, "%s (argument %u); make one with %s",
                          number == MPI_KEYVAL_INVALID_ ? "the key is MPI_KEYVAL_INVALID"
                          : other ? comms ? "this is a key for datatypes" : "this is a key for communicators"
                                  : "this is not a key; it has been freed or was never made",
                          arg + 1, comms ? "MPI_Comm_create_keyval" : "MPI_Type_create_keyval");
}

static MpiStep free_keyval(MpiCall *call, MpiHandleKind kind)
{
    MpiInt32 *number;
    MpiStep step;
    if (!mpi_check_output(call, NULL, 0, sizeof *number, (void **)&number, &step)) {
        return step;
    }
    Keyval *keyval = lookup_keyval(call, kind, *number);
    if (!keyval) {
        return bad_keyval(call, NULL, kind, 0, *number);
    }
    attributes_of(call->rank)->keyvals->pdata[*number - FIRST_KEYVAL] = NULL;
    keyval_unref(keyval);
    *number = MPI_KEYVAL_INVALID_;
    return done(call);
}

MpiStep mpi_do_Comm_free_keyval(MpiCall *call)
{
    return free_keyval(call, MPI_KIND_COMM);
}

MpiStep mpi_do_Type_free_keyval(MpiCall *call)
{
    return free_keyval(call, MPI_KIND_TYPE);
}

/* -- getting ------------------------------------------------------------------------------------------------- */

/* The address of a predefined attribute's int, 0 when the heap is full. */
static uint64_t predefined_address(MpiCall *call, int number)
{
    Attributes *attributes = attributes_of(call->rank);
    if (!attributes->predefined) {
        const MpiEnv *env = mpi_env(mpi_rank_world(call->rank));
        const MpiProgram *program = env->program ? env->program(env->user, mpi_rank_index(call->rank)) : NULL;
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
        values[MPI_LASTUSEDCODE_] = mpi_error_last_used(call->rank);
        values[MPI_APPNUM_] = program ? (int32_t)program->number : 0;
        attributes->predefined = address;
    }
    return attributes->predefined + (uint64_t)number * sizeof(int32_t);
}

void mpi_attributes_codes_changed(MpiRank *rank)
{
    const Attributes *attributes = mpi_rank_slot(rank, MPI_SLOT_ATTRIBUTES);
    if (attributes && attributes->predefined) {
        VmRank *process = mpi_rank_process(rank);
        MpiInt32 *value = vm_rank_write(process, attributes->predefined + MPI_LASTUSEDCODE_ * sizeof(int32_t), 4);
        if (value) {
            *value = mpi_error_last_used(rank);
        }
    }
}

/* The holder that argument 1 names. */
static bool check_holder(MpiCall *call, MpiHandleKind kind, Holder *holder, MpiStep *step)
{
    if (kind == MPI_KIND_COMM) {
        MpiComm *comm = NULL;
        bool good = mpi_check_comm(call, 0, &comm, step);
        *holder = of_comm(comm);
        return good;
    }
    MpiType *type = NULL;
    bool good = mpi_check_any_type(call, 0, &type, step);
    *holder = of_type(type);
    return good;
}

/* The communicator whose error handler is asked; NULL for datatypes. */
static MpiComm *comm_of(Holder holder)
{
    return holder.kind == MPI_KIND_COMM ? holder.object : NULL;
}

static MpiStep get_attr(MpiCall *call, MpiHandleKind kind)
{
    enum { HOLDER, KEYVAL, VALUE, FLAG };
    Holder holder;
    MpiWord *value, found;
    MpiInt32 *flag;
    int number = mpi_int(call, KEYVAL);
    MpiStep step;
    if (!check_holder(call, kind, &holder, &step)) {
        return step;
    }
    bool predefined = kind == MPI_KIND_COMM && number >= MPI_TAG_UB_ && number < PREDEFINED_END;
    const Keyval *keyval = predefined ? NULL : lookup_keyval(call, kind, number);
    if (!predefined && !keyval) {
        return bad_keyval(call, comm_of(holder), kind, KEYVAL, number);
    }
    if (!mpi_check_output(call, comm_of(holder), VALUE, sizeof *value, (void **)&value, &step) ||
        !mpi_check_output(call, comm_of(holder), FLAG, sizeof *flag, (void **)&flag, &step)) {
        return step;
    }
    const Attribute *attribute = predefined ? NULL : find(call->rank, holder, keyval);
    found = predefined ? predefined_address(call, number) : attribute ? attribute->value : 0;
    *flag = predefined ? found != 0 : attribute != NULL;
    if (*flag) {
        *value = found;
    }
    return done(call);
}

MpiStep mpi_do_Comm_get_attr(MpiCall *call)
{
    return get_attr(call, MPI_KIND_COMM);
}

MpiStep mpi_do_Type_get_attr(MpiCall *call)
{
    return get_attr(call, MPI_KIND_TYPE);
}

/* -- setting and deleting: GLOBAL where callbacks run -------------------------------------------------------------- */

/* The holder and key of arguments 1 and 2, looked up anew after each callback. */
static bool check_key(MpiCall *call, MpiHandleKind kind, Holder *holder, Keyval **keyval, MpiStep *step)
{
    if (!check_holder(call, kind, holder, step)) {
        return false;
    }
    *keyval = lookup_keyval(call, kind, mpi_int(call, 1));
    if (!*keyval) {
        *step = bad_keyval(call, comm_of(*holder), kind, 1, mpi_int(call, 1));
    }
    return *keyval != NULL;
}

/* Which sort of holder a call is about. */
static MpiHandleKind kind_of(const MpiCall *call)
{
    return strncmp(call->name, "MPI_Type_", 9) ? MPI_KIND_COMM : MPI_KIND_TYPE;
}

/* After a delete callback: its error ends the call and leaves the attribute as it was. */
static bool check_callback(MpiCall *call, Holder holder, MpiStep *step)
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
    Holder holder;
    Keyval *keyval;
    MpiStep step;
    if (!check_key(call, kind_of(call), &holder, &keyval, &step)) {
        return step;
    }
    set(call->rank, holder, keyval, call->args[2]);
    return done(call);
}

static MpiStep put_deleted(MpiCall *call)
{
    Holder holder;
    MpiStep step;
    return check_holder(call, kind_of(call), &holder, &step) && check_callback(call, holder, &step) ? put_store(call)
                                                                                                    : step;
}

static MpiStep delete_attribute(MpiCall *call)
{
    Holder holder;
    Keyval *keyval;
    MpiStep step;
    if (!check_key(call, kind_of(call), &holder, &keyval, &step)) {
        return step;
    }
    take_away(call->rank, holder, keyval);
    return done(call);
}

static MpiStep delete_called(MpiCall *call)
{
    Holder holder;
    MpiStep step;
    return check_holder(call, kind_of(call), &holder, &step) && check_callback(call, holder, &step)
               ? delete_attribute(call)
               : step;
}

/* An old value goes through the delete callback first, if there is one; then `store` or `called`, which do the same
 * without and after a callback. */
static MpiStep change(MpiCall *call, MpiHandler store, MpiHandler called)
{
    Holder holder;
    Keyval *keyval;
    MpiStep step;
    if (!check_key(call, kind_of(call), &holder, &keyval, &step)) {
        return step;
    }
    const Attribute *old = find(call->rank, holder, keyval);
    if (!old || keyval->delete == CALLBACK_NONE) {
        return store(call);
    }
    return call->local ? MPI_STEP_GLOBAL : call_delete(call, holder, old, called);
}

MpiStep mpi_do_Comm_set_attr(MpiCall *call)
{
    return change(call, put_store, put_deleted);
}

MpiStep mpi_do_Type_set_attr(MpiCall *call)
{
    return change(call, put_store, put_deleted);
}

MpiStep mpi_do_Comm_delete_attr(MpiCall *call)
{
    return change(call, delete_attribute, delete_called);
}

MpiStep mpi_do_Type_delete_attr(MpiCall *call)
{
    return change(call, delete_attribute, delete_called);
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
