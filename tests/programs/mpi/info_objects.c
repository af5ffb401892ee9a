/* Info objects keep (key, value) pairs in the order of setting; keys can be replaced, deleted, counted and copied
 * (MPI-3.1 chapter 9); MPI_Info_get_string says what room a value needs (MPI-4.0 chapter 10). */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static void show(const char *what, MPI_Info info)
{
    int n, flag, length;
    char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
    MPI_Info_get_nkeys(info, &n);
    printf("%s: %d keys\n", what, n);
    for (int i = 0; i < n; i++) {
        MPI_Info_get_nthkey(info, i, key);
        MPI_Info_get_valuelen(info, key, &length, &flag);
        MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &flag);
        printf("    %d: %s = \"%s\", length %d, flag %d\n", i, key, value, length, flag);
    }
}

static void expect(const char *what, int error, int expected)
{
    int error_class;
    MPI_Error_class(error, &error_class);
    printf("%s: %s\n", what, error_class == expected ? "as expected" : "another class");
}

int main(int argc, char **argv)
{
    MPI_Info info, copy, hints;
    MPI_Comm dup;
    int flag, length;
    char value[64], long_text[2000];

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Info_create(&info);
    show("new", info);
    MPI_Info_set(info, "colour", "green");
    MPI_Info_set(info, "file name", "/tmp/with blanks");
    MPI_Info_set(info, "empty", "");
    MPI_Info_set(info, "colour", "blue");
    show("set", info);
    MPI_Info_dup(info, &copy);
    MPI_Info_delete(info, "file name");
    MPI_Info_set(info, "last", "one");
    show("after deleting", info);
    show("copy", copy);

    strcpy(value, "untouched");
    MPI_Info_get(info, "missing", sizeof value - 1, value, &flag);
    printf("missing: flag %d, %s\n", flag, value);
    MPI_Info_get(info, "colour", 2, value, &flag);
    printf("cut: \"%s\", flag %d\n", value, flag);
    length = 3;
    MPI_Info_get_string(info, "colour", &length, value, &flag);
    printf("in a room of 3: \"%s\", needs %d\n", value, length);
    length = sizeof value;
    MPI_Info_get_string(info, "missing", &length, value, &flag);
    printf("missing: flag %d\n", flag);

    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    expect("long key", MPI_Info_set(info, long_text, "b"), MPI_ERR_INFO_KEY);
    expect("empty key", MPI_Info_set(info, "", "b"), MPI_ERR_INFO_KEY);
    expect("long value", MPI_Info_set(info, "a", long_text), MPI_ERR_INFO_VALUE);
    expect("delete what is not there", MPI_Info_delete(info, "a"), MPI_ERR_INFO_NOKEY);
    expect("key number 9", MPI_Info_get_nthkey(info, 9, value), MPI_ERR_ARG);

    MPI_Info_get_nkeys(MPI_INFO_ENV, &length);
    printf("MPI_INFO_ENV %s\n", length >= 0 ? "can be asked" : "?");
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &dup);
    MPI_Comm_set_info(dup, copy);
    MPI_Comm_get_info(dup, &hints);
    printf("hints are %s\n", hints == MPI_INFO_NULL ? "MPI_INFO_NULL" : "an object");
    MPI_Info_free(&hints);
    MPI_Comm_free(&dup);
    MPI_Info_free(&info);
    MPI_Info_free(&copy);
    printf("freed: %s\n", info == MPI_INFO_NULL ? "MPI_INFO_NULL" : "?");
    MPI_Finalize();
    return 0;
}
