/* attributes.c - caching of values on communicators and datatypes (MPI-3.1 section 6.7): storing, copying and deleting
 * attributes. The functions that programs call are in attribute_calls.c.
 *
 * A keyval is a number with two callbacks in simulated code. A communicator or datatype, the holder, has (keyval,
 * value) pairs in the order in which they were set. MPI_Comm_dup and MPI_Type_dup call the copy callbacks in that
 * order. MPI_Comm_free and MPI_Type_free call the delete callbacks in the reverse order, which section 8.7.1 demands of
 * MPI_COMM_SELF at MPI_Finalize. Callbacks run as upcalls and may call MPI themselves. So an iteration over the
 * attributes of a holder keeps its state in a walk on the rank's stack of walks, and looks at the holder anew after
 * each callback.
 *
 * All ranks share the predefined datatypes, so a rank's attributes of them are in a table of the rank.
 */
#include "mpi/attribute/attributes.h"
#include "mpi/attribute/attribute.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/rank.h"
#include "mpi/type/type.h"

/* An iteration over the attributes of a holder that callbacks interrupt. */
struct MpiAttributeWalk {
    struct MpiAttributeWalk *outer; /* the enclosing walk, whose callback is running; NULL: none */
    MpiHolder from, to;             /* `to` is used only for copying */
    GPtrArray *items;               /* copying: the attributes as they were at the start */
    guint next;
    uint64_t memory; /* copying: address where callbacks store the value (8 bytes) and the flag */
    MpiHandler then;
};

/* Name and attributes that a rank has given to a predefined datatype. */
struct MpiOfType {
    GPtrArray *list; /* NULL while there are no attributes */
    char *name;      /* NULL: the name in the standard */
};

/* -- objects ----------------------------------------------------------------------------------- */

MpiHolder mpi_attribute_holder_of_comm(MpiComm *comm)
{
    return (MpiHolder){MPI_KIND_COMM, comm};
}

MpiHolder mpi_attribute_holder_of_type(MpiType *type)
{
    return (MpiHolder){MPI_KIND_TYPE, type};
}

MpiHolder mpi_attribute_holder_of(MpiHandleKind kind, MpiAttributed *object)
{
    return (MpiHolder){kind, object};
}

static MpiHandle holder_handle(MpiHolder holder)
{
    if (holder.kind == MPI_KIND_COMM)
        return ((const MpiComm *)holder.object)->handle;
    return holder.kind == MPI_KIND_TYPE ? ((const MpiType *)holder.object)->handle
                                        : ((const MpiAttributed *)holder.object)->raiser.handle;
}

static MpiOfType *of_type_for(MpiRank *rank, const MpiType *type)
{
    MpiAttributes *attributes = mpi_attributes_of(rank);
    if (!attributes->of_types) {
        attributes->of_types = g_new0(MpiOfType, MPI_PRIMITIVE_COUNT);
    }
    return &attributes->of_types[mpi_type_primitive(type)];
}

/* As of_type_for(), but returns NULL if the rank has no table yet. */
static const MpiOfType *find_of_type(const MpiRank *rank, const MpiType *type)
{
    const MpiAttributes *attributes = mpi_rank_slot(rank, MPI_RANK_SLOT_ATTRIBUTES);
    return attributes && attributes->of_types ? &attributes->of_types[mpi_type_primitive(type)] : NULL;
}

const char *mpi_attribute_type_name(const MpiRank *rank, const MpiType *type)
{
    const MpiOfType *own = type->predefined ? find_of_type(rank, type) : NULL;
    return own && own->name ? own->name : type->name;
}

void mpi_attribute_type_rename(MpiRank *rank, MpiType *type, char *name)
{
    char **place = type->predefined ? &of_type_for(rank, type)->name : &type->name;
    g_free(*place);
    *place = name;
}

/* Returns the address of the holder's list. The list is NULL while it is empty. */
static GPtrArray **holder_list(MpiRank *rank, MpiHolder holder)
{
    if (holder.kind == MPI_KIND_COMM) {
        return &((MpiComm *)holder.object)->attributes;
    }
    if (holder.kind != MPI_KIND_TYPE) {
        return &((MpiAttributed *)holder.object)->attributes;
    }
    MpiType *type = holder.object;
    if (!type->predefined) {
        return &type->attributes;
    }
    return &of_type_for(rank, type)->list;
}

void mpi_attribute_keyval_unref(MpiKeyval *keyval)
{
    if (keyval && --keyval->refs == 0) {
        g_free(keyval);
    }
}

static void attribute_free(gpointer data)
{
    MpiAttribute *attribute = data;
    mpi_attribute_keyval_unref(attribute->keyval);
    g_free(attribute);
}

static MpiAttribute *attribute_new(MpiKeyval *keyval, uint64_t value)
{
    MpiAttribute *attribute = g_new(MpiAttribute, 1);
    *attribute = (MpiAttribute){keyval, value};
    keyval->refs++;
    return attribute;
}

