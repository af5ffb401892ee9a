/* cart.c - Cartesian topologies (MPI-3.1 chapter 7).
 *
 * A topology is an immutable object that communicators share. Making one is collective and costs as much as a real
 * library's agreement (a barrier). But each member computes the members on its own. A grid takes the first ranks of the
 * old communicator, in order, or with `reorder` ranks that are close to each other (reorder.c). A sub-grid takes the
 * ranks that agree in the dropped coordinates. Ranks outside get MPI_COMM_NULL.
 */
#include "mpi/collective/schedule.h"
#include "mpi/collective/share.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/core/rank.h"
#include "mpi/core/stores.h"
#include "mpi/topology/topology.h"

/* -- the object and its arithmetic ------------------------------------------------------------- */

MpiTopology *mpi_cart_new(int n, const MpiInt32 *dims, const MpiInt32 *periods)
{
    MpiTopology *cart = g_new0(MpiTopology, 1);
    cart->refs = 1;
    cart->kind = MPI_TOPOLOGY_CART;
    cart->n_dims = n;
    cart->dims = g_new(int, 2 * (size_t)n + 1);
    cart->periods = cart->dims + n;
    for (int i = 0; i < n; i++) {
        cart->dims[i] = dims[i];
        cart->periods[i] = periods[i] != 0;
    }
    return cart;
}

/* Returns the product of n dimensions; 2^32 if it is more than the number of ranks can be. */
static uint64_t product(int n, const MpiInt32 *dims)
{
    uint64_t size = 1;
    for (int i = 0; i < n && size <= UINT32_MAX; i++) {
        size *= (uint64_t)dims[i];
    }
    return MIN(size, (uint64_t)UINT32_MAX + 1);
}

uint64_t mpi_cart_size(const MpiTopology *cart)
{
    return product(cart->n_dims, cart->dims);
}

void mpi_cart_coordinates(const MpiTopology *cart, uint32_t rank, MpiInt32 *coordinates)
{
    for (int i = cart->n_dims; i-- > 0;) {
        coordinates[i] = (int)(rank % (uint32_t)cart->dims[i]);
        rank /= (uint32_t)cart->dims[i];
    }
}

int64_t mpi_cart_rank(const MpiTopology *cart, const int64_t *coordinates)
{
    int64_t rank = 0;
    for (int i = 0; i < cart->n_dims; i++) {
        int64_t dim = cart->dims[i], at = coordinates[i];
        if (cart->periods[i]) {
            at = (at % dim + dim) % dim;
        } else if (at < 0 || at >= dim) {
            return -1 - i;
        }
        rank = rank * dim + at;
    }
    return rank;
}

int mpi_cart_neighbour(const MpiTopology *cart, uint32_t rank, int dimension, int64_t distance)
{
    int64_t stride = 1, dim = cart->dims[dimension];
    for (int i = dimension + 1; i < cart->n_dims; i++) {
        stride *= cart->dims[i];
    }
    int64_t at = rank / stride % dim, to = at + distance;
    if (cart->periods[dimension]) {
        to = (to % dim + dim) % dim;
    } else if (to < 0 || to >= dim) {
        return MPI_PROC_NULL_;
    }
    return (int)(rank + (to - at) * stride);
}

/* -- arguments --------------------------------------------------------------------------------- */

static MpiStep done(MpiCall *call)
{
    call->result = MPI_SUCCESS;
    return MPI_STEP_DONE;
}

static bool check_cart(MpiCall *call, MpiComm **comm, MpiStep *step)
{
    if (!mpi_check_comm(call, 0, comm, step)) {
        return false;
    }
    bool cart = (*comm)->topology && (*comm)->topology->kind == MPI_TOPOLOGY_CART;
    if (!cart) {
        *step =
            mpi_call_error(call, *comm, MPI_ERR_TOPOLOGY,
                           "the communicator has no Cartesian topology (argument 1); make one with MPI_Cart_create");
    }
    return cart;
}

