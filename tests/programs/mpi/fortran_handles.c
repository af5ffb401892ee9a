/* Handles and statuses go to Fortran's form and back (MPI-3.1 sections 17.2.4 and 17.2.5). */
#include <mpi.h>
#include <stdio.h>

#define BOTH_WAYS(Kind, handle) printf(#handle " %d\n", MPI_##Kind##_f2c(MPI_##Kind##_c2f(handle)) == (handle))

int main(int argc, char **argv)
{
    MPI_Comm comm;
    MPI_Group group;
    MPI_Datatype type;
    MPI_Request request;
    MPI_Info info;
    MPI_Status status, back;
    MPI_F08_status modern;
    MPI_Fint old[MPI_F_STATUS_SIZE];
    int number = 5, received, n;

    MPI_Init(&argc, &argv);
    BOTH_WAYS(Comm, MPI_COMM_WORLD);
    BOTH_WAYS(Comm, MPI_COMM_SELF);
    BOTH_WAYS(Comm, MPI_COMM_NULL);
    BOTH_WAYS(Group, MPI_GROUP_EMPTY);
    BOTH_WAYS(Type, MPI_INT);
    BOTH_WAYS(Type, MPI_DATATYPE_NULL);
    BOTH_WAYS(Op, MPI_SUM);
    BOTH_WAYS(Op, MPI_OP_NULL);
    BOTH_WAYS(Request, MPI_REQUEST_NULL);
    BOTH_WAYS(Errhandler, MPI_ERRORS_RETURN);
    BOTH_WAYS(Info, MPI_INFO_NULL);
    BOTH_WAYS(Message, MPI_MESSAGE_NULL);
    BOTH_WAYS(Message, MPI_MESSAGE_NO_PROC);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_group(comm, &group);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Info_create(&info);
    MPI_Irecv(&received, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
    BOTH_WAYS(Comm, comm);
    BOTH_WAYS(Group, group);
    BOTH_WAYS(Type, type);
    BOTH_WAYS(Info, info);
    BOTH_WAYS(Request, request);
    printf("different: %d\n", MPI_Comm_c2f(comm) != MPI_Comm_c2f(MPI_COMM_WORLD));

    MPI_Send(&number, 1, MPI_INT, 0, 7, MPI_COMM_SELF);
    MPI_Wait(&request, &status);
    status.MPI_ERROR = 3;
    MPI_Status_c2f(&status, old);
    printf("Fortran: %d %d %d\n", old[MPI_F_SOURCE], old[MPI_F_TAG], old[MPI_F_ERROR]);
    MPI_Status_f2f08(old, &modern);
    printf("Fortran 2008: %d %d %d\n", modern.MPI_SOURCE, modern.MPI_TAG, modern.MPI_ERROR);
    modern.MPI_TAG = 9;
    MPI_Status_f082f(&modern, old);
    MPI_Status_f2c(old, &back);
    MPI_Get_count(&back, MPI_INT, &n);
    printf("back in C: %d %d %d, count %d\n", back.MPI_SOURCE, back.MPI_TAG, back.MPI_ERROR, n);
    MPI_Status_c2f08(&status, &modern);
    MPI_Status_f082c(&modern, &back);
    MPI_Get_count(&back, MPI_INT, &n);
    printf("by Fortran 2008: %d %d, count %d\n", back.MPI_SOURCE, back.MPI_TAG, n);

    MPI_Aint a = 1000, b = 300;
    printf("addresses: %ld %ld\n", (long)MPI_Aint_add(a, b), (long)MPI_Aint_diff(b, a));
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
    MPI_Type_free(&type);
    MPI_Info_free(&info);
    MPI_Finalize();
    return 0;
}
