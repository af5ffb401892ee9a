int main(int argc, char **argv)
{
    double values[3] = {1, 2, 3};
    char buffer[20];
    int position = 0;
    MPI_Init(&argc, &argv);
    MPI_Pack(values, 1, 
                       ((MPI_Datatype)0x30000000f)
                                 , buffer, sizeof buffer, &position, 
                                                                     ((MPI_Comm)0x100000001)
                                                                                   );
    MPI_Pack(values, 2, 
                       ((MPI_Datatype)0x30000000f)
                                 , buffer, sizeof buffer, &position, 
                                                                     ((MPI_Comm)0x100000001)
                                                                                   );
    MPI_Finalize();
    return 0;
}
