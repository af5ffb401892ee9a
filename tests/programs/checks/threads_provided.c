/* Up to MPI_THREAD_SERIALIZED a program gets what it asks for, and need not look. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    MPI_Finalize();
}
