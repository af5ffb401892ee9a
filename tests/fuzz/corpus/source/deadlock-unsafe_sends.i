static char buffer[1000];
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(
                 ((MPI_Comm)0x100000001)
                               , &rank);
    MPI_Send(buffer, 1000, 
                          ((MPI_Datatype)0x300000001)
                                  , 1 - rank, 3, 
                                                 ((MPI_Comm)0x100000001)
                                                               );
    MPI_Recv(buffer, 1000, 
                          ((MPI_Datatype)0x300000001)
                                  , 1 - rank, 3, 
                                                 ((MPI_Comm)0x100000001)
                                                               , 
                                                                 ((MPI_Status *)1)
                                                                                  );
    MPI_Finalize();
    return 0;
}
