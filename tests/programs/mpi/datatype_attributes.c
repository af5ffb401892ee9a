/* Attributes of datatypes: copy callbacks run at MPI_Type_dup, delete callbacks at MPI_Type_free, at replacing and
 * deleting (MPI-3.1 section 6.7.4). The predefined callbacks are functions that programs may call. */
#include <mpi.h>
#include <stdio.h>

static int refuse;

static int copy(MPI_Datatype type, int keyval, void *extra, void *in, void *out, int *flag)
{
    int size;
    (void)keyval;
    MPI_Type_size(type, &size);
    printf("copy %d, extra %s, of a type of %d bytes\n", *(int *)in, (char *)extra, size);
    *(void **)out = (int *)in + 1;
    *flag = 1;
    return refuse ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int delete(MPI_Datatype type, int keyval, void *value, void *extra)
{
    (void)type, (void)keyval;
    printf("delete %d, extra %s\n", *(int *)value, (char *)extra);
    return refuse ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static void look(const char *what, MPI_Datatype type, int keyval)
{
    int *value, flag;
    MPI_Type_get_attr(type, keyval, &value, &flag);
    if (flag)
        printf("%s has %d\n", what, *value);
    else
        printf("%s has none\n", what);
}

static void expect(const char *what, int error, int expected)
{
    int error_class;
    MPI_Error_class(error, &error_class);
    printf("%s: %s\n", what, error_class == expected ? "as expected" : "another class");
}

static void call_predefined(void)
{
    int value = 5, flag = -1;
    void *out = NULL;
    printf("%d", MPI_TYPE_DUP_FN(MPI_INT, 1, NULL, &value, &out, &flag));
    printf(" %d %d\n", flag, out == &value);
    printf("%d", MPI_TYPE_NULL_COPY_FN(MPI_INT, 1, NULL, &value, &out, &flag));
    printf(" %d\n", flag);
    printf("%d\n", MPI_TYPE_NULL_DELETE_FN(MPI_INT, 1, &value, NULL));
    printf("%d", MPI_COMM_DUP_FN(MPI_COMM_WORLD, 1, NULL, &value, &out, &flag));
    printf(" %d\n", flag);
    printf("%d", MPI_COMM_NULL_COPY_FN(MPI_COMM_WORLD, 1, NULL, &value, &out, &flag));
    printf(" %d\n", flag);
    printf("%d\n", MPI_COMM_NULL_DELETE_FN(MPI_COMM_WORLD, 1, &value, NULL));
}

int main(int argc, char **argv)
{
    static int values[] = {10, 11, 12, 20, 30, 31};
    int own, shared, unshared, of_comms, flag;
    void *value;
    MPI_Datatype first, second, refused = MPI_INT;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Type_create_keyval(copy, delete, &own, "A");
    MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &shared, NULL);
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &unshared, NULL);
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &of_comms, NULL);

    MPI_Type_contiguous(3, MPI_INT, &first);
    look("new", first, own);
    MPI_Type_set_attr(first, own, &values[0]);
    MPI_Type_set_attr(first, shared, &values[3]);
    MPI_Type_set_attr(first, unshared, &values[3]);
    MPI_Type_dup(first, &second);
    look("copied by function", second, own);
    look("copied as it is", second, shared);
    look("not copied", second, unshared);
    MPI_Type_set_attr(second, own, &values[4]);
    look("replaced", second, own);
    MPI_Type_delete_attr(second, own);
    look("deleted", second, own);

    MPI_Type_set_attr(MPI_INT, own, &values[5]); /* also on predefined types */
    look("MPI_INT", MPI_INT, own);
    look("MPI_FLOAT", MPI_FLOAT, own);
    MPI_Type_delete_attr(MPI_INT, own);
    look("MPI_INT", MPI_INT, own);

    char name[MPI_MAX_OBJECT_NAME];
    int length;
    MPI_Type_set_name(MPI_LONG, "a name of the program's"); /* and names */
    MPI_Type_get_name(MPI_LONG, name, &length);
    printf("\"%s\" %d\n", name, length);
    MPI_Type_get_name(MPI_INT, name, &length);
    printf("\"%s\" %d\n", name, length);

    refuse = 1;
    refused = first;
    expect("refused copy", MPI_Type_dup(first, &refused), MPI_ERR_OTHER);
    printf("what comes of it: %s\n", refused == MPI_DATATYPE_NULL ? "MPI_DATATYPE_NULL" : "?");
    expect("refused delete", MPI_Type_delete_attr(first, own), MPI_ERR_OTHER);
    refuse = 0;
    look("still there", first, own);
    expect("a key of communicators", MPI_Type_get_attr(first, of_comms, &value, &flag), MPI_ERR_KEYVAL);
    expect("no key", MPI_Type_set_attr(first, MPI_KEYVAL_INVALID, NULL), MPI_ERR_KEYVAL);
    expect("no type", MPI_Type_set_attr(MPI_DATATYPE_NULL, own, NULL), MPI_ERR_TYPE);
    MPI_Type_free_keyval(&own); /* the attribute keeps it alive */
    printf("key %s\n", own == MPI_KEYVAL_INVALID ? "MPI_KEYVAL_INVALID" : "?");
    MPI_Type_free(&first);
    MPI_Type_free(&second);
    MPI_Type_free_keyval(&shared);
    MPI_Type_free_keyval(&unshared);
    MPI_Comm_free_keyval(&of_comms);
    call_predefined();
    MPI_Finalize();
    return 0;
}
