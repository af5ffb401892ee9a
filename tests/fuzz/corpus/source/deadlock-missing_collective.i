int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(
                 ((MPI_Comm)0x100000001)
                               , &rank);
    if (rank != 1)
        MPI_Barrier(
                   ((MPI_Comm)0x100000001)
                                 );
    else
        MPI_Recv(&rank, 1, 
                          ((MPI_Datatype)0x300000008)
                                 , 0, 0, 
                                         ((MPI_Comm)0x100000001)
                                                       , 
                                                         ((MPI_Status *)1)
                                                                          );
    MPI_Finalize();
    return 0;
}