static guint find_index(const GPtrArray *list, const MpiKeyval *keyval)
{
    guint n = list ? list->len : 0, i = 0;
    while (i < n && ((MpiAttribute *)list->pdata[i])->keyval != keyval) {
        i++;
    }
    return i < n ? i : G_MAXUINT;
}

MpiAttribute *mpi_attribute_find(MpiRank *rank, MpiHolder holder, const MpiKeyval *keyval)
{
    const GPtrArray *list = *holder_list(rank, holder);
    guint i = find_index(list, keyval);
    return list && i != G_MAXUINT ? list->pdata[i] : NULL;
}

void mpi_attribute_set(MpiRank *rank, MpiHolder holder, MpiKeyval *keyval, uint64_t value)
{
    GPtrArray **list = holder_list(rank, holder);
    MpiAttribute *attribute = mpi_attribute_find(rank, holder, keyval);
    if (attribute) {
        attribute->value = value;
        return;
    }
    if (!*list) {
        *list = g_ptr_array_new_with_free_func(attribute_free);
    }
    g_ptr_array_add(*list, attribute_new(keyval, value));
}

void mpi_attribute_take_away(MpiRank *rank, MpiHolder holder, const MpiKeyval *keyval)
{
    GPtrArray *list = *holder_list(rank, holder);
    guint i = find_index(list, keyval);
    if (i != G_MAXUINT) {
        g_ptr_array_remove_index(list, i);
    }
}

static void walk_pop(MpiAttributes *attributes)
{
    MpiAttributeWalk *walk = attributes->walk;
    attributes->walk = walk->outer;
    g_clear_pointer(&walk->items, g_ptr_array_unref);
    g_free(walk);
}

static void attributes_free(gpointer data)
{
    MpiAttributes *attributes = data;
    while (attributes->walk) {
        walk_pop(attributes);
    }
    for (unsigned i = 0; attributes->of_types && i < MPI_PRIMITIVE_COUNT; i++) {
        g_clear_pointer(&attributes->of_types[i].list, g_ptr_array_unref);
        g_free(attributes->of_types[i].name);
    }
    g_free(attributes->of_types);
    for (guint i = 0; i < attributes->keyvals->len; i++) {
        mpi_attribute_keyval_unref(attributes->keyvals->pdata[i]);
    }
    g_ptr_array_unref(attributes->keyvals);
    g_free(attributes);
}

MpiAttributes *mpi_attributes_of(MpiRank *rank)
{
    MpiAttributes *attributes = mpi_rank_slot(rank, MPI_RANK_SLOT_ATTRIBUTES);
    if (!attributes) {
        attributes = g_new0(MpiAttributes, 1);
        attributes->keyvals = g_ptr_array_new();
        mpi_rank_set_slot(rank, MPI_RANK_SLOT_ATTRIBUTES, attributes, attributes_free);
    }
    return attributes;
}

/* -- copying at MPI_Comm_dup, MPI_Type_dup ----------------------------------------------------- */

static MpiAttributeWalk *walk_push(MpiCall *call, MpiHolder from, MpiHandler then)
{
    MpiAttributes *attributes = mpi_attributes_of(call->rank);
    MpiAttributeWalk *walk = g_new0(MpiAttributeWalk, 1);
    *walk = (MpiAttributeWalk){.outer = attributes->walk, .from = from, .then = then};
    attributes->walk = walk;
    call->attribute.error = MPI_SUCCESS;
    return walk;
}

static MpiStep walk_end(MpiCall *call, int error)
{
    MpiAttributes *attributes = mpi_attributes_of(call->rank);
    MpiHandler then = attributes->walk->then;
    if (attributes->walk->memory) {
        vm_library_free(call->process, attributes->walk->memory);
    }
    walk_pop(attributes);
    call->attribute.error = error;
    return then(call);
}

static MpiStep copy_returned(MpiCall *call);

static MpiStep call_copy(MpiCall *call, MpiAttributeWalk *walk, const MpiAttribute *attribute)
{
    const MpiKeyval *keyval = attribute->keyval;
    walk->memory = walk->memory ? walk->memory : vm_library_malloc(call->process, 16);
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
    MpiAttributeWalk *walk = mpi_attributes_of(call->rank)->walk;
    for (; walk->next < walk->items->len; walk->next++) {
        const MpiAttribute *attribute = walk->items->pdata[walk->next];
        if (attribute->keyval->copy == MPI_CALLBACK_DUP) {
            mpi_attribute_set(call->rank, walk->to, attribute->keyval, attribute->value);
        } else if (attribute->keyval->copy != MPI_CALLBACK_NONE) {
            return call_copy(call, walk, attribute);
        }
    }
    return walk_end(call, MPI_SUCCESS);
}

