/* Errors that belong to no object go to the handler of MPI_COMM_SELF; while a program has set none there, to that of
 * MPI_COMM_WORLD; before MPI_Init and after MPI_Finalize to the initial one (--set mpi.initial-errhandler). Keys of
 * attributes belong to no object; what is freed while attributes use it may be freed again. */
#include <mpi.h>
#include <stdio.h>

static int self_heard, world_heard;

static void for_self(MPI_Comm *comm, int *code, ...)
{
    self_heard += *comm == MPI_COMM_SELF && *code != MPI_SUCCESS;
}

static void for_world(MPI_Comm *comm, int *code, ...)
{
    world_heard += *comm == MPI_COMM_WORLD && *code != MPI_SUCCESS;
}

static void hears(const char *what, int result, int wanted, int self, int world)
{
    int class;
    MPI_Error_class(result, &class);
    if (class != wanted || self_heard != self || world_heard != world)
        printf("%s: class %d instead of %d, heard by self %d, world %d\n", what, class, wanted, self_heard,
               world_heard);
    self_heard = world_heard = 0;
}

/* One call of each sort of object that has no handler. */
static void all(int self, int world)
{
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Op op = MPI_OP_NULL;
    MPI_Info info = MPI_INFO_NULL;
    MPI_Request request = (MPI_Request)0x1234;
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Win window = MPI_WIN_NULL;
    int n, key = MPI_KEYVAL_INVALID;
    hears("datatype", MPI_Type_commit(&type), MPI_ERR_TYPE, self, world);
    hears("count", MPI_Type_contiguous(-1, MPI_INT, &type), MPI_ERR_COUNT, self, world);
    hears("group", MPI_Group_size(group, &n), MPI_ERR_GROUP, self, world);
    hears("operator", MPI_Op_free(&op), MPI_ERR_OP, self, world);
    hears("info", MPI_Info_free(&info), MPI_ERR_INFO, self, world);
    hears("request", MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_REQUEST, self, world);
    hears("handler", MPI_Errhandler_free(&handler), MPI_ERR_ARG, self, world);
    hears("window", MPI_Win_fence(0, window), MPI_ERR_WIN, self, world);
    hears("communicator", MPI_Comm_rank(MPI_COMM_NULL, &n), MPI_ERR_COMM, self, world);
    hears("key", MPI_Comm_free_keyval(&key), MPI_ERR_KEYVAL, self, world);
    hears("code", MPI_Error_class(-3, &n), MPI_ERR_ARG, self, world);
    hears("dims", MPI_Dims_create(3, -1, &n), MPI_ERR_DIMS, self, world);
}

static int freed_by_callback(MPI_Comm comm, int key, void *value, void *extra)
{
    MPI_Comm_free_keyval(&key);
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    MPI_Errhandler self_handler, world_handler, found;
    MPI_Comm copy;
    MPI_Win window;
    int n, key, same, of_window, memory;
    MPI_Comm_size(MPI_COMM_WORLD, &n); /* the initial handler lets it return */
    MPI_Init(&argc, &argv);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &found);
    printf("at first: %s\n", found == MPI_ERRORS_RETURN ? "MPI_ERRORS_RETURN" : "?");
    all(0, 0);

    MPI_Comm_create_errhandler(for_self, &self_handler);
    MPI_Comm_create_errhandler(for_world, &world_handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, world_handler);
    all(0, 0); /* the first handler of MPI_COMM_SELF is MPI_ERRORS_RETURN, too */
    MPI_Comm_set_errhandler(MPI_COMM_SELF, self_handler);
    all(1, 0);
    hears("an error of the communicator", MPI_Send(&n, -1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_COUNT, 0, 1);

    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_SELF, &window);
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &of_window, NULL);
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, freed_by_callback, &key, NULL);
    hears("key of another kind", MPI_Comm_free_keyval(&of_window), MPI_ERR_KEYVAL, 1, 0);
    hears("key of another kind", MPI_Win_set_attr(window, key, &n), MPI_ERR_KEYVAL, 1, 0);
    hears("key of another kind", MPI_Comm_set_attr(MPI_COMM_WORLD, of_window, &n), MPI_ERR_KEYVAL, 0, 1);
    MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
    hears("key of another kind", MPI_Win_set_attr(window, key, &n), MPI_ERR_KEYVAL, 0, 0);
    MPI_Win_free_keyval(&of_window);
    MPI_Win_free(&window);

    MPI_Comm_set_attr(MPI_COMM_SELF, key, &n);
    MPI_Comm_dup(MPI_COMM_SELF, &copy);
    MPI_Comm_free(&copy);
    same = key;
    hears("freed again", MPI_Comm_free_keyval(&key), MPI_SUCCESS, 0, 0);
    key = same;
    hears("and again", MPI_Comm_free_keyval(&key), MPI_SUCCESS, 0, 0);
    MPI_Comm_delete_attr(MPI_COMM_SELF, same);
    hears("not in use", MPI_Comm_free_keyval(&same), MPI_ERR_KEYVAL, 1, 0);

    MPI_Errhandler_free(&self_handler);
    MPI_Errhandler_free(&world_handler);
    MPI_Finalize();
    printf("afterwards: %d\n", MPI_Comm_size(MPI_COMM_WORLD, &n) != MPI_SUCCESS);
    return 0;
}