/* Checks that an array of the caller, whose size is argument `arg`, can hold all dimensions. */
static bool check_room(MpiCall *call, MpiComm *comm, unsigned arg, MpiStep *step)
{
    int room = mpi_int(call, arg);
    if (room < comm->topology->n_dims) {
        *step = mpi_call_error(call, comm, MPI_ERR_ARG, "room for %d dimensions (argument %u), but the grid has %d",
                               room, arg + 1, comm->topology->n_dims);
        return false;
    }
    return true;
}

static bool check_ints(MpiCall *call, MpiComm *comm, unsigned arg, int n, MpiInt32 **ints, MpiStep *step)
{
    return mpi_check_output(call, comm, arg, (uint64_t)n * sizeof(int32_t), (void **)ints, step);
}

/* Gets the grid in arguments 2 to 4, which must fit into the communicator. */
static bool check_grid(MpiCall *call, MpiComm *comm, int *n, const MpiInt32 **dims, const MpiInt32 **periods,
                       MpiStep *step)
{
    enum { COUNT = 1, DIMS, PERIODS };
    *n = mpi_int(call, COUNT);
    if (*n < 0) {
        *step = mpi_call_error(call, comm, MPI_ERR_DIMS, "%d dimensions (argument 2)", *n);
        return false;
    }
    uint64_t bytes = (uint64_t)*n * sizeof(int32_t);
    if (!mpi_check_input(call, comm, DIMS, bytes, (const void **)dims, step) ||
        !mpi_check_input(call, comm, PERIODS, bytes, (const void **)periods, step)) {
        return false;
    }
    for (int i = 0; i < *n; i++) {
        if ((*dims)[i] < 1) {
            *step = mpi_call_error(call, comm, MPI_ERR_DIMS, "dimension %d is %d (argument 3); it must be at least 1",
                                   i, (*dims)[i]);
            return false;
        }
    }
    uint64_t size = product(*n, *dims);
    if (size > comm->group->size) {
        *step = mpi_call_error(call, comm, MPI_ERR_ARG,
                               "the grid needs %s%" G_GUINT64_FORMAT " ranks, but the communicator has %u (argument 3)",
                               size > UINT32_MAX ? "at least " : "", size, comm->group->size);
    }
    return size <= comm->group->size;
}

/* -- making communicators ---------------------------------------------------------------------- */

/* State between the agreement and the creation. */
typedef struct Creation {
    MpiComm *parent;
    uint64_t turn;
    int64_t colour;
    MpiGroup *group; /* NULL: this rank is not a member */
    MpiTopology *topology;
    MpiTopologyArgs args;
} Creation;

static void creation_free(void *state)
{
    Creation *creation = state;
    mpi_group_unref(creation->group);
    mpi_comm_topology_unref(creation->topology);
    g_free(creation);
}

MpiStep mpi_topology_make(MpiCall *call, MpiComm *parent, uint64_t turn, int64_t colour, MpiGroup *group,
                          MpiTopology *topology, MpiTopologyArgs args)
{
    MpiHandle handle = MPI_HANDLE(MPI_KIND_COMM, 0);
    MpiInfo *hints;
    MpiStep step;
    if (group && args.hints && !mpi_check_info_hints(call, parent, args.hints, &hints, &step)) {
        mpi_group_unref(group);
        mpi_comm_topology_unref(topology);
        return step; /* somebody has freed it meanwhile */
    }
    if (group) {
        uint32_t context = mpi_comm_new_context(call->world, parent->context, turn, colour);
        MpiComm *made = mpi_comm_new(call, context, group, NULL);
        made->topology = topology;
        made->errhandler = parent->errhandler ? mpi_error_handler_ref(parent->errhandler) : NULL;
        if (args.hints) {
            mpi_comm_take_hints(made, hints);
        }
        handle = made->handle;
    }
    mpi_store_handle(call, call->args[args.result], handle);
    return done(call);
}

