int main(int argc, char **argv)
{
    int values[4] = {0};
    MPI_Datatype type;
    MPI_Init(&argc, &argv);
    MPI_Type_vector(2, 1, 2, 
                            ((MPI_Datatype)0x300000008)
                                   , &type);
    MPI_Bcast(values, 1, type, 0, 
                                 ((MPI_Comm)0x100000001)
                                               );
    MPI_Finalize();
    return 0;
}
