/* Operators, attribute callbacks and error handlers are simulated code that runs inside an MPI call, on the rank's own
 * clock, and may itself call MPI (MPI-3.1 sections 5.9.5, 6.7.2, 8.3): nested to any depth. */
#include <mpi.h>
#include <stdio.h>

static int rank, size, depth, calls;

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    int me, count;
    MPI_Aint lb, extent;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Type_get_extent(*type, &lb, &extent);
    MPI_Type_size(*type, &count);
    for (int i = 0; i < *n; i++) /* struct { double value; int count; } with a gap */
        for (int k = 0; k < 1; k++) {
            char *a = (char *)in + i * extent, *b = (char *)inout + i * extent;
            *(double *)b += *(double *)a;
            *(int *)(b + 8) += *(int *)(a + 8);
        }
    calls++;
}

/* Copying an attribute talks to all other ranks, and duplicates another communicator, up to a depth of three. */
static int copy(MPI_Comm comm, int key, void *extra, void *value, void *out, int *flag)
{
    int mine = rank, sum, right = (rank + 1) % size, left = (rank + size - 1) % size, got = -1;
    MPI_Comm inner;
    (void)key, (void)extra;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Sendrecv(&mine, 1, MPI_INT, right, 0, &got, 1, MPI_INT, left, 0, comm, MPI_STATUS_IGNORE);
    if (sum != size * (size - 1) / 2 || got != left)
        printf("rank %d: %d %d in a callback\n", rank, sum, got);
    if (++depth < 3) {
        MPI_Comm_dup(comm, &inner);
        MPI_Comm_free(&inner);
    }
    *(void **)out = value;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    MPI_Barrier(MPI_COMM_WORLD);
    calls++;
    return MPI_SUCCESS;
}

static void handler(MPI_Comm *comm, int *code, ...)
{
    int one = 1, sum = 0;
    (void)code;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, *comm);
    calls += 100 * sum;
}

struct pair { double value; int count; };

int main(int argc, char **argv)
{
    struct pair mine[3], out[3];
    int lengths[2] = {1, 1}, key;
    MPI_Aint places[2] = {0, 8};
    MPI_Datatype parts[2] = {MPI_DOUBLE, MPI_INT}, packed, type;
    MPI_Op op;
    MPI_Comm dup;
    MPI_Errhandler errors;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Type_create_struct(2, lengths, places, parts, &packed);
    MPI_Type_create_resized(packed, 0, sizeof(struct pair), &type);
    MPI_Type_commit(&type);
    MPI_Op_create(add, 1, &op);
    for (int i = 0; i < 3; i++) {
        mine[i].value = rank + 0.5 * i;
        mine[i].count = 1;
    }
    MPI_Allreduce(mine, out, 3, type, op, MPI_COMM_WORLD);
    if (rank == 0)
        for (int i = 0; i < 3; i++)
            printf("%g of %d\n", out[i].value, out[i].count);
    MPI_Op_free(&op);
    MPI_Type_free(&type);
    MPI_Type_free(&packed);

    calls = 0;
    MPI_Comm_create_keyval(copy, delete, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    MPI_Comm_free(&dup);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
    MPI_Comm_free_keyval(&key);
    if (rank == 0)
        printf("depth %d, %d deletes\n", depth, calls);

    calls = 0;
    MPI_Comm_create_errhandler(handler, &errors);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, errors);
    MPI_Send(NULL, -1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("handler heard %d ranks\n", calls / 100);
    MPI_Finalize();
    return 0;
}
