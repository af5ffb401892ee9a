/* Sessions without MPI_Init, one after the other and two at a time: process sets, communicators from groups, error
 * handlers (MPI-4.1 sections 7.4.2, 7.6.2, 11.3). */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int told, first; /* told of errors; whether this is rank 0 */

static void on_error(MPI_Session *session, int *code, ...)
{
    int class;
    MPI_Error_class(*code, &class);
    told += *session != MPI_SESSION_NULL && class == MPI_ERR_ARG;
}

static void show_sets(MPI_Session session)
{
    char name[MPI_MAX_PSET_NAME_LEN], value[64];
    int n, length, flag;
    MPI_Info info;
    MPI_Session_get_num_psets(session, MPI_INFO_NULL, &n);
    for (int i = 0; i < n; i++) {
        length = 0;
        MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, NULL);
        int needed = length;
        MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, name);
        MPI_Session_get_pset_info(session, name, &info);
        MPI_Info_get(info, "mpi_size", sizeof value - 1, value, &flag);
        printf("%s: %s processes, %d %d characters\n", name, flag ? value : "?", needed, (int)strlen(name));
        MPI_Info_free(&info);
    }
    length = 4;
    MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, &length, name);
    printf("cut: %s %d\n", name, length);
    MPI_Session_get_info(session, &info);
    MPI_Info_get(info, "thread_level", sizeof value - 1, value, &flag);
    printf("thread level %s\n", flag ? value : "?");
    MPI_Info_free(&info);
}

static void communicate(MPI_Session session, int round)
{
    MPI_Group all, even, odd;
    MPI_Comm comm, between;
    int rank, size, sum, n;
    MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
    MPI_Comm_create_from_group(all, "all", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    MPI_Comm_rank(comm, &rank);
    first = rank == 0;
    MPI_Comm_size(comm, &size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    if (rank == 0)
        printf("round %d: %d processes, sum %d\n", round, size, sum);
    int evens[1][3] = {{0, size - 1, 2}}, odds[1][3] = {{1, size - 1, 2}};
    MPI_Group_range_incl(all, 1, evens, &even);
    MPI_Group_range_incl(all, 1, odds, &odd);
    MPI_Intercomm_create_from_groups(rank % 2 ? odd : even, 0, rank % 2 ? even : odd, 0, "halves", MPI_INFO_NULL,
                                     MPI_ERRORS_RETURN, &between);
    MPI_Comm_remote_size(between, &n);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, between);
    if (rank < 2)
        printf("round %d, rank %d: %d on the other side, sum %d\n", round, rank, n, sum);
    MPI_Comm_free(&between);
    MPI_Comm_free(&comm);
    MPI_Group_free(&even);
    MPI_Group_free(&odd);
    MPI_Group_free(&all);
}

static void misuse(MPI_Session session)
{
    MPI_Group group = MPI_GROUP_EMPTY;
    MPI_Errhandler handler, same;
    MPI_Comm comm;
    int length = 0, class;
    MPI_Session_create_errhandler(on_error, &handler);
    MPI_Session_set_errhandler(session, handler);
    MPI_Session_get_errhandler(session, &same);
    MPI_Group_from_session_pset(session, "mpi://nothing", &group);
    MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 9, &length, NULL);
    MPI_Session_call_errhandler(session, MPI_ERR_ARG);
    printf("told %d times, group null %d, handler the same %d\n", told, group == MPI_GROUP_NULL, same == handler);
    MPI_Errhandler_free(&handler);
    MPI_Errhandler_free(&same);
    MPI_Error_class(MPI_Comm_create_from_group(MPI_GROUP_NULL, "x", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm), &class);
    printf("no group: %d\n", class == MPI_ERR_GROUP);
    MPI_Comm_create_from_group(MPI_GROUP_EMPTY, "x", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    printf("empty group: %d\n", comm == MPI_COMM_NULL);
    printf("Fortran: %d\n", MPI_Session_f2c(MPI_Session_c2f(session)) != MPI_SESSION_NULL);
}

int main(int argc, char **argv)
{
    MPI_Session session, other;
    MPI_Group self;
    MPI_Info info;
    int flag, rank;
    for (int round = 0; round < 3; round++) {
        MPI_Info_create(&info);
        MPI_Info_set(info, "thread_level", "MPI_THREAD_MULTIPLE");
        MPI_Session_init(info, MPI_ERRORS_RETURN, &session);
        MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &other);
        MPI_Info_free(&info);
        MPI_Group_from_session_pset(other, "mpi://SELF", &self);
        MPI_Group_rank(self, &rank);
        MPI_Group_free(&self);
        communicate(session, round);
        if (round == 1 && first)
            show_sets(session);
        if (round == 2 && first)
            misuse(other);
        MPI_Session_finalize(&session);
        MPI_Session_finalize(&other);
        if (session != MPI_SESSION_NULL || rank != 0)
            printf("wrong\n");
    }
    MPI_Initialized(&flag);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("before %d, and now MPI_Init\n", flag);
    MPI_Finalize();
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    communicate(session, 3);
    MPI_Session_finalize(&session);
    return 0;
}
