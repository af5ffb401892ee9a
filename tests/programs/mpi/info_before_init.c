/* Info objects can be made before MPI_Init (MPI-4.0 section 11.4.1). A communicator keeps the hints that mean something
 * and tells the usual values of the others. MPI_Comm_dup does not take hints along (MPI-4.1 section 7.4.2). */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void show(const char *what, MPI_Comm comm)
{
    MPI_Info info;
    int n, flag;
    char key[MPI_MAX_INFO_KEY], value[MPI_MAX_INFO_VAL];
    MPI_Comm_get_info(comm, &info);
    MPI_Info_get_nkeys(info, &n);
    printf("%s:", what);
    for (int i = 0; i < n; i++) {
        MPI_Info_get_nthkey(info, i, key);
        MPI_Info_get(info, key, sizeof value - 1, value, &flag);
        printf(" %s=%s", key, value);
    }
    printf("\n");
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    MPI_Info info, env, none = MPI_INFO_NULL, fixed = MPI_INFO_ENV;
    MPI_Comm first, second;
    char value[64], here[MPI_MAX_INFO_VAL], there[MPI_MAX_INFO_VAL];
    int flag, length = 0;

    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_assert_no_any_tag", "true");
    MPI_Info_create_env(argc, argv, &env);
    MPI_Init(&argc, &argv);
    MPI_Info_get(env, "maxprocs", sizeof value - 1, value, &flag);
    printf("maxprocs %s, flag %d\n", value, flag);
    MPI_Info_get(MPI_INFO_ENV, "thread_level", sizeof value - 1, value, &flag);
    printf("thread level %s, flag %d\n", value, flag);
    getcwd(here, sizeof here);
    MPI_Info_get(MPI_INFO_ENV, "wdir", sizeof there - 1, there, &flag);
    printf("started in the working directory: %d\n", flag && strcmp(here, there) == 0);
    MPI_Info_get(MPI_INFO_ENV, "file", sizeof there - 1, there, &flag);
    printf("file: %d\n", flag);
    show("world", MPI_COMM_WORLD);
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &first);
    show("with info", first);
    MPI_Info_set(info, "mpi_assert_no_any_tag", "false");
    MPI_Info_set(info, "own", "hint");
    MPI_Comm_set_info(first, info);
    MPI_Comm_dup(first, &second);
    show("set", first);
    show("duplicate", second);
    MPI_Comm_free(&first);
    MPI_Comm_dup_with_info(second, MPI_INFO_NULL, &first);
    show("without", first);
    MPI_Info_get_string(info, "own", &length, NULL, &flag);
    printf("room needed: %d, flag %d\n", length, flag);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    printf("no object: %d\n", MPI_Info_set(MPI_INFO_NULL, "a", "b") == MPI_ERR_INFO);
    printf("free no object: %d\n", MPI_Info_free(&none) == MPI_ERR_INFO);
    printf("change the environment: %d\n", MPI_Info_set(MPI_INFO_ENV, "a", "b") == MPI_ERR_INFO);
    printf("free the environment: %d\n", MPI_Info_free(&fixed) == MPI_ERR_INFO);
    printf("hints from a freed object: ");
    MPI_Comm_free(&first);
    MPI_Comm_free(&second);
    none = info;
    MPI_Info_free(&info);
    printf("%d\n", MPI_Comm_set_info(MPI_COMM_WORLD, none) == MPI_ERR_INFO);
    MPI_Info_free(&env);
    MPI_Finalize();
    return 0;
}
