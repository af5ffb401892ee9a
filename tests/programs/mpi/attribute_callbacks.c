/* Copy callbacks run at MPI_Comm_dup, delete callbacks at MPI_Comm_free, when a value is replaced, and at
 * MPI_Comm_delete_attr; they may call MPI and refuse (MPI-3.1 section 6.7). */
#include "in_order.h"

static int rank, refuse;

static int copy(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    int size;
    (void)keyval;
    MPI_Comm_size(comm, &size);
    say("rank %d: copy %d, extra %s, among %d\n", rank, *(int *)in, (char *)extra, size);
    *(void **)out = (int *)in + 1;
    *flag = *(int *)in != 30;
    return refuse ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int delete (MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval;
    say("rank %d: delete %d, extra %s\n", rank, *(int *)value, (char *)extra);
    return refuse ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static void look(const char *what, MPI_Comm comm, int keyval)
{
    int *value, flag;
    MPI_Comm_get_attr(comm, keyval, &value, &flag);
    if (flag)
        say("rank %d: %s has %d\n", rank, what, *value);
    else
        say("rank %d: %s has none\n", rank, what);
}

int main(int argc, char **argv)
{
    static int values[] = {10, 11, 12, 20, 21, 30};
    int with_callbacks, shared, unshared, error, error_class;
    MPI_Comm first, second, third;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_create_keyval(copy, delete, &with_callbacks, "A");
    MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, &shared, NULL);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &unshared, NULL);

    MPI_Comm_dup(MPI_COMM_WORLD, &first);
    look("new communicator", first, with_callbacks);
    MPI_Comm_set_attr(first, with_callbacks, &values[0]);
    MPI_Attr_put(first, shared, &values[3]);
    MPI_Comm_set_attr(first, unshared, &values[4]);
    MPI_Comm_dup(first, &second);
    look("copied by function", second, with_callbacks);
    look("copied as it is", second, shared);
    look("not copied", second, unshared);
    look("original", first, with_callbacks);

    MPI_Comm_set_attr(second, with_callbacks, &values[5]); /* replaces: deletes the old value */
    MPI_Comm_dup(second, &third);                          /* flag 0: not copied */
    look("third", third, with_callbacks);
    MPI_Comm_delete_attr(second, with_callbacks);
    look("deleted", second, with_callbacks);

    MPI_Comm_set_errhandler(first, MPI_ERRORS_RETURN);
    refuse = 1;
    MPI_Comm refused = MPI_COMM_WORLD;
    error = MPI_Comm_dup(first, &refused);
    MPI_Error_class(error, &error_class);
    say("rank %d: refused dup gives %s, %s\n", rank, error_class == MPI_ERR_OTHER ? "MPI_ERR_OTHER" : "success?",
        refused == MPI_COMM_NULL ? "MPI_COMM_NULL" : "a communicator");
    error = MPI_Comm_delete_attr(first, with_callbacks);
    MPI_Error_class(error, &error_class);
    say("rank %d: refused delete gives %s\n", rank, error_class == MPI_ERR_OTHER ? "MPI_ERR_OTHER" : "success?");
    refuse = 0;
    look("still there", first, with_callbacks);

    MPI_Comm_free_keyval(&with_callbacks); /* attributes keep it alive until their communicator goes */
    if (with_callbacks == MPI_KEYVAL_INVALID)
        say("rank %d: the key is gone\n", rank);
    MPI_Comm_free(&first);
    MPI_Comm_free(&second);
    MPI_Comm_free(&third);
    MPI_Keyval_free(&shared);
    MPI_Comm_free_keyval(&unshared);
    say_all();
    MPI_Finalize();
    return 0;
}
