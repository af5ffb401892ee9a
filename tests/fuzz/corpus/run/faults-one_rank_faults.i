int main(int argc, char **argv)
{
    int rank, *p = 
                  ((void *)0)
                      , value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(
                 ((MPI_Comm)0x100000001)
                               , &rank);
    if (rank == 2)
        *p = 1;
    MPI_Bcast(&value, 1, 
                        ((MPI_Datatype)0x300000008)
                               , 2, 
                                    ((MPI_Comm)0x100000001)
                                                  );
    printf("not reached\n");
    MPI_Finalize();
    return 0;
}
