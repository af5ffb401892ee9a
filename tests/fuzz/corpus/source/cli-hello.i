int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(
                 ((MPI_Comm)0x100000001)
                               , &rank);
    MPI_Comm_size(
                 ((MPI_Comm)0x100000001)
                               , &size);
    printf("hello %d of %d:", rank, size);
    for (int i = 1; i < argc; i++)
        printf(" <%s>", argv[i]);
    printf("\n");
    MPI_Finalize();
    return 0;
}