static MpiStep creation_finish(MpiCall *call)
{
    Creation *c = call->state;
    MpiGroup *group = g_steal_pointer(&c->group);
    return mpi_topology_make(call, c->parent, c->turn, c->colour, group, group ? g_steal_pointer(&c->topology) : NULL,
                             c->args);
}

MpiStep mpi_topology_create(MpiCall *call, MpiComm *parent, int64_t colour, MpiGroup *group, MpiTopology *topology,
                            MpiTopologyArgs args)
{
    MpiPlan plan = {0};
    Creation *creation = g_new(Creation, 1);
    *creation = (Creation){.parent = parent,
                           .turn = mpi_comm_turn(call, parent),
                           .colour = colour,
                           .group = group,
                           .topology = topology,
                           .args = args};
    call->state = creation;
    call->state_free = creation_free;
    call->collective.schedule = mpi_schedule_new(call, parent, MPI_COLLECTIVE_BARRIER, &plan);
    return mpi_schedule_run(call, creation_finish);
}

MpiGroup *mpi_topology_first_members(MpiGroup *group, uint32_t n)
{
    if (n == group->size) {
        return mpi_group_ref(group);
    }
    return mpi_group_new(n, group->ranks ? g_memdup2(group->ranks, n * sizeof *group->ranks) : NULL);
}

MpiGroup *mpi_topology_group_if_member(MpiGroup *group, const MpiRank *rank)
{
    if (mpi_group_find(group, rank->index) >= 0) {
        return group;
    }
    mpi_group_unref(group);
    return NULL;
}

MpiStep mpi_do_Cart_create(MpiCall *call)
{
    enum { COMM, COUNT, DIMS, PERIODS, REORDER, RESULT };
    MpiComm *comm;
    int n;
    const MpiInt32 *dims, *periods;
    MpiStep step;
    if (!mpi_check_comm(call, COMM, &comm, &step) || !mpi_check_intra(call, comm, &step) ||
        !mpi_check_result(call, RESULT, sizeof(MpiHandle), &step)) {
        return step;
    }
    mpi_store_handle(call, call->args[RESULT], MPI_HANDLE(MPI_KIND_COMM, 0)); /* where an error returns */
    if (!check_grid(call, comm, &n, &dims, &periods, &step) || !mpi_share_check(call, comm, -1, &step)) {
        return step;
    }
    MpiTopology *cart = mpi_cart_new(n, dims, periods);
    MpiGroup *group = mpi_int(call, REORDER) ? mpi_reorder_grid(call->world, comm, cart)
                                             : mpi_topology_first_members(comm->group, (uint32_t)mpi_cart_size(cart));
    return mpi_topology_create(call, comm, 0, mpi_topology_group_if_member(group, call->rank), cart,
                               (MpiTopologyArgs){.result = RESULT});
}

/* Returns the members of this rank's sub-grid: those with the same coordinates in the dropped dimensions. */
static MpiGroup *sub_group(const MpiComm *comm, const MpiInt32 *remain, const MpiTopology *sub, int64_t *colour)
{
    const MpiTopology *cart = comm->topology;
    g_autofree int *mine = g_new(int, (size_t)cart->n_dims + 1);
    g_autofree int *kept = g_new(int, (size_t)cart->n_dims + 1);
    uint32_t size = (uint32_t)mpi_cart_size(sub);
    uint32_t *ranks = g_new(uint32_t, size);
    mpi_cart_coordinates(cart, comm->rank, mine);
    *colour = 0;
    for (int i = 0; i < cart->n_dims; i++) {
        *colour = remain[i] ? *colour : *colour * cart->dims[i] + mine[i];
    }
    for (uint32_t member = 0; member < size; member++) {
        int64_t rank = 0;
        mpi_cart_coordinates(sub, member, kept);
        for (int i = 0, next = 0; i < cart->n_dims; i++) {
            rank = rank * cart->dims[i] + (remain[i] ? kept[next++] : mine[i]);
        }
        ranks[member] = mpi_comm_world_rank(comm, (uint32_t)rank);
    }
    return mpi_group_new(size, ranks);
}

