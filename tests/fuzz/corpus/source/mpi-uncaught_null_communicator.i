int main(int argc, char **argv)
{
    int dims[1] = {2}, periods[1] = {0}, rank;
    MPI_Comm line;
    MPI_Init(&argc, &argv);
    MPI_Cart_create(
                   ((MPI_Comm)0x100000001)
                                 , 1, dims, periods, 0, &line);
    MPI_Comm_rank(line, &rank);
    MPI_Finalize();
    return 0;
}
