/* What matches although it looks different: pairs and structures, columns and rows, packed data, receives longer than
 * the message, and messages that end inside an item. Nothing is said of it under --check. */
#include <mpi.h>
#include <stdio.h>

typedef struct Pair {
    double value;
    int index;
} Pair;

static MPI_Datatype made(MPI_Datatype type)
{
    MPI_Type_commit(&type);
    return type;
}

static MPI_Datatype pair_type(void)
{
    int lengths[] = {1, 1};
    MPI_Aint places[] = {0, 8};
    MPI_Datatype parts[] = {MPI_DOUBLE, MPI_INT}, type;

    MPI_Type_create_struct(2, lengths, places, parts, &type);
    return made(type);
}

static void send(int how, double *data)
{
    MPI_Datatype type;
    char packed[64];
    int at = 0;

    switch (how) {
    case 0: MPI_Send(data, 3, MPI_DOUBLE_INT, 1, how, MPI_COMM_WORLD); break;
    case 1:
        MPI_Type_vector(4, 1, 4, MPI_DOUBLE, &type);
        type = made(type);
        MPI_Send(data, 1, type, 1, how, MPI_COMM_WORLD);
        MPI_Type_free(&type);
        break;
    case 2:
        MPI_Pack(data, 2, MPI_DOUBLE, packed, sizeof packed, &at, MPI_COMM_WORLD);
        MPI_Send(packed, at, MPI_PACKED, 1, how, MPI_COMM_WORLD);
        break;
    case 3: MPI_Send(data, 5, MPI_DOUBLE, 1, how, MPI_COMM_WORLD); break;
    case 4: MPI_Send(data, 2, MPI_DOUBLE, 1, how, MPI_COMM_WORLD); break;
    case 5: MPI_Send(data, 0, MPI_INT, 1, how, MPI_COMM_WORLD); break;
    case 6: MPI_Send(data, 3, MPI_2INT, 1, how, MPI_COMM_WORLD); break;
    }
}

static int receive(int how, double *data)
{
    MPI_Datatype type = MPI_DOUBLE;
    MPI_Status status;
    int count;

    switch (how) {
    case 0: type = pair_type(); break;
    case 3: MPI_Type_contiguous(3, MPI_DOUBLE, &type), type = made(type); break;
    case 4: type = MPI_PACKED; break;
    case 6: type = MPI_INT; break;
    }
    MPI_Recv(data, how == 4 ? 128 : 16 / (how == 3 ? 3 : 1), type, 0, how, MPI_COMM_WORLD, &status);
    MPI_Get_elements(&status, type, &count);
    if (how == 0 || how == 3)
        MPI_Type_free(&type);
    return count;
}

int main(int argc, char **argv)
{
    int rank;
    double data[32] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int how = 0; how < 7; how++) {
        if (rank == 0)
            send(how, data);
        else
            printf("%d: %d elements\n", how, receive(how, data));
    }
    MPI_Finalize();
    return 0;
}