MpiStep mpi_do_Cart_sub(MpiCall *call)
{
    enum { COMM, REMAIN, RESULT };
    MpiComm *comm;
    const void *input;
    MpiStep step;
    if (!check_cart(call, &comm, &step)) {
        return step;
    }
    const MpiTopology *cart = comm->topology;
    if (!mpi_check_input(call, comm, REMAIN, (uint64_t)cart->n_dims * sizeof(int32_t), &input, &step) ||
        !mpi_check_result(call, RESULT, sizeof(MpiHandle), &step) || !mpi_share_check(call, comm, -1, &step)) {
        return step;
    }
    const MpiInt32 *remain = input;
    g_autofree int32_t *dims = g_new(int32_t, 2 * (size_t)cart->n_dims + 1);
    MpiInt32 *periods = dims + cart->n_dims;
    int n = 0;
    for (int i = 0; i < cart->n_dims; i++) {
        if (remain[i]) {
            dims[n] = cart->dims[i];
            periods[n++] = cart->periods[i];
        }
    }
    MpiTopology *sub = mpi_cart_new(n, dims, periods);
    int64_t colour;
    MpiGroup *group = sub_group(comm, remain, sub, &colour);
    return mpi_topology_create(call, comm, colour, group, sub, (MpiTopologyArgs){.result = RESULT});
}

/* -- questions --------------------------------------------------------------------------------- */

MpiStep mpi_do_Cartdim_get(MpiCall *call)
{
    MpiComm *comm;
    MpiInt32 *n;
    MpiStep step;
    if (!check_cart(call, &comm, &step) || !check_ints(call, comm, 1, 1, &n, &step)) {
        return step;
    }
    *n = comm->topology->n_dims;
    return done(call);
}

MpiStep mpi_do_Cart_get(MpiCall *call)
{
    enum { COMM, ROOM, DIMS, PERIODS, COORDINATES };
    MpiComm *comm;
    MpiInt32 *dims, *periods, *coordinates;
    MpiStep step;
    if (!check_cart(call, &comm, &step) || !check_room(call, comm, ROOM, &step)) {
        return step;
    }
    const MpiTopology *cart = comm->topology;
    if (!check_ints(call, comm, DIMS, cart->n_dims, &dims, &step) ||
        !check_ints(call, comm, PERIODS, cart->n_dims, &periods, &step) ||
        !check_ints(call, comm, COORDINATES, cart->n_dims, &coordinates, &step)) {
        return step;
    }
    for (int i = 0; i < cart->n_dims; i++) {
        dims[i] = cart->dims[i];
        periods[i] = cart->periods[i];
    }
    mpi_cart_coordinates(cart, comm->rank, coordinates);
    return done(call);
}

MpiStep mpi_do_Cart_rank(MpiCall *call)
{
    enum { COMM, COORDINATES, RANK };
    MpiComm *comm;
    const void *input;
    MpiInt32 *result;
    MpiStep step;
    if (!check_cart(call, &comm, &step)) {
        return step;
    }
    const MpiTopology *cart = comm->topology;
    if (!mpi_check_input(call, comm, COORDINATES, (uint64_t)cart->n_dims * sizeof(int32_t), &input, &step) ||
        !check_ints(call, comm, RANK, 1, &result, &step)) {
        return step;
    }
    g_autofree int64_t *coordinates = g_new(int64_t, (size_t)cart->n_dims + 1);
    for (int i = 0; i < cart->n_dims; i++) {
        coordinates[i] = ((const MpiInt32 *)input)[i];
    }
    int64_t rank = mpi_cart_rank(cart, coordinates);
    if (rank < 0) {
        int i = (int)(-1 - rank);
        return mpi_call_error(
            call, comm, MPI_ERR_ARG,
            "coordinate %d is %d (argument 2), but dimension %d has %d places and is not periodic; use 0 "
            "to %d",
            i, (int)coordinates[i], i, cart->dims[i], cart->dims[i] - 1);
    }
    *result = (int32_t)rank;
    return done(call);
}

