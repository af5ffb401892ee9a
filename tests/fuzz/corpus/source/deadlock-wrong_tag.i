int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(
                 ((MPI_Comm)0x100000001)
                               , &rank);
    if (rank == 0)
        MPI_Send(&value, 1, 
                           ((MPI_Datatype)0x300000008)
                                  , 1, 8, 
                                          ((MPI_Comm)0x100000001)
                                                        );
    else
        MPI_Recv(&value, 1, 
                           ((MPI_Datatype)0x300000008)
                                  , 0, 9, 
                                          ((MPI_Comm)0x100000001)
                                                        , 
                                                          ((MPI_Status *)1)
                                                                           );
    MPI_Finalize();
    return 0;
}