static MpiStep copy_returned(MpiCall *call)
{
    MpiAttributeWalk *walk = mpi_attributes_of(call->rank)->walk;
    const MpiWord *memory = vm_rank_read(call->process, walk->memory, 16);
    int error = (int)(int32_t)call->upcall_result;
    if (error != MPI_SUCCESS || !memory) {
        return walk_end(call, memory ? error : MPI_ERR_OTHER);
    }
    const MpiAttribute *attribute = walk->items->pdata[walk->next++];
    if ((int32_t)memory[1]) {
        mpi_attribute_set(call->rank, walk->to, attribute->keyval, memory[0]);
    }
    return copy_next(call);
}

static MpiStep copy(MpiCall *call, MpiHolder from, MpiHolder to, MpiHandler then)
{
    const GPtrArray *list = *holder_list(call->rank, from);
    call->attribute.error = MPI_SUCCESS;
    if (!list || list->len == 0) {
        return then(call);
    }
    MpiAttributeWalk *walk = walk_push(call, from, then);
    walk->to = to;
    walk->items = g_ptr_array_new_with_free_func(attribute_free);
    for (guint i = 0; i < list->len; i++) {
        const MpiAttribute *attribute = list->pdata[i];
        g_ptr_array_add(walk->items, attribute_new(attribute->keyval, attribute->value));
    }
    return copy_next(call);
}

MpiStep mpi_attributes_copy(MpiCall *call, MpiComm *from, MpiComm *to, MpiHandler then)
{
    return copy(call, mpi_attribute_holder_of_comm(from), mpi_attribute_holder_of_comm(to), then);
}

bool mpi_type_has_attributes(const MpiRank *rank, const MpiType *type)
{
    const MpiOfType *own = type->predefined ? find_of_type(rank, type) : NULL;
    const GPtrArray *list = own ? own->list : type->attributes;
    return list && list->len;
}

MpiStep mpi_type_attributes_copy(MpiCall *call, MpiType *from, MpiType *to, MpiHandler then)
{
    return copy(call, mpi_attribute_holder_of_type(from), mpi_attribute_holder_of_type(to), then);
}

/* -- deleting ---------------------------------------------------------------------------------- */

MpiStep mpi_attribute_call_delete(MpiCall *call, MpiHolder holder, const MpiAttribute *attribute, MpiHandler then)
{
    const MpiKeyval *keyval = attribute->keyval;
    uint64_t args[] = {holder_handle(holder), (uint64_t)keyval->number, attribute->value, keyval->extra};
    return mpi_call_upcall(call, keyval->delete, args, G_N_ELEMENTS(args), then);
}

static MpiStep delete_returned(MpiCall *call);

/* Deletes the attributes, the last one first. */
static MpiStep delete_next(MpiCall *call)
{
    MpiAttributeWalk *walk = mpi_attributes_of(call->rank)->walk;
    GPtrArray *items = *holder_list(call->rank, walk->from);
    while (items && items->len > 0) {
        const MpiAttribute *last = items->pdata[items->len - 1];
        if (last->keyval->delete != MPI_CALLBACK_NONE) {
            walk->items = g_ptr_array_new_with_free_func(attribute_free); /* keeps the keyval during the callback */
            g_ptr_array_add(walk->items, attribute_new(last->keyval, last->value));
            return mpi_attribute_call_delete(call, walk->from, last, delete_returned);
        }
        g_ptr_array_remove_index(items, items->len - 1);
    }
    return walk_end(call, MPI_SUCCESS);
}

static MpiStep delete_returned(MpiCall *call)
{
    MpiAttributeWalk *walk = mpi_attributes_of(call->rank)->walk;
    int error = (int)(int32_t)call->upcall_result;
    if (error != MPI_SUCCESS) {
        return walk_end(call, error);
    }
    const MpiAttribute *gone = walk->items->pdata[0];
    mpi_attribute_take_away(call->rank, walk->from, gone->keyval);
    g_clear_pointer(&walk->items, g_ptr_array_unref);
    return delete_next(call);
}

static MpiStep delete_all(MpiCall *call, MpiHolder holder, MpiHandler then)
{
    const GPtrArray *list = *holder_list(call->rank, holder);
    call->attribute.error = MPI_SUCCESS;
    if (!list || list->len == 0) {
        return then(call);
    }
    walk_push(call, holder, then);
    return delete_next(call);
}

MpiStep mpi_attributes_delete(MpiCall *call, MpiComm *comm, MpiHandler then)
{
    return delete_all(call, mpi_attribute_holder_of_comm(comm), then);
}

MpiStep mpi_type_attributes_delete(MpiCall *call, MpiType *type, MpiHandler then)
{
    return delete_all(call, mpi_attribute_holder_of_type(type), then);
}

MpiStep mpi_attribute_delete_all(MpiCall *call, MpiHandleKind kind, MpiAttributed *object, MpiHandler then)
{
    return delete_all(call, mpi_attribute_holder_of(kind, object), then);
}

void mpi_attribute_drop_all(MpiAttributed *object)
{
    g_clear_pointer(&object->attributes, g_ptr_array_unref);
}

void mpi_attributes_drop(MpiComm *comm)
{
    g_clear_pointer(&comm->attributes, g_ptr_array_unref);
}
