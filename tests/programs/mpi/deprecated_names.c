/* The names of MPI-1 that MPI-3 has removed still work, MPI_LB and MPI_UB among them (MPI-1.3 section 3.12). */
#include <mpi.h>
#include <stdio.h>

static int destroyed;

static int destroy(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval, (void)extra;
    destroyed += *(int *)value;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int rank, keyval, flag, value = 5, *found, lengths[3] = {1, 1, 1};
    MPI_Aint a, b, extent, lb, ub, at[3] = {0, 0, 24};
    MPI_Datatype type, marked, types[3] = {MPI_LB, MPI_INT, MPI_UB};
    struct {
        int x;
        double y;
    } object;
    MPI_Comm copy;
    MPI_Errhandler handler;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Address(&object.x, &a);
    MPI_Address(&object.y, &b);
    MPI_Type_hvector(3, 1, 20, MPI_DOUBLE, &type);
    MPI_Type_extent(type, &extent);
    MPI_Type_lb(type, &lb);
    MPI_Type_ub(type, &ub);
    printf("rank %d: distance %ld, extent %ld, from %ld to %ld\n", rank, (long)(b - a), (long)extent, (long)lb,
           (long)ub);
    MPI_Type_free(&type);
    MPI_Type_hindexed(3, lengths, at, MPI_INT, &type);
    MPI_Type_extent(type, &extent);
    printf("rank %d: hindexed extent %ld\n", rank, (long)extent);
    MPI_Type_free(&type);
    MPI_Type_struct(3, lengths, at, types, &marked);
    MPI_Type_extent(marked, &extent);
    MPI_Type_contiguous(2, marked, &type);
    MPI_Type_ub(type, &ub);
    printf("rank %d: marked extent %ld, two of them end at %ld\n", rank, (long)extent, (long)ub);
    MPI_Type_free(&type);
    MPI_Type_free(&marked);

    MPI_Keyval_create(MPI_NULL_COPY_FN, destroy, &keyval, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Attr_put(copy, keyval, &value);
    MPI_Attr_get(copy, keyval, &found, &flag);
    printf("rank %d: attribute %d\n", rank, flag ? *found : -1);
    MPI_Attr_delete(copy, keyval);
    MPI_Attr_get(copy, keyval, &found, &flag);
    printf("rank %d: deleted %d, flag %d\n", rank, destroyed, flag);
    MPI_Keyval_free(&keyval);
    MPI_Errhandler_set(copy, MPI_ERRORS_RETURN);
    MPI_Errhandler_get(copy, &handler);
    printf("rank %d: errors %s\n", rank, handler == MPI_ERRORS_RETURN ? "return" : "do not return");
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
