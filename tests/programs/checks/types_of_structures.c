/* Derived types match by their sequences of basic types alone; here the third element of a structure differs. */
#include <mpi.h>
#include <stddef.h>

typedef struct Particle {
    double x;
    int kind;
    unsigned mass;
} Particle;

static MPI_Datatype particle_type(MPI_Datatype mass)
{
    int lengths[] = {1, 1, 1};
    MPI_Aint places[] = {offsetof(Particle, x), offsetof(Particle, kind), offsetof(Particle, mass)};
    MPI_Datatype parts[] = {MPI_DOUBLE, MPI_INT, mass}, type;

    MPI_Type_create_struct(3, lengths, places, parts, &type);
    MPI_Type_commit(&type);
    return type;
}

int main(int argc, char **argv)
{
    int rank;
    Particle particles[100] = {{0}};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype type = particle_type(rank == 0 ? MPI_UNSIGNED : MPI_INT);
    if (rank == 0)
        MPI_Ssend(particles, 100, type, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(particles, 100, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