MpiStep mpi_do_Cart_coords(MpiCall *call)
{
    enum { COMM, RANK, ROOM, COORDINATES };
    MpiComm *comm;
    MpiInt32 *coordinates;
    int rank = mpi_int(call, RANK);
    MpiStep step;
    if (!check_cart(call, &comm, &step) || !check_room(call, comm, ROOM, &step)) {
        return step;
    }
    if (rank < 0 || (uint32_t)rank >= comm->group->size) {
        return mpi_call_error(call, comm, MPI_ERR_RANK,
                              "rank %d (argument 2) is outside the grid of %u ranks; use 0 to %u", rank,
                              comm->group->size, comm->group->size - 1);
    }
    if (!check_ints(call, comm, COORDINATES, comm->topology->n_dims, &coordinates, &step)) {
        return step;
    }
    mpi_cart_coordinates(comm->topology, (uint32_t)rank, coordinates);
    return done(call);
}

MpiStep mpi_do_Cart_shift(MpiCall *call)
{
    enum { COMM, DIRECTION, DISTANCE, SOURCE, DESTINATION };
    MpiComm *comm;
    MpiInt32 *source, *destination;
    int direction = mpi_int(call, DIRECTION);
    int64_t distance = mpi_int(call, DISTANCE);
    MpiStep step;
    if (!check_cart(call, &comm, &step) || !check_ints(call, comm, SOURCE, 1, &source, &step) ||
        !check_ints(call, comm, DESTINATION, 1, &destination, &step)) {
        return step;
    }
    if (direction < 0 || direction >= comm->topology->n_dims) {
        return mpi_call_error(call, comm, MPI_ERR_ARG, "direction %d (argument 2), but the grid has %d dimensions",
                              direction, comm->topology->n_dims);
    }
    *source = mpi_cart_neighbour(comm->topology, comm->rank, direction, -distance);
    *destination = mpi_cart_neighbour(comm->topology, comm->rank, direction, distance);
    return done(call);
}

MpiStep mpi_do_Cart_map(MpiCall *call)
{
    enum { COMM, COUNT, DIMS, PERIODS, RESULT };
    MpiComm *comm;
    int n;
    const MpiInt32 *dims, *periods;
    MpiInt32 *result;
    MpiStep step;
    if (!mpi_check_comm(call, COMM, &comm, &step) || !mpi_check_intra(call, comm, &step) ||
        !check_grid(call, comm, &n, &dims, &periods, &step) || !check_ints(call, comm, RESULT, 1, &result, &step)) {
        return step;
    }
    MpiTopology *cart = mpi_cart_new(n, dims, periods);
    MpiGroup *group = mpi_reorder_grid(call->world, comm, cart);
    int rank = mpi_group_find(group, call->rank->index);
    *result = rank < 0 ? MPI_UNDEFINED_ : rank;
    mpi_group_unref(group);
    mpi_comm_topology_unref(cart);
    return done(call);
}

MpiStep mpi_do_Topo_test(MpiCall *call)
{
    MpiComm *comm;
    MpiInt32 *status;
    MpiStep step;
    if (!mpi_check_comm(call, 0, &comm, &step) || !check_ints(call, comm, 1, 1, &status, &step)) {
        return step;
    }
    switch (comm->topology ? comm->topology->kind : MPI_TOPOLOGY_NONE) {
    case MPI_TOPOLOGY_CART: *status = MPI_CART_; break;
    case MPI_TOPOLOGY_GRAPH: *status = MPI_GRAPH_; break;
    case MPI_TOPOLOGY_DIST_GRAPH: *status = MPI_DIST_GRAPH_; break;
    default: *status = MPI_UNDEFINED_;
    }
    return done(call);
}
