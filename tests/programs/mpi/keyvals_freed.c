/* A key that has been freed goes on to serve as long as attributes of it live (MPI-3.1 section 6.7.2). */
#include <mpi.h>
#include <stdio.h>

static int deleted;

static int drop(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    deleted++;
    return MPI_SUCCESS;
}

static int drop_of_type(MPI_Datatype type, int key, void *value, void *extra)
{
    (void)type, (void)key, (void)value, (void)extra;
    deleted++;
    return MPI_SUCCESS;
}

static void of_communicators(void)
{
    int key, save, value = 5, flag = 0, *found = NULL;
    MPI_Comm copy;
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, drop, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, &value);
    save = key;
    MPI_Comm_free_keyval(&key);
    MPI_Comm_dup(MPI_COMM_SELF, &copy);
    MPI_Comm_get_attr(copy, save, &found, &flag);
    printf("%d %d %d %d\n", key == MPI_KEYVAL_INVALID, deleted, flag, found == &value);
    MPI_Comm_delete_attr(MPI_COMM_SELF, save);
    printf("%d\n", deleted);
    MPI_Comm_free(&copy);
    printf("%d\n", deleted);
}

static void of_types(void)
{
    int key, save, value = 5;
    MPI_Datatype type;
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, drop_of_type, &key, NULL);
    MPI_Type_set_attr(type, key, &value);
    MPI_Type_set_attr(MPI_INT, key, &value);
    save = key;
    MPI_Type_free_keyval(&key);
    MPI_Type_delete_attr(MPI_INT, save);
    MPI_Type_delete_attr(type, save);
    printf("%d\n", deleted);
    MPI_Type_free(&type);
    printf("%d\n", deleted);
}

/* With the last attribute the key is gone. */
static void gone(void)
{
    int key, save, value = 5, class;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, drop, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, &value);
    save = key;
    MPI_Comm_free_keyval(&key);
    MPI_Comm_delete_attr(MPI_COMM_SELF, save);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Comm_set_attr(MPI_COMM_SELF, save, &value), &class);
    printf("%d %d\n", deleted, class == MPI_ERR_KEYVAL);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    of_communicators();
    of_types();
    gone();
    MPI_Finalize();
    return 0;
}
